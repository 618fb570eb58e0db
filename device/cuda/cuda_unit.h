// NVIDIA GPUs as devices: `cuda:N`. Needs no CUDA to be included; without it there are no GPUs.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "device/matmul_unit.h"

namespace mmaprint::cuda {

struct Gpu {
  int ordinal;
  std::string description;  ///< "NVIDIA H200, sm_90, CUDA driver 13.0"
};

/// This machine's GPUs, or why they can't be seen.
[[nodiscard]] std::variant<std::vector<Gpu>, DeviceFailure> gpus();

/// Runs every instruction of the table that the GPU and this build's code have. Several threads may use it;
/// one batch runs at a time. After an error that CUDA can't recover from, every further run fails.
class CudaUnit final : public MatmulUnit {
 public:
  using Opened = std::variant<std::unique_ptr<MatmulUnit>, DeviceFailure>;
  [[nodiscard]] static Opened open(int ordinal);
  ~CudaUnit() override;

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override;
  [[nodiscard]] RunResult run(const Instruction& instruction, std::span<const DotInput> inputs) override {
    return run_until(Deadline(), instruction, inputs);
  }
  [[nodiscard]] RunResult run_until(const Deadline& deadline, const Instruction& instruction,
                                    std::span<const DotInput> inputs) override;
  [[nodiscard]] bool concurrent() const override { return true; }
  void find_machine_instructions() override;
  [[nodiscard]] std::unique_ptr<BulkRunner> bulk(const Instruction& instruction,
                                                 const UnitModel& model) override;

 private:
  struct State;
  explicit CudaUnit(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace mmaprint::cuda
