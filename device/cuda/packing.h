// Single dot products as tiles: every input gets a row of A and a column of B of its own.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "device/cuda/rows.h"
#include "model/instruction.h"
#include "model/unit_model.h"

namespace mmaprint::cuda {

/// Where an input's d comes out.
struct Place {
  int tile, row, column;
  friend constexpr bool operator==(const Place&, const Place&) = default;
};

/// Inputs go to places on diagonals. Which diagonal changes with the tile and with `turn`, so that a sequence
/// of tiles comes through every place of one.
class Packing {
 public:
  /// Tiles of m x n, the formats' elements in containers of whole bytes.
  Packing(int m, int n, const Instruction& instruction, int turn);

  [[nodiscard]] int inputs_per_tile() const;
  [[nodiscard]] int tiles_for(std::size_t inputs) const;
  [[nodiscard]] Place place(std::size_t input) const;

  /// Bytes of one tile.
  [[nodiscard]] std::size_t a_bytes() const { return bytes(m_ * k_, formats_.a); }
  [[nodiscard]] std::size_t b_bytes() const { return bytes(n_ * k_, formats_.b); }
  [[nodiscard]] std::size_t c_bytes() const { return bytes(m_ * n_, room_for_c(formats_)); }
  [[nodiscard]] std::size_t d_bytes() const { return bytes(m_ * n_, formats_.d); }

  struct Operands {
    std::vector<std::byte> a, b, c;
  };
  /// Zero wherever no input is. Requires inputs of k products.
  [[nodiscard]] Operands pack(std::span<const DotInput> inputs) const;
  /// The results of the first `inputs` inputs.
  [[nodiscard]] std::vector<Pattern> unpack(std::span<const std::byte> d, std::size_t inputs) const;

 private:
  static std::size_t bytes(int elements, Format format);

  int m_, n_, k_;
  Signature formats_;
  int turn_;
};

}  // namespace mmaprint::cuda
