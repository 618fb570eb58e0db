// What the host and the kernels of a bulk comparison pass each other.
#pragma once

#include <cstdint>

#include "device/cuda/tiles.h"
#include "device/tile_theme.h"

namespace mmaprint::cuda {

/// One place where a device and a model differ.
struct MismatchRecord {
  std::uint64_t tile, seen, predicted;
  std::int32_t row, column;
};
/// What the kernels found.
struct Tally {
  static constexpr unsigned kMostRecords = 256;
  unsigned long long mismatches;
  MismatchRecord records[kMostRecords];  ///< the first ones
};

/// Bytes of one element of each operand.
struct Storage {
  int a, b, c, d;
};

/// Tiles that are made, executed and compared at once, and which they are.
struct Round {
  TileShape shape;
  Storage storage;
  std::uint64_t seed, first_tile;
  int tiles;
  TileEdges edges;
};

}  // namespace mmaprint::cuda
