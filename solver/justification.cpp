#include "solver/justification.h"

#include <algorithm>
#include <limits>

namespace mmaprint {

Justification::Justification(const Aig& graph, Literal root, const std::function<bool(Literal)>& value,
                             const std::function<std::int64_t(std::uint32_t)>& cost)
    : graph_(graph), is_needed_(graph.size(), false), implied_(graph.size(), Implied::not_known) {
  values_.reserve(graph.size());
  for (std::uint32_t node = 0; node < graph.size(); ++node) values_.push_back(value({2 * node}));
  add_costs(cost);
  need_from(root.node());
}

void Justification::add_costs(const std::function<std::int64_t(std::uint32_t)>& cost) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4;
  costs_.assign(graph_.size(), 0);
  for (std::uint32_t node = 0; node < graph_.size(); ++node) {
    const Aig::Gate& gate = graph_.gate(node);
    if (gate.kind == Aig::Kind::input) {
      costs_[node] = cost(node);
      continue;
    }
    const Operands operands = deciding(gate);
    for (int i = 0; i < operands.count; ++i)
      costs_[node] = std::min(kMost, costs_[node] + cost_of(operands.x[i]));
  }
}

Justification::Operands Justification::deciding(const Aig::Gate& gate) const {
  const Literal x = gate.x[0], y = gate.x[1];
  switch (gate.kind) {
    case Aig::Kind::conjunction:
      if (of(x) && of(y)) return {{x, y}, 2};
      if (of(x)) return {{y}, 1};
      if (of(y)) return {{x}, 1};
      return {{cost_of(x) <= cost_of(y) ? x : y}, 1};
    case Aig::Kind::exclusive:
      return {{x, y}, 2};
    case Aig::Kind::multiplexer:
      return {{x, of(x) ? y : gate.x[2]}, 2};
    default:
      return {{}, 0};
  }
}

void Justification::need_from(std::uint32_t root) {
  std::vector<bool> seen(graph_.size(), false);
  std::vector<std::uint32_t> todo{root};
  while (!todo.empty()) {
    const std::uint32_t node = todo.back();
    todo.pop_back();
    if (seen[node]) continue;
    seen[node] = true;
    const Aig::Gate& gate = graph_.gate(node);
    if (gate.kind == Aig::Kind::input) {
      is_needed_[node] = true;
      const Literal input{2 * node};
      needed_.push_back(of(input) ? input : !input);
    }
    const Operands operands = deciding(gate);
    for (int i = 0; i < operands.count; ++i) todo.push_back(operands.x[i].node());
  }
}

std::optional<bool> Justification::implied(Literal root) {
  std::vector<std::uint32_t> todo{root.node()};
  while (!todo.empty()) {
    const std::uint32_t node = todo.back();
    const Aig::Gate& gate = graph_.gate(node);
    const std::size_t before = todo.size();
    if (implied_[node] == Implied::not_known)
      for (int i = 0; i < operand_count(gate.kind); ++i)
        if (implied_[gate.x[i].node()] == Implied::not_known) todo.push_back(gate.x[i].node());
    if (todo.size() > before) continue;
    todo.pop_back();
    if (implied_[node] != Implied::not_known) continue;
    const auto value = gate.kind != Aig::Kind::input ? computed(gate)
                       : is_needed_[node]            ? std::optional<bool>(values_[node])
                                                     : std::nullopt;
    implied_[node] = !value ? Implied::open : *value ? Implied::yes : Implied::no;
  }
  if (implied_[root.node()] == Implied::open) return std::nullopt;
  return (implied_[root.node()] == Implied::yes) != root.complemented();
}

std::optional<bool> Justification::computed(const Aig::Gate& gate) const {
  const auto operand = [&](int i) -> std::optional<bool> {
    const Implied known = implied_[gate.x[i].node()];
    if (known == Implied::open) return std::nullopt;
    return (known == Implied::yes) != gate.x[i].complemented();
  };
  switch (gate.kind) {
    case Aig::Kind::conjunction:
      if (operand(0) == false || operand(1) == false) return false;
      return operand(0) && operand(1) ? std::optional(true) : std::nullopt;
    case Aig::Kind::exclusive:
      return operand(0) && operand(1) ? std::optional(*operand(0) != *operand(1)) : std::nullopt;
    case Aig::Kind::multiplexer:
      if (const auto condition = operand(0)) return operand(*condition ? 1 : 2);
      return operand(1) && operand(1) == operand(2) ? operand(1) : std::nullopt;
    default:
      return false;  // the constant
  }
}

}  // namespace mmaprint
