#include "device/cpu/cpu_unit.h"

#include <algorithm>

#include "device/cpu/kernels.h"
#include "device/cpu/mxcsr.h"
#include "device/cpu/processor.h"
#include "device/cpu/table.h"

namespace mmaprint::cpu {
namespace {

/// Inputs between two looks at the clock.
constexpr std::size_t kPortion = 4096;

std::vector<InstructionInfo> listed(const Processor& processor) {
  std::vector<InstructionInfo> all;
  all.reserve(table().size());
  for (const TableRow& row : table()) {
    std::string reason = why_not(row.needs, processor);
    const bool available = reason.empty();
    all.push_back({row.instruction, available, available ? std::optional(row.assembly) : std::nullopt,
                   std::move(reason)});
  }
  return all;
}

}  // namespace

std::variant<std::string, DeviceFailure> processor_name() { return this_processor().description; }

CpuUnit::Opened CpuUnit::open() {
  Processor processor = this_processor();
  ask_for_tiles(processor);
  return std::unique_ptr<MatmulUnit>(new CpuUnit(processor.description, listed(processor)));
}

RunResult CpuUnit::run_until(const Deadline& deadline, const Instruction& instruction,
                             std::span<const DotInput> inputs) {
  const auto row = std::ranges::find(
      table(), instruction.name, [](const TableRow& r) -> const std::string& { return r.instruction.name; });
  const Kernel kernel = find_kernel(instruction.name);
  if (row == table().end() || kernel == nullptr)
    return DeviceFailure{name() + " has no instruction " + instruction.name};
  // The list is in the table's order.
  const InstructionInfo& info = instructions_[static_cast<std::size_t>(row - table().begin())];
  if (!info.available) return DeviceFailure{name() + ": " + instruction.name + " " + info.reason};
  if (auto wrong = check_batch(row->instruction, inputs)) return *std::move(wrong);
  const Layout layout(row->instruction, row->registers);
  std::vector<Pattern> results;
  results.reserve(inputs.size());
  while (!inputs.empty()) {
    if (deadline.passed()) return DeviceInterrupted{};
    const auto portion = inputs.first(std::min(kPortion, inputs.size()));
    Layout::Blocks blocks = layout.pack(portion);
    {
      const MxcsrScope mxcsr(mxcsr_of(instruction.name));
      kernel(blocks.a.data(), blocks.b.data(), blocks.c.data(), blocks.count);
    }
    const auto d = layout.unpack(blocks.c, portion.size());
    results.insert(results.end(), d.begin(), d.end());
    inputs = inputs.subspan(portion.size());
  }
  return results;
}

}  // namespace mmaprint::cpu
