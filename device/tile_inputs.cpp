#include "device/tile_inputs.h"

#include <algorithm>

namespace mmaprint {

TileEdges edges_of(const Adder& adder, const FormatInfo& d) {
  TileEdges edges;
  if (!d.is_floating()) return edges;
  if (adder.minimum_alignment_exponent) edges.clamp = *adder.minimum_alignment_exponent;
  if (adder.alignment_fraction_bits) edges.alignment_fraction_bits = *adder.alignment_fraction_bits;
  edges.result_fraction_bits = std::min(adder.output_fraction_bits, d.fraction_bits);
  return edges;
}

std::vector<TileEdges> all_edges_of(const UnitModel& model) {
  std::vector<TileEdges> all;
  for (const Adder& adder : model.adders) {
    const TileEdges edges = edges_of(adder, info(model.formats.d));
    if (std::ranges::find(all, edges) == all.end()) all.push_back(edges);
  }
  return all;
}

TileEdges edges_of(const UnitModel& model) { return edges_of(model.adders.front(), info(model.formats.d)); }

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
