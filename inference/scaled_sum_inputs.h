// Inputs for how sums of products with scales are aligned and rounded where they meet each other.
//
// Sums that have one scale lie no further apart than their products do, so a bit that alignment loses shows
// only where one sum is about as large as it can be and another has bits at the lowest places that there are.
// Blocks of a node get all largest products, or a few small ones, and scales the largest significand or any.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "inference/random_draws.h"
#include "model/dot_input.h"
#include "model/unit_model.h"

namespace mmaprint {

class ScaledSumInputs : RandomDraws {
 public:
  /// For two units with scales, of the same K and formats; the products of a node of either are a block.
  ScaledSumInputs(const UnitModel& x, const UnitModel& y, std::uint64_t seed);

  [[nodiscard]] DotInput next();

 private:
  using Blocks = std::vector<std::vector<std::size_t>>;
  /// Has it the largest products there are, and are most of them negative?
  struct Block {
    bool is_large, negative;
  };

  void set_scales(int exponent, DotInput& input);
  void set_role(const std::optional<Scales>& scales, int exponent, std::vector<Pattern>& patterns);
  void put_block(std::span<const std::size_t> products, Block block, DotInput& input);
  [[nodiscard]] Pattern largest(const FormatInfo& f) const;
  [[nodiscard]] Pattern fine(const FormatInfo& f);

  Signature formats_;
  int k_;
  std::vector<Blocks> blocks_;  ///< of either unit
};

}  // namespace mmaprint
