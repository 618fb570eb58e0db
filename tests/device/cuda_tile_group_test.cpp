// Which lines of A and B the tiles of a bulk comparison share.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "device/cuda/tile_group.h"

namespace mmaprint::cuda {
namespace {

TEST(TileGroups, HaveEveryPairOfARowAndAColumnOfTilesOnce) {
  for (const auto& [m, n] : {std::pair(16, 8), std::pair(8, 8), std::pair(8, 32), std::pair(64, 24)}) {
    const TileGroup group = group_of(m, n);
    std::set<std::pair<int, int>> places;
    for (int tile = 0; tile < group.tiles(); ++tile) {
      EXPECT_LT(group.row_of(tile), group.rows());
      EXPECT_LT(group.column_of(tile), group.columns());
      places.emplace(group.row_of(tile), group.column_of(tile));
      const int later = tile + 3 * group.tiles();  // another group's
      EXPECT_EQ(group.row_of(later), group.row_of(tile));
      EXPECT_EQ(group.column_of(later), group.column_of(tile));
    }
    EXPECT_EQ(static_cast<int>(places.size()), group.rows() * group.columns()) << m << " x " << n;
  }
}

TEST(TileGroups, ShareLinesUntilEachServesThirtyTwoResults) {
  EXPECT_EQ(group_of(16, 8).tiles(), 2 * 4);
  EXPECT_EQ(group_of(8, 8).tiles(), 4 * 4);
  EXPECT_EQ(group_of(64, 24).columns(), 2);
  EXPECT_EQ(group_of(64, 256).tiles(), 1);
}

}  // namespace
}  // namespace mmaprint::cuda
