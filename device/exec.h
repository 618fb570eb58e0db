// A child process as a device: `exec:`. One JSON line a request, one an answer (docs/models.md).
#pragma once

#include <memory>

#include "device/child_process.h"
#include "device/matmul_unit.h"

namespace mmaprint {

/// Runs what the child describes. Its answers are checked strictly; after a failure every further run fails.
class ExecUnit final : public MatmulUnit {
 public:
  /// The most inputs that one request holds.
  static constexpr std::size_t kLargestRequest = 4096;
  using Opened = std::variant<std::unique_ptr<MatmulUnit>, DeviceFailure>;

  /// Starts `command` and asks it to describe itself. Throws BadInput if it can't be split into words.
  /// Throws DeadlinePassed if it has before the child did so.
  [[nodiscard]] static Opened open(std::string_view command, double timeout_seconds,
                                   const Deadline& deadline = {});

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::string description() const override { return description_; }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override;
  [[nodiscard]] RunResult run(const Instruction& instruction, std::span<const DotInput> inputs) override {
    return run_until(Deadline(), instruction, inputs);
  }
  /// A request that is cut leaves the child alive: what it answers later is dropped.
  [[nodiscard]] RunResult run_until(const Deadline& deadline, const Instruction& instruction,
                                    std::span<const DotInput> inputs) override;

 private:
  using NoAnswer = std::variant<DeviceInterrupted, DeviceFailure>;

  ExecUnit(std::string name, ChildProcess child, double timeout_seconds)
      : name_(std::move(name)), description_(name_), child_(std::move(child)), timeout_(timeout_seconds) {}

  std::optional<NoAnswer> describe(const Deadline& deadline);
  std::optional<NoAnswer> run_some(const Deadline& deadline, const Instruction& instruction,
                                   std::span<const DotInput> inputs, std::vector<Pattern>& results);

  std::string name_;
  std::string description_;
  ChildProcess child_;
  std::chrono::duration<double> timeout_;
  std::vector<Instruction> instructions_;
};

}  // namespace mmaprint
