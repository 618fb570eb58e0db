#include "device/simulated.h"

#include <algorithm>

#include "model/batch_evaluator.h"

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
  constexpr std::size_t kTogether = 64;
  std::vector<Pattern> results(inputs.size());
  const BatchEvaluator unit(*model);
  for (std::size_t first = 0; first < inputs.size(); first += kTogether) {
    if (deadline.passed()) return DeviceInterrupted{};
    const std::size_t count = std::min(kTogether, inputs.size() - first);
    unit(inputs.subspan(first, count), std::span(results).subspan(first, count));
  }
  return results;
}

}  // namespace mmaprint
