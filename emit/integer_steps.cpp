#include "emit/integer_steps.h"

#include <fmt/format.h>

namespace mmaprint::emit {

Callee integer_reading(Context& context, Format format) {
  const FormatInfo& f = info(format);
  const int bits = f.container_bits;
  const Expr input = variable("bits", pattern(bits));
  const Expr value = cast(input, integer(bits + 1));
  Body body;
  body.result(f.has_sign ? wrapped(value, bits) : value);
  return context.add({context.unique("read_" + std::string(f.name)),
                      fmt::format("The integer that a pattern of {} stands for.", f.name),
                      {{"bits", input->type}},
                      value->type,
                      std::move(body).statements()});
}

Callee integer_node(Context& context, int products, const Type& a, const Type& b, int others) {
  const int width = context.plan.integer_width();
  const bool exclusive = context.model.adders.front().product == ProductKind::exclusive_or;
  Body body;
  std::vector<Parameter> parameters;
  const auto parameter = [&](std::string name, const Type& type) {
    parameters.push_back({name, type});
    return variable(std::move(name), type);
  };
  Expr x, y;
  if (products > 0) {
    x = parameter("a", array(a, products));
    y = parameter("b", array(b, products));
  }
  Expr start = constant(integer(width), 0);
  for (int i = 0; i < others; ++i)
    start = start + cast(parameter(others == 1 ? "addend" : fmt::format("addend_{}", i + 1), integer(32)),
                         integer(width));
  const Expr sum = body.start("sum", start);
  if (products > 0)
    body.repeat("i", products, [&](const Expr& i, Body& inside) {
      const Expr p = element(x, i), q = element(y, i);
      inside.assign(sum, sum + cast(exclusive ? p ^ q : p * q, integer(width)));
    });
  const bool wraps = context.model.conventions.overflow == Overflow::wrap;
  const Expr lowest = constant(sum->type, -(std::int64_t{1} << 31));
  const Expr highest = constant(sum->type, (std::int64_t{1} << 31) - 1);
  body.result(cast(wraps ? wrapped(sum, 32) : minimum(maximum(sum, lowest), highest), integer(32)));
  return context.add({context.unique(products > 0 ? "add_products" : "add_sums"),
                      fmt::format("The exact sum of {} products and {} integers, {}.", products, others,
                                  wraps ? "its low 32 bits" : "or the nearest 32-bit integer"),
                      std::move(parameters), integer(32), std::move(body).statements()});
}

}  // namespace mmaprint::emit
