// What no product is: makes words of products that were left open (AigGates::free_products) less open.
//
// A product of two words of eleven bits has 22 of them, and most words of 22 bits are none. Which, no gate
// tells without being a multiplier; a search through the pairs of factors does, and what it says of a product
// is short: "no two factors, of which these bits are known, have a product that ends in those".
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>

namespace mmaprint {

/// Some bits of a word are known: those of `mask` are as in `value`, which has no others.
struct KnownBits {
  std::uint64_t mask = 0;
  std::uint64_t value = 0;
  [[nodiscard]] constexpr bool allows(std::uint64_t word) const { return (word & mask) == value; }
  friend bool operator==(const KnownBits&, const KnownBits&) = default;
};

/// Two factors and their product, of each of which some bits are known.
struct PartlyKnown {
  KnownBits x, y, product;
  friend bool operator==(const PartlyKnown&, const PartlyKnown&) = default;
};

/// No factors are such, of those of the n-th product that was left open.
struct ProductLemma {
  std::uint32_t product = 0;
  PartlyKnown excluded;
  friend bool operator==(const ProductLemma&, const ProductLemma&) = default;
};

/// A lemma speaks of a product that there is not, or of factors that there are.
class WrongLemma : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Bits of both factors together beyond which pairs of them are not searched.
inline constexpr int kMostBitsOfFactors = 24;

struct FactorWidths {
  int x, y;
};
/// Are no other bits known than words of these widths have?
[[nodiscard]] bool is_within(const PartlyKnown& known, const FactorWidths& widths);

struct FactorPair {
  std::uint64_t x, y;
};
/// Two words of these widths that are such; nullopt if there are none. Requires no more bits of both than are
/// searched, and none known beyond those. Pairs that were tried are added to `tried`.
[[nodiscard]] std::optional<FactorPair> find_factors(const PartlyKnown& known, const FactorWidths& widths,
                                                     std::int64_t& tried);

/// The same with fewer bits known, as far as there are still no factors: as one bit after the other is given
/// up. Requires that there are none. Ends early once so many pairs were tried.
[[nodiscard]] PartlyKnown generalised(PartlyKnown known, const FactorWidths& widths, std::int64_t most,
                                      std::int64_t& tried);

enum class Beside : std::uint8_t { above, below };
/// Normal ones have their highest bit.
enum class FactorKinds : std::uint8_t { any, normal };
/// Is there a product of two such words that lies beside a multiple of 2^`boundary` that is not zero: less
/// than 2^lost above it, or below? True also where there are too many words to be searched.
[[nodiscard]] bool may_lie_beside(Beside side, const FactorWidths& widths, int lost, int boundary,
                                  FactorKinds factors = FactorKinds::any);

}  // namespace mmaprint
