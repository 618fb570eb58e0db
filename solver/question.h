// What a solver may be asked about two sides, as data: enough to build the same formula again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "solver/product_lemmas.h"

namespace mmaprint {

/// Where to look for a difference. What is excluded becomes constant and vanishes from the formula.
struct Restriction {
  bool finite_inputs = false;
  /// Which products may be nonzero; others have b = +0 and a zero of either sign for a, if there are such.
  std::optional<std::vector<bool>> products;
  std::optional<int> at_most_nonzero_products;
  /// Set fraction bits of a, b and c together; of integers, set bits of their magnitudes.
  std::optional<int> at_most_fraction_bits;
  std::optional<int> leading_fraction_bits;  ///< fraction bits of a and b beyond these are 0
  bool b_power_of_two = false;
  friend bool operator==(const Restriction&, const Restriction&) = default;
};

/// What is taken for granted of the zeros among the results of earlier nodes. A side's own conventions say
/// which signs they have, and a later node absorbs them most often: so they need not be the same on both
/// sides, as long as the root's are.
enum class EarlierZeros : std::uint8_t {
  same,            ///< of the same sign on both sides
  positive,        ///< on both sides
  any,             ///< on either side
  left_positive,   ///< of any sign on the right
  right_positive,  ///< of any sign on the left
};
[[nodiscard]] constexpr bool zeros_may_differ(EarlierZeros zeros) {
  return zeros != EarlierZeros::same && zeros != EarlierZeros::positive;
}

/// On which inputs of a unit an answer holds.
enum class Inputs : std::uint8_t {
  all,
  subnormal_c,        ///< c is subnormal, or a zero
  subnormal_c_alone,  ///< and what it is added to in its node is zero
};

/// What is taken for granted of a node's operands: of the results of earlier nodes, of which it is shown of
/// each in turn, and of the unit's inputs.
struct OperandFacts {
  EarlierZeros zeros = EarlierZeros::same;
  bool no_subnormals = false;
  Inputs inputs = Inputs::all;
};

/// Products of operands as they are; or as words of which little is known (AigGates::free_products).
enum class Products : std::uint8_t { exact, free };

/// Clauses say of a gate what follows where it has the value that is needed; or of either value, as they do
/// where proofs lead by way of gates that are equal (solver/sweeping.h).
enum class GateClauses : std::uint8_t { needed, both };

/// Of which kind a question's formula is.
struct FormulaKind {
  Products products = Products::exact;
  std::vector<ProductLemma> lemmas{};  ///< taken for granted of products that are free; each can be checked
  GateClauses gates = GateClauses::needed;
};

/// Do the sides differ on an input? Free products are for questions about all inputs.
struct UnitQuestion {
  Restriction where{};
  FormulaKind formula{};
};
/// Do the results of one node differ (EquivalenceChecker::compare_node)?
struct NodeQuestion {
  std::size_t node = 0;
  OperandFacts facts{};
  FormulaKind formula{};
};
using SolverQuestion = std::variant<UnitQuestion, NodeQuestion>;

[[nodiscard]] inline const FormulaKind& formula_of(const SolverQuestion& question) {
  return std::visit([](const auto& q) -> const FormulaKind& { return q.formula; }, question);
}
[[nodiscard]] inline FormulaKind& formula_of(SolverQuestion& question) {
  return std::visit([](auto& q) -> FormulaKind& { return q.formula; }, question);
}

/// In few words that can be part of a file's name: "node-1-free", "unit-some-products".
[[nodiscard]] std::string short_name(const SolverQuestion& question);

}  // namespace mmaprint
