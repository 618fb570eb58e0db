#include "solver/formula.h"

#include <fmt/format.h>

namespace mmaprint {

std::vector<std::uint32_t> cone(const Formula& formula) {
  std::vector<bool> is_needed(formula.graph.size(), false);
  for (const Literal x : formula.asserted) is_needed[x.node()] = true;
  std::vector<std::uint32_t> nodes;
  // Operands come before their gate.
  for (std::size_t n = is_needed.size(); n-- > 1;) {
    if (!is_needed[n]) continue;
    nodes.push_back(static_cast<std::uint32_t>(n));
    const Aig::Gate& gate = formula.graph.gate(nodes.back());
    for (int i = 0; i < operand_count(gate.kind); ++i) is_needed[gate.x[i].node()] = true;
  }
  return {nodes.rbegin(), nodes.rend()};
}

std::vector<std::string> bit_names(const Formula& formula) {
  std::vector<std::string> names(formula.graph.size());
  for (const NamedWord& word : formula.inputs)
    for (std::size_t i = 0; i < word.bits.size(); ++i)
      names[word.bits[i].node()] = fmt::format("{}[{}]", word.name, i);
  return names;
}

}  // namespace mmaprint
