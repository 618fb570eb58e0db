// What it costs to sift the whole default space by observations, on one thread.
#include <benchmark/benchmark.h>

#include <random>
#include <utility>
#include <vector>

#include "inference/by_need.h"
#include "model/evaluator.h"

namespace mmaprint {
namespace {

/// Operands near 1, so that every product and c take part.
std::vector<Observation> observations(const UnitModel& model, int count) {
  const Evaluator evaluator(model);
  std::mt19937_64 random(1);
  std::vector<Observation> seen;
  for (int n = 0; n < count; ++n) {
    DotInput input;
    const auto near_one = [&](const FormatInfo& f) {
      const Pattern fraction = random() & ((Pattern{1} << f.fraction_bits) - 1);
      const Pattern exponent = static_cast<Pattern>(f.bias - 2) + random() % 5;
      return (random() & 1U) << f.sign_bit() | exponent << f.fraction_bits | fraction;
    };
    for (int i = 0; i < model.k; ++i) {
      input.a.push_back(near_one(info(model.formats.a)));
      input.b.push_back(near_one(info(model.formats.b)));
    }
    input.c = near_one(info(model.formats.c.value()));
    const Pattern d = evaluator(input);
    seen.push_back({std::move(input), d});
  }
  return seen;
}

void sift(benchmark::State& state) {
  const int k = static_cast<int>(state.range(0));
  const Space space = default_space("bench", k, {Format::fp16, Format::fp16, Format::fp32, Format::fp32});
  ParameterValues truth = space.box.lowest();
  truth.adders.front().alignment_fraction_bits = 24;
  truth.adders.front().output_fraction_bits = 23;
  const auto seen = observations(space.model(0, truth, std::nullopt), static_cast<int>(state.range(1)));
  std::size_t left = 0;
  for (auto _ : state) {
    auto sets = space.whole();
    for (const auto& observation : seen) sets = refine(space, sets, observation, 1);
    left = sets.size();
  }
  state.counters["hypotheses"] = approximate(space.size());
  state.counters["sets_left"] = static_cast<double>(left);
}
BENCHMARK(sift)
    ->ArgNames({"k", "observations"})
    ->Args({4, 1})
    ->Args({4, 8})
    ->Args({16, 1})
    ->Args({16, 8})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mmaprint
