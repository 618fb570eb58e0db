#include "random_units/random_unit.h"

#include <span>

#include "inference/inputs.h"
#include "model/evaluator.h"

namespace mmaprint::test {
namespace {

int any_of(Random& random, const ValueSet& set) {
  const auto values = set.values();
  return random.pick(std::span<const int>(values));
}

}  // namespace

UnitModel random_unit(Random& random) {
  const Format factor = random.pick({Format::fp16, Format::bf16, Format::tf32, Format::e4m3, Format::e5m2});
  // FP16 results belong to FP16 and FP8 factors.
  const bool wide = factor == Format::bf16 || factor == Format::tf32;
  const Format result = wide || random.chance(2, 3) ? Format::fp32 : Format::fp16;
  const int k = random.pick({4, 8, 16});
  return random_unit(random, k, {factor, factor, result, result});
}

UnitModel random_unit(Random& random, int k, const OperandFormats& formats) {
  const Space space = default_space("random", k, formats);
  const int chain = random.between(0, static_cast<int>(space.chains.size()) - 1);
  const Box box = space.whole()[static_cast<std::size_t>(chain)].box;
  ParameterValues values;
  for (const ParameterInfo& row : all_parameters()) set_value(values, row.id, any_of(random, box[row.id]));
  if (info(formats.d).is_integer()) return space.model(chain, values, std::nullopt);
  if (random.chance(1, 2)) {
    if (random.chance(1, 2)) values.block.minimum_alignment_exponent.reset();
    values.block.alignment_fraction_bits = random.between(20, 27);
    values.block.output_fraction_bits = info(formats.d).fraction_bits;
    if (random.chance(3, 4)) values.block.extra_carry_bits.reset();
  }
  Pattern nan = canonical_nan(formats.d);
  if (random.chance(1, 2)) nan |= static_cast<Pattern>(random.between(0, 511));
  return space.model(chain, values, nan);
}

int disagreements(const UnitModel& x, const UnitModel& y, int inputs, std::uint64_t seed) {
  InputGenerator generator(x.k, x.formats, seed);
  const Evaluator left(x);
  const Evaluator right(y);
  int n = 0;
  for (int i = 0; i < inputs; ++i) {
    const DotInput in = generator.next();
    n += left(in) == right(in) ? 0 : 1;
  }
  return n;
}

}  // namespace mmaprint::test
