// Evaluation by need against evaluating every hypothesis by itself.
#include "inference/by_need.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

#include "inference/inputs.h"
#include "inference/set_difference.h"
#include "model/evaluator.h"
#include "random_units/random_unit.h"
#include "support/chains.h"
#include "support/generate.h"
#include "support/wide_units.h"

namespace mmaprint::by_need_test {
namespace {

/// The unit's skeleton and one more of the default space, and few hypotheses of each around the unit: some
/// parameters with a few values.
struct SmallSpace {
  Space space;
  VersionSpace whole;
};
SmallSpace small_space_around(const UnitModel& unit, test::Random& random) {
  Space space = default_space(unit.instruction, unit.k, unit.formats);
  Box whole = space.box;
  whole[Parameter::overflow].insert(static_cast<int>(Overflow::by_direction));
  const auto keys = test::chain_keys();
  std::vector<ValueSet> sets;
  for (const ParameterKey& key : keys) {
    const bool has_it = key.of_class < static_cast<int>(unit.adders.size());
    sets.push_back(
        ValueSet::single(value_index(values_of(unit), has_it ? key : ParameterKey{key.parameter})));
  }
  const int other_skeleton = random.between(0, static_cast<int>(space.skeletons.size()) - 1);
  space.skeletons = {skeleton_of(unit), space.skeletons[static_cast<std::size_t>(other_skeleton)]};
  if (space.skeletons[0] == space.skeletons[1]) space.skeletons.pop_back();
  const auto hypotheses = [&] {
    VersionSpace all = space.whole();
    for (HypothesisSet& set : all)
      for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i].of_class < set.box.classes()) set.box[keys[i]] = sets[i];
    return all;
  };
  for (int tries = 0; tries < 40 && count(hypotheses()) < 1500; ++tries) {
    const auto place_of_key = static_cast<std::size_t>(random.between(0, static_cast<int>(keys.size()) - 1));
    const std::vector<int> values = whole[keys[place_of_key].parameter].values();
    const int now = sets[place_of_key].first();
    const auto place = std::ranges::find(values, now) - values.begin();
    // A neighbour, where bounds are missed by one, or any value.
    const auto size = static_cast<int>(values.size());
    const int other = random.chance(1, 2)
                          ? std::clamp(static_cast<int>(place) + random.between(-1, 1), 0, size - 1)
                          : random.between(0, size - 1);
    sets[place_of_key].insert(values[static_cast<std::size_t>(other)]);
  }
  VersionSpace all = hypotheses();
  return {std::move(space), std::move(all)};
}

/// All members of a box.
template <class Fn>
void for_each_member(const Box& box, Fn&& fn) {
  std::vector<std::vector<int>> values;
  for (const ValueSet& set : box.sets()) values.push_back(set.values());
  std::vector<std::size_t> at(values.size(), 0);
  for (;;) {
    ParameterValues member = box.lowest();
    for (std::size_t i = 0; i < values.size(); ++i) set_value(member, box.keys()[i], values[i][at[i]]);
    fn(member);
    std::size_t i = 0;
    while (i < values.size() && ++at[i] == values[i].size()) at[i++] = 0;
    if (i == values.size()) return;
  }
}

bool holds(const VersionSpace& sets, int skeleton, const ParameterValues& member) {
  return std::ranges::any_of(
      sets, [&](const HypothesisSet& s) { return s.skeleton == skeleton && s.box.contains(member); });
}

TEST(ByNeed, KeepsExactlyTheHypothesesThatGiveTheResultOnRandomInputs) {
  const auto first = test::starting_seed(400);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(test::count(100)); ++seed) {
    test::Random random(seed);
    const UnitModel unit = test::random_unit(random);
    const auto [space, all] = small_space_around(unit, random);
    InputGenerator inputs(space.k, space.formats, seed);
    for (int n = 0; n < 12; ++n) {
      const DotInput input = inputs.next();
      const Observation seen{input, evaluate(unit, input)};
      const auto kept = refine(space, all, seen, 1);
      const bool nan = is_nan(space.formats.d, seen.d);
      int wrong = 0;
      for (const HypothesisSet& whole : all)
        for_each_member(whole.box, [&](const ParameterValues& member) {
          const Pattern d = evaluate(space.model(whole.skeleton, member, constant_nan(unit.nan)), input);
          const bool fits = nan ? is_nan(space.formats.d, d) : d == seen.d;
          if (fits != holds(kept, whole.skeleton, member)) ++wrong;
        });
      ASSERT_EQ(wrong, 0) << "seed " << seed << ", input " << n;
      EXPECT_LE(count(kept), count(all)) << "a hypothesis is in two sets";
    }
  }
}

TEST(ByNeed, KeepsExactlyTheHypothesesThatGiveTheResultWhereSumsAreCarried) {
  using enum Parameter;
  constexpr std::array kFree{alignment_fraction_bits, alignment_rounding,
                             carried_fraction_bits,   carried_alignment_rounding,
                             c_fraction_bits,         c_alignment_rounding,
                             c_dropped_below,         zero_addends,
                             extra_carry_bits,        product,
                             zero_cancelled};
  const auto first = test::starting_seed(450);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(test::count(60)); ++seed) {
    test::Random random(seed);
    const UnitModel unit =
        test::with_carried_sums(random, test::random_wide_unit(random, random.between(2, 6)));
    const Space space{unit.instruction,    unit.k, unit.formats,
                      {skeleton_of(unit)}, Box(1), NanResults::one_pattern};
    HypothesisSet whole{0, Box(values_of(unit)), constant_nan(unit.nan)};
    for (int tries = 0; tries < 12 && whole.box.size() < 400; ++tries) {
      const ParameterKey key{
          kFree[static_cast<std::size_t>(random.between(0, static_cast<int>(kFree.size()) - 1))],
          random.between(0, whole.box.classes() - 1)};
      if (std::ranges::find(whole.box.keys(), key) == whole.box.keys().end()) continue;
      const int own = whole.box[key].first();
      const int last = key.parameter == alignment_fraction_bits ? 40 : info(key.parameter).size - 1;
      whole.box[key].insert(random.chance(1, 2) ? std::clamp(own + random.between(-2, 2), 0, last)
                                                : random.between(0, last));
    }
    for (int n = 0; n < 12; ++n) {
      const DotInput input =
          n < 8 ? test::random_input(random, unit) : test::random_input_with_a_sum_of_zeros(random, unit);
      const Observation seen{input, evaluate(unit, input)};
      const auto kept = refine(space, {whole}, seen, 1);
      const bool nan = is_nan(space.formats.d, seen.d);
      int wrong = 0;
      for_each_member(whole.box, [&](const ParameterValues& member) {
        const Pattern d = evaluate(space.model(0, member, constant_nan(unit.nan)), input);
        const bool fits = nan ? is_nan(space.formats.d, d) : d == seen.d;
        if (fits != holds(kept, 0, member)) ++wrong;
      });
      ASSERT_EQ(wrong, 0) << "seed " << seed << ", input " << n;
    }
  }
}

TEST(SetDifference, IsExactOnRandomBoxes) {
  const Space space = default_space("dot", 2, {Format::fp16, Format::fp16, Format::fp32, Format::fp32});
  test::Random random(test::starting_seed(9));
  using enum Parameter;
  const auto random_set = [&] {
    HypothesisSet set = space.whole(random.between(0, 1));
    for (ValueSet& values : set.box.sets()) values = ValueSet::single(0);
    for (const Parameter p : {product, alignment_rounding, block_rounding}) {
      const int size = info(p).size;
      for (int i = random.between(1, size); i > 0; --i) set.box[p].insert(random.between(0, size - 1));
    }
    return set;
  };
  const auto any_holds = [](const VersionSpace& sets, int skeleton, const ParameterValues& member) {
    return std::ranges::count_if(
        sets, [&](const auto& s) { return s.skeleton == skeleton && s.box.contains(member); });
  };
  for (long n = 0; n < test::count(300); ++n) {
    const VersionSpace sets{random_set()};
    const VersionSpace others{random_set(), random_set(), random_set()};
    const auto rest = difference(sets, others, 1000);
    for_each_member(sets[0].box, [&](const ParameterValues& member) {
      const bool expected = !holds(others, sets[0].skeleton, member);
      ASSERT_EQ(any_holds(rest, sets[0].skeleton, member), expected ? 1 : 0);
    });
  }
}

TEST(SetDifference, CountsNaNPatterns) {
  const Space space = default_space("dot", 2, {Format::fp16, Format::fp16, Format::fp32, Format::fp32});
  HypothesisSet any = space.whole().front();
  HypothesisSet one = any;
  one.nan = 0x7fffffff;
  HypothesisSet other = any;
  other.nan = 0x7fc00000;
  EXPECT_TRUE(difference({one}, {any}, 9).empty());
  EXPECT_FALSE(difference({any}, {one}, 9).empty());
  EXPECT_FALSE(difference({one}, {other}, 9).empty());
}

TEST(ByNeed, ConcludesNothingAfterTheDeadline) {
  const Space space = default_space("dot", 2, {Format::fp16, Format::fp16, Format::fp32, Format::fp32});
  const Observation seen{{{0x3c00, 0x3c00}, {0x3c00, 0x3c00}, 0}, 0x40000000};
  EXPECT_FALSE(refine(space, space.whole(), seen, 2, Deadline(0)));
  const auto all = refine(space, space.whole(), seen, 2, Deadline());
  ASSERT_TRUE(all);
  EXPECT_FALSE(all->empty());
}

TEST(ByNeed, GivesUpWhereThereWouldBeMoreSetsThanItMayKeep) {
  const Space space = default_space("dot", 4, {Format::bf16, Format::bf16, Format::fp32, Format::fp32});
  InputGenerator inputs(space.k, space.formats, 1);
  const DotInput input = inputs.next();
  const Observation seen{input, evaluate(space.model(0, space.box.lowest(), std::nullopt), input)};
  Sifting few{.most_sets = 10};
  EXPECT_FALSE(refine(space, space.whole(), seen, 2, Deadline(), &few));
  EXPECT_TRUE(few.too_many_sets);
  Sifting enough;
  EXPECT_TRUE(refine(space, space.whole(), seen, 2, Deadline(), &enough));
  EXPECT_FALSE(enough.too_many_sets);
  Sifting late;
  EXPECT_FALSE(refine(space, space.whole(), seen, 2, Deadline(0), &late));
  EXPECT_FALSE(late.too_many_sets);
}

TEST(ByNeed, CostsTheSameOnAnyNumberOfThreads) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Space space = default_space("dot", 4, {Format::bf16, Format::bf16, Format::fp32, Format::fp32});
  InputGenerator inputs(space.k, space.formats, 2);
  const DotInput input = inputs.next();
  const auto cost = cost_of_sifting(space, space.whole(), input, 1'000'000'000, 1, Deadline()).value();
  for (const int threads : {1, 2, 4}) {
    const auto exact = cost_of_sifting(space, space.whole(), input, cost.operands, threads, Deadline());
    ASSERT_TRUE(exact) << threads << " threads";
    EXPECT_EQ(exact->operands, cost.operands);
    EXPECT_EQ(exact->sets, cost.sets);
    EXPECT_FALSE(cost_of_sifting(space, space.whole(), input, cost.operands - 1, threads, Deadline()))
        << threads << " threads";
  }
}

TEST(ByNeed, CostsTheSameWhateverTheAnswer) {
  const Space space = default_space("dot", 4, {Format::bf16, Format::bf16, Format::fp32, Format::fp32});
  const VersionSpace some{space.whole().front()};
  InputGenerator inputs(space.k, space.formats, 1);
  const DotInput input = inputs.next();
  const auto cost = cost_of_sifting(space, some, input, 1'000'000'000, 2, Deadline());
  ASSERT_TRUE(cost);
  EXPECT_GT(cost->operands, 0);
  EXPECT_GT(cost->sets, 0U);
  EXPECT_TRUE(cost_of_sifting(space, some, input, cost->operands, 2, Deadline()));
  EXPECT_FALSE(cost_of_sifting(space, some, input, cost->operands - 1, 2, Deadline()));
  for (const Pattern d : {0x3f800000U, 0x80000000U}) {
    Sifting spent;
    ASSERT_TRUE(refine(space, some, {input, d}, 1, Deadline(), &spent));
    EXPECT_EQ(spent.operands, cost->operands);
  }
}

TEST(ByNeed, ConcludesAllOrNothingWheneverItIsStopped) {
  const Space space = default_space("dot", 8, {Format::bf16, Format::bf16, Format::fp32, Format::fp32});
  InputGenerator inputs(space.k, space.formats, 1);
  DotInput input = inputs.next();
  const Observation seen{input, evaluate(space.model(0, space.box.lowest(), std::nullopt), input)};
  const Count expected = count(refine(space, space.whole(), seen, 2));
  for (int i = 0; i < 10; ++i) {
    std::stop_source source;
    const std::jthread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(i * i));
      source.request_stop();
    });
    const auto left = refine(space, space.whole(), seen, 2, Deadline(std::nullopt, source.get_token()));
    if (left) {
      EXPECT_EQ(count(*left), expected);
    }
  }
}

}  // namespace
}  // namespace mmaprint::by_need_test
