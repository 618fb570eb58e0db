// The smallest input on which two models differ.
//
// Smallest means: fewest nonzero products, then fewest significand bits. Each number is reached from below:
// for n products every choice of n places is asked for (choices that come to the same once:
// inference/term_choices.h), with all other operands zero, so that the formula is as small as the question.
// What was refuted on the way is the proof that fewer do not do. Where the steps for that are spent, the
// answer says how far it went.
#pragma once

#include <variant>

#include "base/deadline.h"
#include "solver/distinguish.h"

namespace mmaprint {

struct MinimalOptions {
  Solver solver = Solver::cadical;
  Deadline deadline{};
  /// Look at infinities and NaN at once; otherwise only where nothing finite differs.
  bool specials = false;
  QueryLog* queries = nullptr;  ///< told of every formula that the solver is given; not with Z3
  /// Steps (solver/limits.h) for the proof that fewer products do not do, and that fewer bits do not.
  std::int64_t steps_for_products = 250'000;
  std::int64_t steps_for_bits = 20'000;
};

struct Different {
  DotInput input;
  Pattern left, right;  ///< what the models give
  int nonzero_products;
  int significand_bits;   ///< set digits of the significands of a, b and c together (model/value.h)
  int products_at_least;  ///< proved: fewer do not do; as many as there are where that is complete
  int bits_at_least;      ///< proved, of as many products

  [[nodiscard]] bool terms_minimal() const { return products_at_least == nonzero_products; }
  [[nodiscard]] bool bits_minimal() const { return bits_at_least == significand_bits; }
};
struct SameEverywhere {
  std::int64_t clauses;
};
struct NotDecided {
  std::string reason;
};
using MinimalDistinction = std::variant<Different, SameEverywhere, NotDecided>;

/// Requires models of the same K and formats.
[[nodiscard]] MinimalDistinction smallest_difference(const UnitModel& left, const UnitModel& right,
                                                     const MinimalOptions& options);

}  // namespace mmaprint
