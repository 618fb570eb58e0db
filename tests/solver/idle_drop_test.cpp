// Which values of parameters are idle at nodes that carry sums on, and at those that align their kinds of
// operands by rules of their own: against toy units on random inputs.
#include <gtest/gtest.h>

#include <map>

#include "layers/toys.h"
#include "model/evaluator.h"
#include "solver/idle_values.h"
#include "solver/members.h"

namespace mmaprint::idle_drop_test {
namespace {

using test::Random;
using test::Toy;
using enum Parameter;

/// Values of one class, plain in this or that.
ParameterValues random_values(Random& random, const Toy& toy) {
  ParameterValues values = test::carrying_values(random, test::random_toy_values(random, toy.formats.d));
  Adder& adder = values.adders.front();
  if (random.chance(1, 2)) adder.zero_addends = {};
  if (random.chance(1, 2)) adder.minimum_alignment_exponent = std::nullopt;
  if (random.chance(1, 2)) adder.c_alignment_rounding = OwnAlignmentRounding::truncate;
  if (random.chance(1, 2)) adder.extra_carry_bits = std::nullopt;
  return values;
}

/// Takes two idle values of each parameter, one after the other, for one result each.
void compare(Toy& toy, Random& random, std::map<Parameter, int>& found) {
  const ParameterValues values = random_values(random, toy);
  std::vector<DotInput> inputs;
  for (int i = 0; i < 300; ++i) inputs.push_back(test::random_patterns(random, toy));
  for (const ParameterKey& key : Box(values).keys()) {
    Box box(values);
    for (const int index : test::every_value(key.parameter, toy.formats.d).values) box[key].insert(index);
    const auto idle = idle_values(toy.plan, box, key).values();
    if (idle.size() < 2) continue;
    ++found[key.parameter];
    const auto with = [&](int value, const DotInput& input) {
      ParameterValues its = values;
      set_value(its, key, value);
      test::take(toy, its);
      return test::result<PlainLowering>(toy, input);
    };
    for (const DotInput& input : inputs) {
      const int other = random.pick(std::span<const int>(idle));
      ASSERT_EQ(with(idle.front(), input), with(other, input))
          << info(key.parameter).name << " " << idle.front() << " or " << other << "\n"
          << test::describe(toy, values, input);
    }
  }
}

TEST(IdleValues, OfUnitsThatCarrySumsOnShowOnNoRandomInput) {
  const std::uint64_t first = test::starting_seed(4'400);
  Random random(first);
  std::map<Parameter, int> found;
  const long trials = test::count(200);
  for (long i = 0; i < trials; ++i)
    for (const auto& f : test::toy_formats()) {
      const int k = random.between(1, 4);
      Toy toy(f, k, test::carrying_tree(random, test::random_tree(random, k, 1)), {});
      compare(toy, random, found);
      if (HasFatalFailure()) return;
    }
  if (trials < 200) return;
  for (const Parameter p : {c_dropped_below, minimum_alignment_exponent, zero_addends, extra_carry_bits,
                            overflow, output_subnormals})
    EXPECT_GT(found[p], 10) << info(p).name;
}

/// Two E4M3 products that are carried on, and an FP16 c; all but four bits are cut off.
struct Joined {
  Skeleton skeleton{
      {}, {{{{ProductLeaf{0}, ProductLeaf{1}}, 0, NodeResult::carried()}, {{NodeLeaf{0}, CLeaf{}}, 0, {}}}}};
  Signature formats{Format::e4m3, Format::e4m3, Format::fp16, Format::fp16};
  ParameterValues values{{exact_adder(Format::fp16, Rounding::nearest_even)}, {}};

  Joined() {
    values.adders.front().alignment_fraction_bits = 4;
    values.conventions.zero_sign.all_zero = values.conventions.zero_sign.cancelled = ZeroSign::follow;
  }
  [[nodiscard]] Pattern result(std::optional<int> t, const DotInput& input) const {
    ParameterValues its = values;
    its.adders.front().c_dropped_below = t;
    return evaluate(unit_model("joined", 2, formats, skeleton, its, canonical_nan(Format::fp16)), input);
  }
  [[nodiscard]] bool is_idle(int t) const {
    Box box(values);
    const ParameterKey key{c_dropped_below, 0};
    box[key].insert(OwnBitsDomain::index(t));
    return idle_values(Plan(formats, 2, skeleton), box, key).size() == 2;
  }
};

TEST(IdleValues, OfWhatDropsASmallCDependOnWhetherItsOtherSignOfAZeroShows) {
  Joined unit;
  EXPECT_TRUE(unit.is_idle(4));
  EXPECT_FALSE(unit.is_idle(3));  // 1 + 2^-4 of c
  EXPECT_NE(unit.result(3, {{0x38, 0}, {0x38, 0}, 0x2c00}), unit.result(4, {{0x38, 0}, {0x38, 0}, 0x2c00}));
  // Nothing is left of c where a clamp is E: it is negative, as the products are, which are zeros.
  const DotInput alone{{0x80, 0x80}, {0x38, 0x38}, 0x8001};
  unit.values.adders.front().minimum_alignment_exponent = 0;
  EXPECT_NE(unit.result(4, alone), unit.result(std::nullopt, alone));
  EXPECT_FALSE(unit.is_idle(4));
  unit.values.conventions.zero_sign.all_zero = ZeroSign::positive;
  EXPECT_EQ(unit.result(4, alone), unit.result(std::nullopt, alone));
}

/// A little less than 2^-4, which it is rounded to.
TEST(IdleValues, OfWhatDropsASmallCDependOnWhetherItIsRoundedUp) {
  Joined unit;
  unit.values.adders.front().alignment_rounding = AlignmentRounding::nearest_even;
  const DotInput beside_one{{0x38, 0}, {0x38, 0}, 0x2bff};
  EXPECT_NE(unit.result(4, beside_one), unit.result(std::nullopt, beside_one));
  EXPECT_FALSE(unit.is_idle(4));
  EXPECT_TRUE(unit.is_idle(5));
}

TEST(IdleValues, OfWhatDropsASmallCDependOnHowACarriedSumThatCancelledIsRounded) {
  Joined unit;
  const DotInput cancels{{0x38, 0xb8}, {0x38, 0x38}, 0x0001};
  EXPECT_EQ(unit.result(4, cancels), unit.result(std::nullopt, cancels));
  unit.values.adders.front().rounding = Rounding::down;
  EXPECT_NE(unit.result(4, cancels), unit.result(std::nullopt, cancels));
  EXPECT_FALSE(unit.is_idle(4));
  unit.values.conventions.zero_sign.all_zero = unit.values.conventions.zero_sign.cancelled =
      ZeroSign::positive;
  EXPECT_EQ(unit.result(4, cancels), unit.result(std::nullopt, cancels));
  EXPECT_TRUE(unit.is_idle(4));
}

}  // namespace
}  // namespace mmaprint::idle_drop_test
