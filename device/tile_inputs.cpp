#include "device/tile_inputs.h"

namespace mmaprint {

DotInput tile_input(const TileInputs& tile, int row, int column) {
  DotInput input;
  for (int k = 0; k < tile.k(); ++k) {
    input.a.push_back(tile.a(row, k));
    input.b.push_back(tile.b(column, k));
  }
  input.c = tile.c(row, column);
  return input;
}

}  // namespace mmaprint
