// What is said to be impossible at a unit's nodes, against toy units run on all inputs, or on very many.
#include "solver/node_bounds.h"

#include <gtest/gtest.h>

#include <map>

#include "layers/toys.h"

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

constexpr Parameter kEvents[] = {overflow, output_subnormals, flush_test, zero_flushed, zero_rounded};

/// Trees of blocks and of any other kind, of classes that may differ.
Tree any_tree(Random& random, int k) {
  UnitModel unit;
  unit.tree = random.chance(1, 2) ? tree_of(test::random_chain(random, k, CEnters::first))
                                  : test::random_tree(random, k, 2);
  return random.chance(1, 3) ? test::without_c(unit).tree : unit.tree;
}

/// Some values of each parameter; of those that bounds follow no further than where they are plain, that one.
Box random_box(Random& random, const Toy& toy) {
  ParameterValues values = test::random_toy_values(random, toy.formats.d);
  values.adders.assign(4, values.adders.front());
  for (Adder& adder : values.adders) {
    const Adder plain;
    adder.zero_addends = plain.zero_addends;
    adder.carried_fraction_bits = adder.c_fraction_bits = adder.c_dropped_below = std::nullopt;
    adder.carried_alignment_rounding = adder.c_alignment_rounding = plain.c_alignment_rounding;
    if (random.chance(1, 2)) adder.alignment_fraction_bits = random.between(0, 4);
    if (random.chance(1, 2)) adder.minimum_alignment_exponent = random.between(-3, 0);
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

ParameterValues member(Random& random, const Box& box) {
  ParameterValues values = box.lowest();
  for (const ParameterKey& key : box.keys()) {
    const auto choice = box[key].values();
    set_value(values, key, random.pick(std::span<const int>(choice)));
  }
  return values;
}

void take(Toy& toy, const ParameterValues& values) {
  toy.model.adders = values.adders;
  toy.model.conventions = values.conventions;
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
  return lowest_bit >= bounds.lowest_bit && leading <= bounds.largest_exponent;
}

/// Runs a member of the box on inputs; how often each event was said to be impossible.
class Trial {
 public:
  explicit Trial(std::uint64_t seed) : random_(seed) {}

  void with(const test::ToyFormats& f, int k) {
    Toy toy(f, k, any_tree(random_, k), {});
    const Box box = random_box(random_, toy);
    const auto bounds = node_bounds(toy.plan, box);
    ASSERT_TRUE(bounds);
    const ParameterValues values = member(random_, box);
    for (const Parameter p : kEvents) {
      said_[p] = never_matters(toy.plan, box, {p});
      impossible_[p] += said_[p] ? 1 : 0;
    }
    const auto look = [&](const DotInput& input) { look_at(toy, values, *bounds, input); };
    if (k == 1)
      test::for_each_input(toy, look);
    else
      for (int i = 0; i < 500; ++i) look(test::random_patterns(random_, toy));
  }
  [[nodiscard]] const std::map<Parameter, int>& impossible() const { return impossible_; }

 private:
  void look_at(Toy& toy, const ParameterValues& values, const std::vector<NodeBounds>& bounds,
               const DotInput& input) {
    if (testing::Test::HasFailure()) return;
    take(toy, values);
    const FixedParameters source(toy.model);
    const auto results = results_of_nodes(toy, input, source);
    for (std::size_t n = 0; n < results.size(); ++n)
      ASSERT_TRUE(is_within(results[n], toy.plan.nodes[n].result, bounds[n]))
          << "node " << n << ": " << bounds[n].lowest_bit << " to " << bounds[n].largest_exponent << "\n"
          << test::describe(toy, values, input);
    const Pattern d = test::result<PlainLowering>(toy, input);
    for (const Parameter p : kEvents) {
      if (!said_[p]) continue;
      ParameterValues other = values;
      for (const int index : test::every_value(p, toy.formats.d).values) {
        set_value(other, {p}, index);
        take(toy, other);
        ASSERT_EQ(test::result<PlainLowering>(toy, input), d) << info(p).name << " " << index << "\n"
                                                              << test::describe(toy, values, input);
      }
    }
  }
  Random random_;
  std::map<Parameter, bool> said_;  ///< of the box at hand
  std::map<Parameter, int> impossible_;
};

void expect_some_of_each(const Trial& trial, int least) {
  for (const Parameter p : kEvents) EXPECT_GT(trial.impossible().at(p), least) << info(p).name;
}

TEST(NodeBounds, HoldForEveryInputOfOneProduct) {
  const std::uint64_t first = test::starting_seed(4'100);
  Trial trial(first);
  for (long i = 0; i < test::count(12); ++i)
    for (const auto& f : formats()) trial.with(f, 1);
  expect_some_of_each(trial, 5);
}

TEST(NodeBounds, HoldForChainsAndTreesOnRandomInputs) {
  const std::uint64_t first = test::starting_seed(4'200);
  Trial trial(first);
  Random random(first);
  for (long i = 0; i < test::count(80); ++i)
    for (const auto& f : formats()) trial.with(f, random.between(2, 4));
  expect_some_of_each(trial, 5);
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
  EXPECT_TRUE(never_matters(plan, Box(values), {overflow}));
  values.adders.back().rounding = Rounding::up;
  EXPECT_FALSE(never_matters(plan, Box(values), {overflow}));
}

}  // namespace
}  // namespace mmaprint::node_bounds_test
