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
  const auto k = static_cast<std::size_t>(instruction.k);
  const auto fits = [](std::optional<Format> format, Pattern pattern) {
    return format ? (pattern & ~info(*format).pattern_mask()) == 0 : pattern == 0;
  };
  const auto all_fit = [&](Format format, const std::vector<Pattern>& patterns) {
    return std::ranges::all_of(patterns, [&](Pattern pattern) { return fits(format, pattern); });
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const DotInput& input = inputs[i];
    if (input.a.size() == k && input.b.size() == k && all_fit(instruction.formats.a, input.a) &&
        all_fit(instruction.formats.b, input.b) && fits(instruction.formats.c, input.c))
      continue;
    return DeviceFailure{fmt::format("{}: input {} is not of {} products in the instruction's formats",
                                     instruction.name, i, k)};
  }
  return std::nullopt;
}

}  // namespace mmaprint
