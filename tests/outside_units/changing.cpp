// Units whose answers depend on more than the input.
#include <memory>

#include "outside_units/steps.h"

namespace mmaprint::test {
namespace {

/// The last bit that D's format has; of a NaN too, which would be another NaN.
Pattern flipped(const FormatInfo& d, Pattern pattern) {
  return is_nan(d.id, pattern) || is_infinite(d.id, pattern) ? pattern
                                                             : pattern ^ Pattern { 1 } << d.ignored_low_bits;
}

}  // namespace

bool rounds_by_chance(Deviant& unit, Random& random) {
  set_rounding(unit, Rounding::toward_zero);
  unit.at.rounded = [dice = std::make_shared<Random>(random.bits())](int /*node*/, const mpz_class& units,
                                                                     long shift, Rounding /*rounding*/) {
    // Up with the probability that the lost part has of a last place, to one in 256.
    mpz_class lost =
        abs(units) - oracle::scaled_up(oracle::rounded(abs(units), shift, Rounding::toward_zero), shift);
    lost = oracle::rounded(lost, shift - 8, Rounding::toward_zero);
    const bool away = lost > dice->between(0, 255);
    const mpz_class kept = oracle::rounded(abs(units), shift, Rounding::toward_zero) + (away ? 1 : 0);
    return units < 0 ? mpz_class(-kept) : kept;
  };
  return true;
}

bool depends_on_previous(Deviant& unit, Random& /*random*/) {
  unit.answer = [&d = info(unit.base.formats.d)](Pattern answer, const Call& call) {
    return is_nan(d.id, call.previous) ? flipped(d, answer) : answer;
  };
  return true;
}

bool depends_on_place(Deviant& unit, Random& random) {
  const auto place = static_cast<std::size_t>(random.between(1, 15));
  unit.answer = [place, &d = info(unit.base.formats.d)](Pattern answer, const Call& call) {
    return call.place % 16 == place ? flipped(d, answer) : answer;
  };
  return true;
}

bool counts_calls(Deviant& unit, Random& random) {
  unit.answer = [every = random.between(97, 251), calls = std::make_shared<int>(0),
                 &d = info(unit.base.formats.d)](Pattern answer, const Call& /*call*/) {
    return ++*calls % every == 0 ? flipped(d, answer) : answer;
  };
  return true;
}

bool wears_out(Deviant& unit, Random& random) {
  unit.answer = [after = random.between(500, 4'000), calls = std::make_shared<int>(0),
                 &d = info(unit.base.formats.d)](Pattern answer, const Call& /*call*/) {
    const bool is_odd = (answer >> d.ignored_low_bits & 1U) != 0;
    return ++*calls > after && is_odd ? flipped(d, answer) : answer;
  };
  return true;
}

}  // namespace mmaprint::test
