// Models as devices: `sim:` and `model:`.
#pragma once

#include "device/matmul_unit.h"

namespace mmaprint {

/// A unit whose instructions compute as the given models do.
class SimulatedUnit final : public MatmulUnit {
 public:
  /// Requires valid models with distinct instruction names.
  SimulatedUnit(std::string name, std::string description, std::vector<UnitModel> models)
      : name_(std::move(name)), description_(std::move(description)), models_(std::move(models)) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::string description() const override { return description_; }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override;
  [[nodiscard]] RunResult run(const Instruction& instruction, std::span<const DotInput> inputs) override {
    return run_until(Deadline(), instruction, inputs);
  }
  [[nodiscard]] RunResult run_until(const Deadline& deadline, const Instruction& instruction,
                                    std::span<const DotInput> inputs) override;
  [[nodiscard]] bool concurrent() const override { return true; }

 private:
  std::string name_;
  std::string description_;
  std::vector<UnitModel> models_;
};

}  // namespace mmaprint
