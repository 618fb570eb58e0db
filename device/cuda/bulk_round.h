// What the host and the kernels of a bulk comparison pass each other.
#pragma once

#include <cstdint>

#include "device/cuda/tile_group.h"
#include "device/cuda/tiles.h"
#include "device/tile_theme.h"

namespace mmaprint::cuda {

[[nodiscard]] constexpr TileGroup group_of(const TileShape& shape) { return group_of(shape.m, shape.n); }

/// One place where a device and a model differ; row and column are the group's.
struct MismatchRecord {
  std::uint64_t group, seen, predicted;
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

/// Groups of tiles that are made, executed and compared at once, and which they are.
struct Round {
  TileShape shape;
  Storage storage;
  std::uint64_t seed, first_group;
  int groups;
  TileEdges edges;

  [[nodiscard]] constexpr int tiles() const { return groups * group_of(shape).tiles(); }
};

}  // namespace mmaprint::cuda
