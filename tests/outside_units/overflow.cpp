// Sums beyond D's range.
#include "outside_units/steps.h"

namespace mmaprint::test {
namespace {

using oracle::Addend;
using oracle::Addends;

/// A rounding that can carry into the next exponent.
void round_away(Deviant& unit) {
  for (Adder& adder : unit.base.adders)
    if (adder.rounding == Rounding::toward_zero || adder.rounding == Rounding::odd)
      adder.rounding = Rounding::nearest_even;
}

/// Where the unrounded sum was within range, overflow does `otherwise`.
bool where_rounding_carries(Deviant& unit, Overflow base, Overflow otherwise) {
  round_away(unit);
  unit.base.conventions.overflow = base;
  unit.at.overflow = [otherwise, emax = info(unit.base.formats.d).emax()](int /*node*/, long leading,
                                                                          bool /*negative*/, Overflow& how) {
    if (leading <= emax) how = otherwise;
  };
  return true;
}

}  // namespace

bool saturates_before_rounding(Deviant& unit, Random& /*random*/) {
  return where_rounding_carries(unit, Overflow::saturate, Overflow::infinity);
}

bool overflow_before_rounding(Deviant& unit, Random& /*random*/) {
  return where_rounding_carries(unit, Overflow::infinity, Overflow::saturate);
}

bool negative_overflow_saturates(Deviant& unit, Random& /*random*/) {
  unit.base.conventions.overflow = Overflow::infinity;
  unit.at.overflow = [](int /*node*/, long /*leading*/, bool negative, Overflow& how) {
    if (negative) how = Overflow::saturate;
  };
  return true;
}

bool overflow_by_direction(Deviant& unit, Random& random) {
  unit.base.conventions.overflow = Overflow::infinity;
  set_rounding(unit, random.pick({Rounding::up, Rounding::down}));
  unit.at.overflow = [](int /*node*/, long /*leading*/, bool /*negative*/, Overflow& how) {
    how = Overflow::by_direction;
  };
  return true;
}

bool top_binade_overflows(Deviant& unit, Random& /*random*/) {
  unit.base.conventions.overflow = Overflow::infinity;
  unit.at.result = [emax = info(unit.base.formats.d).emax()](int /*node*/, const Addends&, Addend& result) {
    if (result.kind == oracle::Kind::finite && !result.is_zero() && result.exponent == emax)
      result = oracle::special(oracle::Kind::infinite, result.negative);
  };
  return true;
}

bool saturates_at_one_node(Deviant& unit, Random& random) {
  if (node_count(unit) < 2) return false;
  unit.base.conventions.overflow = Overflow::infinity;
  unit.at.parameters = [chosen = any_node(unit, random)](int node, Adder&, Conventions& conventions) {
    if (node == chosen) conventions.overflow = Overflow::saturate;
  };
  return true;
}

}  // namespace mmaprint::test
