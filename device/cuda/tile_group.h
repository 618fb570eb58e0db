// How tiles of an instruction share their inputs in a bulk comparison. For host and device code.
#pragma once

namespace mmaprint::cuda {

/// Tiles of the instruction whose inputs are made as one large tile of TileInputs: those of a row of the
/// group multiply the same rows of A, those of a column the same columns of B, so that an element of A or B
/// is made once for several of them. They follow each other in memory, row after row.
struct TileGroup {
  int row_bits, column_bits;  ///< log2 of how many rows and columns of tiles

  [[nodiscard]] constexpr int rows() const { return 1 << row_bits; }
  [[nodiscard]] constexpr int columns() const { return 1 << column_bits; }
  [[nodiscard]] constexpr int tiles() const { return 1 << (row_bits + column_bits); }
  [[nodiscard]] constexpr int row_of(int tile) const { return (tile & (tiles() - 1)) >> column_bits; }
  [[nodiscard]] constexpr int column_of(int tile) const { return tile & (columns() - 1); }
};
/// The group of tiles of m x n results: few lines for many themes, many for few elements to be made.
[[nodiscard]] constexpr TileGroup group_of(int m, int n) {
  constexpr int kLines = 32;
  TileGroup group{0, 0};
  while (m << group.row_bits < kLines) ++group.row_bits;
  while (n << group.column_bits < kLines) ++group.column_bits;
  return group;
}

}  // namespace mmaprint::cuda
