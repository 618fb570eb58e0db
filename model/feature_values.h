// What features are values of, besides the parameters' own types.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "model/unit_model.h"

namespace mmaprint {

enum class Family : std::uint8_t { fused_dot_add, pairwise, fma_chain, exact, tree };
inline constexpr std::array<std::string_view, 5> kFamilyWords{"fused-dot-add", "pairwise", "fma-chain",
                                                              "exact", "tree"};
inline constexpr std::array<std::string_view, 2> kCEntersWords{"first", "last"};

/// What a unit's scales multiply: each product, or the sums of products that have them in common.
enum class ScalesOn : std::uint8_t { none, product, group };
inline constexpr std::array<std::string_view, 3> kScalesOnWords{"none", "product", "group"};

/// Integer bits above the leading one: so many that no sum can wrap (the fewest that suffice), or a number at
/// which some sum wraps.
struct AtLeast {
  int bits;
  friend bool operator==(const AtLeast&, const AtLeast&) = default;
};
struct Exactly {
  int bits;
  friend bool operator==(const Exactly&, const Exactly&) = default;
};
using CarryBits = std::variant<AtLeast, Exactly>;

/// What operands are computed in: a format's name, and how it is got where that is not exact.
struct OperandTexts {
  std::string a, b;
  std::optional<std::string> c;  ///< none: there is no c
  friend bool operator==(const OperandTexts&, const OperandTexts&) = default;
};

/// {i.f} as the papers write it: integer and fraction bits of a node's sum.
struct AccumulatorWidth {
  int integer_bits, fraction_bits;
  friend bool operator==(const AccumulatorWidth&, const AccumulatorWidth&) = default;
};

/// Does no larger addend ever give a smaller result? `witness`: inputs that show it does, the larger last.
struct Monotonic {
  std::optional<bool> holds;  ///< none: not established
  std::optional<std::pair<DotInput, DotInput>> witness;
  friend bool operator==(const Monotonic&, const Monotonic&) = default;
};

/// The fraction bits beyond which alignment bits count as extra: 23, for an FP64 result 52.
[[nodiscard]] int reference_fraction_bits(Format d);

}  // namespace mmaprint
