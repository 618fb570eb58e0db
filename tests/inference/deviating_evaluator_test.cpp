// The datapath that departs from a model at one point.
#include "model/deviating_evaluator.h"

#include <gtest/gtest.h>

#include <map>

#include "inference/inputs.h"
#include "model/evaluator.h"
#include "mutant_units.h"

namespace mmaprint::deviating_evaluator_test {
namespace {

using test::model;
using test::two_nodes;

/// An input with some products and c; the rest is zeros.
DotInput input_of(int k, const std::map<std::size_t, std::pair<Pattern, Pattern>>& products, Pattern c = 0) {
  const auto n = static_cast<std::size_t>(k);
  DotInput in{std::vector<Pattern>(n, 0), std::vector<Pattern>(n, 0), c};
  for (const auto& [i, factors] : products) {
    in.a[i] = factors.first;
    in.b[i] = factors.second;
  }
  return in;
}

TEST(DeviatingEvaluator, ComputesAsTheModelDoesWhereTheDeviationIsNone) {
  for (const UnitModel& m :
       {two_nodes(Format::fp32, Rounding::toward_zero), model("a100", "mma.m16n8k16.f16.f16.f16.f16"),
        model("h100", "mma.m8n8k4.f64.f64.f64.f64")}) {
    const DeviatingEvaluator same(m, {0, deviation::OfOperand{1, deviation::FewerBits{0}}});
    const Evaluator expected(m);
    InputGenerator inputs(m.k, m.formats, 3);
    for (int n = 0; n < 3000; ++n) {
      const DotInput input = inputs.next(n % 3 == 0 ? InputFamily::edges : InputFamily::any);
      ASSERT_EQ(same(input), expected(input));
    }
  }
}

TEST(DeviatingEvaluator, WithAnotherConventionAtAllNodesIsTheModelThatHasIt) {
  UnitModel exact = model("mi250", "mfma.f32_16x16x16_bf16_1k");
  for (Node& node : exact.tree.nodes) node.adder = 0;
  exact.adders.resize(1);
  for (UnitModel m : {two_nodes(Format::fp16, Rounding::nearest_even), exact})  // of one class
    for (const Subnormals subnormals : {Subnormals::kept, Subnormals::flushed}) {
      m.conventions.output_subnormals = subnormals;
      for (const ParameterInfo& row : all_parameters()) {
        if (row.scope != Scope::unit) continue;
        for (const int index : row.searched_at_last(m.formats).values()) {
          if (row.id == Parameter::input_subnormals || row.id == Parameter::c_subnormals) continue;
          SCOPED_TRACE(std::string(row.name) + " " + std::to_string(index));
          const DeviatingEvaluator other(m, {0, deviation::OfSums{deviation::Sums::all, row.id, index}});
          UnitModel changed = m;
          row.set(changed.adders[0], changed.conventions, index);
          const Evaluator expected(changed);
          InputGenerator inputs(m.k, m.formats, 3);
          for (int n = 0; n < 1000; ++n) {
            const DotInput input = inputs.next(n % 3 == 0 ? InputFamily::edges : InputFamily::any);
            ASSERT_EQ(other(input), expected(input));
          }
        }
      }
    }
}

TEST(DeviatingEvaluator, FlushesAndSaturatesAtOneNodeAlone) {
  UnitModel m = two_nodes(Format::fp16, Rounding::nearest_even);
  m.tree.nodes[1].adder = 1;
  m.adders.push_back(m.adders[0]);
  const auto at = [&](int node, Parameter parameter, int index) {
    return DeviatingEvaluator(m, {node, deviation::OfSums{deviation::Sums::all, parameter, index}});
  };
  // Node 0 gives 2^-16, to which node 1 adds 2^-10.
  const DotInput small = input_of(4, {{0, {0x3c00, 0x0100}}, {3, {0x3c00, 0x1400}}});
  EXPECT_EQ(evaluate(m, small), 0x1410U);
  EXPECT_EQ(at(0, Parameter::output_subnormals, 1)(small), 0x1400U);
  EXPECT_EQ(at(1, Parameter::output_subnormals, 1)(small), 0x1410U);
  // 2^16 at node 0, or the largest number, less 2^15.
  const DotInput large = input_of(4, {{0, {0x7800, 0x4000}}, {3, {0x7800, 0xbc00}}});
  const int saturate = static_cast<int>(Overflow::saturate);
  EXPECT_EQ(evaluate(m, large), 0x7c00U);
  EXPECT_EQ(at(0, Parameter::overflow, saturate)(large), 0x77feU);
  EXPECT_EQ(at(1, Parameter::overflow, saturate)(large), 0x7c00U);
}

TEST(DeviatingEvaluator, KeepsOneBitLessOfOneOperandAlone) {
  const UnitModel m = two_nodes(Format::fp32, Rounding::toward_zero);  // F = 24
  const DeviatingEvaluator less(
      m, {0, deviation::OfOperand{2, deviation::FewerBits{1}}});  // product 1: c is first
  // 1 + 2^-24 + 2^-24: both are kept at F = 24, and give a last place of 2^-23.
  const Pattern one = 0x3c00, small = 0x0c00;  // 2^-12
  const auto with = [&](std::size_t x, std::size_t y) {
    DotInput in{{0, 0, 0, 0}, {0, 0, 0, 0}, 0x3f800000};
    for (const std::size_t k : {x, y}) in.a[k] = in.b[k] = small;
    return in;
  };
  EXPECT_EQ(evaluate(m, with(0, 1)), 0x3f800001U);
  EXPECT_EQ(less(with(0, 1)), 0x3f800000U);
  DotInput first = with(0, 0);
  first.a[2] = first.b[2] = one;
  EXPECT_EQ(less(first), evaluate(m, first));
}

TEST(DeviatingEvaluator, MovesTheExponentOfOneProductWhereAFactorIsSubnormal) {
  const UnitModel m = two_nodes(Format::fp32, Rounding::toward_zero);  // F = 24
  using deviation::MovedWhereSubnormal;
  const auto with = [&](int by) {
    return DeviatingEvaluator(
        m, {0, deviation::OfOperand{2, MovedWhereSubnormal{MovedWhereSubnormal::What::factor_a, by}}});
  };
  const DeviatingEvaluator normalised(
      m, {0, deviation::OfOperand{2, deviation::ProductAs{ProductKind::exact_normalised}}});
  // 2^-15 x 2^15 has the exponent -14 + 15 = 1, and c = -1 + 2^-23 + 2^-24 beside it becomes -1 + 2^-22.
  const DotInput of_product_1 = input_of(4, {{1, {0x0200, 0x7800}}}, 0xbf7ffffd);
  EXPECT_EQ(evaluate(m, of_product_1), 0x34800000U);  // 2^-22
  EXPECT_EQ(with(-1)(of_product_1), 0x34400000U);     // nothing is lost
  EXPECT_EQ(normalised(of_product_1), 0x34400000U);
  const DotInput one_bit_more = input_of(4, {{1, {0x0200, 0x7800}}}, 0xbf7ffffe);
  EXPECT_EQ(evaluate(m, one_bit_more), 0x34000000U);  // 2^-23
  EXPECT_EQ(with(1)(one_bit_more), 0x34800000U);
  // The same of product 0, and with a normal factor.
  const DotInput of_product_0 = input_of(4, {{0, {0x0200, 0x7800}}}, 0xbf7ffffd);
  const DotInput normal = input_of(4, {{1, {0x3c00, 0x3c00}}}, 0xbf7ffffd);
  for (const DotInput& input : {of_product_0, normal})
    for (const int by : {-1, 1}) EXPECT_EQ(with(by)(input), evaluate(m, input));
}

TEST(DeviatingEvaluator, KnowsASubnormalFactorThatIsConvertedToANormalNumber) {
  const UnitModel m = model("h100", "mma.m16n8k16.f16.e4m3.e5m2.f16");  // F = 25, a as FP16
  const auto moved = DeviatingEvaluator(
      [&] {
        UnitModel split = m;
        split.tree.nodes[0].adder = static_cast<int>(split.adders.size());
        split.adders.push_back(split.adders[0]);
        return split;
      }(),
      {static_cast<int>(m.adders.size()),
       deviation::OfOperand{
           1, deviation::MovedWhereSubnormal{deviation::MovedWhereSubnormal::What::factor_a, 1}}});
  // 2^-9 x 2^15 and -2^6 leave 2^-19, which is a multiple of 2^(6-25), but not of 2^(7-25).
  const DotInput in = input_of(16, {{0, {0x01, 0x78}}, {1, {0xb8, 0x54}}, {4, {0x01, 0x14}}});
  EXPECT_EQ(evaluate(m, in), 0x0020U);
  EXPECT_EQ(moved(in), 0x0000U);
}

TEST(DeviatingEvaluator, TakesOneLargeProductForAnInfinity) {
  const UnitModel m = two_nodes(Format::fp16, Rounding::nearest_even);
  const DeviatingEvaluator infinite(m, {0, deviation::OfOperand{2, deviation::InfiniteFrom{31}}});
  const DotInput cancelled = input_of(4, {{0, {0xfbff, 0x7bff}}, {1, {0x7bff, 0x7bff}}});
  EXPECT_EQ(evaluate(m, cancelled), 0x0000U);
  EXPECT_EQ(infinite(cancelled), 0x7c00U);
  const DotInput smaller = input_of(4, {{0, {0xfbff, 0x77ff}}, {1, {0x7bff, 0x77ff}}});
  EXPECT_EQ(infinite(smaller), evaluate(m, smaller));
}

}  // namespace
}  // namespace mmaprint::deviating_evaluator_test
