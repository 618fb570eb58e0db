#include "solver/aig_engine.h"

#include "solver/aig_gates.h"
#include "solver/engine_over.h"
#include "solver/sat.h"

namespace mmaprint {
namespace {

class AigProblem {
 public:
  using Gates = AigGates;

  AigProblem(Purpose purpose, const Deadline& deadline)
      : graph_(deadline),
        gates_(graph_),
        sat_(graph_, purpose == Purpose::difference ? Tuning::unsatisfiable : Tuning::plain, deadline) {}

  [[nodiscard]] static std::string_view name() { return "cadical"; }
  [[nodiscard]] AigGates& gates() { return gates_; }
  void require(Literal x) { sat_.require(x); }
  [[nodiscard]] Verdict check(const Limits& limits) { return sat_.check({}, limits); }
  [[nodiscard]] bool value(Literal x) const { return sat_.value(x); }
  [[nodiscard]] std::int64_t size() const { return sat_.clauses(); }

 private:
  Aig graph_;
  AigGates gates_;
  Sat sat_;
};

}  // namespace

std::unique_ptr<Engine> make_aig_engine() { return std::make_unique<EngineOver<AigProblem>>(); }

}  // namespace mmaprint
