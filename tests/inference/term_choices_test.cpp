// Which products may be nonzero: as few questions as there are different ones.
#include "inference/term_choices.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "device/catalogue.h"
#include "model/chained.h"

namespace mmaprint::term_choices_test {
namespace {

UnitModel unit(const char* name, const char* instruction) {
  return catalogued_model(name, instruction).value();
}

std::size_t questions(const UnitModel& left, const UnitModel& right, int count) {
  const auto all = TermChoices(left, right).questions(count);
  EXPECT_TRUE(all);
  for (const TermQuestion& question : all.value_or(std::vector<TermQuestion>{}))
    EXPECT_EQ(std::ranges::count(question.products, true), count);
  return all ? all->size() : 0;
}

TEST(TermChoices, AreAlikeWhereverAProductIs) {
  const UnitModel fours = chained(unit("t4", "mma.m16n8k8.f32.f16.f16.f32"), 2);
  const UnitModel eights = chained(unit("a100", "mma.m16n8k8.f32.f16.f16.f32"), 2);
  EXPECT_EQ(questions(fours, eights, 0), 1U);
  EXPECT_EQ(questions(fours, eights, 1), 1U);
  // In one node of both, in two of one, or in two of both.
  EXPECT_EQ(questions(fours, eights, 2), 3U);
}

TEST(TermChoices, AreAllWhereTheOrderOfOperandsMatters) {
  UnitModel immediate = unit("a100", "mma.m16n8k8.f32.f16.f16.f32");
  immediate.adders.front().normalisation = Normalisation::immediate;
  EXPECT_EQ(questions(immediate, immediate, 1), 8U);
  EXPECT_EQ(questions(immediate, immediate, 2), 28U);
}

TEST(TermChoices, AreNotListedWhereThereAreVeryMany) {
  const UnitModel chain = unit("h100", "mma.m16n8k16.f64.f64.f64.f64");
  const UnitModel longer = chained(chain, 4);
  EXPECT_FALSE(TermChoices(longer, longer).questions(6));
}

}  // namespace
}  // namespace mmaprint::term_choices_test
