// A device for several threads.
#pragma once

#include <chrono>
#include <mutex>

#include "device/matmul_unit.h"

namespace mmaprint {

/// Another device, asked by one thread at a time; who waits for a turn does so until the deadline.
class OneAtATime final : public MatmulUnit {
 public:
  explicit OneAtATime(MatmulUnit& unit) : unit_(&unit) {}

  [[nodiscard]] std::string name() const override { return unit_->name(); }
  [[nodiscard]] std::string description() const override { return unit_->description(); }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override { return unit_->instructions(); }
  [[nodiscard]] RunResult run(const Instruction& instruction, std::span<const DotInput> inputs) override {
    const std::lock_guard lock(mutex_);
    return unit_->run(instruction, inputs);
  }
  [[nodiscard]] RunResult run_until(const Deadline& deadline, const Instruction& instruction,
                                    std::span<const DotInput> inputs) override {
    std::unique_lock lock(mutex_, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(20)))
      if (deadline.passed()) return DeviceInterrupted{};
    return unit_->run_until(deadline, instruction, inputs);
  }
  [[nodiscard]] bool concurrent() const override { return true; }
  [[nodiscard]] std::unique_ptr<BulkRunner> bulk(const Instruction& instruction,
                                                 const UnitModel& model) override {
    const std::lock_guard lock(mutex_);
    return unit_->bulk(instruction, model);
  }

 private:
  MatmulUnit* unit_;
  std::timed_mutex mutex_;
};

}  // namespace mmaprint
