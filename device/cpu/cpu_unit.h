// This processor's own instructions as a device: `cpu`. Without an x86-64 processor there is none.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "device/matmul_unit.h"

namespace mmaprint::cpu {

/// The processor in words: "AMD EPYC 9124, family 25, model 17, stepping 1"; or why it is no device.
[[nodiscard]] std::variant<std::string, DeviceFailure> processor_name();

/// Lists every row of the table, and runs those that processor and kernel let it. Several threads may use it
/// at once; each has its MXCSR back after every call.
class CpuUnit final : public MatmulUnit {
 public:
  using Opened = std::variant<std::unique_ptr<MatmulUnit>, DeviceFailure>;
  /// Asks the kernel for AMX's tiles where there are any.
  [[nodiscard]] static Opened open();

  [[nodiscard]] std::string name() const override { return "cpu"; }
  [[nodiscard]] std::string description() const override { return description_; }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override { return instructions_; }
  [[nodiscard]] RunResult run(const Instruction& instruction, std::span<const DotInput> inputs) override {
    return run_until(Deadline(), instruction, inputs);
  }
  [[nodiscard]] RunResult run_until(const Deadline& deadline, const Instruction& instruction,
                                    std::span<const DotInput> inputs) override;
  [[nodiscard]] bool concurrent() const override { return true; }

 private:
  CpuUnit(std::string description, std::vector<InstructionInfo> instructions)
      : description_(std::move(description)), instructions_(std::move(instructions)) {}
  std::string description_;
  std::vector<InstructionInfo> instructions_;
};

}  // namespace mmaprint::cpu
