// Running the instances of the datapath that device code uses.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "model/evaluator.h"
#include "model/flat_evaluator.h"
#include "support/describe.h"
#include "support/generate.h"

namespace mmaprint::test {

/// Operands as an instance of the datapath takes them.
template <class Instance>
struct PreparedOperands {
  std::vector<typename Instance::Prepared> a, b;

  PreparedOperands(const Instance& instance, const FlatUnit& unit, const DotInput& input) {
    for (int k = 0; k < unit.widths.k; ++k) {
      const auto index = static_cast<std::size_t>(instance.index_at(k));
      a.push_back(instance.prepare_a(input.a[index]));
      b.push_back(instance.prepare_b(input.b[index]));
    }
  }
};

/// What an instance (FlatEvaluator or BlockEvaluator) says of one input.
template <class Instance>
[[nodiscard]] Pattern run_flat(const FlatUnit& unit, const DotInput& input) {
  const Instance instance(unit);
  const PreparedOperands<Instance> operands(instance, unit, input);
  return instance(operands.a.data(), operands.b.data(), input.c);
}

/// Expects the flat evaluators that have room for a model to give the evaluator's results on inputs that
/// draw() makes. Was there one?
template <class Node, class Draw>
bool expect_flat_agrees_with(const UnitModel& model, const FlatUnit& flat, int inputs, Draw&& draw) {
  const WordsNeeded needed = words_needed(model);
  if (needed.operands > 128 || needed.sums > 576) return false;
  const Evaluator expected(model);
  for (int n = 0; n < inputs && !::testing::Test::HasFailure(); ++n) {
    const DotInput in = draw();
    const Pattern d = expected(in);
    EXPECT_EQ((run_flat<FlatEvaluator<Word128, Multiword<9>, Node>>(flat, in)), d) << describe(model, in);
    if (needed.operands <= 64 && needed.sums <= 128) {
      EXPECT_EQ((run_flat<FlatEvaluator<std::uint64_t, Word128, Node>>(flat, in)), d) << describe(model, in);
    }
    if (needed.operands <= 32 && needed.sums <= 64) {
      EXPECT_EQ((run_flat<FlatEvaluator<std::uint32_t, std::uint64_t, Node>>(flat, in)), d)
          << describe(model, in);
    }
  }
  return true;
}
template <class Draw>
bool expect_flat_agrees(const UnitModel& model, int inputs, Draw&& draw) {
  const auto flat = flat_unit(model);
  if (!flat) return false;
  if (!flat->has_kinds && !expect_flat_agrees_with<FlatNode>(model, *flat, inputs, draw)) return false;
  return expect_flat_agrees_with<FlatNodeOfKinds>(model, *flat, inputs, draw);
}
/// On random inputs.
inline bool expect_flat_agrees(Random& random, const UnitModel& model, int inputs) {
  return expect_flat_agrees(model, inputs, [&] { return random_input(random, model); });
}

}  // namespace mmaprint::test
