// An anchor from outside: a node of one product that keeps everything and rounds once is std::fma, and a
// chain of such nodes is std::fma again and again.
#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

#include "model/evaluator.h"
#include "support/describe.h"
#include "support/generate.h"

namespace mmaprint::fma_test {
namespace {

using test::count;
using test::Random;

template <typename Float>
struct Traits;
template <>
struct Traits<float> {
  using Bits = std::uint32_t;
  static constexpr Format kFormat = Format::fp32;
};
template <>
struct Traits<double> {
  using Bits = std::uint64_t;
  static constexpr Format kFormat = Format::fp64;
};

template <typename Float>
Float as_float(Pattern pattern) {
  return std::bit_cast<Float>(static_cast<typename Traits<Float>::Bits>(pattern));
}

/// The pattern of a result; every NaN is the canonical one.
template <typename Float>
Pattern as_pattern(Float value) {
  if (std::isnan(value)) return canonical_nan(Traits<Float>::kFormat);
  return std::bit_cast<typename Traits<Float>::Bits>(value);
}

template <typename Float>
UnitModel fma_chain(int k, Rounding rounding) {
  const Format format = Traits<Float>::kFormat;
  ChainParameters values;
  values.block = exact_adder(format, rounding);
  values.final_rounding = rounding;
  Chain chain;
  for (int i = 0; i < k; ++i) chain.blocks.push_back({i});
  return chain_model("fma", k, {format, format, format, format}, chain, values, canonical_nan(format));
}

/// Multiplied and added by the processor or the C library, in the rounding mode that is set.
template <typename Float>
Float chained_fma(const DotInput& input) {
  volatile Float d = as_float<Float>(input.c);
  for (std::size_t i = 0; i < input.a.size(); ++i) {
    volatile Float a = as_float<Float>(input.a[i]), b = as_float<Float>(input.b[i]);
    d = std::fma(a, b, d);
  }
  return d;
}

template <typename Float>
std::vector<Pattern> edge_values() {
  using limits = std::numeric_limits<Float>;
  const Float one = 1, half = Float(0.5);
  std::vector<Pattern> values;
  for (const Float x :
       {Float(0), limits::denorm_min(), limits::denorm_min() * 3, limits::min() - limits::denorm_min(),
        limits::min(), limits::min() * (1 + limits::epsilon()), half, one - limits::epsilon() / 2, one,
        one + limits::epsilon(), Float(3), std::sqrt(limits::min()), std::sqrt(limits::max()),
        limits::max() / 2, limits::max(), limits::infinity(), limits::quiet_NaN(), limits::signaling_NaN()})
    for (const Float sign : {one, -one})
      values.push_back(std::bit_cast<typename Traits<Float>::Bits>(std::copysign(x, sign)));
  return values;
}

template <typename Float>
void expect_fma(const Evaluator& evaluator, const DotInput& input) {
  ASSERT_EQ(evaluator(input), as_pattern(chained_fma<Float>(input)))
      << test::describe(evaluator.model()) << test::describe(evaluator.model(), input);
}

template <typename Float>
void check_edge_values() {
  const Evaluator evaluator(fma_chain<Float>(1, Rounding::nearest_even));
  const std::vector<Pattern> values = edge_values<Float>();
  for (const Pattern a : values)
    for (const Pattern b : values)
      for (const Pattern c : values) ASSERT_NO_FATAL_FAILURE(expect_fma<Float>(evaluator, {{a}, {b}, c}));
}

template <typename Float>
void check_random_inputs(int k, long inputs) {
  const std::uint64_t seed = test::starting_seed(21);
  SCOPED_TRACE("MMAPRINT_TEST_SEED=" + std::to_string(seed));
  Random random(seed);
  const Evaluator evaluator(fma_chain<Float>(k, Rounding::nearest_even));
  for (long i = 0; i < inputs; ++i)
    ASSERT_NO_FATAL_FAILURE(expect_fma<Float>(evaluator, test::random_input(random, evaluator.model())));
}

/// Directed modes of the processor against those of a node, overflow included.
template <typename Float>
void check_directed_rounding(int k, long inputs) {
  struct Mode {
    int fenv;
    Rounding rounding;
  };
  const std::uint64_t seed = test::starting_seed(22);
  SCOPED_TRACE("MMAPRINT_TEST_SEED=" + std::to_string(seed));
  Random random(seed);
  for (const Mode mode : {Mode{FE_TOWARDZERO, Rounding::toward_zero}, Mode{FE_UPWARD, Rounding::up},
                          Mode{FE_DOWNWARD, Rounding::down}}) {
    UnitModel model = fma_chain<Float>(k, mode.rounding);
    model.conventions.overflow = Overflow::by_direction;
    const Evaluator evaluator(model);
    for (long i = 0; i < inputs; ++i) {
      const DotInput input = test::random_input(random, evaluator.model());
      std::fesetround(mode.fenv);
      const Float expected = chained_fma<Float>(input);
      std::fesetround(FE_TONEAREST);
      ASSERT_EQ(evaluator(input), as_pattern(expected))
          << test::describe(evaluator.model()) << test::describe(evaluator.model(), input);
    }
  }
}

TEST(OneExactProduct, EqualsFmaOnEdgeValuesOfFp32) { check_edge_values<float>(); }
TEST(OneExactProduct, EqualsFmaOnEdgeValuesOfFp64) { check_edge_values<double>(); }
TEST(OneExactProduct, EqualsFmaOfFp32OnRandomInputs) { check_random_inputs<float>(1, count(500'000)); }
TEST(OneExactProduct, EqualsFmaOfFp64OnRandomInputs) { check_random_inputs<double>(1, count(500'000)); }
TEST(OneExactProduct, RoundsAsTheProcessorDoesInDirectedModesOfFp32OnRandomInputs) {
  check_directed_rounding<float>(1, count(100'000));
}
TEST(OneExactProduct, RoundsAsTheProcessorDoesInDirectedModesOfFp64OnRandomInputs) {
  check_directed_rounding<double>(1, count(100'000));
}
TEST(ChainOfFmas, EqualsFmaAppliedInOrderInFp32OnRandomInputs) {
  check_random_inputs<float>(5, count(200'000));
}
TEST(ChainOfFmas, EqualsFmaAppliedInOrderInFp64OnRandomInputs) {
  check_random_inputs<double>(4, count(200'000));
}
TEST(ChainOfFmas, OverflowsAsTheProcessorDoesInDirectedModesOfFp64OnRandomInputs) {
  check_directed_rounding<double>(4, count(100'000));
}

}  // namespace
}  // namespace mmaprint::fma_test
