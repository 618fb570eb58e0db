#include "emit/alignment_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "emit/rounding_steps.h"
#include "model/policies.h"

namespace mmaprint::emit {
namespace {

Rounding rounding_of(const KindAlignment& kind) {
  return kind.rounding ? policy::rounding_of(*kind.rounding) : Rounding::toward_zero;
}

}  // namespace

bool needs_sign(const KindAlignment& kind) { return rounding_of(kind) == Rounding::down; }

Callee aligning_function(Context& context, const std::string& what, const KindAlignment& kind,
                         int sum_fraction_bits, const Type& significand, int fraction_bits) {
  const int up = std::max(0, kind.fraction_bits - fraction_bits);
  const int down = std::max(0, fraction_bits - kind.fraction_bits);
  const Rounding mode = rounding_of(kind);
  Body body;
  const Expr x = variable("significand", significand), d = variable("distance", exponent_type());
  const Expr moved = body.define("moved", widened(x, significand.bits + up) << up);
  const Expr kept =
      shifted_right(body, "kept", moved, d + number(down), mode, variable("negative", boolean()));
  const int more = sum_fraction_bits - kind.fraction_bits;
  const Expr result = widened(kept, kept->type.bits + more) << more;
  body.result(result);
  std::vector<Parameter> parameters{{"significand", x->type}, {"distance", d->type}};
  if (needs_sign(kind)) parameters.push_back({"negative", boolean()});
  const std::string loses =
      kind.rounding ? fmt::format("a multiple of 2^(E - {}), rounded {}", kind.fraction_bits, in_words(mode))
                    : "no bit is lost";
  return context.add({context.unique("align_" + what),
                      fmt::format("A significand that lies `distance` below E, in units of 2^(E - {}): {}.",
                                  sum_fraction_bits, loses),
                      std::move(parameters), result->type, std::move(body).statements()});
}

Callee normalising_function(Context& context, const AlignmentPlan& plan, AlignmentRounding rounding) {
  Body body;
  const Expr x = variable("sum", integer(plan.width));
  const Expr kept_sum = plan.wraps_at ? body.define("within", wrapped(x, *plan.wraps_at)) : x;
  const Expr m = body.define("size", magnitude(kept_sum));
  const Expr negative = body.define("negative", is_negative(kept_sum));
  const Expr drop = body.define("drop", maximum(bit_length(m) - number(plan.fraction_bits + 1), number(0)));
  const Expr kept = shifted_right(body, "kept", m, drop, policy::rounding_of(rounding), negative);
  body.result(with_sign(negative, kept << drop, plan.width));
  return context.add({context.unique("normalise_partial_sum"),
                      fmt::format("{}loses the bits below 2^(e - {}), e being its own exponent, rounded {}.",
                                  plan.wraps_at ? "A partial sum is wrapped, and " : "A partial sum ",
                                  plan.fraction_bits, in_words(policy::rounding_of(rounding))),
                      {{"sum", x->type}},
                      x->type,
                      std::move(body).statements()});
}

}  // namespace mmaprint::emit
