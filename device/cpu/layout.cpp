#include "device/cpu/layout.h"

namespace mmaprint::cpu {
namespace {

constexpr std::size_t kTileRows = 16;
constexpr std::size_t kRowBytes = 64;

std::size_t bytes_in_register(Format format) {
  return static_cast<std::size_t>(info(format).container_bits) / 8;
}

/// The lowest byte first, as x86 has it.
void put(std::byte* to, std::size_t bytes, Pattern p) {
  for (std::size_t i = 0; i < bytes; ++i) to[i] = static_cast<std::byte>(p >> (8 * i));
}
Pattern get(const std::byte* from, std::size_t bytes) {
  Pattern p = 0;
  for (std::size_t i = 0; i < bytes; ++i) p |= std::to_integer<Pattern>(from[i]) << (8 * i);
  return p;
}

}  // namespace

Layout::Layout(const Instruction& instruction, Registers registers)
    : registers_(registers),
      k_(static_cast<std::size_t>(instruction.k)),
      bytes_(bytes_of(registers)),
      lanes_(1),
      a_(bytes_in_register(instruction.formats.a)),
      b_(bytes_in_register(instruction.formats.b)),
      d_(bytes_in_register(instruction.formats.d)) {
  if (registers == Registers::tile)
    lanes_ = kTileRows;
  else if (registers != Registers::scalar)
    lanes_ = bytes_ / d_;
}

Layout::Place Layout::place_of(std::size_t input) const {
  const std::size_t block = input / lanes_;
  const std::size_t row = input % lanes_;
  return {block, row, (row + block) % lanes_};
}

std::size_t Layout::offset_a(const Place& at, std::size_t k) const {
  const std::size_t first = registers_ == Registers::tile ? at.row * kRowBytes : at.column * k_ * a_;
  return at.block * bytes_ + first + k * a_;
}

std::size_t Layout::offset_b(const Place& at, std::size_t k) const {
  if (registers_ != Registers::tile) return at.block * bytes_ + (at.column * k_ + k) * b_;
  const std::size_t together = d_ / b_;
  return at.block * bytes_ + k / together * kRowBytes + at.column * d_ + k % together * b_;
}

std::size_t Layout::offset_d(const Place& at) const {
  const std::size_t row = registers_ == Registers::tile ? at.row * kRowBytes : 0;
  return at.block * bytes_ + row + at.column * d_;
}

Layout::Blocks Layout::pack(std::span<const DotInput> inputs) const {
  const std::size_t count = blocks_for(inputs.size());
  Blocks blocks{std::vector<std::byte>(count * bytes_), std::vector<std::byte>(count * bytes_),
                std::vector<std::byte>(count * bytes_), count};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Place at = place_of(i);
    for (std::size_t k = 0; k < k_; ++k) {
      put(&blocks.a[offset_a(at, k)], a_, inputs[i].a[k]);
      put(&blocks.b[offset_b(at, k)], b_, inputs[i].b[k]);
    }
    put(&blocks.c[offset_d(at)], d_, inputs[i].c);
  }
  return blocks;
}

std::vector<Pattern> Layout::unpack(std::span<const std::byte> d, std::size_t inputs) const {
  std::vector<Pattern> results(inputs);
  for (std::size_t i = 0; i < inputs; ++i) results[i] = get(&d[offset_d(place_of(i))], d_);
  return results;
}

}  // namespace mmaprint::cpu
