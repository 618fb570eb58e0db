// Values that are said to be idle, of units of the grammar: two of them give the same results on random
// inputs and on inputs that are made to tell them apart.
#include <gtest/gtest.h>

#include <map>
#include <span>

#include "inference/edge_inputs.h"
#include "inference/node_inputs.h"
#include "model/evaluator.h"
#include "model/hypotheses.h"
#include "skeleton_units/scaled_unit.h"
#include "skeleton_units/skeleton_unit.h"
#include "solver/idle_values.h"
#include "support/describe.h"
#include "support/random.h"

namespace mmaprint::idle_grammar_test {
namespace {

using test::Random;

/// Of every family in turn, scaled units among them.
UnitModel any_unit(std::uint64_t seed) {
  const std::size_t family = seed % (test::kSkeletonFamilyWords.size() + 1);
  return family == test::kSkeletonFamilyWords.size()
             ? test::scaled_unit(seed)
             : test::skeleton_unit(static_cast<test::SkeletonFamily>(family), seed);
}

/// An input on which they differ.
std::optional<DotInput> difference(const UnitModel& x, const UnitModel& y, std::uint64_t seed) {
  constexpr int kRandom = 150, kMade = 300;
  InputGenerator anywhere(x.k, x.formats, seed);
  InputsAtNodes at_nodes(x.k, x.formats, seed);
  const Evaluator one(x), other(y);
  for (int i = 0; i < kRandom; ++i)
    for (const DotInput& input : {anywhere.next(i % 2 == 0 ? InputFamily::edges : InputFamily::any),
                                  at_nodes.next(x.tree, InputFamily::any)})
      if (one(input) != other(input)) return input;
  return x.formats.has_scales() ? std::nullopt : difference_at_ties(x, y, kMade, seed);
}

TEST(IdleValues, OfUnitsOfTheGrammarShowOnNoMadeInput) {
  const std::uint64_t first = test::starting_seed(6'000);
  std::map<Parameter, int> found;
  const long units = test::count(90);
  for (long n = 0; n < units; ++n) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(n);
    const UnitModel unit = any_unit(seed);
    if (unit.k > 16) continue;
    Random random(seed);
    const Space space =
        measured_space("idle", unit.k, unit.formats, {skeleton_of(unit)}, LaterClasses::free, Values::usual);
    const Plan plan(unit.formats, unit.k, skeleton_of(unit));
    const Box all = space.whole(0).box;
    for (const ParameterKey& key : all.keys()) {
      Box box(values_of(unit));
      for (const int value : all[key].values()) box[key].insert(value);
      const auto idle = idle_values(plan, box, key).values();
      if (idle.size() < 2) continue;
      ++found[key.parameter];
      const auto with = [&](int value) {
        ParameterValues values = values_of(unit);
        set_value(values, key, value);
        return space.model(0, values, canonical_nan(unit.formats.d));
      };
      const UnitModel x = with(random.pick(std::span<const int>(idle))),
                      y = with(random.pick(std::span<const int>(idle)));
      const auto input = difference(x, y, seed);
      ASSERT_FALSE(input) << "seed " << seed << ", " << name_of(key, all.classes()) << "\n"
                          << test::describe(x) << test::describe(y) << test::describe(unit, *input);
    }
  }
  if (units < 90) return;
  using enum Parameter;
  for (const Parameter p :
       {minimum_alignment_exponent, alignment_fraction_bits, normalisation, block_rounding,
        output_fraction_bits, overflow, output_subnormals, extra_carry_bits})
    EXPECT_GT(found[p], 5) << info(p).name;
}

}  // namespace
}  // namespace mmaprint::idle_grammar_test
