// How dot products lie in registers and tiles, against emulations of what instructions read there. Nothing is
// executed.
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "device/cpu/layout.h"
#include "device/cpu/table.h"
#include "support/random.h"

namespace mmaprint::cpu::cpu_layout_test {
namespace {

using test::Random;

Pattern element(const std::byte* from, Format format) {
  Pattern p = 0;
  for (int i = info(format).container_bits / 8; i-- > 0;) p = p << 8 | std::to_integer<Pattern>(from[i]);
  return p;
}
void store(std::byte* to, Format format, Pattern p) {
  for (int i = 0; i < info(format).container_bits / 8; ++i, p >>= 8) to[i] = static_cast<std::byte>(p);
}
std::size_t bytes(Format format) { return static_cast<std::size_t>(info(format).container_bits) / 8; }

/// A result that depends on every operand and on its place.
class Digest {
 public:
  void add(Pattern p) { hash_ = (hash_ ^ p) * 0x100000001b3ULL + (hash_ >> 29); }
  [[nodiscard]] Pattern of(Format d) const { return (hash_ ^ hash_ >> 32) & info(d).pattern_mask(); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};
Pattern digest(const DotInput& input, Format d) {
  Digest all;
  for (std::size_t k = 0; k < input.a.size(); ++k) {
    all.add(input.a[k]);
    all.add(input.b[k]);
  }
  all.add(input.c);
  return all.of(d);
}

/// VFMADD231PS, VDPBF16PS, VPDPBUSD: lane i of d from lane i of c and the elements of a and b at the same
/// bits.
void emulate_vectors(const Instruction& of, std::size_t lanes, const std::byte* a, const std::byte* b,
                     std::byte* c) {
  const auto k = static_cast<std::size_t>(of.k);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    std::byte* const d = c + lane * bytes(of.formats.d);
    Digest all;
    for (std::size_t i = lane * k; i < (lane + 1) * k; ++i) {
      all.add(element(a + i * bytes(of.formats.a), of.formats.a));
      all.add(element(b + i * bytes(of.formats.b), of.formats.b));
    }
    all.add(element(d, of.formats.d));
    store(d, of.formats.d, all.of(of.formats.d));
  }
}

/// TILELOADD of three tiles of 16 rows of 64 bytes with a stride of 64, then TDPBSSD's and TDPBF16PS's loops:
/// for all m, n: for k: the elements of 32 bits, of A's row m at k and of B's row k at n.
void emulate_tiles(const Instruction& of, const std::byte* a, const std::byte* b, std::byte* c) {
  using Tile = std::array<std::array<std::byte, 64>, 16>;
  const auto load = [](const std::byte* from) {
    Tile tile{};
    for (std::size_t row = 0; row < 16; ++row) std::copy_n(from + row * 64, 64, tile[row].begin());
    return tile;
  };
  const Tile tile_a = load(a), tile_b = load(b), tile_c = load(c);
  const std::size_t together = 4 / bytes(of.formats.a);
  for (std::size_t m = 0; m < 16; ++m)
    for (std::size_t n = 0; n < 16; ++n) {
      Digest all;
      for (std::size_t k = 0; k < 16; ++k)
        for (std::size_t i = 0; i < together; ++i) {
          all.add(element(&tile_a[m][4 * k + i * bytes(of.formats.a)], of.formats.a));
          all.add(element(&tile_b[k][4 * n + i * bytes(of.formats.b)], of.formats.b));
        }
      all.add(element(&tile_c[m][4 * n], of.formats.d));
      store(c + 64 * m + 4 * n, of.formats.d, all.of(of.formats.d));
    }
}

DotInput any_input(Random& random, const Instruction& of) {
  const auto any = [&](Format format) { return random.bits() & info(format).pattern_mask(); };
  DotInput input;
  for (int k = 0; k < of.k; ++k) {
    input.a.push_back(any(of.formats.a));
    input.b.push_back(any(of.formats.b));
  }
  input.c = any(of.formats.d);
  return input;
}

void emulate(const TableRow& row, const Layout& layout, Layout::Blocks& blocks) {
  const std::size_t size = bytes_of(row.registers);
  for (std::size_t at = 0; at < blocks.count * size; at += size) {
    if (row.registers == Registers::tile)
      emulate_tiles(row.instruction, &blocks.a[at], &blocks.b[at], &blocks.c[at]);
    else
      emulate_vectors(row.instruction, layout.lanes(), &blocks.a[at], &blocks.b[at], &blocks.c[at]);
  }
}

TEST(CpuLayout, PutsEveryOperandWhereTheInstructionReadsIt) {
  Random random(test::starting_seed(17));
  for (const TableRow& row : table()) {
    const Layout layout(row.instruction, row.registers);
    for (const std::size_t size : {1UL, 2UL, 15UL, 16UL, 17UL, 100UL}) {
      std::vector<DotInput> inputs;
      std::vector<Pattern> expected;
      for (std::size_t i = 0; i < size; ++i) {
        inputs.push_back(any_input(random, row.instruction));
        expected.push_back(digest(inputs.back(), row.instruction.formats.d));
      }
      Layout::Blocks blocks = layout.pack(inputs);
      ASSERT_EQ(blocks.count, layout.blocks_for(size));
      ASSERT_EQ(blocks.b.size(), blocks.count * bytes_of(row.registers));
      emulate(row, layout, blocks);
      EXPECT_EQ(layout.unpack(blocks.c, size), expected) << row.instruction.name << ", " << size;
    }
  }
}

TEST(CpuLayout, FillsRegisters) {
  const auto lanes = [](const char* name, Registers registers) {
    return Layout(instruction_from_name(name).value(), registers).lanes();
  };
  EXPECT_EQ(lanes("vfmadd231ss.rn", Registers::scalar), 1U);
  EXPECT_EQ(lanes("vfmadd231pd.rn", Registers::ymm), 4U);
  EXPECT_EQ(lanes("vfmadd231ph.rn", Registers::zmm), 32U);
  EXPECT_EQ(lanes("vdpbf16ps", Registers::zmm), 16U);
  EXPECT_EQ(lanes("tdpbssd", Registers::tile), 16U);
}

TEST(CpuTable, HasInstructionsOfOneNameEachThatFillTheirRegisters) {
  std::set<std::string> names;
  for (const TableRow& row : table()) {
    const Instruction& i = row.instruction;
    EXPECT_TRUE(names.insert(i.name).second) << i.name;
    EXPECT_EQ(instruction_from_name(i.name), i);
    EXPECT_FALSE(row.assembly.empty());
    // An element of d is as wide as its elements of a, but of FP16, FP32 and FP64, whose are alone.
    const auto k = static_cast<std::size_t>(i.k);
    const std::size_t width = row.registers == Registers::tile ? 64 : bytes(i.formats.d);
    EXPECT_EQ(k * bytes(i.formats.a), width) << i.name;
    EXPECT_EQ(bytes(i.formats.a), bytes(i.formats.b)) << i.name;
  }
  EXPECT_GE(names.size(), 80U);
}

}  // namespace
}  // namespace mmaprint::cpu::cpu_layout_test
