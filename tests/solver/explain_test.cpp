// Which hypotheses of a set give all observations? Both engines against trying them all.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/evaluator.h"
#include "solver/distinguish.h"
#include "support/describe.h"
#include "support/generate.h"

namespace mmaprint {
namespace {

using test::count;
using test::Random;

/// A set with a few values of some parameters, at most so many hypotheses.
Space random_space(Random& random, OperandFormats formats, int k, double most_hypotheses) {
  Space space{"random", k, formats, {}, {}};
  const auto c = random.pick({CEnters::first, CEnters::last});
  space.chains.push_back(test::random_chain(random, k, c));
  const ParameterValues base = test::random_values(random, formats.d);
  for (const ParameterInfo& row : all_parameters()) space.box[row.id].insert(value_index(base, row.id));
  if (c == CEnters::first) space.box[Parameter::final_rounding] = ValueSet::single(0);
  for (int tries = 0; tries < 30; ++tries) {
    Box larger = space.box;
    const auto& row = all_parameters()[random.bits() % kParameterCount];
    if (row.id == Parameter::final_rounding && c == CEnters::first) continue;
    larger[row.id].insert(value_index(test::random_values(random, formats.d), row.id));
    if (larger.size() <= most_hypotheses) space.box = larger;
  }
  return space;
}

/// Calls fn with every hypothesis of a box.
template <class Fn>
void for_hypotheses(const Box& box, Fn&& fn) {
  ParameterValues values;
  const auto descend = [&](const auto& self, std::size_t row) -> void {
    if (row == kParameterCount) return fn(values);
    const Parameter p = all_parameters()[row].id;
    for (const int index : box[p].values()) {
      set_value(values, p, index);
      self(self, row + 1);
    }
  };
  descend(descend, 0);
}

/// NaNs count as equal: which pattern stands for NaN is not a parameter.
bool fits(const UnitModel& model, std::span<const Observation> seen) {
  const Evaluator evaluator(model);
  return std::ranges::all_of(seen, [&](const Observation& o) {
    const Pattern d = evaluator(o.input);
    return is_nan(model.formats.d, o.d) ? is_nan(model.formats.d, d) : d == o.d;
  });
}

struct Sizes {
  int products, observations;
  double hypotheses;
};
struct Outcome {
  int explained = 0, unexplained = 0;
};

Outcome compare_with_trying_all(Solver solver, std::uint64_t seed, const Sizes& most) {
  Random random(seed);
  OperandFormats formats = test::random_formats(random);
  while (formats.a == Format::fp64 || formats.b == Format::fp64 || formats.c == Format::fp64 ||
         formats.d == Format::fp64)
    formats = test::random_formats(random);
  const int k = random.between(1, most.products);
  const Space space = random_space(random, formats, k, most.hypotheses);

  std::vector<ParameterValues> all;
  for_hypotheses(space.box, [&](const ParameterValues& values) { all.push_back(values); });
  EXPECT_EQ(static_cast<double>(all.size()), space.box.size());
  const bool member = random.chance(2, 3);
  const UnitModel hidden = space.model(
      0, member ? all[random.bits() % all.size()] : test::random_values(random, formats.d), std::nullopt);
  std::vector<Observation> seen;
  for (int i = random.between(1, most.observations); i > 0; --i) {
    const DotInput input = test::random_input(random, hidden);
    seen.push_back({input, evaluate(hidden, input)});
  }

  const bool any = std::ranges::any_of(
      all, [&](const ParameterValues& values) { return fits(space.model(0, values, std::nullopt), seen); });
  EXPECT_TRUE(any || !member);
  const auto answer = make_engine(solver)->explain({&space, space.whole().front()}, seen, {});
  EXPECT_EQ(std::holds_alternative<Witness>(answer), any) << "seed " << seed << '\n'
                                                          << test::describe(hidden);
  EXPECT_EQ(std::holds_alternative<Equivalent>(answer), !any) << "seed " << seed;
  if (const auto* found = std::get_if<Witness>(&answer)) {
    EXPECT_TRUE(found->left.has_value() && !found->right.has_value());
    EXPECT_TRUE(space.box.contains(*found->left)) << "seed " << seed;
    EXPECT_TRUE(fits(space.model(0, *found->left, std::nullopt), seen))
        << "seed " << seed << '\n'
        << test::describe(space.model(0, *found->left, std::nullopt));
  }
  return {any ? 1 : 0, any ? 0 : 1};
}

void compare_many(Solver solver, std::uint64_t stated_seed, long n, const Sizes& most) {
  Outcome total;
  const std::uint64_t first = test::starting_seed(stated_seed);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(n); ++seed) {
    const Outcome one = compare_with_trying_all(solver, seed, most);
    total.explained += one.explained;
    total.unexplained += one.unexplained;
    if (testing::Test::HasFailure()) return;
  }
  if (n >= 4) {
    EXPECT_GT(total.explained, n / 4);
  }
  if (n > 50) {
    EXPECT_GT(total.unexplained, 0);
  }
}

TEST(GraphEngine, FindsAHypothesisThatFitsIfThereIsOneOnRandomInputs) {
  compare_many(Solver::cadical, 900, count(150), {4, 12, 600});
}

TEST(TermEngine, FindsAHypothesisThatFitsIfThereIsOneOnRandomInputs) {
  compare_many(Solver::z3, 1'900, count(4), {1, 1, 6});
}

TEST(Explain, WithoutObservationsGivesAnyMember) {
  Random random(1);
  const Space space = random_space(random, {Format::fp16, Format::fp16, Format::fp32, Format::fp32}, 2, 100);
  for (const Solver solver : {Solver::cadical, Solver::z3}) {
    const auto answer = make_engine(solver)->explain({&space, space.whole().front()}, {}, {});
    const auto* found = std::get_if<Witness>(&answer);
    ASSERT_NE(found, nullptr);
    EXPECT_TRUE(space.box.contains(*found->left));
  }
}

TEST(Explain, WithContradictoryObservationsFindsNone) {
  Random random(2);
  const Space space = random_space(random, {Format::fp16, Format::fp16, Format::fp32, Format::fp32}, 1, 100);
  const DotInput one{{0x3c00}, {0x3c00}, 0};
  for (const Solver solver : {Solver::cadical, Solver::z3})
    for (const Pattern d : {Pattern{0x40000000}, Pattern{0x7fc00000}}) {
      const std::vector<Observation> seen{{one, d}};
      EXPECT_TRUE(std::holds_alternative<Equivalent>(
          make_engine(solver)->explain({&space, space.whole().front()}, seen, {})));
    }
}

}  // namespace
}  // namespace mmaprint
