// Operands that are read otherwise: at one place, or where they are small.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "inference/mutant_examples.h"
#include "model/value.h"

namespace mmaprint::mutants {
namespace {

Pattern zero_like(const FormatInfo& f, Pattern p) { return zero_pattern(f, (p & sign_pattern(f)) != 0); }

/// Gives a place another pattern, and says whether it is another.
bool put(Pattern& at, Pattern other) {
  const bool changed = at != other;
  at = other;
  return changed;
}

/// The exponent of a nonzero finite pattern's leading bit.
int leading_exponent(const FormatInfo& f, Pattern p) {
  const Value value = decode(f.id, p);
  int e = value.exponent;
  for (std::uint64_t top = std::uint64_t{1} << f.fraction_bits; top > value.significand; top >>= 1) --e;
  return e;
}
bool is_number(const FormatInfo& f, Pattern p) {
  const ValueClass of = classify(f, p);
  return of == ValueClass::normal || of == ValueClass::subnormal;
}

/// Exponents at which something may end: those of D's range, the clamps of adders, and next to them.
std::set<int> thresholds(const UnitModel& model) {
  const FormatInfo& d = info(model.formats.d);
  std::set<int> all;
  const auto around = [&](int e) { all.insert({e, e + 1}); };
  around(d.emin());
  around(d.emin() - d.fraction_bits);
  for (const Adder& adder : model.adders) {
    if (!adder.minimum_alignment_exponent) continue;
    around(*adder.minimum_alignment_exponent);
    if (adder.alignment_fraction_bits)
      around(*adder.minimum_alignment_exponent - *adder.alignment_fraction_bits);
  }
  return all;
}

void products_dropped_below(const Original& original, int least, Mutants& mutants) {
  const FormatInfo a = info(original.model.formats.a), b = info(original.model.formats.b);
  // Nothing is as small, or nearly all is.
  if (least <= a.emin() + b.emin() - a.fraction_bits - b.fraction_bits || least > a.emax()) return;
  add_change(
      original,
      [a, b, least](DotInput& input) {
        bool changed = false;
        for (std::size_t k = 0; k < input.a.size(); ++k)
          if (is_number(a, input.a[k]) && is_number(b, input.b[k]) &&
              leading_exponent(a, input.a[k]) + leading_exponent(b, input.b[k]) < least)
            changed = put(input.a[k], zero_like(a, input.a[k])) || changed;
        return changed;
      },
      fmt::format("products whose factors' exponents sum to less than {} are zeros", least),
      {.exponent = least}, mutants);
}

void dropped_below(const Original& original, const Place& place, int least, Mutants& mutants) {
  const FormatInfo f = place.format;
  if (least <= f.emin() - f.fraction_bits || least > f.emax()) return;
  add_change(
      original,
      [place, least](DotInput& input) {
        Pattern& p = place.in(input);
        if (!is_number(place.format, p) || leading_exponent(place.format, p) >= least) return false;
        return put(p, zero_like(place.format, p));
      },
      fmt::format("{} is a zero where its exponent is below {}", place.name(), least),
      {.places = {place.product(original.model.k)},
       .subnormals = place.role != Role::c && least <= f.emin() + 1,
       .exponent = place.role == Role::c ? std::optional(least) : std::nullopt,
       .example = everywhere(original.model, place, floating_pattern(f, false, least - 1, 0), least - 1)},
      mutants);
}

}  // namespace

void subnormals_flushed_at_one_place(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (!is_floating(model)) return;
  for (const Place& place : all_places(model)) {
    const Subnormals now =
        place.role == Role::c ? model.conventions.c_subnormals : model.conventions.input_subnormals;
    if (now != Subnormals::kept) continue;
    const int below = place.format.emin() - 1;
    const Pattern half = floating_pattern(place.format, false, below, 0);
    add_change(
        original,
        [place](DotInput& input) {
          Pattern& p = place.in(input);
          return classify(place.format, p) == ValueClass::subnormal && put(p, zero_like(place.format, p));
        },
        fmt::format("subnormals flushed at {}", place.name()),
        {.places = {place.product(model.k)},
         .subnormals = true,
         .example = everywhere(model, place, half, below)},
        mutants);
  }
}

void subnormals_kept_at_one_place(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  // Where factors are converted, what is flushed is what they are converted to.
  if (!is_floating(model) || model.conventions.input_subnormals == Subnormals::kept || model.paths.a ||
      model.paths.b)
    return;
  UnitModel keeping = model;
  keeping.conventions.input_subnormals = Subnormals::kept;
  const auto evaluator = std::make_shared<Evaluator>(std::move(keeping));
  const bool positive = model.conventions.input_subnormals == Subnormals::flushed_positive;
  const std::vector<Place> places = all_places(model);
  for (const Place& kept : places) {
    if (kept.role == Role::c) continue;
    const int below = kept.format.emin() - 1;
    const auto is_subnormal = [](const Place& place, const DotInput& in) {
      return classify(place.format, place.in(in)) == ValueClass::subnormal;
    };
    mutants.push_back(
        {fmt::format("subnormals kept at {}", kept.name()),
         [=](const DotInput& input, Pattern d) {
           if (!is_subnormal(kept, input)) return d;
           DotInput changed = input;
           for (const Place& place : places) {
             const bool is_kept =
                 place.role == Role::c || (place.role == kept.role && place.position == kept.position);
             if (is_kept) continue;
             if (!is_subnormal(place, input) && !(positive && is_zero(place.format, place.in(input))))
               continue;
             put(place.in(changed), positive ? 0 : zero_like(place.format, place.in(changed)));
           }
           return (*evaluator)(changed);
         },
         std::nullopt,
         {.places = {kept.product(model.k)},
          .subnormals = true,
          .example = everywhere(model, kept, floating_pattern(kept.format, false, below, 0), below)}});
  }
}

void significand_bit_ignored(const Original& original, Mutants& mutants) {
  for (const Place& place : all_places(original.model)) {
    const FormatInfo& f = place.format;
    if (place.role != Role::c && original.model.formats.a == Format::b1) continue;  // that is all of it
    for (int bit = 0; bit < f.fraction_bits; ++bit)
      add_change(
          original,
          [place, mask = Pattern{1} << (f.ignored_low_bits + bit)](DotInput& input) {
            Pattern& p = place.in(input);
            return is_number(place.format, p) && put(p, p & ~mask);
          },
          fmt::format("bit {} of the significand of {} ignored", bit, place.name()),
          {.places = {place.product(original.model.k)}}, mutants);
  }
}

void sign_ignored(const Original& original, Mutants& mutants) {
  for (const Place& place : all_places(original.model)) {
    const Pattern sign = sign_pattern(place.format);
    if (sign == 0 || place.format.specials == Specials::nan_at_zero) continue;
    add_change(
        original,
        [place, sign](DotInput& input) {
          Pattern& p = place.in(input);
          return put(p, p & ~sign);
        },
        fmt::format("the sign of {} ignored", place.name()), {.places = {place.product(original.model.k)}},
        mutants);
  }
}

void small_operands_dropped(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (!is_floating(model)) return;
  const std::set<int> at = thresholds(model);
  for (const int least : at) {
    products_dropped_below(original, least, mutants);
    if (model.formats.c) dropped_below(original, all_places(model).back(), least, mutants);
  }
  for (const Place& place : all_places(model)) {
    for (const int least : {place.format.emin() - place.format.fraction_bits + 1, place.format.emin() + 1})
      if (place.role != Role::c || !at.contains(least)) dropped_below(original, place, least, mutants);
  }
}

void nan_ignored(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (!is_floating(model)) return;
  for (const Place& place : all_places(model)) {
    const FormatInfo& f = place.format;
    const auto taken_for = [&](Pattern other, std::string_view what) {
      add_change(
          original,
          [place, other](DotInput& input) {
            Pattern& p = place.in(input);
            return is_nan(place.format, p) && put(p, other);
          },
          fmt::format("a NaN in {} taken for {}", place.name(), what),
          {.places = {place.product(model.k)}, .specials = true}, mutants);
    };
    if (!f.has_nan()) continue;
    taken_for(0, "a zero");
    if (f.has_infinity()) taken_for(infinity_pattern(f), "an infinity");
  }
}

}  // namespace mmaprint::mutants
