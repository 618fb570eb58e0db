// Many inputs of a unit, and what it gave for them, as bit patterns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mmaprint/formats.h"

namespace mmaprint {
inline namespace api {

/// n inputs of K products each. A pattern stands in the low bits of its word, all above are 0; TF32 is
/// written as its 32-bit container. Of each role one input's patterns stand beside each other, input after
/// input.
struct InputBatch {
  std::size_t n = 0;
  std::vector<std::uint64_t> a, b;    ///< n·K: those of input i begin at i·K
  std::vector<std::uint64_t> c;       ///< n; empty in a unit without c
  std::vector<std::uint64_t> sa, sb;  ///< n·⌈K / per⌉; empty where there are no scales
  friend bool operator==(const InputBatch&, const InputBatch&) = default;
};

/// Inputs, and for each of them the result that a unit gave.
struct ObservedBatch {
  InputBatch inputs;
  std::vector<std::uint64_t> d;  ///< n
  friend bool operator==(const ObservedBatch&, const ObservedBatch&) = default;
};

/// Reads recorded observations (JSON Lines, docs/models.md) of a unit of K products; `formats` are for lines
/// that do not tell theirs. Throws InputError: file, line, field, what was expected.
[[nodiscard]] ObservedBatch read_observed(const std::string& file, int k, const Formats& formats);

}  // namespace api
}  // namespace mmaprint
