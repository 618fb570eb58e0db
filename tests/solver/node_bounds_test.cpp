// What is said to be impossible at a unit's nodes, and which values of parameters are idle for that, against
// toy units run on all inputs, or on very many.
#include <gtest/gtest.h>

#include <map>

#include "layers/toys.h"
#include "solver/idle_values.h"
#include "solver/members.h"

namespace mmaprint::node_bounds_test {
namespace {

using test::Random;
using test::Toy;
using enum Parameter;

using Source = const FixedParameters;
using A = Concrete<Word128, Source>;
using Plain = Specification<PlainLowering>;

/// The toys, and some whose results have room for all sums.
std::vector<test::ToyFormats> formats() {
  std::vector<test::ToyFormats> all = test::toy_formats();
  for (test::ToyFormats f : test::toy_formats()) {
    f.d.exponent_bits = 4;
    f.d.bias = 6;
    f.d.container_bits = 1 + f.d.exponent_bits + f.d.fraction_bits;
    all.push_back(f);
    // c as wide as they are: what is added to its largest number is a small part of its last place.
    f.c = f.d;
    f.a.bias = f.b.bias = 6;
    all.push_back(f);
  }
  return all;
}

/// Those that may have idle values.
constexpr Parameter kParameters[] = {product,
                                     minimum_alignment_exponent,
                                     alignment_fraction_bits,
                                     alignment_rounding,
                                     normalisation,
                                     extra_carry_bits,
                                     block_rounding,
                                     output_fraction_bits,
                                     overflow,
                                     output_subnormals,
                                     flush_test,
                                     zero_all_zero,
                                     zero_cancelled,
                                     zero_rounded,
                                     zero_flushed};

/// Trees of blocks and of any other kind, of classes that may differ.
Tree any_tree(Random& random, int k) {
  UnitModel unit;
  unit.tree = random.chance(1, 2) ? tree_of(test::random_chain(random, k, CEnters::first))
                                  : test::random_tree(random, k, 2);
  if (random.chance(1, 3)) unit = test::without_c(unit);
  // No sum of zeros alone is -0 where +0 is added, unless it is rounded down.
  if (random.chance(1, 4)) {
    const int last = static_cast<int>(unit.tree.nodes.size()) - 1;
    const auto n = static_cast<std::size_t>(random.chance(1, 2) ? 0 : random.between(0, last));
    unit.tree.nodes[n].operands.emplace_back(ZeroLeaf{});
  }
  return unit.tree;
}

/// Some values of each parameter; of those that bounds follow no further than where they are plain, that one.
Box random_box(Random& random, const Toy& toy) {
  ParameterValues values = test::random_toy_values(random, toy.formats.d);
  values.adders.assign(4, values.adders.front());
  for (Adder& adder : values.adders) {
    test::align_plainly(adder);
    if (random.chance(1, 2)) adder.alignment_fraction_bits = random.between(0, 4);
    if (random.chance(1, 2)) adder.minimum_alignment_exponent = random.between(-3, 0);
    // So many bits that two operands' sums may round as exact ones.
    if (random.chance(1, 3)) {
      adder.alignment_fraction_bits = random.between(3, 10);
      adder.extra_carry_bits = std::nullopt;
      if (random.chance(1, 2)) adder.minimum_alignment_exponent = random.between(-8, 2);
    }
  }
  Box box(values);
  for (const ParameterKey& key : box.keys()) {
    const bool is_followed = box[key].first() != default_index(info(key.parameter)) ||
                             !info(key.parameter).is_newer || key.parameter == flush_test;
    if (!is_followed || !random.chance(1, 4)) continue;
    const auto choice = test::every_value(key.parameter, toy.formats.d);
    box[key].insert(random.pick(std::span<const int>(choice.values)));
  }
  return box;
}

std::vector<Operand<A>> results_of_nodes(const Toy& toy, const DotInput& input, Source& source) {
  const A a(source);
  std::vector<A::Word> wa, wb;
  for (const Pattern p : input.a) wa.push_back({Word128(p)});
  for (const Pattern p : input.b) wb.push_back({Word128(p)});
  const PatternOperands<A> operands(a, toy.plan, wa, wb, {Word128(input.c)});
  Row<Operand<A>> results(toy.plan.nodes.size());
  for (const auto& node : toy.plan.nodes)
    results.push_back(Plain::node_result(a, toy.plan, node, operands, results));
  return {results.all().begin(), results.all().end()};
}

bool is_within(const Operand<A>& x, const FormatInfo& d, const NodeBounds& bounds) {
  const std::uint64_t significand = low_word(x.significand.value);
  if (x.nan.value || x.infinite.value || significand == 0) return true;
  const int last = x.exponent.value - d.fraction_bits;
  const int lowest_bit = last + std::countr_zero(significand);
  const int leading = last + static_cast<int>(std::bit_width(significand)) - 1;
  return lowest_bit >= bounds.lowest_bit && leading >= bounds.smallest && leading <= bounds.largest_exponent;
}

/// Runs a member of the box on inputs; how often a parameter had idle values.
class Trial {
 public:
  explicit Trial(std::uint64_t seed) : random_(seed), of_values_(seed) {}

  void with(const test::ToyFormats& f, int k) {
    Toy toy(f, k, any_tree(random_, k), {});
    const Box box = random_box(random_, toy);
    const auto bounds = node_bounds(toy.plan, box);
    ASSERT_TRUE(bounds);
    const ParameterValues values = test::member(random_, box);
    idle_.clear();
    for (const ParameterKey& key : box.keys()) {
      if (!is_used(key, toy)) continue;
      const ValueSet wide = values_of(key, toy);
      Box wider = box;
      wider[key] = wide;
      idle_.emplace_back(key, idle_values(toy.plan, wider, key));
      times_[key.parameter] += idle_.back().second.size() > 1 ? 1 : 0;
    }
    const auto look = [&](const DotInput& input) { look_at(toy, values, *bounds, input); };
    if (k == 1)
      test::for_each_input(toy, look);
    else
      for (int i = 0; i < 500; ++i) look(test::random_patterns(random_, toy));
  }
  /// How often a parameter had idle values.
  [[nodiscard]] int times(Parameter p) const {
    const auto place = times_.find(p);
    return place == times_.end() ? 0 : place->second;
  }

 private:
  static bool is_used(const ParameterKey& key, const Toy& toy) {
    return std::ranges::any_of(toy.plan.nodes,
                               [&](const PlannedNode& node) { return node.adder == key.of_class; });
  }
  static ValueSet values_of(const ParameterKey& key, const Toy& toy) {
    ValueSet all;
    for (const int index : test::every_value(key.parameter, toy.formats.d).values) all.insert(index);
    return all;
  }
  void look_at(Toy& toy, const ParameterValues& values, const std::vector<NodeBounds>& bounds,
               const DotInput& input) {
    if (testing::Test::HasFailure()) return;
    test::take(toy, values);
    const FixedParameters source(toy.model);
    const auto results = results_of_nodes(toy, input, source);
    for (std::size_t n = 0; n < results.size(); ++n)
      ASSERT_TRUE(is_within(results[n], toy.plan.nodes[n].result, bounds[n]))
          << "node " << n << ": " << bounds[n].lowest_bit << " to " << bounds[n].largest_exponent << "\n"
          << test::describe(toy, values, input);
    for (const auto& [key, idle] : idle_) compare_idle(toy, values, key, idle, input);
  }
  void compare_idle(Toy& toy, ParameterValues values, const ParameterKey& key, const ValueSet& idle,
                    const DotInput& input) {
    if (idle.size() < 2) return;
    const auto all = idle.values();
    const auto with_one_of_them = [&] {
      set_value(values, key, of_values_.pick(std::span<const int>(all)));
      test::take(toy, values);
      return test::result<PlainLowering>(toy, input);
    };
    const Pattern d = with_one_of_them();
    const std::string first = test::describe(toy, values, input);
    ASSERT_EQ(with_one_of_them(), d) << info(key.parameter).name << "\n"
                                     << first << "\n"
                                     << test::describe(toy, values, input);
  }
  Random random_, of_values_;  ///< which trials there are does not depend on what is idle
  std::vector<std::pair<ParameterKey, ValueSet>> idle_;  ///< of the box at hand
  std::map<Parameter, int> times_;
};

/// Of many trials, some have idle values of each parameter.
void expect_some_of_each(const Trial& trial, long trials, long usual) {
  if (trials < usual) return;
  for (const Parameter p : kParameters) EXPECT_GT(trial.times(p), 0) << info(p).name;
}

TEST(NodeBounds, HoldForEveryInputOfOneProduct) {
  const std::uint64_t first = test::starting_seed(4'101);
  Trial trial(first);
  const long trials = test::count(4);
  const std::vector<test::ToyFormats> all = formats();
  const std::size_t step = test::counts_are_reduced() ? 3 : 1;  // some of each kind
  for (long i = 0; i < trials; ++i)
    for (std::size_t f = 0; f < all.size(); f += step) trial.with(all[f], 1);
  expect_some_of_each(trial, trials, 4);
}

TEST(NodeBounds, HoldForChainsAndTreesOnRandomInputs) {
  const std::uint64_t first = test::starting_seed(4'200);
  Trial trial(first);
  Random random(first);
  const long trials = test::count(60);
  for (long i = 0; i < trials; ++i)
    for (const auto& f : formats()) trial.with(f, random.between(2, 4));
  expect_some_of_each(trial, trials, 60);
}

/// The results of all hypotheses of a set, ascending.
std::vector<Pattern> results_of_all(Toy& toy, const Box& box, const DotInput& input) {
  std::vector<ParameterValues> members{box.lowest()};
  for (const ParameterKey& key : box.keys()) {
    const std::size_t before = members.size();
    for (const int value : box[key].values()) {
      if (value == box[key].first()) continue;
      for (std::size_t m = 0; m < before; ++m) {
        members.push_back(members[m]);
        set_value(members.back(), key, value);
      }
    }
  }
  std::vector<Pattern> results;
  results.reserve(members.size());
  for (const ParameterValues& values : members) {
    test::take(toy, values);
    results.push_back(test::result<PlainLowering>(toy, input));
  }
  std::ranges::sort(results);
  const auto rest = std::ranges::unique(results);
  results.erase(rest.begin(), rest.end());
  return results;
}

std::size_t size_of(const Box& box) {
  std::size_t size = 1;
  for (const ParameterKey& key : box.keys()) size *= box[key].values().size();
  return size;
}

/// With more values of some of the parameters that have several.
Box with_more_values(Random& random, const Toy& toy, Box box) {
  for (const ParameterKey& key : box.keys()) {
    const auto choice = test::every_value(key.parameter, toy.formats.d);
    for (int i = 0; i < 2 && !box[key].is_single(); ++i)
      box[key].insert(random.pick(std::span<const int>(choice.values)));
  }
  return box;
}

/// With values left out of some of the parameters that have several.
Box no_larger_than(std::size_t size, Random& random, Box box) {
  while (size_of(box) > size)
    for (const ParameterKey& key : box.keys())
      if (!box[key].is_single() && random.chance(1, 3)) box[key] = ValueSet::single(box[key].first());
  return box;
}

TEST(IdleValues, AreLeftOutOfSetsWithoutChangingWhichResultsTheirHypothesesGiveOnRandomInputs) {
  const std::uint64_t first = test::starting_seed(4'300);
  Random random(first);
  const long trials = test::count(60);
  int smaller = 0;
  for (long i = 0; i < trials && !HasFailure(); ++i)
    for (const auto& f : formats()) {
      const int k = random.between(1, 3);
      Toy toy(f, k, any_tree(random, k), {});
      const Box box = no_larger_than(64, random, with_more_values(random, toy, random_box(random, toy)));
      const Box left = without_idle_values(toy.plan, box, test::member(random, box));
      if (left == box) continue;
      ++smaller;
      for (int n = 0; n < 40; ++n) {
        const DotInput input = test::random_patterns(random, toy);
        ASSERT_EQ(results_of_all(toy, left, input), results_of_all(toy, box, input))
            << test::describe(toy, box.lowest(), input);
      }
    }
  EXPECT_GT(smaller, 0);
}

/// E4M3's subnormals are normal numbers of FP16, and c is added exactly: the largest number takes more than
/// half of its last place to overflow.
TEST(NodeBounds, SayThatFp8ProductsBesideAnFp32NeverOverflow) {
  using enum Format;
  Skeleton skeleton{{}, {{{{ProductLeaf{0}, ProductLeaf{1}}, 0, {}}, {{NodeLeaf{0}, CLeaf{}}, 1, {}}}}};
  skeleton.paths.a = Converted{fp16, Conversion::exact};
  const Plan plan({e4m3, e5m2, fp32, fp32}, 2, skeleton);
  Adder block = exact_adder(fp32, Rounding::toward_zero);
  block.alignment_fraction_bits = 25;
  ParameterValues values{{block, exact_adder(fp32, Rounding::nearest_even)}, {}};
  const auto bounds = node_bounds(plan, Box(values));
  ASSERT_TRUE(bounds);
  EXPECT_EQ(bounds->front().lowest_bit, -25);
  EXPECT_EQ(bounds->front().largest_exponent, 8 + 15 + 2);
  EXPECT_FALSE(idle_values(plan, Box(values), {overflow}).empty());
  values.adders.back().rounding = Rounding::up;
  EXPECT_TRUE(idle_values(plan, Box(values), {overflow}).empty());
}

/// FP32's largest number is the largest of 23 bits where there are more: it overflows nowhere after that.
TEST(NodeBounds, KnowThatResultsOfFewBitsDoNotOverflowWhereAnyOfTheirFormatWould) {
  using enum Format;
  const Skeleton skeleton{{}, {{{{ProductLeaf{0}}, 0, e8m31}, {{NodeLeaf{0}}, 1, {}}}}};
  const Plan plan({fp32, fp32, std::nullopt, fp32}, 1, skeleton);
  ParameterValues values{
      {exact_adder(e8m31, Rounding::toward_zero), exact_adder(fp32, Rounding::nearest_even)}, {}};
  values.conventions.overflow = Overflow::saturate;
  const auto overflows = [&](int bits) {
    values.adders.front().output_fraction_bits = bits;
    const auto bounds = node_bounds(plan, Box(values));
    return !bounds || bounds->back().overflows;
  };
  EXPECT_FALSE(overflows(23));
  EXPECT_TRUE(overflows(31));
}

/// Sums of 2^-7 and 2^-6 in a format whose numbers of 2^-5 or more are normal: 2^-5 is the exponent that they
/// are aligned to.
TEST(NodeBounds, KnowThatResultsWhichAreAllSubnormalTakePartWithTheLowestExponent) {
  const FormatInfo factor = test::floating(1, 0, 1 + 3), d = test::floating(4, 2, 1 + 5);
  const Tree tree{
      {{{ProductLeaf{0}}, 0, {}}, {{ProductLeaf{1}}, 0, {}}, {{NodeLeaf{0}, NodeLeaf{1}}, 1, {}}}};
  Toy toy({factor, factor, d, d}, 2, tree, {});
  ParameterValues values;
  values.adders.assign(2, exact_adder(Format::fp32, Rounding::toward_zero));
  for (Adder& adder : values.adders) adder.output_fraction_bits = d.fraction_bits;
  const auto bounds = node_bounds(toy.plan, Box(values));
  ASSERT_TRUE(bounds);
  EXPECT_LT(bounds->front().largest_exponent, d.emin());
  EXPECT_EQ(bounds->back().operands.highest_e, d.emin());
}

/// 1.875² is 3.515625, which without carry bits becomes -0.484375: no product of numbers that aren't
/// subnormal is as small.
TEST(NodeBounds, KnowThatAProductAloneMayWrapToLessThanAnyProduct) {
  using enum Format;
  const Skeleton skeleton{{}, {{{{ProductLeaf{0}}, 0, {}}, {{NodeLeaf{0}}, 1, {}}}}};
  const Signature formats{e2m3, e2m3, std::nullopt, fp32};
  ParameterValues values{{exact_adder(fp32, Rounding::toward_zero), exact_adder(fp32, Rounding::toward_zero)},
                         {}};
  values.adders.front().extra_carry_bits = 0;
  values.adders.back().alignment_fraction_bits = 1;
  values.conventions.input_subnormals = Subnormals::flushed;
  ParameterValues clamped = values;
  clamped.adders.back().minimum_alignment_exponent = 0;
  const DotInput input{{0b001111}, {0b001111}, 0};
  const auto model = [&](const ParameterValues& its) {
    return unit_model("toy", 1, formats, skeleton, its, canonical_nan(fp32));
  };
  ASSERT_NE(evaluate(model(values), input), evaluate(model(clamped), input));
  const ParameterKey clamp{minimum_alignment_exponent, 1};
  Box box(values);
  box[clamp].insert(value_index(clamped, clamp));
  EXPECT_LT(idle_values(Plan(formats, 1, skeleton), box, clamp).size(), 2);
}

}  // namespace
}  // namespace mmaprint::node_bounds_test
