// The smallest input on which two models differ.
//
// Smallest means: fewest nonzero products, then fewest significand bits. Each number is reached from below:
// for n products every choice of n positions is asked for (choices that are alike for both trees once), with
// all other operands constant zero, so that the formula is as small as the question. What was refuted on the
// way is the proof that fewer do not do.
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
};

struct Different {
  DotInput input;
  Pattern left, right;  ///< what the models give
  int nonzero_products;
  int significand_bits;  ///< set digits of the significands of a, b and c together (model/value.h)
  bool terms_minimal;    ///< proved: fewer products do not do
  bool bits_minimal;     ///< proved: fewer bits do not do with so many products
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
