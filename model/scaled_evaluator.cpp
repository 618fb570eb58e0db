#include "model/scaled_evaluator.h"

#include <span>

#include "model/concrete.h"
#include "model/datapath.h"
#include "model/fixed_parameters.h"

namespace mmaprint {
namespace {

template <class W>
Pattern evaluated_scaled(const UnitModel& model, const Plan& plan, const DotInput& input) {
  using Words = Concrete<W, FixedParameters>;
  using Patterns = std::span<const Pattern>;
  FixedParameters source(model);
  const Words algebra(source);
  const MachineOperands<Words> in(algebra, plan, input.a.data(), input.b.data(), input.c);
  const auto result =
      Datapath::dot(algebra, plan, ScaledOperands(in, algebra, plan, Patterns(input.sa), Patterns(input.sb)));
  return result.nan.value ? constant_nan(model.nan).value_or(canonical_nan(model.formats.d))
                          : static_cast<Pattern>(result.pattern.value);
}

}  // namespace

Pattern evaluate_scaled(const UnitModel& model, const Plan& plan, const DotInput& input) {
  if (plan.addend_width() > 64) return evaluated_scaled<Word128>(model, plan, input);
  return evaluated_scaled<std::uint64_t>(model, plan, input);
}

}  // namespace mmaprint
