// The concrete datapath of a model that departs from it at one point: an operand of one node that is aligned
// otherwise than the others, or a parameter that has another value for some sums. What it computes is the
// specification with the same steps, one of which sees the deviation.
#pragma once

#include <optional>
#include <variant>

#include "model/plan.h"

namespace mmaprint {

namespace deviation {

// ---- Of one operand.

/// F is less by so many bits.
struct FewerBits {
  int bits;
};
/// It counts as zero where its exponent is below E minus this.
struct DroppedBelow {
  int exponents;
};
/// Its alignment rounds otherwise.
struct AlignedBy {
  AlignmentRounding rounding;
};
/// A product's exponent is that of another kind of product.
struct ProductAs {
  ProductKind kind;  ///< exact
};
/// Its exponent is another, its value the same, where it (or this factor of a product) is subnormal.
struct MovedWhereSubnormal {
  enum class What : std::uint8_t { itself, factor_a, factor_b } what;
  int by;  ///< 1 or -1
};
/// Where it has the largest exponent E is at least this, or has no clamp.
struct ClampedAt {
  std::optional<int> exponent;
};
/// It is an infinity where its leading bit weighs 2^exponent or more.
struct InfiniteFrom {
  int exponent;
};

struct OfOperand {
  std::size_t operand;  ///< by its place in the node
  std::variant<FewerBits, DroppedBelow, AlignedBy, ProductAs, MovedWhereSubnormal, ClampedAt, InfiniteFrom>
      how;
};

// ---- Of some sums.

enum class Sums : std::uint8_t {
  all,
  negative,
  carried_over,  ///< beyond D's range by rounding alone
};
/// A parameter has another value, by its index.
struct OfSums {
  Sums which;
  Parameter parameter;
  int index;
};

}  // namespace deviation

struct Deviation {
  /// At the nodes of this class; one node, where it is an operand's.
  int of_class;
  std::variant<deviation::OfOperand, deviation::OfSums> what;
};

class DeviatingEvaluator {
 public:
  /// Requires a valid model of floating-point operands.
  DeviatingEvaluator(UnitModel model, const Deviation& deviation);
  [[nodiscard]] Pattern operator()(const DotInput& input) const;

 private:
  UnitModel model_;
  Deviation deviation_;
  Plan plan_;
  std::optional<std::size_t> product_{};  ///< index, where the operand is one
};

}  // namespace mmaprint
