// A node whose sum is scaled: an exact integer, times the scale's significand (docs/semantics.md, scales).
#include <fmt/format.h>

#include "emit/node_steps.h"

namespace mmaprint::emit {
namespace {

/// Of sums that are scaled. No factor is infinite.
Carried scaled_sum_type(Context& context, int fraction_bits, int width) {
  Record sum{context.unique("scaled_sum"),
             fmt::format("(-1)^negative * significand * 2^(exponent - {}), a sum times its scale; exponent "
                         "is the scale's",
                         fraction_bits),
             {{"negative", boolean()},
              {"exponent", exponent_type()},
              {"significand", natural(width)},
              {"of_zeros", boolean()},
              {"nan", boolean()}}};
  const Type type = record(sum.name);
  context.add_record(std::move(sum));
  return {type, fraction_bits, width, false};
}

/// What is seen of the products of a sum.
struct SumOfProducts {
  Expr sum, nan, all_zero, all_negative;
};
/// The sum in units of the lowest bit that a product can have. Signs count where zeros keep theirs.
SumOfProducts sum_of_products(Body& body, const PlannedNode& node, const Parameter& a, const Number& na,
                              const Parameter& b, const Number& nb, bool signs) {
  const int lowest = na.format.emin() + nb.format.emin();
  const int bits =
      na.format.precision() + nb.format.precision() + na.format.emax() + nb.format.emax() - lowest;
  const int width = bits + ceil_log2(node.products) + 1;
  const bool nans = na.has_nan || nb.has_nan;
  body.note(fmt::format("The exact sum in units of 2^{}.",
                        lowest - na.format.fraction_bits - nb.format.fraction_bits));
  SumOfProducts made{body.start("sum", constant(integer(width), 0)), truth(false), {}, truth(false)};
  if (nans) made.nan = body.start("nan", made.nan);
  made.all_zero = body.start("all_zero", truth(true));
  if (signs) made.all_negative = body.start("all_negative", truth(true));
  body.repeat("i", node.products, [&](const Expr& i, Body& inside) {
    const NumberExpr x{na, inside.define("x", element(variable(a.name, a.type), i))};
    const NumberExpr y{nb, inside.define("y", element(variable(b.name, b.type), i))};
    const Expr negative = inside.define("negative", !equal(x.negative(), y.negative()));
    const Expr significand = inside.define("significand", x.significand() * y.significand());
    const Expr term = inside.define(
        "term",
        cast(widened(significand, bits) << (x.exponent() + y.exponent() - number(lowest)), integer(width)));
    inside.assign(made.sum, choose(negative, made.sum - term, made.sum + term));
    if (nans) inside.assign(made.nan, made.nan || x.nan() || y.nan());
    inside.assign(made.all_zero, made.all_zero && is_zero(significand));
    if (signs) inside.assign(made.all_negative, made.all_negative && negative);
  });
  return made;
}

}  // namespace

NodeFunction scaled_sum_function(Context& context, const std::string& name, const PlannedNode& node,
                                 const Number& a, const Number& b, const Scale& scale) {
  std::vector<Parameter> parameters{
      {"a", array(a.type, node.products)}, {"b", array(b.type, node.products)}, {"scale", scale.type}};
  const ScaleExpr by{scale, variable("scale", scale.type)};
  Body body;
  const bool signs = context.model.conventions.zero_sign.all_zero == ZeroSign::follow;
  const SumOfProducts of = sum_of_products(body, node, parameters[0], a, parameters[1], b, signs);
  const Expr size = body.define("size", magnitude(of.sum));
  const Expr significand =
      scale.is_power() ? size : body.define("scaled_significand", size * by.significand());
  const Carried result =
      scaled_sum_type(context, context.plan.scaled_fraction_bits(), significand->type.bits);
  body.result(make(result.type, {is_negative(of.sum) || (of.all_zero && of.all_negative), by.exponent(),
                                 significand, of.all_zero || by.is_zero(), of.nan || by.nan()}));
  const Callee made = context.add(
      {context.unique(name),
       fmt::format("One node of the tree: the exact sum of {} product{} times their scale, which goes on as "
                   "it is.",
                   node.products, node.products == 1 ? "" : "s"),
       std::move(parameters), result.type, std::move(body).statements()});
  return {made, result};
}

}  // namespace mmaprint::emit
