// A matrix-multiply unit: something that describes its instructions and answers inputs with bit patterns.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/deadline.h"
#include "device/bulk.h"
#include "model/instruction.h"
#include "model/unit_model.h"

namespace mmaprint {

struct InstructionInfo {
  Instruction instruction;
  bool available = true;
  std::optional<std::string> machine_instruction;  ///< what the name becomes on this machine, where known
  std::string reason;                              ///< why it is not available
};

/// A device as users and documents see it.
struct DeviceDescription {
  std::string name;
  std::string description;  ///< in words, where the device has its own; else its name
  std::vector<InstructionInfo> instructions;
};

/// The deadline passed before all inputs were answered: no fault of the device's, which can be asked again.
struct DeviceInterrupted {
  friend bool operator==(const DeviceInterrupted&, const DeviceInterrupted&) = default;
};
/// d for every input of the batch, in order, or why there is none.
using RunResult = std::variant<std::vector<Pattern>, DeviceInterrupted, DeviceFailure>;

class MatmulUnit {
 public:
  MatmulUnit() = default;
  MatmulUnit(const MatmulUnit&) = delete;
  MatmulUnit& operator=(const MatmulUnit&) = delete;
  virtual ~MatmulUnit() = default;

  /// The device as a user names it: "sim:a100".
  [[nodiscard]] virtual std::string name() const = 0;
  /// In words, where the device has its own; else its name.
  [[nodiscard]] virtual std::string description() const { return name(); }
  [[nodiscard]] virtual std::vector<InstructionInfo> instructions() const = 0;

  /// Runs one of `instructions()` on any number of inputs, each of K entries within the formats' widths.
  [[nodiscard]] virtual RunResult run(const Instruction& instruction, std::span<const DotInput> inputs) = 0;

  /// run() that is cut when the deadline passes, as soon as the device allows. Where a call takes next to no
  /// time it is run().
  [[nodiscard]] virtual RunResult run_until(const Deadline& deadline, const Instruction& instruction,
                                            std::span<const DotInput> inputs) {
    if (deadline.passed()) return DeviceInterrupted{};
    return run(instruction, inputs);
  }

  /// Fills in what takes time to find out, for those who want to see it: each instruction's
  /// `machine_instruction`.
  virtual void find_machine_instructions() {}

  /// May several threads call run() at once?
  [[nodiscard]] virtual bool concurrent() const { return false; }

  /// Compares a model with one of `instructions()` on very many inputs; nullptr where the device can't do
  /// that by itself, or not for this model.
  [[nodiscard]] virtual std::unique_ptr<BulkRunner> bulk(const Instruction& /*instruction*/,
                                                         const UnitModel& /*model*/) {
    return nullptr;
  }
};

/// The unit's instruction of this name, available or not.
[[nodiscard]] std::optional<InstructionInfo> find_instruction(const MatmulUnit& unit, std::string_view name);
[[nodiscard]] std::optional<InstructionInfo> find_instruction(
    const std::vector<InstructionInfo>& instructions, std::string_view name);

/// What is wrong with a batch, if anything: a failure that names the input. For run()'s implementations.
[[nodiscard]] std::optional<DeviceFailure> check_batch(const Instruction& instruction,
                                                       std::span<const DotInput> inputs);

}  // namespace mmaprint
