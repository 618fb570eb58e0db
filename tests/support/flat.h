// Running the instances of the datapath that device code uses.
#pragma once

#include <vector>

#include "model/flat_evaluator.h"

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

}  // namespace mmaprint::test
