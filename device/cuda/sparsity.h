// Structured sparsity: which of A's columns take part, and the metadata that tells the instruction.
//
// A chunk is 4 columns of which 2 take part, 2 of which 1 does (TF32), or 4 pairs of which 2 do (4 bits). A
// nibble of metadata says which: the first one's index in the lower two bits, the second one's above.
#pragma once

#include <cstdint>

#include "device/cuda/both.h"

namespace mmaprint::cuda {

enum class Sparsity { two_of_four, one_of_two, two_pairs_of_four };

MMAPRINT_BOTH constexpr Sparsity sparsity_of(int element_bits) {
  return element_bits == 32 ? Sparsity::one_of_two
         : element_bits < 8 ? Sparsity::two_pairs_of_four
                            : Sparsity::two_of_four;
}
MMAPRINT_BOTH constexpr int chunk_width(Sparsity sparsity) {
  return sparsity == Sparsity::one_of_two ? 2 : sparsity == Sparsity::two_of_four ? 4 : 8;
}

/// The lanes of four that hold the metadata, where there is a choice: all of ours hold it.
inline constexpr int kSelector = 0;

/// A legal nibble; all come up, changing with the tile and the chunk. Instructions other than those with
/// `ordered_metadata` may name the later column first; ours never do.
MMAPRINT_BOTH constexpr unsigned nibble(Sparsity sparsity, int tile, int chunk) {
  // Index pairs 01, 02, 12, 03, 13, 23; TF32: both halves of an element.
  constexpr std::uint64_t kPairs = 0xedc984;
  constexpr std::uint64_t kHalves = 0xe4;
  std::uint64_t mixed = static_cast<std::uint64_t>(tile) * 64 + static_cast<std::uint64_t>(chunk);
  mixed = (mixed + 1) * 0x9e3779b97f4a7c15;
  const unsigned draw = static_cast<unsigned>(mixed >> 40);
  if (sparsity == Sparsity::one_of_two) return static_cast<unsigned>(kHalves >> (4 * (draw % 2))) & 15;
  return static_cast<unsigned>(kPairs >> (4 * (draw % 6))) & 15;
}

/// Which of the elements that take part stands in column k, by a chunk's nibble; -1: none.
MMAPRINT_BOTH constexpr int packed_index(Sparsity sparsity, unsigned nibble, int k) {
  const int first = static_cast<int>(nibble & 3);
  const int second = static_cast<int>(nibble >> 2);
  switch (sparsity) {
    case Sparsity::two_of_four:
      return k % 4 == first ? k / 4 * 2 : k % 4 == second ? k / 4 * 2 + 1 : -1;
    case Sparsity::one_of_two:
      return k % 2 == first / 2 ? k / 2 : -1;
    case Sparsity::two_pairs_of_four:
      return k / 2 % 4 == first ? k / 8 * 4 + k % 2 : k / 2 % 4 == second ? k / 8 * 4 + 2 + k % 2 : -1;
  }
  return -1;
}

/// The first chunk of the lower half of a lane's metadata, and of the upper half. `k` counts A's columns.
struct ChunksOfLane {
  int low, high;
};
MMAPRINT_BOTH constexpr ChunksOfLane chunks_of_lane(int element_bits, int k, int lane) {
  const int chunks = k / chunk_width(sparsity_of(element_bits));
  if (chunks == 4) return {0, 0};  // rows g and g + 8
  if (chunks == 8 && element_bits >= 16) return {lane % 2 * 4, lane % 2 * 4};
  if (chunks == 8) return {0, 4};
  return {lane % 4 / 2 * 8, lane % 4 / 2 * 8 + 4};
}

/// A lane's metadata; the same for all rows.
MMAPRINT_BOTH constexpr std::uint32_t metadata(int element_bits, int k, int tile, int lane) {
  const Sparsity sparsity = sparsity_of(element_bits);
  const ChunksOfLane chunks = chunks_of_lane(element_bits, k, lane);
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i) {
    word |= nibble(sparsity, tile, chunks.low + i) << (4 * i);
    word |= nibble(sparsity, tile, chunks.high + i) << (16 + 4 * i);
  }
  return word;
}

}  // namespace mmaprint::cuda
