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
#include "solver/question.h"
#include "solver/unsat_proof.h"

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

[[nodiscard]] const Signature& formats_of(const Side& side);
[[nodiscard]] int products_of(const Side& side);
[[nodiscard]] Skeleton skeleton_of(const Side& side);
[[nodiscard]] Tree tree_of(const Side& side);
[[nodiscard]] Plan plan_of(const Side& side);
/// A side's model; of a set, the one that a witness names.
[[nodiscard]] UnitModel model_of(const Side& side, const std::optional<ParameterValues>& chosen);

struct Witness {
  DotInput input;
  /// The hypotheses that the solver chose on the sides that are sets.
  std::optional<ParameterValues> left, right;
  /// In answer to a question about a node, whose own operands the input has: what the nodes before it gave.
  std::vector<Pattern> earlier{};
};
/// A question that has the answer no.
struct ProvedQuestion {
  SolverQuestion question;
  /// Not there where the formula vanished while it was built, nor where proofs are not kept.
  std::shared_ptr<const RefutedFormula> refuted{};
};
struct Equivalent {
  std::int64_t clauses =
      0;  ///< (Z3: terms) of the formula that is unsatisfiable; 0 where it vanished while it was built
  std::vector<ProvedQuestion> proved{};  ///< what was asked for it
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
  /// says that the node's results may differ, as not all results of earlier nodes occur: its input has the
  /// node's own operands (solver/lifted_input.h makes one of the unit from it). With `facts`, equivalence
  /// holds where they do and extends them to this node's results. Nodes of both sides add the same
  /// (model/alike_nodes.h).
  [[nodiscard]] virtual Distinction compare_node(const Side& left, const Side& right, std::size_t node,
                                                 const OperandFacts& facts, const Limits& limits) const = 0;
};

enum class Solver : std::uint8_t { cadical, z3 };
class QueryLog;
/// What is wanted beside answers; of CaDiCaL alone.
struct CheckerOptions {
  /// Told of every formula that the solver is given (solver/query_log.h); outlives the checker.
  QueryLog* queries = nullptr;
  /// Formulas that were refuted come with their proofs.
  bool keeps_proofs = false;
};
/// Requires no queries for Z3, which has no proofs to keep either.
[[nodiscard]] std::unique_ptr<EquivalenceChecker> make_checker(Solver solver,
                                                               const CheckerOptions& options = {});

}  // namespace mmaprint
