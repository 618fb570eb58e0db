// What a formula's unknowns stand for, and what the formula then comes to: plain interpreters of both
// backends.
#pragma once

#include <z3++.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "solver/aig_gates.h"
#include "solver/z3_gates.h"

namespace mmaprint::test {

/// Every gate's value, given those of the inputs in the order of their creation.
[[nodiscard]] inline std::vector<bool> simulated(const Aig& graph, const std::vector<bool>& inputs) {
  std::vector<bool> values(graph.size());
  std::size_t next = 0;
  const auto of = [&](Literal x) { return values[x.node()] != x.complemented(); };
  for (std::uint32_t node = 0; node < graph.size(); ++node) {
    const Aig::Gate& g = graph.gate(node);
    switch (g.kind) {
      case Aig::Kind::constant:
        break;
      case Aig::Kind::input:
        values[node] = inputs.at(next++);
        break;
      case Aig::Kind::conjunction:
        values[node] = of(g.x[0]) && of(g.x[1]);
        break;
      case Aig::Kind::exclusive:
        values[node] = of(g.x[0]) != of(g.x[1]);
        break;
      case Aig::Kind::multiplexer:
        values[node] = of(g.x[0]) ? of(g.x[1]) : of(g.x[2]);
        break;
    }
  }
  return values;
}

/// An Aig whose inputs have values, given as they are made.
class Graph {
 public:
  using Gates = AigGates;
  [[nodiscard]] Gates& gates() { return gates_; }
  [[nodiscard]] AigGates::Bits unknown(int width, std::uint64_t value) {
    for (int i = 0; i < width; ++i) inputs_.push_back(((value >> i) & 1) != 0);
    return gates_.inputs(width);
  }
  [[nodiscard]] bool value(Literal x) const {
    return simulated(graph_, inputs_)[x.node()] != x.complemented();
  }
  [[nodiscard]] std::uint64_t value(const AigGates::Bits& x) const {
    const auto values = simulated(graph_, inputs_);
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (values[x[i].node()] != x[i].complemented()) result |= std::uint64_t{1} << i;
    return result;
  }
  void restart() {
    graph_ = Aig();
    inputs_.clear();
  }

 private:
  Aig graph_;
  AigGates gates_{graph_};
  std::vector<bool> inputs_;
};

/// Z3 terms over constants that have values.
class Terms {
 public:
  using Gates = Z3Gates;
  Terms() : from_(context_), to_(context_) { restart(); }
  [[nodiscard]] z3::context& context() { return context_; }
  [[nodiscard]] Gates& gates() { return *gates_; }
  [[nodiscard]] Z3Gates::Bits unknown(int width, std::uint64_t value) {
    const auto bits = gates_->inputs(width);
    if (width > 0) {
      from_.push_back(*bits.term);
      to_.push_back(context_.bv_val(value, static_cast<unsigned>(width)));
    }
    return bits;
  }
  [[nodiscard]] bool value(const Z3Gates::Bool& x) { return settled(x.term).is_true(); }
  [[nodiscard]] std::uint64_t value(const Z3Gates::Bits& x) {
    return x.width == 0 ? 0 : settled(*x.term).as_uint64();
  }
  void restart() {
    gates_ = std::make_unique<Z3Gates>(context_);
    from_ = z3::expr_vector(context_);
    to_ = z3::expr_vector(context_);
  }

 private:
  z3::expr settled(z3::expr term) { return term.substitute(from_, to_).simplify(); }

  z3::context context_;
  std::unique_ptr<Z3Gates> gates_;
  z3::expr_vector from_, to_;
};

}  // namespace mmaprint::test
