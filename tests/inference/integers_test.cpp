// Integer and binary units are identified like any other.
#include <gtest/gtest.h>

#include "device/simulated.h"
#include "inference/identify.h"
#include "inference/inputs.h"
#include "model/evaluator.h"
#include "model/instruction.h"
#include "support/random.h"

namespace mmaprint::integers_test {
namespace {

struct Unit {
  std::string_view instruction;
  Chain chain;
  Overflow overflow;
  ProductKind product = ProductKind::exact_unnormalised;
};

Chain whole(int k, CEnters c) {
  Chain chain{{{}}, c};
  for (int i = 0; i < k; ++i) chain.blocks.front().push_back(i);
  return chain;
}

void expect_identified(const Unit& unit) {
  SCOPED_TRACE(unit.instruction);
  const auto instruction = instruction_from_name(unit.instruction);
  ASSERT_TRUE(instruction);
  ChainParameters values;
  values.block.product = unit.product;
  values.block.output_fraction_bits = info(instruction->formats.d).fraction_bits;
  values.conventions.overflow = unit.overflow;
  const UnitModel hidden =
      chain_model(instruction->name, instruction->k, instruction->formats, unit.chain, values, std::nullopt);
  SimulatedUnit device("hidden", "hidden", {hidden});
  const Space space = default_space(instruction->name, instruction->k, instruction->formats);
  const Identification found = identify(space, space.whole(), device, *instruction, {}, {}, {});
  ASSERT_TRUE(found.verdict() == Identification::Verdict::equivalent ||
              found.verdict() == Identification::Verdict::unique)
      << found.reason();
  EXPECT_LE(found.observations.size(), 40U);
  EXPECT_EQ(found.model->conventions.overflow, unit.overflow);
  EXPECT_EQ(found.model->adders.front().product, unit.product);
  const Evaluator expected(hidden);
  const Evaluator actual(*found.model);
  InputGenerator inputs(instruction->k, instruction->formats, 17);
  for (int n = 0; n < 20'000; ++n) {
    const DotInput in = inputs.next();
    ASSERT_EQ(actual(in), expected(in));
  }
}

TEST(IdentifyIntegers, FindsThatBytesWrap) {
  expect_identified({"mma.m16n8k32.s32.s8.s8.s32", whole(32, CEnters::first), Overflow::wrap});
}
TEST(IdentifyIntegers, FindsThatBytesSaturate) {
  expect_identified({"mma.m16n8k32.s32.s8.u8.s32", whole(32, CEnters::first), Overflow::saturate});
}
TEST(IdentifyIntegers, FindsWhereASaturatingUnitClips) {
  expect_identified({"mma.m16n8k16.s32.s8.s8.s32",
                     {{{0, 2, 4, 6, 8, 10, 12, 14}, {1, 3, 5, 7, 9, 11, 13, 15}}, CEnters::first},
                     Overflow::saturate});
}
TEST(IdentifyIntegers, FindsUnsignedNibbles) {
  expect_identified({"mma.m16n8k64.s32.u4.u4.s32", whole(64, CEnters::last), Overflow::saturate});
}
TEST(IdentifyIntegers, TellsExclusiveOrFromAnd) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  constexpr std::string_view kBits = "mma.m8n8k128.s32.b1.b1.s32";
  expect_identified({kBits, whole(128, CEnters::first), Overflow::wrap, ProductKind::exclusive_or});
  expect_identified({kBits, whole(128, CEnters::first), Overflow::wrap});
}

}  // namespace
}  // namespace mmaprint::integers_test
