// How dot products lie in the registers of an instruction. Nothing here needs the instruction.
//
// A block is the operands of one issue: a register of a, one of b, and one of c, which becomes d. In vector
// registers each lane holds one dot product: d's element, and the K elements of a and of b at the same bits.
// A tile register is 16 rows of 64 bytes (Intel, Software Developer's Manual, volume 1, 18, and TDPBF16PS in
// volume 2): row m of A holds the K elements of a; B's row g holds, in 32 bits a column, the elements that
// follow g's predecessors there; d is the element of row m, column n.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/instruction.h"
#include "model/unit_model.h"

namespace mmaprint::cpu {

enum class Registers : std::uint8_t {
  scalar,  ///< the lowest element of an XMM register
  ymm,
  zmm,
  tile,
};

/// Bytes of one register.
[[nodiscard]] constexpr std::size_t bytes_of(Registers registers) {
  switch (registers) {
    case Registers::scalar:
      return 16;
    case Registers::ymm:
      return 32;
    case Registers::zmm:
      return 64;
    case Registers::tile:
      break;
  }
  return 1024;
}

/// Puts inputs into blocks and takes results out of them.
class Layout {
 public:
  Layout(const Instruction& instruction, Registers registers);

  /// Dot products of one block.
  [[nodiscard]] std::size_t lanes() const { return lanes_; }
  [[nodiscard]] std::size_t blocks_for(std::size_t inputs) const { return (inputs + lanes_ - 1) / lanes_; }

  /// Operands of consecutive blocks; c becomes d. Where no input lies there are zeros.
  struct Blocks {
    std::vector<std::byte> a, b, c;
    std::size_t count = 0;
  };
  /// Requires inputs of K entries within the formats' widths. The lane (of tiles: the column) that an input
  /// gets moves from block to block.
  [[nodiscard]] Blocks pack(std::span<const DotInput> inputs) const;
  /// d of the first `inputs` inputs. `d` is Blocks::c after the instruction.
  [[nodiscard]] std::vector<Pattern> unpack(std::span<const std::byte> d, std::size_t inputs) const;

 private:
  struct Place {
    std::size_t block, row, column;
  };
  [[nodiscard]] Place place_of(std::size_t input) const;
  [[nodiscard]] std::size_t offset_a(const Place& at, std::size_t k) const;
  [[nodiscard]] std::size_t offset_b(const Place& at, std::size_t k) const;
  [[nodiscard]] std::size_t offset_d(const Place& at) const;

  Registers registers_;
  std::size_t k_, bytes_, lanes_;
  std::size_t a_, b_, d_;  ///< bytes of an element
};

}  // namespace mmaprint::cpu
