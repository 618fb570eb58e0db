#include "solver/aig_checker.h"

#include "solver/aig_gates.h"
#include "solver/checker_over.h"
#include "solver/sat.h"

namespace mmaprint {
namespace {

class AigProblem {
 public:
  using Gates = AigGates;
  using Setup = EngineMaker;
  static constexpr bool kFreesProducts = true;

  AigProblem(const Deadline& deadline, std::optional<std::int64_t> most_gates, const EngineMaker& engine)
      : graph_(deadline, most_gates), gates_(graph_), sat_(graph_, deadline, engine) {}

  [[nodiscard]] static std::string_view name() { return "cadical"; }
  [[nodiscard]] AigGates& gates() { return gates_; }
  void assert_unit(Literal x) { sat_.assert_unit(x); }
  [[nodiscard]] Verdict check(const Limits& limits) { return sat_.check({}, limits); }
  [[nodiscard]] bool value(Literal x) const { return sat_.value(x); }
  [[nodiscard]] std::int64_t size() const { return sat_.clauses(); }
  [[nodiscard]] std::int64_t gates_asked() const { return graph_.asked(); }
  [[nodiscard]] std::int64_t conflicts() const { return sat_.conflicts(); }

 private:
  Aig graph_;
  AigGates gates_;
  Sat sat_;
};

}  // namespace

std::unique_ptr<EquivalenceChecker> make_aig_checker(const EngineMaker& engine) {
  return std::make_unique<CheckerOver<AigProblem>>(engine);
}

}  // namespace mmaprint
