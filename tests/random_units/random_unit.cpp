#include "random_units/random_unit.h"

#include <span>

#include "inference/inputs.h"
#include "model/evaluator.h"
#include "support/chains.h"

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

UnitModel random_unit(Random& random, int k, const Signature& formats) {
  const Space space = default_space("random", k, formats);
  const int skeleton = random.between(0, static_cast<int>(space.skeletons.size()) - 1);
  const Box box = space.whole(skeleton).box;
  ParameterValues values = box.lowest();
  for (const ParameterKey& key : chain_keys()) {
    if (info(key.parameter).is_newer) continue;  // seeds stay what they were
    const bool is_there = key.of_class < box.classes();
    // A draw for each all the same, so that a seed's later draws don't depend on the skeleton.
    const int index = any_of(random, is_there ? box[key] : ValueSet::single(0));
    if (is_there) set_value(values, key, index);
  }
  if (info(formats.d).is_integer()) return space.model(skeleton, values, std::nullopt);
  if (random.chance(1, 2)) {
    if (random.chance(1, 2)) values.adders.front().minimum_alignment_exponent.reset();
    values.adders.front().alignment_fraction_bits = random.between(20, 27);
    values.adders.front().output_fraction_bits = info(formats.d).fraction_bits;
    if (random.chance(3, 4)) values.adders.front().extra_carry_bits.reset();
  }
  Pattern nan = canonical_nan(formats.d);
  if (random.chance(1, 2)) nan |= static_cast<Pattern>(random.between(0, 511));
  return space.model(skeleton, values, nan);
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
