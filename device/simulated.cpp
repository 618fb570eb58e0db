#include "device/simulated.h"

#include <algorithm>

#include "model/evaluator.h"

namespace mmaprint {

std::vector<InstructionInfo> SimulatedUnit::instructions() const {
  std::vector<InstructionInfo> all;
  all.reserve(models_.size());
  for (const UnitModel& model : models_)
    all.push_back({{model.instruction, model.k, model.formats}, true, {}, {}});
  return all;
}

RunResult SimulatedUnit::run_until(const Deadline& deadline, const Instruction& instruction,
                                   std::span<const DotInput> inputs) {
  const auto model = std::ranges::find(models_, instruction.name, &UnitModel::instruction);
  if (model == models_.end()) return DeviceFailure{name_ + " has no instruction " + instruction.name};
  if (auto wrong = check_batch({model->instruction, model->k, model->formats}, inputs))
    return *std::move(wrong);
  std::vector<Pattern> results;
  results.reserve(inputs.size());
  const Evaluator unit(*model);
  Checkpoint late(deadline, 16);
  for (const DotInput& input : inputs) {
    if (late.passed()) return DeviceInterrupted{};
    results.push_back(unit(input));
  }
  return results;
}

}  // namespace mmaprint
