// Which values of parameters are idle where sums of products are scaled: against units of the grammar on
// random inputs.
#include <gtest/gtest.h>

#include <map>
#include <span>
#include <vector>

#include "model/evaluator.h"
#include "model/hypotheses.h"
#include "model/skeletons.h"
#include "skeleton_units/draw_values.h"
#include "solver/idle_values.h"

namespace mmaprint::idle_scaled_test {
namespace {

using test::Random;
using enum Parameter;

Signature formats_with_scales(Random& random) {
  const auto factor = [&] { return random.pick({Format::e2m1, Format::e2m3, Format::e3m2}); };
  const Format result = random.pick({Format::fp32, Format::fp16, Format::fp16});
  Signature formats{.a = factor(), .b = factor(), .c = result, .d = result};
  const Scales scales{random.pick({Format::ue8m0, Format::ue4m3}), random.pick({2, 4, 4})};
  if (!random.chance(1, 3)) formats.sb = scales;
  if (!formats.sb || random.chance(1, 2)) formats.sa = scales;
  return formats;
}

/// Scales that are near each other, so that sums meet, and near c, or near the limits of the results.
DotInput scaled_input(Random& random, const Signature& formats, int k) {
  DotInput input;
  const int near = random.between(0, 255);
  const auto scales = [&](const std::optional<Scales>& given, std::vector<Pattern>& to) {
    if (!given) return;
    for (int i = 0; i < k; i += given->per) {
      const bool is_power = given->format == Format::ue8m0;
      const int exponent = formats.sa && formats.sb ? 127 + (near - 127) / 2 : near;
      const int is = is_power ? exponent + random.between(-12, 12) : random.between(0, 127);
      to.push_back(static_cast<Pattern>(std::clamp(is, 0, is_power ? 255 : 127)));
    }
  };
  scales(formats.sa, input.sa);
  scales(formats.sb, input.sb);
  // Of any size, or the largest ones beside the smallest.
  const bool are_extreme = random.chance(1, 3);
  const auto factor = [&](const FormatInfo& f) {
    const Pattern magnitude =
        are_extreme ? random.pick({Pattern{1}, Pattern{2}, f.pattern_mask() >> 1}) : random.bits();
    return (magnitude | (random.bits() & ~(f.pattern_mask() >> 1))) & f.pattern_mask();
  };
  for (int i = 0; i < k; ++i) {
    input.a.push_back(random.chance(1, 4) ? 0 : factor(info(formats.a)));
    input.b.push_back(factor(info(formats.b)));
  }
  const FormatInfo& c = info(*formats.c);
  const bool is_near = formats.c == Format::fp32 && random.chance(2, 3);
  input.c = random.bits() & c.pattern_mask();
  if (is_near) {
    const auto e = static_cast<Pattern>(std::clamp(near + random.between(-30, 30), 0, 255));
    input.c = (input.c & 0x807fffff) | (e << 23);
  }
  if (random.chance(1, 5)) input.c &= ~(c.pattern_mask() >> 1);
  return input;
}

/// A unit of the grammar, and the values that the search knows of each parameter.
struct Trial {
  Signature formats;
  int k = 4;
  Space space;
  ParameterValues values;

  explicit Trial(Random& random) : formats(formats_with_scales(random)) {
    const std::vector<Skeleton> all = scaled_groups(k, formats);
    const Skeleton skeleton = random.pick(std::span<const Skeleton>(all));
    space = measured_space("scaled", k, formats, {skeleton}, LaterClasses::exact, Values::rare_too);
    values = random.chance(1, 2) ? test::realistic_values(random, space) : test::any_values(random, space);
    // The last node alone rounds down in most units that any values make, and few sums vanish.
    for (Adder& adder : values.adders)
      if (random.chance(1, 2)) adder.rounding = Rounding::nearest_even;
  }
  [[nodiscard]] Pattern result(const ParameterValues& with, const DotInput& input) const {
    return evaluate(space.model(0, with, canonical_nan(formats.d)), input);
  }
};

/// Takes two idle values of each parameter, one after the other, for one result each.
void compare(const Trial& trial, Random& random, std::map<Parameter, int>& found) {
  std::vector<DotInput> inputs;
  for (int i = 0; i < 100; ++i) inputs.push_back(scaled_input(random, trial.formats, trial.k));
  const Plan plan(trial.formats, trial.k, trial.space.skeletons.front());
  const Box all = trial.space.whole(0).box;
  for (const ParameterKey& key : all.keys()) {
    Box box(trial.values);
    for (const int value : all[key].values()) box[key].insert(value);
    const auto idle = idle_values(plan, box, key).values();
    if (idle.size() < 2) continue;
    ++found[key.parameter];
    ParameterValues left = trial.values, right = trial.values;
    for (const DotInput& input : inputs) {
      set_value(left, key, idle.front());
      set_value(right, key, random.pick(std::span<const int>(idle)));
      ASSERT_EQ(trial.result(left, input), trial.result(right, input))
          << info(key.parameter).name << " of class " << key.of_class;
    }
  }
}

TEST(IdleValues, WhereSumsAreScaledShowOnNoRandomInput) {
  const std::uint64_t first = test::starting_seed(4'700);
  RecordProperty("seed", static_cast<int>(first));
  Random random(first);
  std::map<Parameter, int> found;
  const long trials = test::count(400);
  for (long i = 0; i < trials; ++i) {
    const Trial trial(random);
    compare(trial, random, found);
    if (HasFatalFailure()) return;
  }
  if (trials < 400) return;
  for (const Parameter p : {minimum_alignment_exponent, extra_carry_bits, overflow, output_subnormals,
                            zero_rounded, zero_all_zero, alignment_fraction_bits})
    EXPECT_GT(found[p], 10) << info(p).name;
}

/// Of a sum of two products of E2M1, scaled by one scale, without c.
struct Scaled {
  Signature formats{.a = Format::e2m1, .b = Format::e2m1, .c = std::nullopt, .d = Format::fp16};
  explicit Scaled(Format scale) { formats.sb = Scales{scale, 2}; }

  [[nodiscard]] bool are_all_idle(Parameter parameter) const {
    const Skeleton skeleton = scaled_groups(2, formats).front();
    const Space space =
        measured_space("scaled", 2, formats, {skeleton}, LaterClasses::exact, Values::rare_too);
    const Box box = space.whole(0).box;
    return idle_values(Plan(formats, 2, skeleton), box, {parameter}) == box[{parameter}];
  }
};

TEST(IdleValues, WhereSumsAreScaledAreThoseOfWhatCannotHappen) {
  // Below 2·6·6·2^9, and multiples of 2^(-2-9): FP16 has them as normal numbers.
  EXPECT_TRUE(Scaled(Format::ue4m3).are_all_idle(overflow));
  EXPECT_TRUE(Scaled(Format::ue4m3).are_all_idle(output_subnormals));
  EXPECT_FALSE(Scaled(Format::ue8m0).are_all_idle(overflow));
  EXPECT_FALSE(Scaled(Format::ue8m0).are_all_idle(output_subnormals));
}

/// A sum of four products of E2M1 that is scaled beside a +0: 2^(s-2) at least and below 2^(s+8), where 2^s
/// is the scale. Rounded toward zero, less than 2^-19 becomes a zero.
struct ScaledBesideZero {
  Signature formats{.a = Format::e2m1, .b = Format::e2m1, .c = std::nullopt, .d = Format::fp16};
  Adder adder = exact_adder(Format::fp16, Rounding::toward_zero);

  ScaledBesideZero(int fraction_bits, AlignmentRounding rounding, std::optional<int> carry) {
    formats.sb = Scales{Format::ue8m0, 4};
    adder.alignment_fraction_bits = fraction_bits;
    adder.alignment_rounding = rounding;
    adder.output_fraction_bits = 5;
    adder.extra_carry_bits = carry;
  }
  [[nodiscard]] bool is_idle_clamp(int e) const {
    const Skeleton skeleton = scaled_groups(4, formats).front();
    ParameterValues values;
    values.adders.assign(2, adder);
    values.adders.front() = exact_adder(Format::fp16, Rounding::toward_zero);
    values.conventions.zero_sign.rounded = ZeroSign::positive;
    Box box(values);
    const ParameterKey clamp{minimum_alignment_exponent, skeleton.tree.nodes.back().adder};
    box[clamp].insert(ClampDomain::index(e));
    return idle_values(Plan(formats, 4, skeleton), box, clamp) == box[clamp];
  }
};

TEST(IdleValues, WhereSumsAreScaledAreClampsBelowWhichAllRoundsToZero) {
  using enum AlignmentRounding;
  // A sum that wraps, or not, is no larger than 2^(clamp+2) with a carry bit.
  for (const AlignmentRounding rounding : {truncate, sticky, floor, nearest_even}) {
    const ScaledBesideZero wraps(39, rounding, 1);
    EXPECT_TRUE(wraps.is_idle_clamp(-40));
    EXPECT_TRUE(wraps.is_idle_clamp(-22));
    EXPECT_FALSE(wraps.is_idle_clamp(-18));
  }
  // Of what loses nothing by its own exponent nothing is lost, or all of it is that small.
  for (const AlignmentRounding rounding : {truncate, sticky, floor, nearest_even}) {
    EXPECT_TRUE(ScaledBesideZero(12, rounding, std::nullopt).is_idle_clamp(-20));
    EXPECT_FALSE(ScaledBesideZero(2, rounding, std::nullopt).is_idle_clamp(-10));
    EXPECT_FALSE(ScaledBesideZero(1, rounding, std::nullopt).is_idle_clamp(-20));
  }
}

}  // namespace
}  // namespace mmaprint::idle_scaled_test
