// Recorded observations as a device: `replay:`.
#pragma once

#include <map>
#include <set>

#include "device/matmul_unit.h"

namespace mmaprint {

/// Answers exactly the inputs that were recorded.
class ReplayUnit final : public MatmulUnit {
 public:
  /// Lines that name no instruction belong to one of this name.
  static constexpr std::string_view kUnnamed = "unnamed";

  /// Reads a file of observations. `formats` are for lines that don't tell theirs. Throws BadInput for a bad
  /// line, or an instruction that changes its K or its formats; DeadlinePassed if it did before all was read.
  ReplayUnit(std::string name, const std::string& file, const std::optional<OperandFormats>& formats,
             const Deadline& deadline = {});

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override;
  [[nodiscard]] RunResult run(const Instruction& instruction, std::span<const DotInput> inputs) override;
  /// Each once, in the file's order, contradictions included; empty for an instruction that was not recorded.
  [[nodiscard]] const std::vector<Observation>* recorded(std::string_view instruction) const override;

 private:
  struct Recording {
    Instruction instruction;
    std::vector<Observation> observations;
    std::set<Observation> seen;
    std::map<DotInput, std::size_t> index;  ///< into observations; the first with that input
  };
  [[nodiscard]] const Recording* find(std::string_view instruction) const;

  std::string name_;
  std::vector<Recording> recordings_;  ///< in the file's order
};

}  // namespace mmaprint
