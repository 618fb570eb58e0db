// A reader of binary AIGER that shares nothing with the writer.
#pragma once

#include <array>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "solver/aig.h"

namespace mmaprint::test {

struct Circuit {
  std::vector<std::string> symbols;            ///< of inputs
  std::vector<std::array<unsigned, 3>> gates;  ///< result, operands
  unsigned inputs = 0, output = 0;
};

/// Throws where the text is none with one output and without latches.
[[nodiscard]] inline Circuit circuit_of(const std::string& text) {
  std::istringstream in(text);
  std::string word;
  unsigned most = 0, latches = 0, outputs = 0, gates = 0;
  Circuit circuit;
  in >> word >> most >> circuit.inputs >> latches >> outputs >> gates >> circuit.output;
  if (!in || word != "aig" || latches != 0 || outputs != 1 || most != circuit.inputs + gates)
    throw std::runtime_error("no combinational circuit with one output");
  in.get();
  const auto number = [&] {
    unsigned value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned>(in.get());
      value |= (byte & 0x7FU) << shift;
      if ((byte & 0x80U) == 0) return value;
    }
  };
  for (unsigned i = 0; i < gates; ++i) {
    const unsigned result = 2 * (circuit.inputs + 1 + i);
    const unsigned first = result - number();
    circuit.gates.push_back({result, first, first - number()});
    if (first >= result) throw std::runtime_error("a gate before its operands");
  }
  std::string line;
  while (std::getline(in, line) && line != "c")
    if (line.starts_with("i")) circuit.symbols.push_back(line.substr(line.find(' ') + 1));
  return circuit;
}

/// The circuit's output over a graph, with inputs in the order of the circuit's.
[[nodiscard]] inline Literal built(Aig& graph, const Circuit& circuit) {
  std::vector<Literal> values{kFalse};
  for (unsigned i = 0; i < circuit.inputs; ++i) values.push_back(graph.input());
  const auto value = [&](unsigned x) { return x % 2 == 1 ? !values[x / 2] : values[x / 2]; };
  for (const auto& [result, x, y] : circuit.gates) values.push_back(graph.conjunction(value(x), value(y)));
  return value(circuit.output);
}

}  // namespace mmaprint::test
