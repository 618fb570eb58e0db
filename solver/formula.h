// A formula as it is handed out: a graph, its inputs by name, and what has to be true. Writers of formats
// share this: solver/dimacs.h, solver/aiger.h, solver/smtlib.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/aig_gates.h"

namespace mmaprint {

/// All of it outlives the view.
struct Formula {
  const Aig& graph;
  const std::vector<NamedWord>& inputs;
  const std::vector<Literal>& asserted;
};

/// The nodes that what is asserted is made of, each after its operands; the constant is not among them.
[[nodiscard]] std::vector<std::uint32_t> cone(const Formula& formula);

/// A node's name: of an input its word and bit, "a0[3]"; of a gate none.
[[nodiscard]] std::vector<std::string> bit_names(const Formula& formula);

}  // namespace mmaprint
