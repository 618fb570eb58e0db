// Is there an input on which two units differ? The one question that every use of a solver here comes down
// to.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>

#include "model/hypotheses.h"
#include "model/plan.h"
#include "solver/limits.h"

namespace mmaprint {

/// One side of a comparison: a model, or any hypothesis of a set.
struct Hypotheses {
  const Space* space;
  HypothesisSet set;
  /// On the right, with a set on the left too: parameters that have the same values in both sets have the
  /// same value on both sides.
  bool tied = false;
};
using Side = std::variant<UnitModel, Hypotheses>;

[[nodiscard]] const OperandFormats& formats_of(const Side& side);
[[nodiscard]] int products_of(const Side& side);
[[nodiscard]] Skeleton skeleton_of(const Side& side);
[[nodiscard]] Tree tree_of(const Side& side);
[[nodiscard]] Plan plan_of(const Side& side);
/// A side's model; of a set, the one that a witness names.
[[nodiscard]] UnitModel model_of(const Side& side, const std::optional<ParameterValues>& chosen);

/// Where to look for a difference. What is excluded becomes constant and vanishes from the formula.
struct Restriction {
  bool finite_inputs = false;
  std::optional<std::vector<bool>> products;  ///< which products may be nonzero; others have a = b = +0
  std::optional<int> at_most_nonzero_products;
  /// Set fraction bits of a, b and c together; of integers, set bits of their magnitudes.
  std::optional<int> at_most_fraction_bits;
  std::optional<int> leading_fraction_bits;  ///< fraction bits of a and b beyond these are 0
  bool b_power_of_two = false;
};

/// What is taken for granted of the zeros among the results of earlier nodes. A side's own conventions say
/// which signs they have, and a later node absorbs them most often: so they need not be the same on both
/// sides, as long as the root's are.
enum class EarlierZeros : std::uint8_t {
  same,            ///< of the same sign on both sides
  positive,        ///< on both sides
  any,             ///< on either side
  left_positive,   ///< of any sign on the right
  right_positive,  ///< of any sign on the left
};
[[nodiscard]] constexpr bool zeros_may_differ(EarlierZeros zeros) {
  return zeros != EarlierZeros::same && zeros != EarlierZeros::positive;
}

/// On which inputs of a unit an answer holds.
enum class Inputs : std::uint8_t {
  all,
  subnormal_c,        ///< c is subnormal, or a zero
  subnormal_c_alone,  ///< and what it is added to in its node is zero
};

/// What is taken for granted of a node's operands: of the results of earlier nodes, of which it is shown of
/// each in turn, and of the unit's inputs.
struct OperandFacts {
  EarlierZeros zeros = EarlierZeros::same;
  bool no_subnormals = false;
  Inputs inputs = Inputs::all;
};

struct Witness {
  DotInput input;
  /// The hypotheses that the solver chose on the sides that are sets.
  std::optional<ParameterValues> left, right;
};
struct Equivalent {
  std::int64_t clauses =
      0;  ///< (Z3: terms) of the formula that is unsatisfiable; 0 where it vanished while it was built
};
struct Unknown {};
/// Unknown means that a limit was reached: it refutes nothing and proves nothing.
using Distinction = std::variant<Witness, Equivalent, Unknown>;

/// A solver behind the question. Engines share nothing, so several may run side by side.
class EquivalenceChecker {
 public:
  virtual ~EquivalenceChecker() = default;
  EquivalenceChecker() = default;
  EquivalenceChecker(const EquivalenceChecker&) = delete;
  EquivalenceChecker& operator=(const EquivalenceChecker&) = delete;

  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Both sides have the same K and formats. `Equivalent` holds within the restriction only.
  [[nodiscard]] virtual Distinction distinguish(const Side& left, const Side& right, const Restriction& where,
                                                const Limits& limits) const = 0;
  /// `Equivalent` if this node's results agree whatever its operands and the earlier nodes' results are (the
  /// first node: whatever its operands are, so for a unit of one node this is the whole question). A witness
  /// says that the node's results may differ; its input has the node's products, all others zero, and an
  /// earlier result in c's or other products' place, so the units often differ on it, but not all results of
  /// earlier nodes occur. With `facts`, equivalence holds where they do and extends them to this node's
  /// results. Both sides have the same tree.
  [[nodiscard]] virtual Distinction compare_node(const Side& left, const Side& right, std::size_t node,
                                                 const OperandFacts& facts, const Limits& limits) const = 0;
};

/// Node by node: `Equivalent` if every node's results agree on all operands, and so the units do; a witness
/// if one of a node's makes the units differ when they are evaluated. Nodes of one shape are compared once.
/// `Unknown` where the skeletons differ, a node's results may differ, or a limit was reached; the units may
/// be equivalent all the same, because of which results of earlier nodes can occur. Of all inputs, or of
/// those whose c is subnormal or a zero.
enum class WhichC : std::uint8_t { any, subnormal };
[[nodiscard]] Distinction compare_by_nodes(const EquivalenceChecker& checker, const Side& left,
                                           const Side& right, const Limits& limits,
                                           Inputs inputs = Inputs::all);

enum class Solver : std::uint8_t { cadical, z3 };
class QueryLog;
/// `log`, which outlives the checker, is told of every formula that CaDiCaL is given (solver/query_log.h).
/// Requires no log for Z3.
[[nodiscard]] std::unique_ptr<EquivalenceChecker> make_checker(Solver solver, QueryLog* log = nullptr);

}  // namespace mmaprint
