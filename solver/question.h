// What a solver may be asked about two sides, as data: enough to build the same formula again.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "solver/distinguish.h"

namespace mmaprint {

/// Products of operands as they are; or as words of which little is known (AigGates::free_products).
enum class Products : std::uint8_t { exact, free };

/// Do the sides differ on an input?
struct UnitQuestion {
  Restriction where;
};
/// Do the results of one node differ (EquivalenceChecker::compare_node)?
struct NodeQuestion {
  std::size_t node;
  OperandFacts facts;
  Products products;
};
using SolverQuestion = std::variant<UnitQuestion, NodeQuestion>;

/// In few words that can be part of a file's name: "node-1-free", "unit-some-products".
[[nodiscard]] std::string short_name(const SolverQuestion& question);
/// Parameters whose values differ between the sides, joined by commas; "structure" where that does.
[[nodiscard]] std::string differing_parameters(const Side& left, const Side& right);

}  // namespace mmaprint
