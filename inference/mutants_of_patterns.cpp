// Single patterns that are taken for another at one place, where random inputs seldom have them: each mutant
// brings an input on which it shows.
#include <fmt/format.h>

#include <algorithm>

#include "inference/mutant_examples.h"
#include "inference/plain_form.h"
#include "model/value.h"

namespace mmaprint::mutants {
namespace {

/// Those where the sign of a zero shows, if anywhere.
std::vector<Place> places_of_signed_zeros(const UnitModel& model) {
  // An operand's zero shows its sign where all addends are zeros.
  if (!is_floating(model) || model.conventions.zero_sign.all_zero == ZeroSign::positive) return {};
  const std::vector<bool> show = signs_of_zeros_show(model);
  std::vector<Place> places = all_places(model);
  std::erase_if(places, [&](const Place& place) {
    for (std::size_t n = 0; n < show.size(); ++n)
      if (show[n] && std::ranges::count(places_of(model, n), place.product(model.k)) != 0) return false;
    return true;
  });
  return places;
}

void taken_for(const Original& original, const Place& place, Pattern p, Pattern other, std::string name,
               DotInput example, Mutants& mutants) {
  if (p == other) return;
  add_change(
      original,
      [place, p, other](DotInput& input) {
        Pattern& at = place.in(input);
        if (at != p) return false;
        at = other;
        return true;
      },
      std::move(name),
      {.places = {place.product(original.model.k)}, .specials = true, .example = std::move(example)},
      mutants);
}

}  // namespace

void number_or_nan_taken_for_infinity(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (!is_floating(model)) return;
  for (const Place& place : all_places(model)) {
    const FormatInfo& f = place.format;
    if (!f.has_infinity()) continue;
    for (const bool negative : {false, true}) {
      const Pattern sign = negative ? sign_pattern(f) : 0;
      const Pattern infinity = infinity_pattern(f) | sign;
      const Pattern largest = floating_pattern(f, negative, f.emax(), f.largest_significand());
      taken_for(original, place, largest, infinity,
                fmt::format("the largest {}number in {} taken for an infinity", negative ? "negative " : "",
                            place.name()),
                everywhere(model, place, largest, f.emax()), mutants);
      const Pattern nan = infinity | Pattern{1} << f.ignored_low_bits;
      taken_for(original, place, nan, infinity,
                fmt::format("the {}NaN with the least payload in {} taken for an infinity",
                            negative ? "negative " : "", place.name()),
                alone(model, place, nan), mutants);
    }
  }
}

void large_number_taken_for_infinity(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (!is_floating(model)) return;
  for (const Place& place : all_places(model)) {
    const FormatInfo& f = place.format;
    if (!f.has_nan()) continue;
    const Pattern other = f.has_infinity() ? infinity_pattern(f) : canonical_nan(f.id);
    DotInput example = everywhere(model, place, floating_pattern(f, false, f.emax(), 0), f.emax());
    add_change(
        original,
        [place, other](DotInput& input) {
          Pattern& at = place.in(input);
          const FormatInfo& format = place.format;
          if (classify(format, at) != ValueClass::normal || decode(format.id, at).exponent != format.emax())
            return false;
          at = other | (at & sign_pattern(format));
          return true;
        },
        fmt::format("a number with the largest exponent in {} taken for {}", place.name(),
                    f.has_infinity() ? "an infinity" : "a NaN"),
        {.places = {place.product(model.k)}, .specials = true, .example = std::move(example)}, mutants);
  }
}

void zero_of_another_sign(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  for (const Place& place : places_of_signed_zeros(model)) {
    const FormatInfo& f = place.format;
    const Pattern minus = zero_pattern(f, true);
    if (minus == 0) continue;
    taken_for(original, place, minus, 0, fmt::format("-0 in {} taken for +0", place.name()),
              zeros(model, place, true), mutants);
    if (place.role == Role::b) continue;
    taken_for(original, place, 0, minus, fmt::format("+0 in {} taken for -0", place.name()),
              zeros(model, place, false), mutants);
  }
}

void zero_product_of_another_sign(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  const FormatInfo a = info(model.formats.a), b = info(model.formats.b);
  if (!is_floating(model) || zero_pattern(a, true) == 0 || zero_pattern(b, true) == 0) return;
  for (const Place& place : places_of_signed_zeros(model)) {
    if (place.role == Role::c) continue;
    const auto k = static_cast<std::size_t>(place.position);
    const bool of_a = place.role == Role::a;
    // So that the products have another sign than this factor.
    DotInput example = zeros(model, place, !telling_sign(model, place));
    add_change(
        original,
        [a, b, k, of_a](DotInput& input) {
          Pattern& x = input.a[k];
          Pattern& y = input.b[k];
          const ValueClass of_x = classify(a, x), of_y = classify(b, y);
          const auto is_finite = [](ValueClass v) {
            return v != ValueClass::nan && v != ValueClass::infinite;
          };
          if ((of_x != ValueClass::zero && of_y != ValueClass::zero) || !is_finite(of_x) || !is_finite(of_y))
            return false;
          const Pattern before = of_a ? y : x;
          if (of_a)
            y &= ~sign_pattern(b);
          else
            x &= ~sign_pattern(a);
          return (of_a ? y : x) != before;
        },
        fmt::format("a zero product {} has the sign of {}", k, place.name()),
        {.places = {place.product(model.k)}, .specials = true, .example = std::move(example)}, mutants);
  }
}

}  // namespace mmaprint::mutants
