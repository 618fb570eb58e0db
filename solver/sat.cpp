#include "solver/sat.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/deadline.h"
#include "solver/cnf.h"
#include "solver/unsat_proof.h"

namespace mmaprint {

struct Sat::State {
  const Aig* graph;
  std::unique_ptr<SatEngine> solver;
  Cnf cnf;
  std::string proof;                        // of the last refutation
  std::size_t given = 0;                    // of the formula, to the solver
  std::vector<std::optional<bool>> values;  // of gates, in the last solution

  State(const Aig& g, const Deadline& until, const EngineMaker& engine)
      : graph(&g), solver(engine()), cnf(g, until) {}

  /// The solver has all clauses that there are.
  void give() {
    const auto& clauses = cnf.clauses();
    for (; given < clauses.size(); ++given) solver->add(clauses[given]);
  }

  /// The gate as its inputs make it: in a solution, the variable of a gate that is needed in one direction
  /// only may disagree with its definition.
  bool value(Literal root) {
    values.resize(graph->size());
    std::vector<std::uint32_t> todo{root.node()};
    while (!todo.empty()) {
      const std::uint32_t node = todo.back();
      const Aig::Gate& g = graph->gate(node);
      const std::size_t before = todo.size();
      if (!values[node])
        for (int i = 0; i < operand_count(g.kind); ++i)
          if (!values[g.x[i].node()]) todo.push_back(g.x[i].node());
      if (todo.size() > before) continue;
      todo.pop_back();
      if (!values[node]) values[node] = computed(node, g);
    }
    return *values[root.node()] != root.complemented();
  }

  bool computed(std::uint32_t node, const Aig::Gate& g) {
    const auto of = [&](Literal x) { return *values[x.node()] != x.complemented(); };
    switch (g.kind) {
      case Aig::Kind::constant:
        return false;
      case Aig::Kind::input:
        return cnf.mentions(node) && solver->value(Cnf::variable({2 * node}));
      case Aig::Kind::conjunction:
        return of(g.x[0]) && of(g.x[1]);
      case Aig::Kind::exclusive:
        return of(g.x[0]) != of(g.x[1]);
      case Aig::Kind::multiplexer:
        return of(g.x[0]) ? of(g.x[1]) : of(g.x[2]);
    }
    return false;
  }
};

Sat::Sat(const Aig& graph, const Deadline& deadline, const EngineMaker& engine, Use use)
    : state_(std::make_unique<State>(graph, deadline, engine)) {
  if (use == Use::with_lemmas) state_->solver->expect_lemmas();
}
Sat::~Sat() = default;
Sat::Sat(Sat&&) noexcept = default;
Sat& Sat::operator=(Sat&&) noexcept = default;

void Sat::assert_unit(Literal x) { state_->cnf.assert_unit(x); }

void Sat::define(Literal x) { state_->cnf.define(x); }

void Sat::learn(std::span<const Literal> clause) {
  std::vector<int> literals;
  for (const Literal x : clause) literals.push_back(Cnf::variable(x));
  state_->solver->learn(literals);
}

Verdict Sat::check(std::span<const Literal> assumptions, const Limits& limits) {
  for (const Literal x : assumptions) state_->cnf.need(x);
  state_->give();
  for (const Literal x : assumptions) state_->solver->assume(Cnf::variable(x));
  state_->values.clear();
  const Deadline until(limits.seconds, limits.stop);
  const Verdict verdict = state_->solver->solve(limits);
  const auto is_true = [&](Literal x) { return value(x); };
  if (verdict == Verdict::satisfiable &&
      !(std::ranges::all_of(state_->cnf.asserted(), is_true) && std::ranges::all_of(assumptions, is_true)))
    throw WrongAnswer("internal error: the SAT solver's solution is none");
  if (verdict != Verdict::unsatisfiable || !assumptions.empty()) return verdict;
  auto check = check_proof(state_->solver->proof(), state_->cnf.clauses(), until);
  if (const auto* broken = std::get_if<ProofBroken>(&check))
    throw WrongAnswer("internal error: the SAT solver's proof does not hold: " + broken->why);
  auto* holds = std::get_if<ProofHolds>(&check);
  if (holds == nullptr) return Verdict::unknown;
  state_->proof = std::move(holds->needed);
  return Verdict::unsatisfiable;
}

std::string Sat::take_proof() { return std::move(state_->proof); }

bool Sat::value(Literal x) const { return state_->value(x); }

const Cnf& Sat::cnf() const { return state_->cnf; }
std::int64_t Sat::conflicts() const { return state_->solver->conflicts(); }

}  // namespace mmaprint
