// Inputs for a clamp of the alignment exponent where products have scales, and factors few exponents.
//
// What a clamp takes from scaled sums are their lowest bits, and all that shows is whether the sum of all
// reaches a result or the next one. So blocks that share their scales get sums chosen first: such as lie
// below the clamp and add up to a power of two though each is a few ones, down to bits that the clamp leaves
// nothing of; or a large one, and beside it a small one of the other sign. Or all products are alike, the
// lowest bits of which lie just below what is left.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "inference/random_draws.h"
#include "model/dot_input.h"
#include "model/unit_model.h"

namespace mmaprint {

class ScaledClampInputs : RandomDraws {
 public:
  /// For a unit with scales, and one of its adders, which has a clamp.
  ScaledClampInputs(const UnitModel& model, const Adder& adder, std::uint64_t seed);

  [[nodiscard]] DotInput next();

 private:
  /// Of two factors, in units of 2^lowest_bit_.
  struct Product {
    std::int64_t units;
    Pattern a, b;
  };
  /// Block by block: units of its products, and what they are scaled by.
  struct Scaled {
    std::int64_t units;
    int exponent;
  };

  void add_products();
  [[nodiscard]] DotInput all_alike();
  [[nodiscard]] DotInput with_sums();
  [[nodiscard]] std::vector<Scaled> ones_that_add_up();
  [[nodiscard]] std::vector<Scaled> small_beside_large();
  [[nodiscard]] std::int64_t any_units();
  void put(std::size_t block, const Scaled& sum, DotInput& input);
  void put_c(DotInput& input);
  [[nodiscard]] bool is_of_block(const std::optional<Scales>& scales) const;
  void set_scales(std::size_t block, int exponent, DotInput& input) const;
  [[nodiscard]] Pattern factor(const FormatInfo& f, bool negative, bool is_largest);

  Signature formats_;
  int k_, clamp_, kept_from_, lowest_bit_;
  int least_result_;      ///< its exponent
  std::size_t of_block_;  ///< products that have the same scales
  std::vector<Product>
      products_;       ///< by their units; none where formats have too many; and no very large ones
  int most_ones_ = 0;  ///< a block's sum may be so many ones
};

}  // namespace mmaprint
