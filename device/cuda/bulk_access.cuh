// How the kernels of a bulk comparison get at the elements of tiles, and which formats they are compiled for.
#pragma once

#include <type_traits>

#include "device/cuda/bulk_round.h"
#include "model/known_widths.h"

namespace mmaprint::cuda {

inline constexpr unsigned kThreads = 128;

[[nodiscard]] constexpr Pattern load(const void* from, int bytes, unsigned i) {
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
constexpr void store(void* to, int bytes, unsigned i, Pattern p) {
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

/// So many times as many blocks as run at once.
template <class Kernel>
[[nodiscard]] cudaError_t blocks_of(Kernel kernel, std::size_t shared, int processors, int turns,
                                    unsigned& blocks) {
  int of_one = 0;
  const cudaError_t error =
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_one, kernel, static_cast<int>(kThreads), shared);
  if (error != cudaSuccess) return error;
  blocks = static_cast<unsigned>(of_one * processors * turns);
  return of_one > 0 ? cudaSuccess : cudaErrorInvalidConfiguration;
}

/// Where `tile` begins among matrices of so many elements.
[[nodiscard]] constexpr const void* of_tile(const void* from, int tile, int elements, int bytes) {
  return static_cast<const char*>(from) +
         static_cast<std::size_t>(tile) * static_cast<unsigned>(elements * bytes);
}
[[nodiscard]] constexpr void* of_tile(void* from, int tile, int elements, int bytes) {
  return static_cast<char*>(from) + static_cast<std::size_t>(tile) * static_cast<unsigned>(elements * bytes);
}

/// The places of matrices, one after the other, row after row, that one thread of a block takes. Divides only
/// in the beginning.
class Walk {
 public:
  constexpr Walk(unsigned thread, unsigned rows, unsigned row_length)
      : matrix(static_cast<int>(thread / row_length / rows)),
        row(static_cast<int>(thread / row_length % rows)),
        column(static_cast<int>(thread % row_length)),
        height_(static_cast<int>(rows)),
        length_(static_cast<int>(row_length)),
        matrices_(static_cast<int>(kThreads / row_length / rows)),
        rows_(static_cast<int>(kThreads / row_length % rows)),
        columns_(static_cast<int>(kThreads % row_length)) {}
  constexpr void advance() {
    matrix += matrices_;
    row += rows_;
    column += columns_;
    if (column >= length_) column -= length_, ++row;
    if (row >= height_) row -= height_, ++matrix;
  }

  int matrix, row, column;

 private:
  int height_, length_, matrices_, rows_, columns_;
};

// Formats that instances are compiled for, because they are compared most.
using Fp16ToFp32 = WidthsOf<Format::fp16, Format::fp16, Format::fp32, Format::fp32>;
using Fp16ToFp16 = WidthsOf<Format::fp16, Format::fp16, Format::fp16, Format::fp16>;
using Bf16ToFp32 = WidthsOf<Format::bf16, Format::bf16, Format::fp32, Format::fp32>;

/// Bytes of elements, known where the formats are.
template <class Widths>
[[nodiscard]] constexpr Storage storage_of(const PlanWidths& unit, const Storage& any) {
  if constexpr (std::is_same_v<Widths, AnyWidths>) return any;
  const PlanWidths known = Widths::of(unit);
  return {storage_bytes(known.a), storage_bytes(known.b), storage_bytes(known.c), storage_bytes(known.d)};
}

/// Any shape of tiles.
struct AnyShape {
  template <class Widths>
  using Known = Widths;
  static constexpr TileShape of(const TileShape& shape) { return shape; }
};
/// This shape.
template <int M, int N, int K>
struct ShapeOf {
  static constexpr int m = M, n = N, k = K;  // NOLINT(readability-identifier-naming): as TileShape's
  /// With K.
  template <class Widths>
  using Known = typename Widths::template OfK<K>;
  static constexpr TileShape of(const TileShape& /*shape*/) { return {M, N, K}; }
};
/// fn(shape), known where the formats and the shape are those that are compared most.
template <class Widths, class Fn>
auto with_shape(Widths /*formats*/, const TileShape& shape, Fn&& fn) {
  if constexpr (!std::is_same_v<Widths, AnyWidths>)
    if (shape.m == 16 && shape.n == 8 && shape.k == 16) return fn(ShapeOf<16, 8, 16>{});
  return fn(AnyShape{});
}

/// fn(widths), with the formats known where they are among those.
template <class Fn>
auto with_widths(const PlanWidths& unit, Fn&& fn) {
  if (Fp16ToFp32::fit(unit)) return fn(Fp16ToFp32{});
  if (Fp16ToFp16::fit(unit)) return fn(Fp16ToFp16{});
  if (Bf16ToFp32::fit(unit)) return fn(Bf16ToFp32{});
  return fn(AnyWidths{});
}

}  // namespace mmaprint::cuda
