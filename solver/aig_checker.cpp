#include "solver/aig_checker.h"

#include "base/stopwatch.h"
#include "solver/aig_gates.h"
#include "solver/checker_over.h"
#include "solver/encoding.h"
#include "solver/product_refinement.h"
#include "solver/query_log.h"
#include "solver/sat.h"

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
      : graph_(deadline, most_gates),
        gates_(graph_),
        sat_(graph_, deadline, setup.engine),
        options_(setup.options) {}

  [[nodiscard]] static std::string_view name() { return "cadical"; }
  [[nodiscard]] AigGates& gates() { return gates_; }
  void assert_unit(Literal x) { sat_.assert_unit(x); }
  [[nodiscard]] Verdict check(const AskedAbout& about, const Limits& limits) {
    const Stopwatch watch;
    const Verdict verdict = sat_.check({}, limits);
    if (verdict == Verdict::unsatisfiable && options_.keeps_proofs)
      refuted_ = std::make_shared<RefutedFormula>(
          RefutedFormula{question_dimacs(about.question, gates_, graph_, sat_.cnf()), sat_.take_proof()});
    if (options_.queries != nullptr)
      options_.queries->note({about.left, about.right, about.question, graph_, gates_.named_inputs(),
                              sat_.cnf(), verdict, sat_.conflicts(), watch.seconds()});
    return verdict;
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
  [[nodiscard]] std::int64_t conflicts() const { return sat_.conflicts(); }

 private:
  Aig graph_;
  AigGates gates_;
  Sat sat_;
  CheckerOptions options_;
  std::shared_ptr<const RefutedFormula> refuted_;
  std::int64_t steps_beside_ = 0;
};

}  // namespace

std::unique_ptr<EquivalenceChecker> make_aig_checker(const EngineMaker& engine,
                                                     const CheckerOptions& options) {
  return std::make_unique<CheckerOver<AigProblem>>(AigProblem::Setup{engine, options});
}

}  // namespace mmaprint
