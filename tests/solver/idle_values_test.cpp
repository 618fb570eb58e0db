// Which values of parameters are idle, of units in which what they are about shows in a zero's sign alone.
#include "solver/idle_values.h"

#include <gtest/gtest.h>

#include "model/evaluator.h"

namespace mmaprint::idle_values_test {
namespace {

using enum Parameter;

/// Nothing is left of a product far below a clamp, and a sum of nothing that is rounded down may be -0.
TEST(IdleValues, OfRoundingDependOnWhetherAnythingIsLeftOfAProductAlone) {
  using enum Format;
  const Skeleton skeleton{{}, {{{{ProductLeaf{0}}, 0, {}}}}};
  const Signature formats{e5m2, e5m2, std::nullopt, fp32};
  const Plan plan(formats, 1, skeleton);
  ParameterValues values{{exact_adder(fp32, Rounding::nearest_even)}, {}};
  values.conventions.zero_sign.cancelled = ZeroSign::follow;
  Adder& adder = values.adders.front();
  adder.alignment_rounding = AlignmentRounding::nearest_even;
  const auto is_idle = [&](Rounding mode) {
    Box box(values);
    box[{block_rounding, 0}].insert(static_cast<int>(mode));
    return idle_values(plan, box, {block_rounding, 0}).contains(static_cast<int>(mode));
  };
  const auto result = [&](Rounding mode) {
    ParameterValues its = values;
    its.adders.front().rounding = mode;
    const DotInput tiny{{0x01}, {0x01}, 0};
    return evaluate(unit_model("alone", 1, formats, skeleton, its, canonical_nan(fp32)), tiny);
  };
  EXPECT_TRUE(is_idle(Rounding::down));
  adder.alignment_fraction_bits = 10;
  adder.minimum_alignment_exponent = 0;
  EXPECT_EQ(result(Rounding::up), result(Rounding::nearest_even));
  EXPECT_TRUE(is_idle(Rounding::up));
  EXPECT_NE(result(Rounding::down), result(Rounding::nearest_even));
  EXPECT_FALSE(is_idle(Rounding::down));
}

/// (c + (p0 + p1)) of one class: of the products nothing is lost, of their sum beside c much is.
TEST(IdleValues, OfProductsDependOnNodesAloneThatAddSome) {
  using enum Format;
  const auto is_idle = [](bool product_joins_c) {
    std::vector<Leaf> last{CLeaf{}, NodeLeaf{0}};
    if (product_joins_c) last.push_back(ProductLeaf{2});
    const int k = product_joins_c ? 3 : 2;
    const Skeleton skeleton{{}, {{{{ProductLeaf{0}, ProductLeaf{1}}, 0, {}}, {last, 0, {}}}}};
    ParameterValues values{{exact_adder(fp32, Rounding::toward_zero)}, {}};
    values.adders.front().alignment_fraction_bits = 12;
    Box box(values);
    box[{product, 0}] = ValueSet::range(0, 1);
    return idle_values(Plan({e2m1, e2m1, fp32, fp32}, k, skeleton), box, {product, 0}).size() == 2;
  };
  EXPECT_TRUE(is_idle(false));
  EXPECT_FALSE(is_idle(true));
}

/// Two products of 2^-28 that cancel but for 2^-48, and all that a clamp at -20 loses of them is that. The
/// sum is flushed to a zero of its sign, or is one of the other sign where nothing is left of it; beside c =
/// -0 it shows, unless zeros alone always give +0.
TEST(IdleValues, OfClampsBelowWhatIsFlushedDependOnWhoSeesTheSignOfAZero) {
  using enum Format;
  const Skeleton skeleton{{}, {{{{ProductLeaf{0}, ProductLeaf{1}}, 0, {}}, {{NodeLeaf{0}, CLeaf{}}, 1, {}}}}};
  const Signature formats{fp16, fp16, fp16, fp16};
  const Plan plan(formats, 2, skeleton);
  ParameterValues values{
      {exact_adder(fp16, Rounding::nearest_even), exact_adder(fp16, Rounding::nearest_even)}, {}};
  values.adders.front().alignment_fraction_bits = 22;
  values.conventions.input_subnormals = values.conventions.output_subnormals = Subnormals::flushed;
  const ParameterKey clamp{minimum_alignment_exponent, 0};
  const int of_clamp = ClampDomain::index(-20);
  const auto is_idle = [&](const ParameterValues& its) {
    Box box(its);
    box[clamp].insert(of_clamp);
    return idle_values(plan, box, clamp).contains(of_clamp);
  };
  const auto model = [&](ParameterValues its, bool clamped) {
    if (clamped) set_value(its, clamp, of_clamp);
    return unit_model("flushed", 2, formats, skeleton, its, canonical_nan(fp16));
  };
  // -(1 + 2^-10)^2 + (1 + 2^-9), of 2^-28, and c = -0.
  const DotInput input{{0x8401, 0x0402}, {0x0401, 0x0400}, 0x8000};
  EXPECT_NE(evaluate(model(values, false), input), evaluate(model(values, true), input));
  EXPECT_FALSE(is_idle(values));
  values.conventions.zero_sign.all_zero = ZeroSign::positive;
  EXPECT_EQ(evaluate(model(values, false), input), evaluate(model(values, true), input));
  EXPECT_TRUE(is_idle(values));
  values.conventions.zero_sign = {ZeroSign::follow, ZeroSign::follow, ZeroSign::positive, ZeroSign::positive};
  EXPECT_TRUE(is_idle(values));
  values.adders.front().rounding = Rounding::down;  // what cancels is -0 then
  EXPECT_FALSE(is_idle(values));
}

/// A sum that is flushed, to which +0 is added: its sign is lost, unless that is rounded down.
TEST(IdleValues, OfSignsOfZerosDependOnHowTheNextSumIsRounded) {
  using enum Format;
  const Skeleton skeleton{{},
                          {{{{ProductLeaf{0}, ProductLeaf{1}}, 0, {}}, {{NodeLeaf{0}, ZeroLeaf{}}, 1, {}}}}};
  const Signature formats{fp16, fp16, std::nullopt, fp16};
  const Plan plan(formats, 2, skeleton);
  const DotInput input{{0x8400, 0}, {0x3800, 0}, 0};  // -2^-14 / 2
  for (const Rounding mode : {Rounding::nearest_even, Rounding::up, Rounding::down}) {
    ParameterValues values{{exact_adder(fp16, Rounding::nearest_even), exact_adder(fp16, mode)}, {}};
    values.conventions.output_subnormals = Subnormals::flushed;
    values.conventions.zero_sign.all_zero = ZeroSign::follow;
    const auto result = [&](ZeroSign flushed) {
      ParameterValues its = values;
      its.conventions.zero_sign.flushed = flushed;
      return evaluate(unit_model("flushed", 2, formats, skeleton, its, canonical_nan(fp16)), input);
    };
    Box box(values);
    for (const ZeroSign sign : {ZeroSign::positive, ZeroSign::follow})
      box[zero_flushed].insert(static_cast<int>(sign));
    const bool is_lost = mode != Rounding::down;
    EXPECT_EQ(result(ZeroSign::positive) == result(ZeroSign::follow), is_lost) << static_cast<int>(mode);
    EXPECT_EQ(idle_values(plan, box, {zero_flushed}).size() == 2, is_lost) << static_cast<int>(mode);
  }
}

/// It makes +0 of -0, which no conversion changes.
TEST(IdleValues, OfSubnormalOperandsAreAllButTheOneThatLosesSignsOfZeros) {
  using enum Format;
  Skeleton skeleton{{}, {{{{ProductLeaf{0}, CLeaf{}}, 0, {}}}}};
  skeleton.paths.a = skeleton.paths.b = skeleton.paths.c = {{tf32, Conversion::exact}};
  const Signature formats{fp16, fp16, fp16, fp32};
  ParameterValues values{{exact_adder(fp32, Rounding::nearest_even)}, {}};
  values.conventions.zero_sign.all_zero = ZeroSign::follow;
  const auto result = [&](Parameter p, Subnormals treatment) {
    ParameterValues its = values;
    set_value(its, {p, 0}, static_cast<int>(treatment));
    return evaluate(unit_model("zeros", 1, formats, skeleton, its, canonical_nan(fp32)),
                    DotInput{{0x8000}, {0x3c00}, 0x8000});
  };
  for (const Parameter p : {input_subnormals, c_subnormals}) {
    Box box(values);
    box[{p, 0}] = ValueSet::range(0, 2);
    ValueSet kept_or_flushed = ValueSet::range(0, 1);
    EXPECT_EQ(idle_values(Plan(formats, 1, skeleton), box, {p, 0}), kept_or_flushed) << info(p).name;
    EXPECT_EQ(result(p, Subnormals::kept), result(p, Subnormals::flushed)) << info(p).name;
    EXPECT_NE(result(p, Subnormals::kept), result(p, Subnormals::flushed_positive)) << info(p).name;
  }
}

/// What is subnormal in the container is a normal number of a format with lower exponents.
TEST(IdleValues, OfSubnormalFactorsAreAllWhereTheyAreConvertedToNormalNumbers) {
  const auto is_idle = [](Format container, Format computed) {
    Skeleton skeleton{{}, {{{{ProductLeaf{0}, CLeaf{}}, 0, {}}}}};
    skeleton.paths.a = skeleton.paths.b = {{computed, Conversion::exact}};
    ParameterValues values{{exact_adder(Format::fp32, Rounding::nearest_even)}, {}};
    Box box(values);
    box[{input_subnormals, 0}] = ValueSet::range(0, 1);
    const Plan plan({container, container, Format::fp32, Format::fp32}, 1, skeleton);
    return idle_values(plan, box, {input_subnormals, 0}).size() == 2;
  };
  EXPECT_TRUE(is_idle(Format::e4m3, Format::fp16));
  EXPECT_FALSE(is_idle(Format::e5m2, Format::fp16));
  EXPECT_TRUE(is_idle(Format::fp16, Format::tf32));
  EXPECT_FALSE(is_idle(Format::bf16, Format::tf32));
}

TEST(IdleValues, OfOverflowAreAllWhereSumsOfIntegersFit) {
  const auto is_idle = [](Format factors, int k, bool has_c) {
    std::vector<Leaf> leaves;
    for (int i = 0; i < k; ++i) leaves.emplace_back(ProductLeaf{i});
    if (has_c) leaves.emplace_back(CLeaf{});
    const Skeleton skeleton{{}, {{{leaves, 0, {}}}}};
    ParameterValues values{{exact_adder(Format::int32, Rounding::nearest_even)}, {}};
    values.conventions.overflow = Overflow::wrap;
    Box box(values);
    box[{overflow, 0}].insert(static_cast<int>(Overflow::saturate));
    const Signature formats{factors, factors, has_c ? std::optional(Format::int32) : std::nullopt,
                            Format::int32};
    return idle_values(Plan(formats, k, skeleton), box, {overflow, 0}).size() == 2;
  };
  EXPECT_TRUE(is_idle(Format::int8, 512, false));
  EXPECT_FALSE(is_idle(Format::int8, 4, true));    // c may be the largest number
  EXPECT_FALSE(is_idle(Format::int16, 4, false));  // 4 * 2^30
}

/// 1.5 * 2^-23, of which a clamp at -20 leaves nothing: FP16's last place is 2^-24, that of 4 bits 2^-18.
TEST(IdleValues, OfClampsBelowWhatRoundsToZeroDependOnTheFinestResults) {
  using enum Format;
  const Skeleton skeleton{{}, {{{{ProductLeaf{0}}, 0, {}}}}};
  const Signature formats{fp16, fp16, std::nullopt, fp16};
  ParameterValues values{{exact_adder(fp16, Rounding::toward_zero)}, {}};
  values.adders.front().alignment_fraction_bits = 2;
  values.conventions.zero_sign.rounded = values.conventions.zero_sign.cancelled = ZeroSign::positive;
  const ParameterKey clamp{minimum_alignment_exponent, 0}, bits{output_fraction_bits, 0};
  const int of_clamp = ClampDomain::index(-20);
  const auto is_idle = [&](const ValueSet& of_bits) {
    Box box(values);
    box[bits] = of_bits;
    box[clamp].insert(of_clamp);
    return idle_values(Plan(formats, 1, skeleton), box, clamp).contains(of_clamp);
  };
  const auto result = [&](int of_bits, bool clamped) {
    ParameterValues its = values;
    set_value(its, bits, of_bits);
    if (clamped) set_value(its, clamp, of_clamp);
    return evaluate(unit_model("tiny", 1, formats, skeleton, its, canonical_nan(fp16)),
                    DotInput{{0x0e00}, {0x1000}, 0});
  };
  EXPECT_EQ(result(4, true), result(4, false));
  EXPECT_TRUE(is_idle(ValueSet::single(4)));
  EXPECT_NE(result(10, true), result(10, false));
  EXPECT_FALSE(is_idle(ValueSet::single(10)));
  ValueSet both = ValueSet::single(4);
  both.insert(10);
  EXPECT_FALSE(is_idle(both));
}

}  // namespace
}  // namespace mmaprint::idle_values_test
