// Which alignments are said to round as exact sums do, against toy units of few operands on every input.
#include <gtest/gtest.h>

#include <map>

#include "layers/toys.h"
#include "solver/idle_values.h"
#include "solver/members.h"

namespace mmaprint::exact_rounding_test {
namespace {

using test::floating;
using test::Random;
using test::Toy;
using enum Parameter;

constexpr Parameter kParameters[] = {product, minimum_alignment_exponent, alignment_fraction_bits,
                                     alignment_rounding, normalisation};

/// c and D with so many exponents that a product and c lose bits beside each other, and products that are
/// larger than any finite D.
std::vector<test::ToyFormats> formats() {
  return {{floating(2, 1, 1), floating(2, 1, 1), floating(4, 2, 7), floating(4, 2, 7)},
          {floating(2, 1, 0), floating(2, 1, 1), floating(4, 1, 5), floating(4, 3, 6)},
          {floating(3, 1, 3), floating(2, 0, 1), floating(4, 2, 9), floating(4, 1, 7)},
          {floating(3, 1, 4), floating(3, 0, 4), floating(3, 2, 2), floating(4, 2, 5)},
          {floating(2, 2, 1), floating(2, 0, 2), floating(4, 2, 8), floating(3, 2, 3)},
          {floating(3, 1, 2), floating(3, 1, 2), floating(4, 1, 7), floating(4, 1, 7)},
          {floating(3, 0, 1), floating(3, 0, 1), floating(4, 1, 7), floating(4, 1, 7)},
          {floating(3, 0, 2), floating(3, 0, 2), floating(3, 2, 2), floating(3, 3, 3)},
          {floating(2, 2, 5), floating(3, 0, 5), floating(4, 2, 3), floating(2, 3, 6)},
          {floating(2, 1, 1), floating(2, 1, 1), floating(2, 2, 2), floating(4, 3, 7)}};
}

int lowest_bit(const FormatInfo& f) { return f.emin() - f.fraction_bits; }

/// One node of a product and c, or a product alone and then c.
Tree any_tree(Random& random) {
  if (random.chance(1, 4)) return {{{{ProductLeaf{0}}, 0, {}}, {{NodeLeaf{0}, CLeaf{}}, 1, {}}}};
  return {{{{CLeaf{}, ProductLeaf{0}}, 0, {}}}};
}

Box any_box(Random& random, const Toy& toy) {
  ParameterValues values = test::random_toy_values(random, toy.formats.d);
  Adder adder = values.adders.front();
  test::align_plainly(adder);
  adder.alignment_fraction_bits = random.between(3, 10);
  adder.minimum_alignment_exponent = std::nullopt;
  if (random.chance(1, 2)) adder.minimum_alignment_exponent = random.between(-9, 9);
  adder.extra_carry_bits = random.chance(3, 4) ? std::nullopt : std::optional(random.between(0, 3));
  values.adders.assign(4, adder);
  Box box(values);
  for (const Parameter p : kParameters)
    if (random.chance(1, 3)) {
      const auto choice = test::every_value(p, toy.formats.d);
      box[{p, 0}].insert(random.pick(std::span<const int>(choice.values)));
    }
  return box;
}

void expect_alike(Toy& toy, const ParameterValues& x, const ParameterValues& y) {
  test::for_each_input(toy, [&](const DotInput& input) {
    if (testing::Test::HasFailure()) return;
    test::take(toy, x);
    const Pattern d = test::result<PlainLowering>(toy, input);
    test::take(toy, y);
    ASSERT_EQ(test::result<PlainLowering>(toy, input), d) << test::describe(toy, x, input) << "\n"
                                                          << test::describe(toy, y, input);
  });
}

TEST(ExactRounding, MakesValuesIdleThatGiveTheSameResultsOnEveryInput) {
  Random random(test::starting_seed(4'400));
  const long trials = test::count(80);
  std::map<Parameter, int> times;
  for (long i = 0; i < trials && !HasFailure(); ++i)
    for (const auto& f : formats()) {
      Toy toy(f, 1, any_tree(random), {});
      const Box box = any_box(random, toy);
      const Parameter p = random.pick(std::span<const Parameter>(kParameters));
      Box wider = box;
      for (const int index : test::every_value(p, toy.formats.d).values) wider[{p, 0}].insert(index);
      const auto idle = idle_values(toy.plan, wider, {p, 0}).values();
      if (idle.size() < 2) continue;
      ++times[p];
      ParameterValues x = test::member(random, box);
      set_value(x, {p, 0}, random.pick(std::span<const int>(idle)));
      ParameterValues y = x;
      set_value(y, {p, 0}, random.pick(std::span<const int>(idle)));
      expect_alike(toy, x, y);
    }
  for (const Parameter p : kParameters) EXPECT_GT(times[p], trials / 20) << info(p).name;
}

/// Just below the smallest normal number, flushing then decides by places finer than those of results.
TEST(ExactRounding, MakesValuesIdleThatGiveTheSameResultsWhereUnderflowIsTestedAsIfUnbounded) {
  Random random(test::starting_seed(4'600));
  const long trials = test::count(120);
  long times = 0;
  for (long i = 0; i < trials && !HasFailure(); ++i)
    for (const auto& f : formats()) {
      Toy toy(f, 1, any_tree(random), {});
      Box box = any_box(random, toy);
      box[output_subnormals] = ValueSet::single(static_cast<int>(Subnormals::flushed));
      box[flush_test] = ValueSet::single(static_cast<int>(FlushTest::after_unbounded));
      const Parameter p =
          random.pick({alignment_rounding, alignment_fraction_bits, minimum_alignment_exponent});
      Box wider = box;
      for (const int index : test::every_value(p, toy.formats.d).values) wider[{p, 0}].insert(index);
      const auto idle = idle_values(toy.plan, wider, {p, 0}).values();
      if (idle.size() < 2) continue;
      ++times;
      ParameterValues x = test::member(random, box);
      // What loses most, and what loses least.
      const bool last_is_exact = p == minimum_alignment_exponent;
      set_value(x, {p, 0}, last_is_exact ? idle.back() : idle[1]);
      ParameterValues y = x;
      set_value(y, {p, 0}, idle.front());
      expect_alike(toy, x, y);
    }
  EXPECT_GT(times, trials / 4);
}

/// Some clamps push out bits of small products, and no such product lies beside a tie.
TEST(ExactRounding, MakesClampsIdleWhereNoProductBesideATieLosesAnything) {
  // Multiples of 2^-8 and of 2^-6, beside sums of which halves of the last place are 2^-3 at least.
  const std::vector<test::ToyFormats> small{
      {floating(2, 1, 4), floating(2, 1, 4), floating(3, 1, 2), floating(3, 1, 2)},
      {floating(2, 1, 3), floating(2, 1, 3), floating(3, 1, 2), floating(3, 1, 2)},
      {floating(2, 2, 4), floating(2, 0, 4), floating(3, 2, 2), floating(3, 2, 2)},
      {floating(2, 0, 6), floating(2, 0, 7), floating(2, 2, 6), floating(2, 2, 6)}};
  Random random(test::starting_seed(4'800));
  const long trials = test::count(1'000);
  long times = 0;
  for (long i = 0; i < trials && !HasFailure(); ++i)
    for (const auto& f : small) {
      Toy toy(f, 1, {{{{CLeaf{}, ProductLeaf{0}}, 0, {}}}}, {});
      ParameterValues values = test::member(random, any_box(random, toy));
      Adder& adder = values.adders.front();
      adder.alignment_fraction_bits = random.between(6, 12);
      adder.alignment_rounding =
          random.pick({AlignmentRounding::floor, AlignmentRounding::floor, AlignmentRounding::truncate});
      adder.rounding = random.pick({Rounding::nearest_even, Rounding::nearest_away});
      adder.output_fraction_bits = f.d.fraction_bits;
      Box box(values);
      if (random.chance(1, 2)) box[{normalisation, 0}].insert(random.between(0, 1));
      for (const int index : test::every_value(minimum_alignment_exponent, f.d).values)
        box[{minimum_alignment_exponent, 0}].insert(index);
      const auto idle = idle_values(toy.plan, box, {minimum_alignment_exponent, 0}).values();
      // Nothing is lost where the clamp is as low as that.
      const int harmless = *adder.alignment_fraction_bits + lowest_bit(f.a) + lowest_bit(f.b);
      const auto loses = [&](int index) { return ClampDomain::value(index).value_or(harmless) > harmless; };
      if (std::ranges::none_of(idle, loses) || std::ranges::all_of(idle, loses)) continue;
      ++times;
      ParameterValues x = test::member(random, box), y = x;
      set_value(x, {minimum_alignment_exponent, 0}, *std::ranges::find_if_not(idle, loses));
      set_value(y, {minimum_alignment_exponent, 0}, *std::find_if(idle.rbegin(), idle.rend(), loses));
      expect_alike(toy, x, y);
    }
  EXPECT_GT(times, trials / 10);
}

/// Of a parameter's idle values the first and the last give the same results, of nodes of a product and c
/// that are arranged. How often there were two.
template <class Arrange>
long expect_idle_alike(const std::vector<test::ToyFormats>& all, const ParameterKey& key, std::uint64_t seed,
                       long trials, const Arrange& arrange,
                       const Node& node = {{CLeaf{}, ProductLeaf{0}}, 0, {}}) {
  Random random(test::starting_seed(seed));
  long times = 0;
  for (long i = 0; i < trials; ++i)
    for (const auto& f : all) {
      if (testing::Test::HasFailure()) return times;
      Toy toy(f, 1, {{node}}, {});
      ParameterValues x = test::member(random, any_box(random, toy));
      arrange(random, f, x);
      Box both(x);
      for (const int index : test::every_value(key.parameter, f.d).values) both[key].insert(index);
      const auto idle = idle_values(toy.plan, both, key).values();
      if (idle.size() < 2) continue;
      ++times;
      ParameterValues y = x;
      set_value(x, key, idle.front());
      set_value(y, key, idle.back());
      expect_alike(toy, x, y);
    }
  return times;
}

/// Alignment keeps all of c beside the largest product, and the sum, a place longer, does not.
TEST(ExactRounding, MakesNormalisationIdleOnlyWhereEveryInputGivesTheSameResults) {
  const long trials = test::count(1500);
  const auto arrange = [](Random& random, const test::ToyFormats&, ParameterValues& x) {
    Adder& adder = x.adders.front();
    adder.alignment_fraction_bits = random.between(4, 8);
    adder.minimum_alignment_exponent = adder.extra_carry_bits = std::nullopt;
    adder.product = ProductKind::exact_unnormalised;
  };
  EXPECT_GT(expect_idle_alike({formats().back()}, {normalisation, 0}, 4'700, trials, arrange), trials / 4);
}

/// Sums that are not the exact ones' are cut with a sticky bit before they are rounded to fewer places.
TEST(ExactRounding, MakesNormalisationIdleWhereSumsAreCutToMorePlacesThanResultsHave) {
  const long trials = test::count(200);
  const auto arrange = [](Random& random, const test::ToyFormats& f, ParameterValues& x) {
    Adder& adder = x.adders.front();
    adder.output_fraction_bits = f.d.fraction_bits;
    adder.alignment_fraction_bits = f.d.fraction_bits + random.between(1, 3);
    adder.alignment_rounding = AlignmentRounding::sticky;
    adder.extra_carry_bits = std::nullopt;
    adder.product = ProductKind::exact_unnormalised;
  };
  const ParameterKey key{normalisation, 0};
  const std::vector<test::ToyFormats> short_products{
      {floating(2, 1, 1), floating(2, 1, 1), floating(4, 2, 7), floating(4, 3, 6)},
      {floating(2, 1, 2), floating(2, 1, 2), floating(3, 1, 4), floating(3, 2, 4)}};
  EXPECT_GT(expect_idle_alike(short_products, key, 5'100, trials, arrange), trials / 2);
  // A product that is longer is cut beside a zero before c is added.
  const std::vector<test::ToyFormats> long_products{
      {floating(2, 2, 1), floating(2, 2, 1), floating(4, 2, 6), floating(4, 1, 7)},
      {floating(2, 2, 1), floating(2, 1, 1), floating(4, 2, 6), floating(4, 2, 7)}};
  EXPECT_GT(expect_idle_alike(long_products, key, 5'200, trials, arrange,
                              {{ZeroLeaf{}, ProductLeaf{0}, CLeaf{}}, 0, {}}),
            trials / 20);
}

/// To nearest, what is just below the smallest power of two that is too large becomes that.
TEST(ExactRounding, KnowsWhichSumsAreTooLargeWhateverIsLost) {
  const std::vector<test::ToyFormats> large{
      {floating(3, 1, 2), floating(3, 1, 2), floating(3, 1, 2), floating(2, 1, 1)},
      {floating(3, 1, 2), floating(2, 1, 1), floating(4, 1, 7), floating(2, 2, 1)},
      {floating(3, 0, 1), floating(3, 0, 1), floating(4, 2, 7), floating(3, 1, 3)}};
  const long trials = test::count(180);
  const auto arrange = [](Random& random, const test::ToyFormats& f, ParameterValues& x) {
    Adder& adder = x.adders.front();
    adder.alignment_rounding = random.pick({AlignmentRounding::floor, AlignmentRounding::truncate});
    adder.minimum_alignment_exponent = adder.extra_carry_bits = std::nullopt;
    adder.rounding = random.pick({Rounding::nearest_even, Rounding::nearest_away, Rounding::toward_zero});
    adder.output_fraction_bits = f.d.fraction_bits;
  };
  EXPECT_GT(expect_idle_alike(large, {alignment_fraction_bits, 0}, 4'900, trials, arrange), trials / 4);
}

/// Zeros that are left where c is cancelled by what a product is rounded down to have another sign than sums
/// that are rounded down to zero.
TEST(ExactRounding, KnowsWhichProductsBecomeWhatASubnormalCIs) {
  // 9 times 2^-6, of which 2^-3 is left beside a c of -2^-3, is such.
  const std::vector<test::ToyFormats> small{
      {floating(2, 1, 3), floating(2, 1, 3), floating(3, 2, 2), floating(3, 2, 2)},
      {floating(2, 1, 3), floating(2, 2, 3), floating(3, 2, 2), floating(3, 1, 2)}};
  const long trials = test::count(300);
  const auto arrange = [](Random&, const test::ToyFormats& f, ParameterValues& x) {
    Adder& adder = x.adders.front();
    adder.alignment_rounding = AlignmentRounding::floor;
    adder.minimum_alignment_exponent = adder.extra_carry_bits = std::nullopt;
    adder.rounding = Rounding::down;
    adder.output_fraction_bits = f.d.fraction_bits;
    x.conventions.c_subnormals = x.conventions.output_subnormals = Subnormals::kept;
  };
  EXPECT_GT(expect_idle_alike(small, {alignment_fraction_bits, 0}, 5'000, trials, arrange), trials / 4);
}

/// Is F = none the same as so many bits, where a fused multiply-add of these formats rounds down what it
/// loses and its sum, to so many fraction bits?
bool is_exact_with(const Signature& formats, int bits, Subnormals subnormals, int f) {
  ParameterValues values;
  values.adders.assign(1, exact_adder(formats.d, Rounding::down));
  values.adders[0].alignment_rounding = AlignmentRounding::floor;
  values.adders[0].output_fraction_bits = bits;
  values.conventions.input_subnormals = values.conventions.c_subnormals = subnormals;
  values.conventions.output_subnormals = subnormals;
  ParameterValues others = values;
  others.adders[0].alignment_fraction_bits = f;
  const Plan plan(formats, 1, {{}, tree_of(Chain{{{0}}})});
  return makes_no_difference(plan, others, values, {alignment_fraction_bits, 0});
}
bool is_exact_with(Format format, Subnormals subnormals, int f) {
  return is_exact_with({format, format, format, format}, info(format).fraction_bits, subnormals, f);
}

/// A zero beside a product is a partial sum, too: what has grown past E loses a bit before c is added.
TEST(ExactRounding, KnowsThatAProductBesideAZeroIsAPartialSum) {
  const test::ToyFormats tiny_c{floating(2, 1, 1), floating(2, 1, 1), floating(2, 0, 4), floating(4, 1, 7)};
  const ParameterKey key{alignment_fraction_bits, 0};
  for (const Node& node : {Node{{ZeroLeaf{}, ProductLeaf{0}, CLeaf{}}, 0, {}},
                           Node{{ProductLeaf{0}, ZeroLeaf{}, CLeaf{}}, 0, {}}})
    for (const auto product : {ProductKind::exact_normalised, ProductKind::exact_unnormalised})
      for (const auto normalisation : {Normalisation::late, Normalisation::immediate}) {
        Toy toy(tiny_c, 1, {{node}}, {});
        ParameterValues values;
        values.adders.assign(1, Adder{});
        Adder& adder = values.adders.front();
        adder.product = product;
        adder.normalisation = normalisation;
        adder.alignment_rounding = AlignmentRounding::floor;
        adder.alignment_fraction_bits = std::nullopt;
        adder.rounding = Rounding::down;
        adder.output_fraction_bits = tiny_c.d.fraction_bits;
        values.conventions.input_subnormals = Subnormals::flushed;
        Box both(values);
        for (int f = 0; f <= 8; ++f) both[key].insert(AlignmentBitsDomain::index(f));
        const auto idle = idle_values(toy.plan, both, key).values();
        EXPECT_GT(idle.size(), 4U);
        for (const int index : idle) {
          ParameterValues other = values;
          set_value(other, key, index);
          expect_alike(toy, values, other);
        }
      }
}

TEST(ExactRounding, NeedsTheFewestBitsWhereAllIsRoundedDown) {
  // No product of two significands comes as near to a power of two as any number of as many bits.
  EXPECT_TRUE(is_exact_with(Format::bf16, Subnormals::flushed, 15));
  EXPECT_FALSE(is_exact_with(Format::bf16, Subnormals::flushed, 14));
  EXPECT_TRUE(is_exact_with(Format::fp16, Subnormals::flushed, 21));
  EXPECT_FALSE(is_exact_with(Format::fp16, Subnormals::flushed, 20));
  EXPECT_TRUE(is_exact_with(Format::bf16, Subnormals::kept, 22));
  EXPECT_FALSE(is_exact_with(Format::bf16, Subnormals::kept, 21));
  // 1 less 225/256 is 31/256, which five significant bits show.
  const Signature e4m3{Format::e4m3, Format::e4m3, Format::e4m3, Format::fp16};
  EXPECT_TRUE(is_exact_with(e4m3, 3, Subnormals::flushed, 7));
  EXPECT_FALSE(is_exact_with(e4m3, 4, Subnormals::flushed, 7));
}

TEST(ExactRounding, LetsClampsThatLeaveTheSameLastPlaceGiveTheSameResultsOnEveryInput) {
  Random random(test::starting_seed(4'500));
  const long trials = test::count(120);
  int times = 0;
  for (long i = 0; i < trials && !HasFailure(); ++i)
    for (const auto& f : formats()) {
      Toy toy(f, 1, any_tree(random), {});
      ParameterValues x = test::member(random, any_box(random, toy));
      Adder& adder = x.adders.front();
      adder.alignment_fraction_bits = random.between(3, 10);
      adder.minimum_alignment_exponent = random.between(-9, 3);
      ParameterValues y = x;
      const int more = random.between(1, 3);
      *y.adders.front().alignment_fraction_bits += more;
      *y.adders.front().minimum_alignment_exponent += more;
      if (!are_clamped_alike(toy.plan, x, y, 0)) continue;
      ++times;
      expect_alike(toy, x, y);
    }
  EXPECT_GT(times, trials / 20);
}

}  // namespace
}  // namespace mmaprint::exact_rounding_test
