#include "solver/aig_checker.h"

#include "base/stopwatch.h"
#include "solver/aig_gates.h"
#include "solver/asserted.h"
#include "solver/checker_over.h"
#include "solver/encoding.h"
#include "solver/likely_inputs.h"
#include "solver/product_refinement.h"
#include "solver/query_log.h"
#include "solver/sat.h"
#include "solver/sweeping.h"

namespace mmaprint {
namespace {

class AigProblem {
 public:
  using Gates = AigGates;
  struct Setup {
    EngineMaker engine;
    CheckerOptions options;
  };
  static constexpr bool kFreesProducts = true;

  AigProblem(const Deadline& deadline, std::optional<std::int64_t> most_gates, const Setup& setup)
      : deadline_(deadline),
        graph_(deadline, most_gates),
        gates_(graph_),
        sat_(graph_, deadline, setup.engine),
        setup_(setup) {}

  [[nodiscard]] static std::string_view name() { return "cadical"; }
  [[nodiscard]] AigGates& gates() { return gates_; }
  void assert_unit(Literal x) { sat_.assert_unit(x); }
  [[nodiscard]] Verdict check(const AskedAbout& about, const Limits& limits) {
    const Stopwatch watch;
    const bool may_sweep = is_worth_sweeping(about.question, limits);
    Verdict verdict = sat_.check({}, may_sweep ? an_eighth_of(limits) : limits);
    if (verdict == Verdict::unknown && may_sweep && !deadline_.passed()) verdict = check_swept(about, limits);
    const SolverQuestion question = asked(about.question);
    if (verdict == Verdict::unsatisfiable && setup_.options.keeps_proofs)
      refuted_ = std::make_shared<RefutedFormula>(
          RefutedFormula{question_dimacs(question, gates_, graph_, sat_.cnf()), sat_.take_proof()});
    if (setup_.options.queries != nullptr)
      setup_.options.queries->note({about.left, about.right, question, graph_, gates_.named_inputs(),
                                    sat_.cnf(), verdict, conflicts(), watch.seconds()});
    return verdict;
  }
  /// The question as its formula is.
  [[nodiscard]] SolverQuestion asked(SolverQuestion question) const {
    if (is_swept_) formula_of(question).gates = GateClauses::both;
    return question;
  }
  [[nodiscard]] Verdict refine(Literal goal, const Limits& limits, std::vector<ProductLemma>& lemmas) {
    ProductRefinement refinement(graph_, gates_, sat_, goal);
    const Verdict verdict = refinement(limits);
    steps_beside_ += refinement.steps();
    if (verdict == Verdict::unsatisfiable) lemmas = refinement.lemmas();
    return verdict;
  }
  [[nodiscard]] std::int64_t steps_beside() const { return steps_beside_; }
  [[nodiscard]] bool value(Literal x) const { return sat_.value(x); }
  [[nodiscard]] std::shared_ptr<const RefutedFormula> refuted() const { return refuted_; }
  [[nodiscard]] std::int64_t size() const { return sat_.cnf().count(); }
  [[nodiscard]] std::int64_t gates_asked() const { return graph_.asked(); }
  [[nodiscard]] std::int64_t conflicts() const { return conflicts_before_ + sat_.conflicts(); }

 private:
  /// For a search without sweeping, and for sweeping, where there is no limit.
  static constexpr std::int64_t kConflictsBefore = 20'000;
  static constexpr std::int64_t kLeastToSweep = 1'000;

  /// Of whole units: what differs at nodes shows better in their own formulas, and a search has long ended
  /// there. Not where differences are looked for in a part of the inputs.
  static bool is_worth_sweeping(const SolverQuestion& question, const Limits& limits) {
    const auto* unit = std::get_if<UnitQuestion>(&question);
    return unit != nullptr && unit->where == Restriction{} &&
           limits.conflicts.value_or(kLeastToSweep) >= kLeastToSweep;
  }
  static Limits an_eighth_of(Limits limits) {
    limits.conflicts = limits.conflicts ? *limits.conflicts / 8 : kConflictsBefore / 8;
    return limits;
  }

  /// Anew, by way of gates that are equal: a third of what is left for that, at most.
  Verdict check_swept(const AskedAbout& about, const Limits& limits) {
    const std::vector<Literal> asserted = sat_.cnf().asserted();
    conflicts_before_ = sat_.conflicts();
    const std::int64_t left =
        (limits.conflicts.value_or(kConflictsBefore) - conflicts_before_) * steps_of_conflict(size());
    sat_ = Sat(graph_, deadline_, setup_.engine, Sat::Use::with_lemmas);
    is_swept_ = true;
    std::int64_t beside = 0;
    assert_question(sat_, asserted, GateClauses::both, [&] {
      LikelyInputs inputs(gates_, about.left);
      Sweeping sweeping(
          graph_, sat_, asserted.front(),
          [&](std::uint32_t node, int round, const auto& value) { return inputs(node, round, value); });
      Limits part = in_time_left(limits);
      part.steps = left / 3;
      sweeping(part);
      beside = sweeping.steps();
    });
    steps_beside_ += beside;
    Limits rest = in_time_left(limits);
    if (limits.conflicts) {
      const std::int64_t most = (left - beside) / steps_of_conflict(size()) - sat_.conflicts();
      rest.conflicts = std::max<std::int64_t>(0, most);
    }
    return sat_.check({}, rest);
  }
  [[nodiscard]] Limits in_time_left(Limits limits) const {
    if (limits.seconds) limits.seconds = std::min(*limits.seconds, deadline_.remaining());
    return limits;
  }

  Deadline deadline_;
  Aig graph_;
  AigGates gates_;
  Sat sat_;
  Setup setup_;
  bool is_swept_ = false;
  std::int64_t conflicts_before_ = 0;  ///< of the search before
  std::shared_ptr<const RefutedFormula> refuted_;
  std::int64_t steps_beside_ = 0;
};

}  // namespace

std::unique_ptr<EquivalenceChecker> make_aig_checker(const EngineMaker& engine,
                                                     const CheckerOptions& options) {
  return std::make_unique<CheckerOver<AigProblem>>(AigProblem::Setup{engine, options});
}

}  // namespace mmaprint
