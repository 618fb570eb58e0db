#include "emit/operand_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "emit/rounding_steps.h"

namespace mmaprint::emit {

OperandParts decoded(Body& body, const FormatInfo& f, const Expr& pattern) {
  const auto named = [&](const char* name, const Expr& x) { return body.define(name, x); };
  const Expr negative = named("negative", f.has_sign ? bit(pattern, f.sign_bit()) : truth(false));
  const Expr field = named(
      "field", cast(bits(pattern, f.ignored_low_bits + f.fraction_bits, f.exponent_bits), exponent_type()));
  const Expr fraction = named("fraction", bits(pattern, f.ignored_low_bits, f.fraction_bits));
  const Expr normal = named("normal", not_zero(field));
  const Expr top = equal(field, (1 << f.exponent_bits) - 1);
  Expr nan = truth(false), infinite = truth(false);
  switch (f.specials) {
    case Specials::ieee:
      nan = top && not_zero(fraction);
      infinite = top && is_zero(fraction);
      break;
    case Specials::nan_only:
      nan = top && equal(fraction, (std::int64_t{1} << f.fraction_bits) - 1);
      break;
    case Specials::nan_at_zero:
      nan = negative && !normal && is_zero(fraction);
      break;
    case Specials::none:
    case Specials::scale:
    case Specials::integer:
      break;
  }
  const Expr leading = cast(as_natural(normal), natural(f.precision())) << f.fraction_bits;
  return {negative, choose(normal, field - number(f.bias), number(1 - f.bias)), fraction | leading, nan,
          infinite};
}

namespace {

/// The same value in a format that holds it, normalised there.
OperandParts widened_to(Body& body, const FormatInfo& from, const FormatInfo& to, OperandParts x) {
  const int p = to.precision();
  if (from.emin() == to.emin())
    return {x.negative, x.exponent, widened(x.significand, p) << (to.fraction_bits - from.fraction_bits),
            x.nan, x.infinite};
  const Expr significand = body.define("narrow_significand", x.significand);
  const Expr narrow = body.define("narrow_exponent", x.exponent);
  body.note(fmt::format("The same value as a number of {}.", to.name));
  const Expr leading = body.define("leading", narrow + bit_length(significand) - number(from.precision()));
  const Expr exponent = body.define(
      "exponent", choose(is_zero(significand), number(to.emin()), maximum(leading, number(to.emin()))));
  const Expr up = minimum(
      maximum(narrow - exponent + number(to.fraction_bits - from.fraction_bits), number(0)), number(p - 1));
  return {x.negative, exponent, widened(significand, p) << body.define("up", up), x.nan, x.infinite};
}

/// Rounded into another format.
OperandParts rounded_to(Context& context, Body& body, const FormatInfo& from, const Number& to, Rounding mode,
                        const OperandParts& x) {
  const Callee round = rounding_function(
      context, fmt::format("round_{}_to_{}", from.name, to.format.name),
      {to, to.format.fraction_bits, mode, Overflow::infinity, {}, false, {}}, from.precision());
  const Expr nan = body.define("nan", x.nan);
  const Expr infinite = body.define("infinite", x.infinite);
  const NumberExpr r{to, body.define("converted", call(round, {x.negative, x.significand,
                                                               x.exponent - number(from.fraction_bits)}))};
  return {x.negative, r.exponent(), r.significand(), nan, infinite || (r.infinite() && !nan)};
}

/// What goes on of a pattern that is a NaN.
NanExpr nan_of(const Context& context, const FormatInfo& container, const FormatInfo& computed,
               const Expr& pattern, const Expr& nan, const Expr& negative) {
  const int f = container.fraction_bits;
  const int cut = std::max(0, f - computed.fraction_bits);
  Expr fraction = bits(pattern, container.ignored_low_bits, f);
  if (cut > 0) fraction = (fraction >> cut) << cut;
  const Expr payload = widened(fraction, context.payload_bits()) << (context.payload_bits() - f);
  const bool can_signal = container.specials == Specials::ieee;
  return {negative, payload,
          can_signal ? nan && !bit(pattern, container.ignored_low_bits + f - 1) : truth(false), truth(false)};
}

/// Subnormals become zeros.
OperandParts flushed(Body& body, const FormatInfo& f, Subnormals rule, OperandParts x) {
  if (rule == Subnormals::kept) return x;
  const Expr significand = body.define("kept_significand", x.significand);
  const Expr normal = body.define("is_normal", bit(significand, f.fraction_bits));
  body.note(rule == Subnormals::flushed ? "Subnormals are zeros of their sign."
                                        : "Subnormals are +0, and so are zeros.");
  x.significand = choose(normal, significand, constant(significand->type, 0));
  if (rule == Subnormals::flushed_positive) x.negative = x.negative && normal;
  return x;
}

std::string words_of(const Container& from, const FormatInfo& to, Subnormals rule) {
  std::string text = fmt::format("The number that a pattern of {} stands for", from.format.name);
  if (from.conversion) {
    const char* how = *from.conversion == Conversion::exact  ? "exactly"
                      : *from.conversion == Conversion::chop ? "its low bits cut off"
                      : *from.conversion == Conversion::nearest_even
                          ? "rounded to nearest, ties to even"
                          : "rounded to nearest, ties away from zero";
    text += fmt::format(", converted to {}, {}", to.name, how);
  }
  if (rule != Subnormals::kept) text += "; subnormals are flushed";
  return text + ".";
}

Reading reading_function(Context& context, const Container& from, const FormatInfo& to, Subnormals rule) {
  const bool rounds = from.conversion && (*from.conversion == Conversion::nearest_even ||
                                          *from.conversion == Conversion::nearest_away);
  const Number number = context.number_of(to, from.format.has_nan(),
                                          from.format.has_infinity() || (rounds && to.has_infinity()));
  Body body;
  const Expr input = variable("bits", pattern(from.format.container_bits));
  OperandParts x;
  if (!from.conversion) {
    x = decoded(body, to, input);
  } else if (*from.conversion == Conversion::chop) {
    const int dropped = from.format.container_bits - to.container_bits;
    x = decoded(body, to,
                dropped > 0 ? body.define("high_bits", bits(input, dropped, to.container_bits)) : input);
  } else if (*from.conversion == Conversion::exact) {
    x = widened_to(body, from.format, to, decoded(body, from.format, input));
  } else {
    const Rounding mode =
        *from.conversion == Conversion::nearest_away ? Rounding::nearest_away : Rounding::nearest_even;
    x = rounded_to(context, body, from.format, number, mode, decoded(body, from.format, input));
  }
  const Expr sign = x.negative;
  x = flushed(body, to, rule, x);
  NanExpr travelling = context.no_nan();
  if (context.nan_rule() != nullptr) {
    travelling = nan_of(context, from.format, to, input, x.nan, sign);
    // Of a NaN the sign goes on whatever is flushed.
    if (rule == Subnormals::flushed_positive) x.negative = choose(x.nan, sign, x.negative);
  }
  body.result(
      context.make_number(number, x.negative, x.exponent, x.significand, x.nan, x.infinite, &travelling));
  const Callee made = context.add({context.unique("read_" + std::string(from.format.name)),
                                   words_of(from, to, rule),
                                   {{"bits", input->type}},
                                   number.type,
                                   std::move(body).statements()});
  return {made, number};
}

bool same(const Container& x, const Container& y) {
  return x.format.id == y.format.id && x.conversion == y.conversion;
}

}  // namespace

Readings reading_functions(Context& context) {
  const Plan& plan = context.plan;
  const Conventions& rules = context.model.conventions;
  Readings all;
  all.a = reading_function(context, plan.from_a, plan.a, rules.input_subnormals);
  all.b = same(plan.from_a, plan.from_b) && plan.a.id == plan.b.id
              ? all.a
              : reading_function(context, plan.from_b, plan.b, rules.input_subnormals);
  if (!context.model.formats.c) return all;
  if (same(plan.from_c, plan.from_b) && plan.c.id == plan.b.id &&
      rules.c_subnormals == rules.input_subnormals)
    all.c = all.b;
  else
    all.c = reading_function(context, plan.from_c, plan.c, rules.c_subnormals);
  return all;
}

Expr is_invalid(const NumberExpr& a, const NumberExpr& b) {
  return (a.infinite() && is_zero(b.significand())) || (b.infinite() && is_zero(a.significand()));
}

Expr exponent_in_alignment(const Context& context, const Adder& adder, const Expr& zero,
                           const Expr& exponent) {
  const int lowest = context.plan.lowest_exponent();
  const int as_zero =
      adder.zero_addends.kind() == ZeroAddends::Kind::as_exponent ? adder.zero_addends.exponent() : lowest;
  return choose(zero, number(as_zero), exponent);
}

namespace {

/// The exponent with which a product takes part in E.
Expr exponent_of_product(const Context& context, const Adder& adder, const NumberExpr& a, const NumberExpr& b,
                         const Expr& scale, const Expr& zero, const Expr& exponent) {
  if (adder.zero_addends.kind() != ZeroAddends::Kind::factor_exponent)
    return exponent_in_alignment(context, adder, zero, exponent);
  const Expr z = number(adder.zero_addends.exponent());
  const auto of_factor = [&](const NumberExpr& x) {
    return choose(is_zero(x.significand()), z, x.exponent());
  };
  return choose(zero, of_factor(a) + of_factor(b) + scale, exponent);
}

}  // namespace

Products product_function(Context& context, const std::string& name, const Adder& adder, bool as_it_is,
                          const Number& na, const Number& nb, const Scale* scaled) {
  Body body;
  const NumberExpr a{na, variable("a", na.type)}, b{nb, variable("b", nb.type)};
  std::vector<Parameter> parameters{{"a", na.type}, {"b", nb.type}};
  Expr scale_exponent = number(0), scale_nan = truth(false);
  if (scaled != nullptr) {
    parameters.push_back({"scale", scaled->type});
    const ScaleExpr scale{*scaled, variable("scale", scaled->type)};
    scale_exponent = scale.exponent();
    scale_nan = scale.nan();
  }
  const int f = na.format.fraction_bits + nb.format.fraction_bits;
  const bool normalises = adder.product == ProductKind::exact_normalised && !as_it_is;
  const bool overflows =
      adder.product_overflow == ProductOverflow::infinity && context.plan.products_can_overflow();
  Expr significand = body.define("significand", a.significand() * b.significand());
  const Expr zero = body.define("zero", is_zero(significand));
  Expr exponent = a.exponent() + b.exponent();
  Expr leading;
  if (normalises || overflows)
    leading = body.define("leading", exponent + bit_length(significand) - number(f + 1));
  int fraction_bits = f;
  if (normalises) {
    body.note("Brought into [1, 2), with a bit more below the point.");
    fraction_bits = f + 1;
    exponent = leading;
    significand = body.define("normalised",
                              significand << (number(f + 2) - maximum(bit_length(significand), number(1))));
  }
  Products made{{},
                fraction_bits,
                f + 2,
                na.has_nan || nb.has_nan || na.has_infinity || nb.has_infinity || scaled != nullptr,
                na.has_infinity || nb.has_infinity || overflows};
  Record type{
      context.unique(name + "_of_factors"),
      fmt::format("(-1)^negative * significand * 2^(exponent - {}); a zero has the exponent with which it "
                  "takes part in E",
                  fraction_bits),
      {{"negative", boolean()}, {"exponent", exponent_type()}, {"significand", natural(f + 2)}}};
  std::vector<Expr> fields{!equal(a.negative(), b.negative()),
                           exponent_of_product(context, as_it_is ? Adder{} : adder, a, b, scale_exponent,
                                               zero, exponent + scale_exponent),
                           significand};
  if (made.has_nan) {
    type.fields.push_back({"nan", boolean()});
    fields.push_back(a.nan() || b.nan() || is_invalid(a, b) || scale_nan);
  }
  if (made.has_infinity) {
    type.fields.push_back({"infinite", boolean()});
    const Expr too_large = overflows ? !zero && at_least(leading, context.plan.d.emax() + 1) : truth(false);
    fields.push_back(a.infinite() || b.infinite() || too_large);
  }
  const Type result = record(type.name);
  context.add_record(std::move(type));
  body.result(make(result, std::move(fields)));
  made.function = context.add({context.unique(name),
                               fmt::format("The exact product{}{}.", normalises ? ", normalised" : "",
                                           scaled != nullptr ? ", times its scale" : ""),
                               std::move(parameters), result, std::move(body).statements()});
  return made;
}

Callee writing_function(Context& context, const Number& number_type) {
  const FormatInfo& d = number_type.format;
  Body body;
  const NumberExpr x{number_type, variable("x", number_type.type)};
  const Type word = pattern(d.container_bits);
  const Expr normal = bit(x.significand(), d.fraction_bits);
  const Expr field = body.define("field", choose(x.infinite(), number((1 << d.exponent_bits) - 1),
                                                 choose(normal, x.exponent() + number(d.bias), number(0))));
  const Expr fraction = body.define("fraction", choose(x.infinite(), constant(natural(d.fraction_bits), 0),
                                                       bits(x.significand(), 0, d.fraction_bits)));
  body.result((cast(as_natural(x.negative()), word) << d.sign_bit()) |
              (cast(field, word) << (d.ignored_low_bits + d.fraction_bits)) |
              (cast(fraction, word) << d.ignored_low_bits));
  return context.add({context.unique("write_" + std::string(d.name)),
                      fmt::format("The pattern of {} that stands for a number or an infinity.", d.name),
                      {{"x", number_type.type}},
                      word,
                      std::move(body).statements()});
}

}  // namespace mmaprint::emit
