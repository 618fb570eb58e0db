// A question's formula in clauses, in the one order in which whoever checks its proof makes it again.
#pragma once

#include <span>

#include "solver/cnf.h"
#include "solver/question.h"

namespace mmaprint {

/// Gives `clauses` (Cnf, or Sat, which has one) the first of these, a question's goal, and what is asserted
/// beside it; `before_goal()` is called when nothing but the goal is missing, where gates are said in both
/// directions.
template <class Clauses, class Before>
void assert_question(Clauses& clauses, std::span<const Literal> asserted, GateClauses gates,
                     Before&& before_goal) {
  if (gates == GateClauses::needed) {
    for (const Literal x : asserted) clauses.assert_unit(x);
    return;
  }
  clauses.define(asserted.front());
  for (const Literal x : asserted.subspan(1)) clauses.assert_unit(x);
  before_goal();
  clauses.assert_unit(asserted.front());
}

}  // namespace mmaprint
