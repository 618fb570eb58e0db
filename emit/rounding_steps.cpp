#include "emit/rounding_steps.h"

#include <fmt/format.h>

#include <algorithm>

namespace mmaprint::emit {

std::string in_words(Rounding mode) {
  switch (mode) {
    case Rounding::toward_zero:
      break;
    case Rounding::nearest_even:
      return "to nearest, ties to even";
    case Rounding::up:
      return "up";
    case Rounding::down:
      return "down";
    case Rounding::nearest_away:
      return "to nearest, ties away from zero";
    case Rounding::odd:
      return "to odd";
  }
  return "toward zero";
}

Expr shifted_right(Body& body, const std::string& name, const Expr& x, const Expr& by, Rounding mode,
                   const Expr& negative) {
  const int bits = x->type.bits;
  const auto named = [&](const char* what, const Expr& value) { return body.define(name + what, value); };
  if (mode == Rounding::nearest_even || mode == Rounding::nearest_away) {
    // One bit more to the right, so that there is a first lost one.
    const Expr doubled = named("_doubled", widened(x, bits + 2) << 1);
    const Expr distance = named("_distance", minimum(by, number(bits + 1)));
    const Expr moved = named("_moved", doubled >> distance);
    const Expr half = bit(moved, 0);
    Expr up = half;
    if (mode == Rounding::nearest_even) up = half && (!equal(moved << distance, doubled) || bit(moved, 1));
    return cast((moved >> 1) + as_natural(up), natural(bits + 1));
  }
  const Expr distance = named("_distance", minimum(by, number(bits)));
  const Expr whole = widened(x, bits + 1);
  if (mode == Rounding::toward_zero) return whole >> distance;
  const Expr kept = named("_kept", whole >> distance);
  const Expr lost = !equal(kept << distance, x);
  if (mode == Rounding::odd) return kept | as_natural(lost);
  return kept + as_natural((mode == Rounding::up ? !negative : negative) && lost);
}

namespace {

/// Does IEEE 754 round an overflow to the largest finite number?
Expr stays_finite(const RoundingRule& rule, const Expr& negative) {
  if (rule.overflow == Overflow::saturate) return truth(true);
  if (rule.overflow != Overflow::by_direction) return truth(false);
  switch (rule.mode) {
    case Rounding::toward_zero:
    case Rounding::odd:
      return truth(true);
    case Rounding::up:
      return negative;
    case Rounding::down:
      return !negative;
    case Rounding::nearest_even:
    case Rounding::nearest_away:
      break;
  }
  return truth(false);
}

Expr signed_by(ZeroSign rule, const Expr& negative) {
  return rule == ZeroSign::follow ? negative : truth(false);
}

/// The parts of a rounding function, by what they work on.
struct SumParts {
  const RoundingRule& rule;
  Body& body;
  Expr negative, magnitude, unit;
  int width;
  [[nodiscard]] const FormatInfo& format() const { return rule.to.format; }
  /// Of the magnitude's leading bit.
  Expr leading;

  /// The sum as a multiple of 2^(quantum), at least f + 1 of whose bits may be above its leading one.
  [[nodiscard]] Expr multiple_of(const std::string& name, const Expr& quantum) const {
    const int f = rule.fraction_bits;
    const Expr drop = body.define(name + "_drop", quantum - unit);
    // A short sum has fewer bits than the result, and moves left.
    const Expr wide = widened(magnitude, std::max(width, f + 2));
    const Expr up = minimum(maximum(number(0) - drop, number(0)), number(f + 1));
    const Expr moved = body.define(name + "_moved_left", wide << up);
    return shifted_right(body, name, moved, maximum(drop, number(0)), rule.mode, negative);
  }
  /// Is the sum, by the rule's test, to be flushed?
  [[nodiscard]] Expr is_flushed(const Expr& significand) const {
    if (!rule.flushes) return truth(false);
    const FormatInfo& d = format();
    if (rule.flush_test == FlushTest::after)
      return !bit(significand, d.fraction_bits) && not_zero(significand);
    body.note("Results are tested for being subnormal before they are rounded" +
              std::string(rule.flush_test == FlushTest::before ? "." : " to the exponents that there are."));
    const Expr below = body.define("below_normal", less(leading, number(d.emin())));
    if (rule.flush_test == FlushTest::before) return below;
    // Rounded as if exponents went on, only what is next to 2^emin reaches it.
    const Expr unbounded = multiple_of("unbounded", number(d.emin() - 1 - rule.fraction_bits));
    return below && is_zero(unbounded >> (rule.fraction_bits + 1));
  }
};

/// The exponents beyond the format's, its largest significand.
Expr beyond(const FormatInfo& d, const Expr& exponent, const Expr& significand) {
  const Expr above = at_least(exponent, d.emax() + 1);
  if (d.largest_significand() == (std::uint64_t{2} << d.fraction_bits) - 1) return above;
  return above ||
         (at_least(exponent, d.emax()) &&
          less(constant(significand->type, static_cast<std::int64_t>(d.largest_significand())), significand));
}

void round_and_encode(Context& context, SumParts parts) {
  const RoundingRule& rule = parts.rule;
  Body& body = parts.body;
  const FormatInfo& d = parts.format();
  const int f = rule.fraction_bits;
  const int p = d.precision();
  parts.leading = body.define("leading", parts.unit + bit_length(parts.magnitude) - number(1));
  const Expr e = body.define("e", maximum(parts.leading, number(d.emin())));
  body.note(fmt::format("To a multiple of 2^(e - {}), {}.", f, in_words(rule.mode)));
  const Expr rounded = body.define("rounded", cast(parts.multiple_of("sum", e - number(f)), natural(f + 2)));
  const Expr carried = body.define("carried", bit(rounded, f + 1));
  const Expr exponent = body.define("exponent", choose(carried, e + number(1), e));
  const Expr kept = cast(choose(carried, rounded >> 1, rounded), natural(f + 1));
  const Expr significand = body.define("significand", widened(kept, p) << (p - 1 - f));

  const auto finite = [&](const Expr& sign, const Expr& its_exponent, const Expr& its_significand) {
    return context.make_number(rule.to, sign, its_exponent, its_significand, truth(false), truth(false));
  };
  const Expr too_large = beyond(d, exponent, significand);
  const Expr saturates = stays_finite(rule, parts.negative);
  const std::uint64_t ones = ((std::uint64_t{2} << f) - 1) << (p - 1 - f);
  const auto largest = static_cast<std::int64_t>(std::min(ones, d.largest_significand()));
  if (is_constant(saturates, true) || !rule.to.has_infinity) {
    body.result_if(too_large, finite(parts.negative, number(d.emax()), constant(natural(p), largest)));
  } else {
    if (!is_constant(saturates, false))
      body.result_if(too_large && saturates,
                     finite(parts.negative, number(d.emax()), constant(natural(p), largest)));
    body.result_if(too_large, context.make_number(rule.to, parts.negative, number(d.emax()),
                                                  constant(natural(p), std::int64_t{1} << d.fraction_bits),
                                                  truth(false), truth(true)));
  }
  body.result_if(parts.is_flushed(significand), finite(signed_by(rule.zero_sign.flushed, parts.negative),
                                                       number(d.emin()), constant(natural(p), 0)));
  const Expr sign =
      rule.zero_sign.rounded == ZeroSign::follow ? parts.negative : parts.negative && not_zero(significand);
  body.result(finite(sign, exponent, significand));
}

}  // namespace

Callee rounding_function(Context& context, const std::string& name, const RoundingRule& rule, int width) {
  Body body;
  const Expr negative = variable("negative", boolean());
  const Expr magnitude = variable("magnitude", natural(width));
  const Expr unit = variable("unit", exponent_type());
  round_and_encode(context, {rule, body, negative, magnitude, unit, width, {}});
  return context.add({context.unique(name),
                      fmt::format("+-magnitude * 2^unit, not zero, rounded once to {} fraction bits, {}.",
                                  rule.fraction_bits, in_words(rule.mode)),
                      {{"negative", boolean()}, {"magnitude", magnitude->type}, {"unit", exponent_type()}},
                      rule.to.type,
                      std::move(body).statements()});
}

}  // namespace mmaprint::emit
