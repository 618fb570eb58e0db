// Very many observations of one instruction, in little room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/unit_model.h"

namespace mmaprint {

/// Observations of one K and signature in the order in which they came, each pattern in as many bytes as
/// its format needs. Millions of them fit where vectors of patterns would not.
class ObservationTable {
 public:
  ObservationTable(const Signature& formats, int k);
  /// Of these, which have that K and signature.
  ObservationTable(const Signature& formats, int k, const std::vector<Observation>& all);

  /// Requires an input that fits the signature.
  void add(const Observation& seen);
  /// Takes the last one away again. Requires one.
  void remove_last() { --size_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Observation operator[](std::size_t i) const;
  /// The same, into one that is there already, which costs no memory.
  void read(std::size_t i, Observation& seen) const;
  [[nodiscard]] Pattern d(std::size_t i) const { return pattern(row(i) + d_at_, d_bytes_); }

  [[nodiscard]] bool same_input(std::size_t i, std::size_t j) const;
  /// Changes with the input, not with the result.
  [[nodiscard]] std::size_t input_hash(std::size_t i) const;

 private:
  static constexpr std::size_t kRowsOfChunk = 4096;
  [[nodiscard]] const std::uint8_t* row(std::size_t i) const {
    return chunks_[i / kRowsOfChunk].data() + i % kRowsOfChunk * row_bytes_;
  }
  [[nodiscard]] static Pattern pattern(const std::uint8_t* from, std::size_t bytes);

  struct Patterns {
    Role role;
    std::size_t count, bytes;  ///< bytes of one
  };
  std::vector<Patterns> roles_;  ///< as they stand in a row, before d
  DotInput zeros_;
  std::size_t d_bytes_, d_at_ = 0, row_bytes_ = 0;
  std::size_t size_ = 0;
  std::vector<std::vector<std::uint8_t>> chunks_;  ///< never moved, so that growing needs no second copy
};

}  // namespace mmaprint
