// Proofs node by node where nodes of one class have operands of other formats.
#include <gtest/gtest.h>

#include "model/evaluator.h"
#include "solver/aig_checker.h"
#include "solver/by_nodes.h"
#include "solver/distinguish.h"

namespace mmaprint::node_formats_test {
namespace {

using enum Format;

/// Two nodes of class 0 keep F fraction bits of an earlier result, in FP16 and in FP32, and round it to FP16.
/// Only the second has bits that F decides.
UnitModel unit(int f) {
  const Tree tree{{{{ZeroLeaf{}, ProductLeaf{0}}, 1, std::nullopt},
                   {{ZeroLeaf{}, ProductLeaf{1}}, 2, fp32},
                   {{NodeLeaf{0}, ZeroLeaf{}}, 0, std::nullopt},
                   {{NodeLeaf{1}, ZeroLeaf{}}, 0, std::nullopt},
                   {{NodeLeaf{2}, NodeLeaf{3}, CLeaf{}}, 3, std::nullopt}}};
  Adder keeping = exact_adder(fp16, Rounding::nearest_even);
  keeping.alignment_fraction_bits = f;
  const ParameterValues values{
      {keeping, exact_adder(fp16, Rounding::nearest_even), exact_adder(fp32, Rounding::nearest_even),
       exact_adder(fp16, Rounding::nearest_even)},
      {}};
  return unit_model("dot", 2, {fp16, fp16, fp16, fp16}, {{}, tree}, values, 0x7fff);
}

TEST(ComparisonByNodes, TellsNodesApartByTheFormatsOfTheirOperands) {
  const UnitModel left = unit(10);
  const UnitModel right = unit(11);
  const DotInput differs{{0, 0x3c01}, {0, 0x3e00}, 0};  // 1.5 + 1.5·2^-10: F = 10 loses the half
  ASSERT_NE(evaluate(left, differs), evaluate(right, differs));
  const auto checker = make_checker(Solver::cadical);
  Limits limits;
  limits.steps = 200'000;
  EXPECT_FALSE(std::holds_alternative<Equivalent>(compare_by_nodes(*checker, left, right, limits)));
  EXPECT_TRUE(std::holds_alternative<Equivalent>(compare_by_nodes(*checker, left, left, limits)));
}

}  // namespace
}  // namespace mmaprint::node_formats_test
