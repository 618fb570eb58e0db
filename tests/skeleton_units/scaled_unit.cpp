#include "skeleton_units/scaled_unit.h"

#include <span>

#include "model/hypotheses.h"
#include "model/skeletons.h"
#include "skeleton_units/draw_values.h"
#include "skeleton_units/joinings.h"

namespace mmaprint::test {
namespace {

Signature formats_with_scales(Random& random, int k, bool groups) {
  const auto factor = [&] {
    return random.pick({Format::e4m3, Format::e2m1, Format::e2m1, Format::e3m2, Format::e2m3,
                        groups ? Format::e2m1 : Format::e5m2});
  };
  const Format result = random.chance(1, 5) ? Format::fp16 : Format::fp32;
  Signature formats{factor(), factor(), result, result};
  if (random.chance(1, 8)) formats.c = std::nullopt;
  int per = random.pick({8, 16, 16, 32, 32});
  while (per > k) per /= 2;
  const Scales scales{groups && random.chance(1, 2) ? Format::ue4m3 : Format::ue8m0, per};
  if (!random.chance(1, 8)) formats.sb = scales;
  if (!random.chance(1, 8) || !formats.sb) formats.sa = scales;
  return formats;
}

}  // namespace

UnitModel scaled_unit(std::uint64_t seed) {
  Random random(seed);
  const int k = random.pick({8, 16, 32, 32, 64});
  const bool groups = random.chance(1, 2);
  const Signature formats = formats_with_scales(random, k, groups);
  std::vector<Skeleton> skeletons;
  if (groups) {
    skeletons = scaled_groups(k, formats);
  } else {
    for (const auto& blocks : block_patterns(k))
      for (const auto c : ways_of_c(formats)) skeletons.push_back({{}, tree_of(Chain{blocks, c})});
  }
  const Skeleton skeleton = random.pick(std::span<const Skeleton>(skeletons));
  const Space space = measured_space("scaled", k, formats, {skeleton}, LaterClasses::exact, Values::usual);
  ParameterValues values = random.chance(1, 2) ? realistic_values(random, space) : any_values(random, space);
  // A root that adds c last adds exactly.
  const std::size_t of_c = groups ? 2 : 1;
  if (values.adders.size() > of_c) values.adders[of_c] = exact_adder(formats.d, values.adders[of_c].rounding);
  UnitModel unit = space.model(0, values, canonical_nan(formats.d));
  validate(unit);
  return unit;
}

}  // namespace mmaprint::test
