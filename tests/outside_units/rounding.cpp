// How a node's sum becomes a number of D's format.
#include "model/value.h"
#include "outside_units/steps.h"

namespace mmaprint::test {
namespace {

using oracle::Addend;
using oracle::Addends;

bool is_tie(const mpz_class& units, long shift) {
  return mpz_scan1(units.get_mpz_t(), 0) == static_cast<mp_bitcnt_t>(shift - 1);
}

/// One of several nodes has other parameters.
bool at_one_node(Deviant& unit, Random& random, const std::function<void(Adder&, Conventions&)>& change) {
  if (node_count(unit) < 2) return false;
  unit.at.parameters = [chosen = any_node(unit, random), change](int node, Adder& adder,
                                                                 Conventions& conventions) {
    if (node == chosen) change(adder, conventions);
  };
  return true;
}

}  // namespace

bool wrong_for_one_value_of_c(Deviant& unit, Random& random) {
  const auto low = static_cast<Pattern>(random.between(0, 15));
  const Signature formats = unit.base.formats;
  const auto largest_exponent = [](Format format, const std::vector<Pattern>& patterns) {
    int largest = info(format).emin();
    for (const Pattern pattern : patterns) {
      const Value x = decode(format, pattern);
      if (!x.nan && !x.infinite && x.significand != 0) largest = std::max(largest, x.exponent);
    }
    return largest;
  };
  unit.answer = [=](Pattern d, const Call& call) {
    if (is_nan(formats.d, d) || is_infinite(formats.d, d) || call.input.c % 16 != low) return d;
    const int c = largest_exponent(formats.c.value(), {call.input.c});
    const bool wrong = c >= -2 && c <= 0 && largest_exponent(formats.a, call.input.a) == 0 &&
                       largest_exponent(formats.b, call.input.b) == 0;
    return wrong ? d ^ 1U : d;
  };
  return true;
}

bool ties_by_sign(Deviant& unit, Random& /*random*/) {
  set_rounding(unit, Rounding::nearest_even);
  unit.at.rounded = [](int /*node*/, const mpz_class& units, long shift, Rounding rounding) {
    const bool away = units < 0 && is_tie(units, shift);
    return oracle::rounded(units, shift, away ? Rounding::nearest_away : rounding);
  };
  return true;
}

bool rounds_by_hash(Deviant& unit, Random& random) {
  set_rounding(unit, Rounding::toward_zero);
  unit.at.rounded = [key = random.bits()](int /*node*/, const mpz_class& units, long shift,
                                          Rounding /*rounding*/) {
    const mpz_class kept = oracle::rounded(abs(units), shift, Rounding::toward_zero);
    mpz_class lost = abs(units) - oracle::scaled_up(kept, shift);
    lost = oracle::rounded(lost, shift - 8, Rounding::toward_zero);
    // Of the low bits: what is summed decides, always in the same way.
    const std::uint64_t low = mpz_class(abs(units) & mpz_class("0xffffffff")).get_ui();
    const std::uint64_t hash = ((low ^ key) * 0x9E3779B97F4A7C15U) >> 56;
    const mpz_class rounded = kept + (lost > static_cast<unsigned long>(hash) ? 1 : 0);
    return units < 0 ? mpz_class(-rounded) : rounded;
  };
  return true;
}

bool direction_by_sign(Deviant& unit, Random& random) {
  set_rounding(unit, random.pick({Rounding::toward_zero, Rounding::nearest_even, Rounding::nearest_away}));
  const Rounding own = unit.base.adders.front().rounding;
  // Toward zero for one sign and away for the other would be up or down.
  const Rounding other = own == Rounding::toward_zero ? Rounding::nearest_even : Rounding::toward_zero;
  unit.at.rounded = [other](int /*node*/, const mpz_class& units, long shift, Rounding rounding) {
    return oracle::rounded(units, shift, units < 0 ? other : rounding);
  };
  return true;
}

bool rounded_twice(Deviant& unit, Random& random) {
  set_rounding(unit, Rounding::nearest_even);
  unit.at.rounded = [extra = random.between(1, 2)](int /*node*/, const mpz_class& units, long shift,
                                                   Rounding rounding) {
    if (shift <= extra) return oracle::rounded(units, shift, rounding);
    return oracle::rounded(oracle::rounded(units, shift - extra, rounding), extra, rounding);
  };
  return true;
}

bool short_sticky(Deviant& unit, Random& random) {
  set_rounding(unit, Rounding::nearest_even);
  unit.at.rounded = [kept = random.between(2, 3)](int /*node*/, const mpz_class& units, long shift,
                                                  Rounding rounding) {
    if (shift <= kept) return oracle::rounded(units, shift, rounding);
    return oracle::rounded(oracle::rounded(units, shift - kept, Rounding::toward_zero), kept, rounding);
  };
  return true;
}

bool other_rounding_at_one_node(Deviant& unit, Random& random) {
  const Rounding other = random.pick({Rounding::toward_zero, Rounding::nearest_even, Rounding::up,
                                      Rounding::down, Rounding::nearest_away, Rounding::odd});
  return at_one_node(unit, random, [other](Adder& adder, Conventions&) { adder.rounding = other; });
}

bool one_bit_fewer_at_one_node(Deviant& unit, Random& random) {
  for (const Adder& adder : unit.base.adders)
    if (adder.output_fraction_bits < 2) return false;
  return at_one_node(unit, random, [](Adder& adder, Conventions&) { --adder.output_fraction_bits; });
}

bool one_bit_more_at_one_node(Deviant& unit, Random& random) {
  // Not at the root, whose result D has to hold.
  if (node_count(unit) < 2) return false;
  unit.at.parameters = [chosen = random.between(0, node_count(unit) - 2)](int node, Adder& adder,
                                                                          Conventions&) {
    if (node == chosen) ++adder.output_fraction_bits;
  };
  return true;
}

bool last_bit_stuck_at_one_exponent(Deviant& unit, Random& random) {
  const int stuck = random.between(-2, 3);
  unit.at.result = [=, last = node_count(unit) - 1](int node, const Addends&, Addend& result) {
    if (node != last || result.kind != oracle::Kind::finite || result.is_zero()) return;
    if (result.exponent == stuck && mpz_odd_p(result.units.get_mpz_t()) != 0)
      result.units += result.negative ? 1 : -1;
  };
  return true;
}

bool flushed_at_one_node(Deviant& unit, Random& random) {
  unit.base.conventions.output_subnormals = Subnormals::kept;
  return at_one_node(unit, random,
                     [](Adder&, Conventions& how) { how.output_subnormals = Subnormals::flushed; });
}

}  // namespace mmaprint::test
