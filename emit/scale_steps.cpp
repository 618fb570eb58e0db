#include "emit/scale_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "emit/operand_steps.h"

namespace mmaprint::emit {
namespace {

/// The record of scales of so many bits; none: of powers of two.
Scale scale_record(Context& context, int fraction_bits, int significand_bits) {
  Record made{significand_bits == 0 ? "power_of_two" : fmt::format("scale_of_{}_bits", significand_bits),
              significand_bits == 0
                  ? "2^exponent, a scale, or NaN"
                  : fmt::format("significand * 2^(exponent - {}), a scale, or NaN", fraction_bits),
              {{"exponent", exponent_type()}}};
  if (significand_bits > 0) made.fields.push_back({"significand", natural(significand_bits)});
  made.fields.push_back({"nan", boolean()});
  const Type type = record(made.name);
  context.add_record(std::move(made));
  return {type, fraction_bits, significand_bits};
}
Expr make_scale(const Scale& scale, const Expr& exponent, const Expr& significand, const Expr& nan) {
  std::vector<Expr> fields{exponent};
  if (!scale.is_power()) fields.push_back(significand);
  fields.push_back(nan);
  return make(scale.type, std::move(fields));
}

/// A function that gives a scale.
struct ScaleFunction {
  Callee function;
  Scale scale;
};

ScaleFunction scale_reading(Context& context, const FormatInfo& f) {
  const Expr input = variable("bits", pattern(f.container_bits));
  const bool is_power = f.fraction_bits == 0;
  const Scale scale = scale_record(context, f.fraction_bits, is_power ? 0 : f.precision());
  Body body;
  if (is_power) {
    const Expr field = body.define("field", cast(bits(input, 0, f.exponent_bits), exponent_type()));
    body.result(make_scale(scale, field - number(f.bias), {}, equal(field, (1 << f.exponent_bits) - 1)));
  } else {
    const OperandParts x = decoded(body, f, input);
    body.result(make_scale(scale, x.exponent, x.significand, x.nan));
  }
  const char* sign = is_power ? "" : "; no sign is read";
  return {context.add({context.unique("read_" + std::string(f.name)),
                       fmt::format("The scale that a pattern of {} stands for{}.", f.name, sign),
                       {{"bits", input->type}},
                       scale.type,
                       std::move(body).statements()}),
          scale};
}

ScaleFunction scale_product(Context& context, const Scale& a, const Scale& b) {
  const Scale scale =
      scale_record(context, a.fraction_bits + b.fraction_bits, a.significand_bits + b.significand_bits);
  const ScaleExpr x{a, variable("a", a.type)}, y{b, variable("b", b.type)};
  Expr significand;
  if (!scale.is_power())
    significand = a.is_power()   ? y.significand()
                  : b.is_power() ? x.significand()
                                 : x.significand() * y.significand();
  Body body;
  body.result(make_scale(scale, x.exponent() + y.exponent(), significand, x.nan() || y.nan()));
  return {context.add({context.unique("product_of_scales"),
                       "What a's and b's scales multiply by together.",
                       {{"a", a.type}, {"b", b.type}},
                       scale.type,
                       std::move(body).statements()}),
          scale};
}

/// One role's scales in the unit's function, a record or an array of these.
struct RoleScales {
  Scale scale;
  Expr read;
  int per;

  [[nodiscard]] bool is_one() const { return !read->type.is_array(); }
  /// That of a block of so many products, of all blocks' numbers.
  [[nodiscard]] Expr of(const Expr& block, int products) const {
    return is_one() ? read : element(read, quotient(block, per / products));
  }
};

RoleScales role_scales(Body& body, const ScaleFunction& read, const char* role, const Scales& scales, int k) {
  const int count = (k + scales.per - 1) / scales.per;
  const Expr patterns = variable(role, array(pattern(info(scales.format).container_bits), count));
  const std::string name = std::string(role) + (count == 1 ? "_value" : "_values");
  const auto value = [&](const Expr& i) { return call(read.function, {element(patterns, i)}); };
  return {read.scale, count == 1 ? body.define(name, value(number(0))) : body.fill(name, count, value),
          scales.per};
}

}  // namespace

std::optional<UnitScales> unit_scales(Context& context, Body& body) {
  const auto& [sa, sb] = std::pair(context.model.formats.sa, context.model.formats.sb);
  if (!sa && !sb) return std::nullopt;
  const int k = context.model.k;
  const ScaleFunction read = scale_reading(context, info((sa ? sa : sb)->format));
  const auto first = role_scales(body, read, sa ? "sa" : "sb", sa ? *sa : *sb, k);
  if (!sa || !sb) return UnitScales{first.scale, first.per, first.read};
  const ScaleFunction read_b = sa->format == sb->format ? read : scale_reading(context, info(sb->format));
  const auto second = role_scales(body, read_b, "sb", *sb, k);
  const ScaleFunction product = scale_product(context, first.scale, second.scale);
  // Blocks that lie within one of each role.
  const int per = first.is_one() ? second.per : second.is_one() ? first.per : std::gcd(first.per, second.per);
  const int count = first.is_one() && second.is_one() ? 1 : (k + per - 1) / per;
  const auto of_block = [&](const Expr& block) {
    return call(product.function, {first.of(block, per), second.of(block, per)});
  };
  return UnitScales{
      product.scale, per,
      count == 1 ? body.define("scale", of_block(number(0))) : body.fill("scales", count, of_block)};
}

}  // namespace mmaprint::emit
