// Fragment layouts, metadata, shared memory and packing: every element has its place, and only one.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "device/cuda/layout.h"
#include "device/cuda/packing.h"
#include "device/cuda/shared_matrix.h"
#include "device/cuda/sparsity.h"
#include "device/cuda/table.h"

namespace mmaprint::cuda::cuda_layout_test {
namespace {

int register_bits(Format format) {
  if (format == Format::int4 || format == Format::uint4) return 4;
  const int bits = info(format).container_bits;
  return bits > 1 && bits < 8 ? 8 : bits;  // kind::f8f6f4: a byte each
}
int per_register(int bits) { return bits == 64 ? 1 : 32 / bits; }

/// How often each element of a matrix is hit.
class Hits {
 public:
  Hits(int lines, int along) : lines_(lines), along_(along) {}
  void hit(Cell cell) { ++counts_[{cell.line, cell.along}]; }
  void expect_each_once(const std::string& what) const {
    EXPECT_EQ(counts_.size(), static_cast<std::size_t>(lines_ * along_)) << what;
    for (const auto& [cell, count] : counts_) {
      EXPECT_EQ(count, 1) << what << " (" << cell.first << ", " << cell.second << ")";
      EXPECT_TRUE(cell.first >= 0 && cell.first < lines_ && cell.second >= 0 && cell.second < along_)
          << what << " (" << cell.first << ", " << cell.second << ")";
    }
  }

 private:
  int lines_, along_;
  std::map<std::pair<int, int>, int> counts_;
};

bool is_in_fragments(const TableRow& row) {
  return row.group == Group::dense || row.group == Group::sparse || row.group == Group::wgmma;
}
/// Rows of A that a warp has.
int rows_of_warp(const TableRow& row) { return row.group == Group::wgmma ? 16 : row.shape.m; }

TEST(Layout, GivesEveryElementOfAToOneLane) {
  for (const TableRow& row : table()) {
    if (!is_in_fragments(row)) continue;
    const int m = rows_of_warp(row);
    const int k = row.instruction.k;
    const int e = per_register(register_bits(row.instruction.formats.a));
    Hits hits(m, k);
    for (int lane = 0; lane < kLanes; ++lane)
      for (int reg = 0; reg < m * k / e / kLanes; ++reg)
        for (int j = 0; j < e; ++j) {
          const Cell first = a_cell(lane, reg, e);
          hits.hit({first.line, first.along + j});
        }
    hits.expect_each_once(row.instruction.name);
  }
}

TEST(Layout, GivesEveryElementOfBToOneLane) {
  for (const TableRow& row : table()) {
    if (!is_in_fragments(row) || row.group == Group::wgmma) continue;
    const int e = per_register(register_bits(row.instruction.formats.b));
    Hits hits(row.shape.n, row.shape.k);
    for (int lane = 0; lane < kLanes; ++lane)
      for (int reg = 0; reg < row.shape.n * row.shape.k / e / kLanes; ++reg)
        for (int j = 0; j < e; ++j) {
          const Cell first = b_cell(lane, reg, e);
          hits.hit({first.line, first.along + j});
        }
    hits.expect_each_once(row.instruction.name);
  }
}

TEST(Layout, GivesEveryElementOfCToOneLane) {
  for (const int m : {8, 16}) {
    Hits hits(m, 8);
    for (int lane = 0; lane < kLanes; ++lane)
      for (int pair = 0; pair < m / 8; ++pair)
        for (int j = 0; j < 2; ++j) {
          const Cell first = c_cell(lane, pair);
          hits.hit({first.line, first.along + j});
        }
    hits.expect_each_once("C");
  }
}

TEST(Layout, GivesQuadPairsEveryElementOfTheirProduct) {
  for (int product = 0; product < 4; ++product) {
    Hits along(8, 4), across(8, 4), c16(8, 8), c32(8, 8);
    for (int lane = 0; lane < kLanes; ++lane) {
      if (quad_lane(lane).product != product) continue;
      for (int i = 0; i < 4; ++i) along.hit(quad_along_k(lane, i));
      for (int i = 0; i < 4; ++i) across.hit(quad_across_k(lane, i));
      for (int i = 0; i < 8; ++i) c16.hit(quad_c16(lane, i));
      for (int i = 0; i < 8; ++i) c32.hit(quad_c32(lane, i));
      for (int i = 0; i < 8; i += 2)  // loads take two at a time
        EXPECT_EQ(quad_c32(lane, i + 1), (Cell{quad_c32(lane, i).line, quad_c32(lane, i).along + 1}));
    }
    along.expect_each_once("along k");
    across.expect_each_once("across k");
    c16.expect_each_once("C in FP16");
    c32.expect_each_once("C in FP32");
  }
}

TEST(Sparsity, ChoosesEveryLegalNibbleInEveryChunk) {
  const std::set<unsigned> pairs{0x4, 0x8, 0x9, 0xc, 0xd, 0xe};
  const std::set<unsigned> halves{0x4, 0xe};
  for (const Sparsity sparsity : {Sparsity::two_of_four, Sparsity::one_of_two, Sparsity::two_pairs_of_four})
    for (int chunk = 0; chunk < 16; ++chunk) {
      std::set<unsigned> seen;
      for (int tile = 0; tile < 200; ++tile) seen.insert(nibble(sparsity, tile, chunk));
      EXPECT_EQ(seen, sparsity == Sparsity::one_of_two ? halves : pairs) << chunk;
    }
}

TEST(Sparsity, PairsEveryElementOfAWithOneColumn) {
  for (const int bits : {4, 8, 16, 32}) {
    const Sparsity sparsity = sparsity_of(bits);
    const int k = 16 * chunk_width(sparsity);
    for (int tile = 0; tile < 50; ++tile) {
      int next = 0;  // in order
      for (int column = 0; column < k; ++column) {
        const unsigned chosen = nibble(sparsity, tile, column / chunk_width(sparsity));
        const int index = packed_index(sparsity, chosen, column);
        if (index < 0) continue;
        EXPECT_EQ(index, next++) << bits << " bits, column " << column;
      }
      EXPECT_EQ(next, k / 2);
    }
  }
}

/// Where PTX has a row's and a chunk's nibble: the lane and the lowest bit.
struct NibblePlace {
  int lane, bit;
};
NibblePlace nibble_place(int bits, int chunks, int row, int chunk) {
  const int g = row % 8;
  const int h = row / 8;
  if (chunks == 4) return {4 * g + kSelector, 16 * h + 4 * chunk};
  if (chunks == 8 && bits >= 16) return {4 * g + 2 * kSelector + chunk / 4, 16 * h + 4 * (chunk % 4)};
  if (chunks == 8) return {4 * g + 2 * kSelector + h, 4 * chunk};
  return {4 * g + 2 * (chunk / 8) + h, 4 * (chunk % 8)};
}

TEST(Sparsity, TellsEveryRowItsNibbles) {
  for (const TableRow& row : table()) {
    if (!row.sparse || !is_in_fragments(row)) continue;
    const int bits = register_bits(row.instruction.formats.a);
    const int chunks = row.shape.k / chunk_width(sparsity_of(bits));
    for (const int tile : {0, 1, 77})
      for (int line = 0; line < 16; ++line)
        for (int chunk = 0; chunk < chunks; ++chunk) {
          const auto [lane, bit] = nibble_place(bits, chunks, line, chunk);
          EXPECT_EQ(metadata(bits, row.shape.k, tile, lane) >> bit & 15,
                    nibble(sparsity_of(bits), tile, chunk))
              << row.instruction.name << " row " << line << " chunk " << chunk;
        }
  }
}

TEST(SharedMatrix, HasAPlaceForEveryByte) {
  for (const int bytes : {32, 64}) {
    std::set<int> offsets;
    for (int column = 0; column < 8; ++column)
      for (int byte = 0; byte < bytes; ++byte) {
        offsets.insert(shared_offset(column, byte));
        EXPECT_EQ(shared_offset(column, byte), shared_offset(column, byte / 16 * 16) + byte % 16);
      }
    EXPECT_EQ(offsets.size(), static_cast<std::size_t>(8 * bytes));
    EXPECT_EQ(*offsets.rbegin(), 8 * bytes - 1);
  }
}

TEST(SharedMatrix, IsDescribedInBitFields) {
  const std::uint64_t descriptor = matrix_descriptor(0x12340);
  EXPECT_EQ(descriptor & 0x3fff, 0x1234U);
  EXPECT_EQ(descriptor >> 16 & 0x3fff, static_cast<unsigned>(kLeadingBytes) / 16);
  EXPECT_EQ(descriptor >> 32 & 0x3fff, static_cast<unsigned>(kStrideBytes) / 16);
  EXPECT_EQ(descriptor >> 49, 0U);  // no offset, no swizzling
}

struct TileSize {
  int m, n;
};
constexpr TileSize kTileSizes[] = {{8, 8}, {16, 8}, {64, 8}, {16, 16}, {32, 8}, {8, 32}};
const Instruction kDot2{"dot2", 2, {Format::fp16, Format::bf16, Format::fp32, Format::fp32}};

TEST(Packing, GivesInputsOfATileRowsAndColumnsOfTheirOwn) {
  for (const auto& [m, n] : kTileSizes) {
    const Packing packing(m, n, kDot2, 12345);
    std::map<int, std::set<int>> rows, columns;
    for (std::size_t i = 0; i < 1000; ++i) {
      const Place at = packing.place(i);
      EXPECT_LT(at.row, m);
      EXPECT_LT(at.column, n);
      EXPECT_TRUE(rows[at.tile].insert(at.row).second);
      EXPECT_TRUE(columns[at.tile].insert(at.column).second);
      EXPECT_LT(at.tile, packing.tiles_for(1000));
    }
  }
}

TEST(Packing, ComesThroughEveryPlaceOfATile) {
  for (const auto& [m, n] : kTileSizes) {
    std::set<std::pair<int, int>> places;  // of single inputs, one after the other
    for (int turn = 0; turn < m * n; ++turn) {
      const Place at = Packing(m, n, kDot2, turn).place(0);
      places.insert({at.row, at.column});
    }
    EXPECT_EQ(places.size(), static_cast<std::size_t>(m * n)) << m << " x " << n;
  }
}

TEST(Packing, PutsOperandsWhereResultsAreRead) {
  std::vector<DotInput> inputs;
  for (Pattern i = 0; i < 100; ++i) inputs.push_back({{0x1000 + i, i}, {0x2000 + i, 0xff00 + i}, i << 20});
  for (const auto& [m, n] : kTileSizes) {
    const Packing packing(m, n, kDot2, 3);
    const auto operands = packing.pack(inputs);
    const auto tiles = static_cast<std::size_t>(packing.tiles_for(inputs.size()));
    EXPECT_EQ(operands.a.size(), tiles * static_cast<std::size_t>(m) * 2 * 2);
    EXPECT_EQ(operands.b.size(), tiles * static_cast<std::size_t>(n) * 2 * 2);
    const auto element = [](const std::vector<std::byte>& bytes, std::size_t index) {
      return std::to_integer<Pattern>(bytes[2 * index]) | std::to_integer<Pattern>(bytes[2 * index + 1]) << 8;
    };
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Place at = packing.place(i);
      for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(element(operands.a, static_cast<std::size_t>(at.tile * m + at.row) * 2 + k),
                  inputs[i].a[k]);
        EXPECT_EQ(element(operands.b, static_cast<std::size_t>(at.tile * n + at.column) * 2 + k),
                  inputs[i].b[k]);
      }
    }
    const auto back = packing.unpack(operands.c, inputs.size());  // c has d's format
    for (std::size_t i = 0; i < inputs.size(); ++i) EXPECT_EQ(back[i], inputs[i].c);
  }
}

}  // namespace
}  // namespace mmaprint::cuda::cuda_layout_test
