// How the kernels of a bulk comparison get at the elements of tiles, and which formats they are compiled for.
#pragma once

#include "device/cuda/bulk_round.h"
#include "model/known_widths.h"

namespace mmaprint::cuda {

inline constexpr int kThreads = 128;

[[nodiscard]] constexpr Pattern load(const void* from, int bytes, std::size_t i) {
  switch (bytes) {
    case 1:
      return static_cast<const std::uint8_t*>(from)[i];
    case 2:
      return static_cast<const std::uint16_t*>(from)[i];
    case 4:
      return static_cast<const std::uint32_t*>(from)[i];
    default:
      return static_cast<const std::uint64_t*>(from)[i];
  }
}
constexpr void store(void* to, int bytes, std::size_t i, Pattern p) {
  switch (bytes) {
    case 1:
      static_cast<std::uint8_t*>(to)[i] = static_cast<std::uint8_t>(p);
      break;
    case 2:
      static_cast<std::uint16_t*>(to)[i] = static_cast<std::uint16_t>(p);
      break;
    case 4:
      static_cast<std::uint32_t*>(to)[i] = static_cast<std::uint32_t>(p);
      break;
    default:
      static_cast<std::uint64_t*>(to)[i] = p;
  }
}

/// The places of a matrix, row after row, that one thread of a block takes. Divides only in the beginning.
class Walk {
 public:
  constexpr Walk(int thread, int row_length)
      : row(thread / row_length),
        column(thread % row_length),
        length_(row_length),
        rows_(kThreads / row_length),
        columns_(kThreads % row_length) {}
  constexpr void advance() {
    row += rows_;
    column += columns_;
    if (column >= length_) column -= length_, ++row;
  }

  int row, column;

 private:
  int length_, rows_, columns_;
};

// Formats that instances are compiled for, because they are compared most.
using Fp16ToFp32 = WidthsOf<Format::fp16, Format::fp16, Format::fp32, Format::fp32>;
using Fp16ToFp16 = WidthsOf<Format::fp16, Format::fp16, Format::fp16, Format::fp16>;
using Bf16ToFp32 = WidthsOf<Format::bf16, Format::bf16, Format::fp32, Format::fp32>;

/// fn(widths), with the formats known where they are among those.
template <class Fn>
auto with_widths(const PlanWidths& unit, Fn&& fn) {
  if (Fp16ToFp32::fit(unit)) return fn(Fp16ToFp32{});
  if (Fp16ToFp16::fit(unit)) return fn(Fp16ToFp16{});
  if (Bf16ToFp32::fit(unit)) return fn(Bf16ToFp32{});
  return fn(AnyWidths{});
}

}  // namespace mmaprint::cuda
