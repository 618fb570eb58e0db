// Proofs in binary DRAT: steps that add a clause or delete one, in the order in which a solver took them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"

namespace mmaprint {

struct DratStep {
  bool adds;
  std::uint32_t begin, end;  ///< its literals among those of the proof
};

struct DratProof {
  std::vector<DratStep> steps;
  std::vector<int> literals;
  [[nodiscard]] std::span<const int> clause(const DratStep& step) const {
    return std::span(literals).subspan(step.begin, step.end - step.begin);
  }
};

/// Its steps up to the first that adds the empty clause: what follows that does not matter, and is not read.
/// nullopt where the text is none: a byte that begins no step, an end within one, the empty clause deleted.
/// Requires less than 2^32 bytes. Throws DeadlinePassed.
[[nodiscard]] std::optional<DratProof> parse_drat(std::string_view text, const Deadline& deadline = {});

/// Appends a step.
void append_drat(std::string& text, bool adds, std::span<const int> clause);

}  // namespace mmaprint
