// How many dot products a second the concrete evaluator computes, on one core; and how long products of
// matrices take, on two.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <random>
#include <vector>

#include "model/batch_evaluator.h"
#include "model/matrix_product.h"

namespace mmaprint {
namespace {

constexpr std::size_t kInputs = 4096;

/// A chain of blocks of `width` products each, with c first.
UnitModel chain(Signature formats, int k, int width, const Adder& block) {
  Chain blocks;
  for (int first = 0; first < k; first += width) {
    blocks.blocks.emplace_back();
    for (int i = first; i < first + width; ++i) blocks.blocks.back().push_back(i);
  }
  ChainParameters values;
  values.block = block;
  return chain_model("bench", k, formats, blocks, values, canonical_nan(formats.d));
}

Adder truncating(int fraction_bits, Format d) {
  Adder adder;
  adder.alignment_fraction_bits = fraction_bits;
  adder.rounding = Rounding::toward_zero;
  adder.output_fraction_bits = info(d).fraction_bits;
  return adder;
}

Adder exact(Format d) {
  Adder adder;
  adder.output_fraction_bits = info(d).fraction_bits;
  return adder;
}

/// Any finite value but the largest ones, so that sums stay finite.
Pattern below_top(std::mt19937_64& random, const FormatInfo& f) {
  return random() & f.pattern_mask() & ~(Pattern{1} << (f.sign_bit() - 1));
}

std::vector<DotInput> inputs_of(const UnitModel& model) {
  std::mt19937_64 random(1);
  std::vector<DotInput> inputs(kInputs);
  for (DotInput& input : inputs) {
    for (int i = 0; i < model.k; ++i) {
      input.a.push_back(below_top(random, info(model.formats.a)));
      input.b.push_back(below_top(random, info(model.formats.b)));
    }
    input.c = below_top(random, info(model.formats.c.value()));
  }
  return inputs;
}

void evaluate(benchmark::State& state, const UnitModel& model) {
  const Evaluator evaluator(model);
  const std::vector<DotInput> inputs = inputs_of(model);
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(evaluator(inputs[next]));
    next = (next + 1) % kInputs;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

/// The same, many inputs at once.
void evaluate_together(benchmark::State& state, const UnitModel& model) {
  const BatchEvaluator evaluator(model);
  const std::vector<DotInput> inputs = inputs_of(model);
  std::vector<Pattern> results(kInputs);
  for (auto _ : state) {
    evaluator(inputs, results);
    benchmark::DoNotOptimize(results.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(kInputs));
}

/// The same, of words that lie beside each other.
void evaluate_rows(benchmark::State& state, const UnitModel& model) {
  const BatchEvaluator evaluator(model);
  const std::vector<DotInput> inputs = inputs_of(model);
  const auto a = beside_each_other<Pattern>(inputs, Role::a), b = beside_each_other<Pattern>(inputs, Role::b),
             c = beside_each_other<Pattern>(inputs, Role::c);
  const PatternRows rows{std::span(a), std::span(b), std::span(c)};
  std::vector<Pattern> results(kInputs);
  for (auto _ : state) {
    evaluator(rows, results);
    benchmark::DoNotOptimize(results.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(kInputs));
}

/// The same, of arrays whose elements are as wide as their format.
void evaluate_arrays(benchmark::State& state, const UnitModel& model) {
  const BatchEvaluator evaluator(model);
  const std::vector<DotInput> inputs = inputs_of(model);
  const auto with = [](Format format, const auto& fn) {
    return with_element_type(std::max(8, info(format).container_bits) / 8, fn);
  };
  std::vector<Pattern> results(kInputs);
  const auto c = beside_each_other<Pattern>(inputs, Role::c);
  with(model.formats.a, [&](auto type) {
    using T = decltype(type);
    const auto a = beside_each_other<T>(inputs, Role::a), b = beside_each_other<T>(inputs, Role::b);
    const PatternRows rows{std::span(a), std::span(b), std::span(c)};
    for (auto _ : state) {
      evaluator(rows, results);
      benchmark::DoNotOptimize(results.data());
    }
  });
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(kInputs));
}

/// 1024 x 1024 x 1024, in items of one dot product.
void multiply(benchmark::State& state, const UnitModel& model) {
  constexpr std::size_t kSize = 1024;
  constexpr int kThreads = 2;
  std::mt19937_64 random(1);
  const auto matrix = [&](Format format) {
    std::vector<Pattern> patterns(kSize * kSize);
    for (Pattern& p : patterns) p = below_top(random, info(format));
    return patterns;
  };
  const auto a = matrix(model.formats.a), b = matrix(model.formats.b), c = matrix(model.formats.c.value());
  const MatrixProduct product(model);
  for (auto _ : state) benchmark::DoNotOptimize(product({kSize, kSize, kSize}, {a, b, c}, kThreads).data());
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(kSize * kSize * kSize) / model.k);
}

using enum Format;
#define MMAPRINT_MULTIPLY(name, ...) \
  BENCHMARK_CAPTURE(multiply, name, __VA_ARGS__)->UseRealTime()->Unit(benchmark::kSecond)
#define MMAPRINT_EVALUATE(name, ...)                       \
  BENCHMARK_CAPTURE(evaluate, name, __VA_ARGS__);          \
  BENCHMARK_CAPTURE(evaluate_together, name, __VA_ARGS__); \
  BENCHMARK_CAPTURE(evaluate_rows, name, __VA_ARGS__);     \
  BENCHMARK_CAPTURE(evaluate_arrays, name, __VA_ARGS__)

MMAPRINT_EVALUATE(fp16_k16_two_blocks_of_8, chain({fp16, fp16, fp32, fp32}, 16, 8, truncating(24, fp32)));
MMAPRINT_EVALUATE(fp16_k16_one_block, chain({fp16, fp16, fp32, fp32}, 16, 16, truncating(25, fp32)));
MMAPRINT_EVALUATE(bf16_k16_two_blocks_of_8, chain({bf16, bf16, fp32, fp32}, 16, 8, truncating(24, fp32)));
MMAPRINT_EVALUATE(tf32_k8_two_blocks_of_4, chain({tf32, tf32, fp32, fp32}, 8, 4, truncating(24, fp32)));
MMAPRINT_EVALUATE(fp8_k32_two_blocks_of_16, chain({e4m3, e4m3, fp32, fp32}, 32, 16, truncating(13, fp32)));
MMAPRINT_EVALUATE(fp64_k4_fused_multiply_adds, chain({fp64, fp64, fp64, fp64}, 4, 1, exact(fp64)));
MMAPRINT_EVALUATE(fp16_k16_exact_node, chain({fp16, fp16, fp32, fp32}, 16, 16, exact(fp32)));

MMAPRINT_MULTIPLY(fp16_k16_two_blocks_of_8, chain({fp16, fp16, fp32, fp32}, 16, 8, truncating(24, fp32)));
MMAPRINT_MULTIPLY(fp16_k16_one_block, chain({fp16, fp16, fp32, fp32}, 16, 16, truncating(25, fp32)));
MMAPRINT_MULTIPLY(bf16_k16_two_blocks_of_8, chain({bf16, bf16, fp32, fp32}, 16, 8, truncating(24, fp32)));
MMAPRINT_MULTIPLY(tf32_k8_two_blocks_of_4, chain({tf32, tf32, fp32, fp32}, 8, 4, truncating(24, fp32)));
MMAPRINT_MULTIPLY(fp8_k32_two_blocks_of_16, chain({e4m3, e4m3, fp32, fp32}, 32, 16, truncating(13, fp32)));

}  // namespace
}  // namespace mmaprint
