// Evaluation by need against evaluating every hypothesis by itself.
#include "inference/by_need.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "inference/inputs.h"
#include "inference/set_difference.h"
#include "model/evaluator.h"
#include "random_units/random_unit.h"

namespace mmaprint {
namespace {

/// The chains of the default space, and a box of few hypotheses around a unit: some parameters with a few
/// values each.
Space small_space_around(const UnitModel& unit, test::Random& random) {
  Space space = default_space(unit.instruction, unit.k, unit.formats);
  Box whole = space.box;
  whole[Parameter::overflow].insert(static_cast<int>(Overflow::by_direction));
  const auto own = *parameter_values(unit);
  for (const ParameterInfo& row : all_parameters())
    space.box[row.id] = ValueSet::single(value_index(own, row.id));
  const Chain chain = *chain_of(unit.tree);
  space.chains = {
      chain,
      space.chains[static_cast<std::size_t>(random.between(0, static_cast<int>(space.chains.size()) - 1))]};
  if (space.chains[0] == space.chains[1]) space.chains.pop_back();
  for (int tries = 0; tries < 40 && space.size() < 1500; ++tries) {
    const ParameterInfo& row =
        all_parameters()[static_cast<std::size_t>(random.between(0, static_cast<int>(kParameterCount) - 1))];
    const std::vector<int> values = whole[row.id].values();
    const int now = space.box[row.id].first();
    const auto place = std::ranges::find(values, now) - values.begin();
    // A neighbour, where bounds are missed by one, or any value.
    const auto size = static_cast<int>(values.size());
    const int other = random.chance(1, 2)
                          ? std::clamp(static_cast<int>(place) + random.between(-1, 1), 0, size - 1)
                          : random.between(0, size - 1);
    space.box[row.id].insert(values[static_cast<std::size_t>(other)]);
  }
  return space;
}

/// All members of a box.
template <class Fn>
void for_each_member(const Box& box, Fn&& fn) {
  std::vector<std::vector<int>> values;
  for (const ParameterInfo& row : all_parameters()) values.push_back(box[row.id].values());
  std::vector<std::size_t> at(kParameterCount, 0);
  for (;;) {
    ParameterValues member;
    for (const ParameterInfo& row : all_parameters()) {
      const auto p = static_cast<std::size_t>(row.id);
      set_value(member, row.id, values[p][at[p]]);
    }
    fn(member);
    std::size_t p = 0;
    while (p < kParameterCount && ++at[p] == values[p].size()) at[p++] = 0;
    if (p == kParameterCount) return;
  }
}

bool holds(const VersionSpace& sets, int chain, const ParameterValues& member) {
  return std::ranges::any_of(
      sets, [&](const HypothesisSet& s) { return s.chain == chain && s.box.contains(member); });
}

TEST(ByNeed, KeepsExactlyTheHypothesesThatGiveTheResultOnRandomInputs) {
  const auto first = test::starting_seed(400);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(test::count(150)); ++seed) {
    test::Random random(seed);
    const UnitModel unit = test::random_unit(random);
    const Space space = small_space_around(unit, random);
    InputGenerator inputs(space.k, space.formats, seed);
    for (int n = 0; n < 12; ++n) {
      const DotInput input = inputs.next();
      const Observation seen{input, evaluate(unit, input)};
      const auto kept = refine(space, space.whole(), seen, 1);
      const bool nan = is_nan(space.formats.d, seen.d);
      int wrong = 0;
      for (const HypothesisSet& whole : space.whole())
        for_each_member(whole.box, [&](const ParameterValues& member) {
          const Pattern d = evaluate(space.model(whole.chain, member, unit.nan), input);
          const bool fits = nan ? is_nan(space.formats.d, d) : d == seen.d;
          if (fits != holds(kept, whole.chain, member)) ++wrong;
        });
      ASSERT_EQ(wrong, 0) << "seed " << seed << ", input " << n;
      EXPECT_LE(count(kept), space.size()) << "a hypothesis is in two sets";
    }
  }
}

TEST(SetDifference, IsExactOnRandomBoxes) {
  const Space space = default_space("dot", 2, {Format::fp16, Format::fp16, Format::fp32, Format::fp32});
  test::Random random(test::starting_seed(9));
  using enum Parameter;
  const auto random_set = [&] {
    HypothesisSet set{random.between(0, 1), {}, std::nullopt};
    for (const ParameterInfo& row : all_parameters()) set.box[row.id] = ValueSet::single(0);
    for (const Parameter p : {product, alignment_rounding, block_rounding}) {
      const int size = info(p).size;
      for (int i = random.between(1, size); i > 0; --i) set.box[p].insert(random.between(0, size - 1));
    }
    return set;
  };
  const auto any_holds = [](const VersionSpace& sets, int chain, const ParameterValues& member) {
    return std::ranges::count_if(sets,
                                 [&](const auto& s) { return s.chain == chain && s.box.contains(member); });
  };
  for (long n = 0; n < test::count(300); ++n) {
    const VersionSpace sets{random_set()};
    const VersionSpace others{random_set(), random_set(), random_set()};
    const auto rest = difference(sets, others, 1000);
    for_each_member(sets[0].box, [&](const ParameterValues& member) {
      const bool expected = !holds(others, sets[0].chain, member);
      ASSERT_EQ(any_holds(rest, sets[0].chain, member), expected ? 1 : 0);
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
}  // namespace mmaprint
