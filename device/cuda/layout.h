// Which lane holds which element: the fragments of mma and wgmma.
//
// A lane is 4 * group + thread. A register of A or B holds `e` elements, neighbours along k, the first in its
// low bits. Shapes with 8 rows have A's first register and C's first pair only; wgmma's warps have 16 rows
// each, as m16n8kX has. Sparse A is held as dense A, with its packed elements for k.
#pragma once

#include "device/cuda/both.h"

namespace mmaprint::cuda {

/// Row and k of A, column and k of B, row and column of C and D.
struct Cell {
  int line, along;
  friend constexpr bool operator==(const Cell&, const Cell&) = default;
};

inline constexpr int kLanes = 32;

/// The first element of a lane's register of A.
MMAPRINT_BOTH constexpr Cell a_cell(int lane, int reg, int e) {
  return {lane / 4 + 8 * (reg % 2), e * (lane % 4) + 4 * e * (reg / 2)};
}

/// The first element of a lane's register of B.
MMAPRINT_BOTH constexpr Cell b_cell(int lane, int reg, int e) {
  return {lane / 4, e * (lane % 4) + 4 * e * reg};
}

/// The first of two neighbours in a row of C or D. They share a register, or have one each.
MMAPRINT_BOTH constexpr Cell c_cell(int lane, int pair) { return {lane / 4 + 8 * pair, 2 * (lane % 4)}; }

/// m8n8k4 of FP16: four products, each on four lanes of the lower half-warp and four of the upper.
struct QuadLane {
  int product, half, thread;
};
MMAPRINT_BOTH constexpr QuadLane quad_lane(int lane) { return {lane / 4 % 4, lane / 16, lane % 4}; }

/// Element i = 0..3 of A where it is stored by rows (of B: by columns), neighbours along k ...
MMAPRINT_BOTH constexpr Cell quad_along_k(int lane, int i) {
  const QuadLane at = quad_lane(lane);
  return {at.thread + 4 * at.half, i};
}
/// ... and where it is stored by columns (of B: by rows).
MMAPRINT_BOTH constexpr Cell quad_across_k(int lane, int i) {
  const QuadLane at = quad_lane(lane);
  return {i + 4 * at.half, at.thread};
}
/// Elements i = 0..7 of C and D in FP16 ...
MMAPRINT_BOTH constexpr Cell quad_c16(int lane, int i) {
  const QuadLane at = quad_lane(lane);
  return {at.thread + 4 * at.half, i};
}
/// ... and in FP32.
MMAPRINT_BOTH constexpr Cell quad_c32(int lane, int i) {
  return {lane % 2 + i / 2 % 2 * 2 + 4 * quad_lane(lane).half, i / 4 * 4 + lane / 2 % 2 * 2 + i % 2};
}

}  // namespace mmaprint::cuda
