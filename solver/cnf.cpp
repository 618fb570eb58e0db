#include "solver/cnf.h"

#include <string>

#include "base/deadline.h"

namespace mmaprint {

Cnf::Cnf(const Aig& graph, const Deadline& deadline)
    : graph_(&graph), deadline_(deadline), late_(deadline, 4096) {
  clause({-variable(kFalse)});
}

void Cnf::clause(std::initializer_list<int> literals) {
  clauses_.insert(clauses_.end(), literals);
  clauses_.push_back(0);
  ++count_;
}

void Cnf::assert_unit(Literal x) {
  need(x);
  clause({variable(x)});
  asserted_.push_back(x);
}

void Cnf::need(Literal root) {
  emitted_.resize(graph_->size(), 0);
  std::vector<Literal> todo{root};
  while (!todo.empty()) {
    if (late_.passed()) throw DeadlinePassed(std::string(deadline_.reason()));
    const Literal x = todo.back();
    todo.pop_back();
    const auto direction = static_cast<std::uint8_t>(x.complemented() ? 2 : 1);
    std::uint8_t& done = emitted_[x.node()];
    if ((done & direction) != 0) continue;
    done = static_cast<std::uint8_t>(done | direction);
    emit(x, todo);
  }
}

void Cnf::emit(Literal x, std::vector<Literal>& todo) {
  const Aig::Gate& g = graph_->gate(x.node());
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

}  // namespace mmaprint
