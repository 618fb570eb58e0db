// Operands of a unit that add up to a number, exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/plan.h"
#include "model/unit_model.h"

namespace mmaprint {

/// number·2^exponent.
struct Dyadic {
  std::int64_t number = 0;
  int exponent = 0;
};
/// A finite pattern's; nullopt for others.
[[nodiscard]] std::optional<Dyadic> dyadic(Format format, Pattern pattern);

/// In which way a number is cut into pieces.
struct Cut {
  bool to_nearest = true;  ///< pieces of either sign: few bits are set in what is left; or of the same
  bool from_last = false;  ///< the last of a node's operands takes the leading bits
  bool c_at_last = false;  ///< c takes what no product can
};
inline constexpr Cut kCuts[] = {{true, false, false}, {true, true, false}, {false, false, false},
                                {false, true, false}, {true, false, true}, {false, false, true}};

/// Sets operands of a unit, zeros before, so that what they add up to is a number, if every sum on the way
/// is exact: rounding and alignment may get in the way, and whether they do is for the evaluator to say.
class Summands {
 public:
  /// Refers to the plan, which is the model's.
  Summands(const UnitModel& model, const Plan& plan) : model_(model), plan_(plan) {}

  /// What is set below the node, apart from its operand `but` (an index, if any); returns what is left.
  [[nodiscard]] Dyadic add(Dyadic sum, std::size_t node, std::optional<std::size_t> but, const Cut& cut,
                           DotInput& input) const;
  /// Two numbers by one of its operands each; false where they are no two such.
  [[nodiscard]] bool add_pair(Dyadic x, Dyadic y, std::size_t node, const Cut& cut, DotInput& input) const;

 private:
  [[nodiscard]] std::vector<Leaf> leaves_of(std::size_t node, std::optional<std::size_t> but,
                                            const Cut& cut) const;
  [[nodiscard]] std::int64_t by(const Leaf& leaf, Dyadic sum, const Cut& cut, DotInput& input) const;
  [[nodiscard]] std::int64_t by_product(std::size_t k, Dyadic sum, const Cut& cut, DotInput& input) const;
  [[nodiscard]] std::int64_t by_c(Dyadic sum, const Cut& cut, DotInput& input) const;
  [[nodiscard]] std::int64_t by_node(std::size_t node, Dyadic sum, const Cut& cut, DotInput& input) const;

  UnitModel model_;
  const Plan& plan_;
};

/// Two products of a node that nearly cancel: what is left of them is smaller than products are. False where
/// there are no such two.
[[nodiscard]] bool cancel_to(Dyadic sum, const Signature& formats, const Node& node, std::uint64_t seed,
                             DotInput& input);

}  // namespace mmaprint
