// Layers of the datapath proved equal to the plain specification at toy formats, by our own solver: for every
// input and many combinations of the parameters at once.
#include <gtest/gtest.h>

#include "layers/toys.h"
#include "solver/aig_gates.h"
#include "solver/box_parameters.h"
#include "solver/sat.h"
#include "solver/symbolic.h"

namespace mmaprint::layers_test {
namespace {

using Source = BoxParameters<AigGates>;
using A = Symbolic<AigGates, Source>;

/// Sets of every parameter; what is not given is single.
Box box_of(const test::ToyFormats& f, const std::vector<test::Choice>& choices) {
  ParameterValues plain;
  plain.adders.front().output_fraction_bits = f.d.fraction_bits;
  Box box(plain);
  for (const auto& choice : choices) {
    box[choice.parameter] = {};
    for (const int i : choice.values) box[choice.parameter].insert(i);
  }
  return box;
}

/// Is there an input and a hypothesis for which the lowerings differ?
template <class L, class M>
Verdict differ(const test::ToyFormats& f, int k, const Box& box,
               std::optional<CEnters> c_enters = CEnters::first) {
  Aig graph;
  AigGates gates(graph);
  Source source(gates, box);
  const A a(gates, source);
  Chain chain{{{}}, c_enters};
  for (int i = 0; i < k; ++i) chain.blocks.front().push_back(i);
  const Plan plan(PlanWidths(f.a, f.b, f.c, f.d, k), tree_of(chain));
  std::vector<A::Word> wa, wb;
  for (int i = 0; i < k; ++i) {
    wa.push_back({gates.inputs(f.a.container_bits)});
    wb.push_back({gates.inputs(f.b.container_bits)});
  }
  const A::Word wc{gates.inputs(f.c.container_bits)};
  const auto x = dot<A, L>(a, plan, wa, wb, wc);
  const auto y = dot<A, M>(a, plan, wa, wb, wc);
  const auto other = a.no(a.is_zero(A::Word{gates.exclusive(x.pattern.bits, y.pattern.bits)}));
  const auto goal = a.all(a.any(a.differ(x.nan, y.nan), a.all(a.no(x.nan), other)), source.valid());
  EXPECT_NE(a.known(goal), std::optional(true));
  if (a.known(goal) == std::optional(false)) return Verdict::unsatisfiable;
  const Deadline deadline;
  Sat sat(graph, deadline);
  sat.assert_unit(goal);
  return sat.check({}, Limits{});
}

test::Choice choice(Parameter p, std::vector<int> values) { return {p, std::move(values)}; }

/// None, and these: below which only the last of the toy formats has exponents.
std::vector<int> clamps(std::initializer_list<int> exponents) {
  std::vector<int> values{ClampDomain::index(std::nullopt)};
  for (const int e : exponents) values.push_back(ClampDomain::index(e));
  return values;
}

/// One at a time: a formula about all of them takes four times as long.
const std::vector<int> kFraction{0, 2, 6, AlignmentBitsDomain::index(std::nullopt)};

using enum Parameter;

TEST(LayerProofs, TheRaisedExponentIsNotSeen) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const test::ToyFormats& f = test::toy_formats()[3];
  for (const int bits : kFraction) {
    const Box box = box_of(
        f, {choice(alignment_fraction_bits, {bits}), choice(minimum_alignment_exponent, clamps({-3, -1, 0})),
            choice(alignment_rounding, {1, 2}), choice(normalisation, {0, 1}), choice(product, {0, 1})});
    EXPECT_EQ((differ<RaisedExponent<PlainLowering>, PlainLowering>(f, 1, box)), Verdict::unsatisfiable)
        << "F index " << bits;
  }
}

TEST(LayerProofs, SumsThatRoundAsExactOnesMayBeAlignedWithAStickyBit) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const int sticky = static_cast<int>(AlignmentRounding::sticky);
  for (const auto& f : test::toy_formats()) {
    std::vector<int> fraction{AlignmentBitsDomain::index(std::nullopt)};
    for (int bits = 6; bits <= 9; ++bits) fraction.push_back(bits);
    for (const int bits : fraction) {
      const Box box = box_of(f, {choice(alignment_fraction_bits, {bits}),
                                 choice(alignment_rounding, {sticky}), choice(normalisation, {0, 1}),
                                 choice(product, {0, 1}), choice(block_rounding, {0, 1, 2, 3, 4, 5})});
      EXPECT_EQ((differ<ExactRounding<PlainLowering>, PlainLowering>(f, 1, box)), Verdict::unsatisfiable)
          << "F index " << bits;
    }
  }
}

TEST(LayerProofs, SumsOfTwoProductsThatRoundAsExactOnesMayBeAlignedWithAStickyBit) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const int sticky = static_cast<int>(AlignmentRounding::sticky);
  const test::ToyFormats& f = test::toy_formats()[0];
  std::vector<int> fraction{AlignmentBitsDomain::index(std::nullopt)};
  for (int bits = 6; bits <= 12; ++bits) fraction.push_back(bits);
  for (const int bits : fraction) {
    const Box box = box_of(f, {choice(alignment_fraction_bits, {bits}), choice(alignment_rounding, {sticky}),
                               choice(product, {0, 1}), choice(block_rounding, {0, 1, 2, 3, 4, 5})});
    EXPECT_EQ((differ<ExactRounding<PlainLowering>, PlainLowering>(f, 2, box, std::nullopt)),
              Verdict::unsatisfiable)
        << "F index " << bits;
  }
}

TEST(LayerProofs, TheAccumulatorRelativeToTheExponentAndTheLeadingBitsAreNotSeen) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const test::ToyFormats& f = test::toy_formats()[0];
  using Layered = LeadingBits<RelativeAccumulator<PlainLowering>>;
  for (const int bits : kFraction) {
    const Box box =
        box_of(f, {choice(alignment_fraction_bits, {bits}), choice(alignment_rounding, {0, 1, 2, 3}),
                   choice(extra_carry_bits, {0, 1, CarryDomain::index(std::nullopt)}),
                   choice(block_rounding, {0, 1, 2, 3, 4, 5})});
    EXPECT_EQ((differ<Layered, PlainLowering>(f, 1, box)), Verdict::unsatisfiable) << "F index " << bits;
  }
}

TEST(LayerProofs, AllLayersTogetherAreNotSeen) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const test::ToyFormats& f = test::toy_formats()[3];
  for (const int bits : kFraction) {
    const Box box = box_of(
        f, {choice(alignment_fraction_bits, {bits}), choice(alignment_rounding, {0, 1, 2, 3}),
            choice(minimum_alignment_exponent, clamps({-2, 0})), choice(normalisation, {0, 1}),
            choice(output_subnormals, {0, 1}), choice(overflow, {0, 1}), choice(block_rounding, {0, 1, 2})});
    EXPECT_EQ((differ<Lowered, PlainLowering>(f, 1, box)), Verdict::unsatisfiable) << "F index " << bits;
  }
}

/// Something else below E, so that a proof of nothing would be noticed.
struct NoClamp : PlainLowering {
  template <class Algebra>
  static constexpr auto alignment(const Algebra& a, const PlanWidths& plan, const NodeShape& node,
                                  std::optional<int> f, const typename Algebra::Int& largest,
                                  const typename Algebra::Int& /*clamped*/) {
    return PlainLowering::alignment(a, plan, node, f, largest, largest);
  }
};

TEST(LayerProofs, FindAStepThatIsAnother) {
  const test::ToyFormats& f = test::toy_formats()[3];
  const Box box = box_of(f, {choice(alignment_fraction_bits, kFraction),
                             choice(minimum_alignment_exponent, clamps({-3, -1, 0}))});
  EXPECT_EQ((differ<NoClamp, PlainLowering>(f, 1, box)), Verdict::satisfiable);
}

}  // namespace
}  // namespace mmaprint::layers_test
