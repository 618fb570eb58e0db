// Units outside the hypothesis space: whatever they do, none may be taken for one that is in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "inference/characterise.h"
#include "outside_units/outside_unit.h"

namespace mmaprint::outside_units_test {
namespace {

using Verdict = Identification::Verdict;

bool is_reported(const Identification& found) {
  return found.verdict() == Verdict::unique || found.verdict() == Verdict::equivalent;
}

std::string test_name(const testing::TestParamInfo<std::size_t>& kind) {
  std::string words(test::kinds()[kind.param].name);
  std::ranges::replace(words, '-', '_');
  return words;
}

/// What is reported about the unit, if anything, agrees with it.
void expect_no_wrong_model(test::OutsideUnit& unit, Search search, std::uint64_t seed) {
  SCOPED_TRACE(unit.name() + " from seed " + std::to_string(seed));
  CharacteriseOptions options{.tries_carried = false};  // it only takes time here
  options.identify.seed = seed;
  options.identify.proof_steps = 15'000;
  options.identify.conflict_work = kConflictWork / 16;
  const auto found = characterise(std::move(search), unit, unit.instruction(), {}, options, {}).result;
  ASSERT_FALSE(found.device_failed()) << found.reason();
  if (!is_reported(found)) return;
  EXPECT_TRUE(unit.kind().deterministic) << "a model of what no model describes";
  const test::Disagreements differ =
      test::disagreements(unit, *found.model, seed + 1, static_cast<int>(test::count(test::kInputsOfEach)));
  EXPECT_EQ(differ.total(), 0) << "of uniform patterns " << differ.of[0] << ", of normal values "
                               << differ.of[1] << ", half zeros " << differ.of[2] << ", as experiments ask "
                               << differ.generated;
}

/// Everything about the unit known, as if experiments had told it, but for its roundings: little but the
/// confirmation is left to notice that it deviates.
Search nearly_decided(const test::OutsideUnit& unit) {
  const UnitModel& base = unit.base();
  Space space = default_space(base.instruction, base.k, base.formats);
  space.skeletons = {skeleton_of(base)};
  const ParameterValues values = values_of(base);
  for (const ParameterInfo& row : all_parameters()) {
    using enum Parameter;
    const bool open = row.id == block_rounding || row.id == alignment_rounding;
    if (!open) space.box[row.id] = ValueSet::single(value_index(values, {row.id}));
  }
  return Search(std::move(space));
}

/// Kinds by their place in the table.
class UnitOfKind : public testing::TestWithParam<std::size_t> {
 protected:
  [[nodiscard]] static const test::DeviationKind& kind() { return test::kinds()[GetParam()]; }
  /// Far enough from the other kinds' that no two are drawn alike.
  [[nodiscard]] static std::uint64_t seed() { return test::starting_seed(1) + 1000 * GetParam(); }
};

TEST_P(UnitOfKind, IsNotTakenForItsNeighbour) {
  if (test::counts_are_reduced() && GetParam() % 8 != 7)
    GTEST_SKIP() << "one kind of eight where counts are reduced";
  constexpr int kLargestK = 16;
  const auto unit = test::outside_unit(kind(), seed(), kLargestK);
  expect_no_wrong_model(*unit, nearly_decided(*unit), seed());
}

INSTANTIATE_TEST_SUITE_P(OutsideTheSpace, UnitOfKind, testing::Range(std::size_t{0}, test::kinds().size()),
                         test_name);

/// The whole space of integers is small.
class IntegerUnitOfKind : public UnitOfKind {};

TEST_P(IntegerUnitOfKind, IsNotTakenForAnyUnit) {
  const auto unit = test::outside_unit(kind(), seed());
  const Instruction instruction = unit->instruction();
  expect_no_wrong_model(*unit, Search(default_space(instruction.name, instruction.k, instruction.formats)),
                        seed());
}

std::vector<std::size_t> integer_kinds() {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < test::kinds().size(); ++i)
    if (info(test::kinds()[i].formats.front().d).is_integer()) all.push_back(i);
  return all;
}

INSTANTIATE_TEST_SUITE_P(OutsideTheSpace, IntegerUnitOfKind, testing::ValuesIn(integer_kinds()), test_name);

}  // namespace
}  // namespace mmaprint::outside_units_test
