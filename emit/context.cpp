#include "emit/context.h"

#include <fmt/format.h>

#include <algorithm>

namespace mmaprint::emit {

Context::Context(const UnitModel& unit) : model(unit), plan(unit.formats, unit.k, skeleton_of(unit)) {
  for (const FormatInfo& f : {plan.from_a.format, plan.from_b.format, plan.from_c.format, plan.d})
    payload_bits_ = std::max(payload_bits_, f.fraction_bits);
  for (const Node& node : unit.tree.nodes)
    if (const auto format = node.result.format())
      payload_bits_ = std::max(payload_bits_, info(*format).fraction_bits);
}

std::string name_of(const FormatInfo& format) {
  const FormatInfo& whole = info(format.id);
  return whole.fraction_bits == format.fraction_bits
             ? std::string(format.name)
             : fmt::format("{}_with_{}_bits", format.name, format.precision());
}

Number Context::number_of(const FormatInfo& format, bool has_nan, bool has_infinity) {
  std::string name = name_of(format) + "_number";
  if (!has_nan || !has_infinity)
    name += !has_nan && !has_infinity ? "_finite" : has_nan ? "_or_nan" : "_or_infinity";
  Record made{
      name,
      fmt::format("(-1)^negative * significand * 2^(exponent - {}), a number of {}{}", format.fraction_bits,
                  format.name,
                  has_infinity ? ", an infinity or NaN"
                  : has_nan    ? " or NaN"
                               : ""),
      {{"negative", boolean()}, {"exponent", exponent_type()}, {"significand", natural(format.precision())}}};
  if (has_nan) made.fields.push_back({"nan", boolean()});
  if (has_infinity) made.fields.push_back({"infinite", boolean()});
  if (has_nan && nan_rule() != nullptr) {
    made.fields.push_back({"payload", natural(payload_bits())});
    made.fields.push_back({"signalling", boolean()});
    made.fields.push_back({"own", boolean()});
    made.comment += "; of a NaN its payload, the top bit first, and whether the unit made it (own)";
  }
  add_record(std::move(made));
  return {format, record(std::move(name)), has_nan, has_infinity};
}

Expr Context::make_number(const Number& number, const Expr& negative, const Expr& exponent,
                          const Expr& significand, const Expr& nan, const Expr& infinite,
                          const NanExpr* travelling) const {
  std::vector<Expr> fields{negative, exponent, cast(significand, natural(number.format.precision()))};
  if (number.has_nan) fields.push_back(nan);
  if (number.has_infinity) fields.push_back(infinite);
  if (number.has_nan && nan_rule() != nullptr) {
    const NanExpr none = no_nan();
    const NanExpr& its = travelling != nullptr ? *travelling : none;
    fields.insert(fields.end(), {its.payload, its.signalling, its.own});
  }
  return make(number.type, std::move(fields));
}

NanExpr Context::travelling_nan(const Expr& number) const {
  return {field(number, "negative", boolean()), field(number, "payload", natural(payload_bits())),
          field(number, "signalling", boolean()), field(number, "own", boolean())};
}
NanExpr Context::no_nan() const {
  return {truth(false), constant(natural(payload_bits()), 0), truth(false), truth(false)};
}

void Context::add_record(Record made) {
  if (std::ranges::none_of(program.records, [&](const Record& r) { return r.name == made.name; }))
    program.records.push_back(std::move(made));
}
std::string Context::unique(const std::string& name) {
  const int before = names_[name]++;
  return before == 0 ? name : fmt::format("{}_{}", name, before + 1);
}
Callee Context::add(Function function) {
  Callee made{function.name, function.result};
  program.functions.push_back(std::move(function));
  return made;
}

}  // namespace mmaprint::emit
