#include "device/cuda/packing.h"

#include <algorithm>

namespace mmaprint::cuda {
namespace {

std::size_t element_bytes(Format format) {
  const int bits = info(format).container_bits;
  return bits <= 8 ? 1 : static_cast<std::size_t>(bits) / 8;
}

std::size_t index(int row, int width, int column) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column);
}

/// Little-endian, as GPUs are.
void put(std::vector<std::byte>& matrix, std::size_t element, std::size_t width, Pattern pattern) {
  for (std::size_t i = 0; i < width; ++i)
    matrix[element * width + i] = static_cast<std::byte>(pattern >> (8 * i) & 0xff);
}
Pattern get(std::span<const std::byte> matrix, std::size_t element, std::size_t width) {
  Pattern pattern = 0;
  for (std::size_t i = 0; i < width; ++i)
    pattern |= std::to_integer<Pattern>(matrix[element * width + i]) << (8 * i);
  return pattern;
}

}  // namespace

Packing::Packing(int m, int n, const Instruction& instruction, int turn)
    : m_(m), n_(n), k_(instruction.k), formats_(instruction.formats), turn_(turn % (m * n)) {}

std::size_t Packing::bytes(int elements, Format format) {
  return static_cast<std::size_t>(elements) * element_bytes(format);
}

int Packing::inputs_per_tile() const { return std::min(m_, n_); }

int Packing::tiles_for(std::size_t inputs) const {
  const auto per_tile = static_cast<std::size_t>(inputs_per_tile());
  return static_cast<int>((inputs + per_tile - 1) / per_tile);
}

Place Packing::place(std::size_t input) const {
  const auto per_tile = static_cast<std::size_t>(inputs_per_tile());
  const int tile = static_cast<int>(input / per_tile);
  const int along = static_cast<int>(input % per_tile);
  const int turn = (turn_ + tile) % (m_ * n_);
  // m and n are powers of two, n + 1 is odd: every row meets every column.
  return {tile, (along + turn + turn / n_) % m_, (along + turn) % n_};
}

Packing::Operands Packing::pack(std::span<const DotInput> inputs) const {
  const auto tiles = static_cast<std::size_t>(tiles_for(inputs.size()));
  Operands all{std::vector<std::byte>(tiles * a_bytes()), std::vector<std::byte>(tiles * b_bytes()),
               std::vector<std::byte>(tiles * c_bytes())};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Place at = place(i);
    for (int k = 0; k < k_; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      put(all.a, index(at.tile * m_ + at.row, k_, k), element_bytes(formats_.a), inputs[i].a[entry]);
      put(all.b, index(at.tile * n_ + at.column, k_, k), element_bytes(formats_.b), inputs[i].b[entry]);
    }
    put(all.c, index(at.tile * m_ + at.row, n_, at.column), element_bytes(room_for_c(formats_)), inputs[i].c);
  }
  return all;
}

std::vector<Pattern> Packing::unpack(std::span<const std::byte> d, std::size_t inputs) const {
  std::vector<Pattern> results;
  results.reserve(inputs);
  for (std::size_t i = 0; i < inputs; ++i) {
    const Place at = place(i);
    results.push_back(get(d, index(at.tile * m_ + at.row, n_, at.column), element_bytes(formats_.d)));
  }
  return results;
}

}  // namespace mmaprint::cuda
