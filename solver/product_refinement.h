// From "products are words that are not known" to what products are, as far as a question needs it.
//
// A formula over free products (AigGates::free_products) is far easier than one over multipliers. Where it
// has a solution, most bits of that do not matter (solver/justification.h). If factors exist that agree in
// those that do, they make a solution of the question itself. If none do, that is a lemma about products
// (solver/product_lemmas.h), which rules the solution out and many like it; and the search goes on. It ends,
// as there are finitely many words.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/aig_gates.h"
#include "solver/product_lemmas.h"
#include "solver/sat.h"

namespace mmaprint {

class ProductRefinement {
 public:
  /// `sat` has a solution of `goal` and of what is said of free products, and outlives this as the gates do.
  ProductRefinement(Aig& graph, AigGates& gates, Sat& sat, Literal goal);

  /// `satisfiable`: sat's solution has products that are products. `unsatisfiable`: there is none, and what
  /// is said of products with the lemmas suffices to show it. `unknown`: at a limit, or where factors are too
  /// long to be searched.
  [[nodiscard]] Verdict operator()(const Limits& limits);
  [[nodiscard]] const std::vector<ProductLemma>& lemmas() const { return lemmas_; }
  /// Taken beside the solver's conflicts.
  [[nodiscard]] std::int64_t steps() const { return searches_ * kStepsOfSearch + tried_ / kPairsOfAStep; }

 private:
  static constexpr std::int64_t kPairsOfAStep = 16'384;
  static constexpr std::int64_t kStepsOfSearch = 8;
  static constexpr std::int64_t kPairsToGeneralise = 1 << 23;

  struct Words {
    std::uint64_t x, y, product;
  };
  [[nodiscard]] std::vector<Words> solution() const;
  /// Adds lemmas that rule sat's solution out, if some product in it cannot be; else what makes it one of the
  /// question's.
  [[nodiscard]] std::optional<std::vector<Literal>> made_real();
  void exclude(std::uint32_t product, PartlyKnown known);
  [[nodiscard]] Verdict search(std::span<const Literal> assumptions, const Limits& limits,
                               const Deadline& deadline);

  Aig& graph_;
  AigGates& gates_;
  Sat& sat_;
  Literal goal_;
  Literal any_;  ///< assumed, so that sat takes it that it is asked again
  std::vector<ProductLemma> lemmas_;
  std::int64_t tried_ = 0;
  std::int64_t searches_ = 0;
  std::int64_t conflicts_before_;
};

}  // namespace mmaprint
