// Recorded observations: `replay:`. They are all there is: nobody can be asked for more.
#pragma once

#include "device/matmul_unit.h"

namespace mmaprint {

class Recording {
 public:
  /// Lines that name no instruction belong to one of this name.
  static constexpr std::string_view kUnnamed = "unnamed";

  /// Reads a file of observations. `formats` are for lines that don't tell theirs. Throws BadInput for a bad
  /// line, or an instruction that changes its K or its formats; DeadlinePassed if it did before all was read.
  Recording(std::string name, const std::string& file, const std::optional<Signature>& formats,
            const Deadline& deadline = {});

  /// As a user names it: "replay:FILE".
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const;
  /// Each once, in the file's order, contradictions included; empty for an instruction that was not recorded.
  [[nodiscard]] const std::vector<Observation>& of(std::string_view instruction) const;

 private:
  struct Part {
    Instruction instruction;
    std::vector<Observation> observations;
  };

  std::string name_;
  std::vector<Part> parts_;  ///< in the file's order
};

}  // namespace mmaprint
