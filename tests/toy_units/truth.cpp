#include "toy_units/truth.h"

#include "model/concrete.h"
#include "model/datapath.h"
#include "model/evaluator.h"
#include "model/fixed_parameters.h"
#include "model/pattern.h"
#include "model/plain_lowering.h"
#include "toy_units/toy_pair.h"

namespace mmaprint::toys {

DotInput input_at(const UnitModel& model, std::size_t number) {
  const auto next = [&](Format f) {
    const FormatInfo& its = info(f);
    const Pattern p = number & its.pattern_mask();
    number >>= its.container_bits;
    return p;
  };
  DotInput input;
  if (model.formats.c) input.c = next(*model.formats.c);
  for (int k = 0; k < model.k; ++k) {
    input.a.push_back(next(model.formats.a));
    input.b.push_back(next(model.formats.b));
  }
  return input;
}

Results results_of(const UnitModel& model) {
  const Evaluator evaluator(model);
  Results results(std::size_t{1} << input_bits(model));
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] = static_cast<std::uint8_t>(evaluator(input_at(model, i)));
  return results;
}

Pattern by_specification(const UnitModel& model, const DotInput& input) {
  using Word = WideWord<512>;
  using A = Concrete<Word, const FixedParameters>;
  const FixedParameters source(model);
  const A a(source);
  std::vector<A::Word> wa, wb;
  for (const Pattern p : input.a) wa.push_back({Word(p)});
  for (const Pattern p : input.b) wb.push_back({Word(p)});
  const Plan plan(model.formats, model.k, skeleton_of(model));
  const auto d = dot<A, PlainLowering>(a, plan, wa, wb, {Word(input.c)});
  return d.nan.value ? canonical_nan(model.formats.d) : low_word(d.pattern.value);
}

Truth compared(const UnitModel& model, const Results& x, const Results& y,
               const std::function<bool(const DotInput&)>& counts) {
  Truth truth;
  const FormatInfo& d = info(model.formats.d);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] == y[i] || (counts && !counts(input_at(model, i)))) continue;
    if (truth.equal) truth.difference = i;
    truth.equal = false;
    if (is_zero(d, x[i]) && is_zero(d, y[i])) continue;
    truth.equal_but_for_zeros = false;
    break;
  }
  return truth;
}

}  // namespace mmaprint::toys
