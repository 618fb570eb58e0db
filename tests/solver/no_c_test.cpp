// A unit without c has no unknown for one in formulas.
#include <gtest/gtest.h>

#include "solver/aig_gates.h"
#include "solver/miter.h"
#include "solver/node_question.h"

namespace mmaprint::no_c_test {
namespace {

constexpr Signature kFormats{Format::fp16, Format::bf16, std::nullopt, Format::fp32};
constexpr Signature kWithC{Format::fp16, Format::bf16, Format::fp32, Format::fp32};
constexpr std::size_t kK = 3;
constexpr std::size_t kOfProducts = kK * (16 + 16);

std::size_t unknowns(const Signature& formats) {
  Aig graph;
  AigGates gates(graph);
  (void)free_input(gates, formats, kK, {});
  return graph.inputs().size();
}

TEST(UnitsWithoutC, HaveNoUnknownForOne) {
  EXPECT_EQ(unknowns(kFormats), kOfProducts);
  EXPECT_EQ(unknowns(kWithC), kOfProducts + 32);
}

}  // namespace
}  // namespace mmaprint::no_c_test
