// NaN, infinities, zeros.
#include <algorithm>

#include "outside_units/steps.h"

namespace mmaprint::test {
namespace {

using oracle::Addend;
using oracle::Addends;
using oracle::Kind;
using oracle::Role;

/// A node in which infinities of both signs meet, and no NaN, has the result that `result_of` gives. A NaN
/// keeps its sign on the way to d.
template <class ResultOf>
bool where_infinities_meet(Deviant& unit, ResultOf result_of) {
  unit.at.result = [result_of](int /*node*/, const Addends& addends, Addend& result) {
    bool positive = false, negative = false;
    for (const Addend& x : addends) {
      if (x.kind == Kind::nan) {
        result.negative = std::holds_alternative<NodeLeaf>(x.from) && x.negative;
        return;
      }
      if (x.kind == Kind::infinite) (x.negative ? negative : positive) = true;
    }
    if (positive && negative) result = result_of(addends);
  };
  return true;
}

bool is_nan(const Addend& x) { return x.kind == Kind::nan; }

}  // namespace

bool infinities_cancel_to_zero(Deviant& unit, Random& /*random*/) {
  return where_infinities_meet(unit, [](const Addends&) { return oracle::zero(false); });
}

bool infinities_give_infinity(Deviant& unit, Random& /*random*/) {
  return where_infinities_meet(unit, [](const Addends&) { return oracle::special(Kind::infinite, false); });
}

bool first_infinity_wins(Deviant& unit, Random& /*random*/) {
  return where_infinities_meet(unit, [](const Addends& addends) {
    return *std::ranges::find(addends, Kind::infinite, &Addend::kind);
  });
}

bool infinities_give_another_nan(Deviant& unit, Random& /*random*/) {
  return where_infinities_meet(unit, [](const Addends&) { return oracle::special(Kind::nan, true); });
}

bool zero_times_infinity_is_zero(Deviant& unit, Random& /*random*/) {
  unit.at.product = [](const Addend& a, const Addend& b, Addend& product) {
    const bool zero = a.is_zero() || b.is_zero();
    const bool infinite = a.kind == Kind::infinite || b.kind == Kind::infinite;
    if (zero && infinite) product = oracle::zero(a.negative != b.negative);
  };
  return true;
}

bool nan_ignored_at_one_position(Deviant& unit, Random& random) {
  const Role role = random.pick({Role::a, Role::b});
  unit.at.operand = [role, position = any_position(unit, random)](Role of, int index, Addend& x) {
    if (of == role && index == position && is_nan(x)) x = oracle::zero(false);
  };
  return true;
}

bool nan_of_c_ignored(Deviant& unit, Random& /*random*/) {
  unit.at.operand = [](Role role, int /*index*/, Addend& x) {
    if (role == Role::c && is_nan(x)) x = oracle::zero(false);
  };
  return true;
}

bool nan_taken_for_infinity(Deviant& unit, Random& /*random*/) {
  unit.at.operand = [](Role role, int /*index*/, Addend& x) {
    if (role == Role::b && is_nan(x)) x.kind = Kind::infinite;
  };
  return true;
}

bool infinite_c_yields(Deviant& unit, Random& /*random*/) {
  unit.at.addends = [](int /*node*/, Addends& addends) {
    const auto infinite = [](const Addend& x) { return x.kind == Kind::infinite; };
    const auto is_c = [](const Addend& x) { return std::holds_alternative<CLeaf>(x.from); };
    const auto c = std::ranges::find_if(addends, is_c);
    if (c == addends.end() || !infinite(*c) || std::ranges::count_if(addends, infinite) < 2) return;
    const Leaf from = c->from;
    *c = oracle::zero(false);
    c->from = from;
  };
  return true;
}

bool infinity_between_nodes_is_finite(Deviant& unit, Random& /*random*/) {
  if (node_count(unit) < 2) return false;
  unit.base.conventions.overflow = Overflow::infinity;
  unit.at.addends = [&d = info(unit.base.formats.d)](int /*node*/, Addends& addends) {
    for (Addend& x : addends) {
      if (!std::holds_alternative<NodeLeaf>(x.from) || x.kind != Kind::infinite) continue;
      const Leaf from = x.from;
      x = oracle::largest_finite(d, d.fraction_bits, x.negative);
      x.from = from;
    }
  };
  return true;
}

bool all_zero_takes_sign_of_c(Deviant& unit, Random& /*random*/) {
  unit.at.result = [](int /*node*/, const Addends& addends, Addend& result) {
    if (!std::ranges::all_of(addends, &Addend::is_zero)) return;
    for (const Addend& x : addends)
      if (!std::holds_alternative<ProductLeaf>(x.from)) result.negative = x.negative;
  };
  return true;
}

bool cancelled_takes_first_sign(Deviant& unit, Random& /*random*/) {
  unit.at.result = [](int /*node*/, const Addends& addends, Addend& result) {
    if (!result.is_zero()) return;
    const auto first = std::ranges::find_if_not(addends, &Addend::is_zero);
    if (first != addends.end()) result.negative = first->negative;
  };
  return true;
}

bool negative_zero_product_is_positive(Deviant& unit, Random& /*random*/) {
  unit.base.conventions.zero_sign.all_zero = ZeroSign::follow;
  unit.at.product = [](const Addend& a, const Addend& b, Addend& product) {
    if (product.is_zero() && !a.is_zero() != !b.is_zero()) product.negative = false;
  };
  return true;
}

}  // namespace mmaprint::test
