#include "solver/sat.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/deadline.h"
#include "solver/unsat_proof.h"

namespace mmaprint {
/// Clauses are emitted when a gate is first needed, and only in the directions in which it is needed
/// (Plaisted and Greenbaum): a gate that is only ever asserted true needs no clause that forces it true.
struct Sat::State {
  const Aig* graph;
  std::unique_ptr<SatEngine> solver;
  std::vector<int> formula;  // all clauses, each ended by 0
  std::vector<Literal> asserted;
  std::vector<std::uint8_t>
      emitted;  // bit 0: gate implies its definition; bit 1: definition implies the gate
  std::int64_t clauses = 0;
  std::vector<std::optional<bool>> values;  // of gates, in the last solution

  Deadline deadline;
  Checkpoint late;

  State(const Aig& g, const Deadline& until, const EngineMaker& engine)
      : graph(&g), solver(engine()), deadline(until), late(until, 4096) {
    clause({-variable(kFalse)});
  }

  static int variable(Literal x) {
    const int v = static_cast<int>(x.node()) + 1;
    return x.complemented() ? -v : v;
  }

  void clause(std::initializer_list<int> literals) {
    for (const int l : literals) solver->add(l);
    solver->add(0);
    formula.insert(formula.end(), literals);
    formula.push_back(0);
    ++clauses;
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
        return node < emitted.size() && emitted[node] != 0 && solver->value(variable({2 * node}));
      case Aig::Kind::conjunction:
        return of(g.x[0]) && of(g.x[1]);
      case Aig::Kind::exclusive:
        return of(g.x[0]) != of(g.x[1]);
      case Aig::Kind::multiplexer:
        return of(g.x[0]) ? of(g.x[1]) : of(g.x[2]);
    }
    return false;
  }

  void need(Literal root) {
    emitted.resize(graph->size(), 0);
    std::vector<Literal> todo{root};
    while (!todo.empty()) {
      if (late.passed()) throw DeadlinePassed(std::string(deadline.reason()));
      const Literal x = todo.back();
      todo.pop_back();
      const auto direction = static_cast<std::uint8_t>(x.complemented() ? 2 : 1);
      std::uint8_t& done = emitted[x.node()];
      if ((done & direction) != 0) continue;
      done = static_cast<std::uint8_t>(done | direction);
      emit(x, todo);
    }
  }

  void emit(Literal x, std::vector<Literal>& todo) {
    const Aig::Gate& g = graph->gate(x.node());
    const int n = variable(x.regular());
    const int p = variable(g.x[0]);
    const int q = variable(g.x[1]);
    const int r = variable(g.x[2]);
    const bool positive = !x.complemented();
    const auto both = [&](Literal l) {
      todo.push_back(l);
      todo.push_back(!l);
    };
    switch (g.kind) {
      case Aig::Kind::constant:
      case Aig::Kind::input:
        break;
      case Aig::Kind::conjunction:
        if (positive) {
          clause({-n, p});
          clause({-n, q});
        } else {
          clause({n, -p, -q});
        }
        todo.push_back(positive ? g.x[0] : !g.x[0]);
        todo.push_back(positive ? g.x[1] : !g.x[1]);
        break;
      case Aig::Kind::exclusive:
        if (positive) {
          clause({-n, p, q});
          clause({-n, -p, -q});
        } else {
          clause({n, -p, q});
          clause({n, p, -q});
        }
        both(g.x[0]);
        both(g.x[1]);
        break;
      case Aig::Kind::multiplexer:
        if (positive) {
          clause({-n, -p, q});
          clause({-n, p, r});
          clause({-n, q, r});
        } else {
          clause({n, -p, -q});
          clause({n, p, -r});
          clause({n, -q, -r});
        }
        both(g.x[0]);
        todo.push_back(positive ? g.x[1] : !g.x[1]);
        todo.push_back(positive ? g.x[2] : !g.x[2]);
        break;
    }
  }
};

Sat::Sat(const Aig& graph, const Deadline& deadline, const EngineMaker& engine)
    : state_(std::make_unique<State>(graph, deadline, engine)) {}
Sat::~Sat() = default;
Sat::Sat(Sat&&) noexcept = default;
Sat& Sat::operator=(Sat&&) noexcept = default;

void Sat::assert_unit(Literal x) {
  state_->need(x);
  state_->clause({State::variable(x)});
  state_->asserted.push_back(x);
}

Verdict Sat::check(std::span<const Literal> assumptions, const Limits& limits) {
  for (const Literal x : assumptions) {
    state_->need(x);
    state_->solver->assume(State::variable(x));
  }
  state_->values.clear();
  const Deadline until(limits.seconds, limits.stop);
  const Verdict verdict = state_->solver->solve(limits);
  const auto is_true = [&](Literal x) { return value(x); };
  if (verdict == Verdict::satisfiable &&
      !(std::ranges::all_of(state_->asserted, is_true) && std::ranges::all_of(assumptions, is_true)))
    throw WrongAnswer("internal error: the SAT solver's solution is none");
  if (verdict != Verdict::unsatisfiable || !assumptions.empty()) return verdict;
  const auto holds = refutes(state_->solver->proof(), state_->formula, until);
  if (holds == std::optional(false))
    throw WrongAnswer("internal error: the SAT solver's proof does not hold");
  return holds ? Verdict::unsatisfiable : Verdict::unknown;
}

bool Sat::value(Literal x) const { return state_->value(x); }

std::int64_t Sat::clauses() const { return state_->clauses; }
std::int64_t Sat::conflicts() const { return state_->solver->conflicts(); }

}  // namespace mmaprint
