// An anchor from outside: one product, exact, rounded once is Z3's own fp.fma.
#include <gtest/gtest.h>

#include "solver/miter.h"
#include "solver/z3_gates.h"
#include "support/describe.h"
#include "support/generate.h"

namespace mmaprint::fma_test {
namespace {

using test::count;
using test::Random;

UnitModel fma_model(Format f, Rounding rounding) {
  ChainParameters values;
  values.block.rounding = rounding;
  values.block.output_fraction_bits = info(f).fraction_bits;
  values.conventions.overflow = Overflow::by_direction;
  return chain_model("fma", 1, {f, f, f, f}, {{{0}}, CEnters::first}, values, canonical_nan(f));
}

z3::expr rounding_mode(z3::context& context, Rounding rounding) {
  Z3_ast mode = nullptr;
  switch (rounding) {
    case Rounding::toward_zero:
      mode = Z3_mk_fpa_rtz(context);
      break;
    case Rounding::up:
      mode = Z3_mk_fpa_rtp(context);
      break;
    case Rounding::down:
      mode = Z3_mk_fpa_rtn(context);
      break;
    case Rounding::nearest_away:
      mode = Z3_mk_fpa_rna(context);
      break;
    default:
      mode = Z3_mk_fpa_rne(context);
      break;
  }
  return {context, mode};
}

/// Where the unit and fp.fma give different results; which NaN does not matter.
z3::expr disagreement(z3::context& context, Format format, Rounding rounding, const InputWords<Z3Gates>& in) {
  Z3Gates gates(context);
  const FormatInfo& f = info(format);
  const auto ours = evaluate_side(gates, fma_model(format, rounding), in);
  const z3::sort sort =
      context.fpa_sort(static_cast<unsigned>(f.exponent_bits), static_cast<unsigned>(f.precision()));
  const auto number = [&](const WordOf<Z3Gates>& word) { return word.bits.term->mk_from_ieee_bv(sort); };
  const z3::expr theirs =
      z3::fma(number(in.a[0]), number(in.b[0]), number(in.c), rounding_mode(context, rounding));
  const z3::expr is_nan(context, Z3_mk_fpa_is_nan(context, theirs));
  const z3::expr bits = theirs.mk_to_ieee_bv(), pattern = *ours.pattern.bits.term;
  return ours.nan.term != is_nan || (!is_nan && bits != pattern);
}

constexpr Rounding kIeee[] = {Rounding::nearest_even, Rounding::toward_zero, Rounding::up, Rounding::down,
                              Rounding::nearest_away};

bool proved(z3::context& context, const z3::expr& differs) {
  z3::solver solver = z3::tactic(context, "qffpbv").mk_solver();
  solver.add(differs);
  return solver.check() == z3::unsat;
}

// c stays unknown: Z3 4.8.12 computes fp.fma of three constants wrongly (E5M2: 0xdc·0x93 + 0 gives 0x04, not
// 0x33), unlike the circuit that it makes of fp.fma.
TEST(OneExactProduct, IsZ3sFmaForEveryCOnRandomInputs) {
  const std::uint64_t first = test::starting_seed(1'100);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count(12)); ++seed) {
    Random random(seed);
    z3::context context;
    Z3Gates gates(context);
    const Format format = random.pick({Format::fp16, Format::fp16, Format::bf16, Format::e5m2});
    const Rounding rounding = random.pick<Rounding>(kIeee);
    const UnitModel model = fma_model(format, rounding);
    const DotInput input = test::random_input(random, model);
    auto in = constant_input(gates, model.formats, input);
    in.c = free_input(gates, model.formats, 1, {}).c;
    ASSERT_TRUE(proved(context, disagreement(context, format, rounding, in)))
        << "seed " << seed << ", rounding " << static_cast<int>(rounding) << '\n'
        << test::describe(model, input);
  }
}

TEST(OneExactProduct, IsProvedToBeZ3sFmaInE5M2) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  z3::context context;
  Z3Gates gates(context);
  const auto in = free_input(gates, fma_model(Format::e5m2, Rounding::nearest_even).formats, 1, {});
  EXPECT_TRUE(proved(context, disagreement(context, Format::e5m2, Rounding::nearest_even, in)));
}

}  // namespace
}  // namespace mmaprint::fma_test
