#include "device/matmul_unit.h"

#include <fmt/format.h>

#include <algorithm>

namespace mmaprint {

std::optional<InstructionInfo> find_instruction(const MatmulUnit& unit, std::string_view name) {
  return find_instruction(unit.instructions(), name);
}

std::optional<InstructionInfo> find_instruction(const std::vector<InstructionInfo>& instructions,
                                                std::string_view name) {
  for (const InstructionInfo& candidate : instructions)
    if (candidate.instruction.name == name) return candidate;
  return std::nullopt;
}

std::optional<DeviceFailure> check_batch(const Instruction& instruction, std::span<const DotInput> inputs) {
  const auto roles = input_roles(instruction.formats, instruction.k);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!fits(inputs[i], roles))
      return DeviceFailure{fmt::format("{}: input {} is not of {} products in the instruction's formats",
                                       instruction.name, i, instruction.k)};
  return std::nullopt;
}

}  // namespace mmaprint
