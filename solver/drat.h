// Proofs in binary DRAT: steps that add a clause or delete one, in the order in which a solver took them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mmaprint {

struct DratStep {
  bool adds;
  std::size_t begin, end;  ///< its literals among those of the proof
};

struct DratProof {
  std::vector<DratStep> steps;
  std::vector<int> literals;
  [[nodiscard]] std::span<const int> clause(const DratStep& step) const {
    return std::span(literals).subspan(step.begin, step.end - step.begin);
  }
};

/// nullopt where the text is none: a byte that begins no step, or an end within one.
[[nodiscard]] std::optional<DratProof> parse_drat(std::string_view text);

/// Appends a step.
void append_drat(std::string& text, bool adds, std::span<const int> clause);

}  // namespace mmaprint
