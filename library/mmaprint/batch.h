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

/// Bit patterns that someone else owns, beside each other: `size` of them, each in the low bits of an
/// unsigned integer of `bytes` bytes (1, 2, 4 or 8), to which `data` is aligned; all bits above are 0.
struct PatternView {
  const void* data = nullptr;
  std::size_t size = 0;
  int bytes = 8;
};
/// n inputs of a unit without scales as they lie in arrays, say of halves, each role's as an InputBatch has
/// them. c is empty in a unit without c.
struct InputView {
  std::size_t n = 0;
  PatternView a, b;  ///< n·K
  PatternView c;     ///< n
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
