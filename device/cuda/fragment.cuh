// A lane's registers from tiles in global memory, and back.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/cuda/layout.h"
#include "device/cuda/rows.h"
#include "device/cuda/sparsity.h"

namespace mmaprint::cuda {

template <bool Wide>
struct WordOf {
  using Type = std::uint32_t;
};
template <>
struct WordOf<true> {
  using Type = std::uint64_t;
};

/// How many elements of `Bits` bits a register holds.
template <int Bits>
inline constexpr int kPerRegister = Bits == 64 ? 1 : 32 / Bits;

template <class Value>
__device__ Value load(const void* elements, std::size_t index) {
  return __ldg(static_cast<const Value*>(elements) + index);
}

/// A register of elements that are neighbours in the tile, from number `first`, a multiple of their count,
/// on.
template <int Bits, int Shift>
__device__ auto load_register(const void* elements, std::size_t first) {
  constexpr int kCount = kPerRegister<Bits>;
  if constexpr (Bits == 64) {
    return static_cast<std::uint64_t>(load<unsigned long long>(elements, first));
  } else if constexpr (Bits >= 8) {
    return static_cast<std::uint32_t>(load<unsigned>(elements, first / kCount)) << Shift;
  } else {
    std::uint32_t packed = 0;
    for (int i = 0; i < kCount; i += 4) {
      const auto four = load<unsigned>(elements, (first + static_cast<std::size_t>(i)) / 4);
      for (int j = 0; j < 4; ++j) packed |= (four >> (8 * j) & ((1U << Bits) - 1)) << (Bits * (i + j));
    }
    return packed;
  }
}

/// Registers of A of a warp's 16 (or 8) rows, the first of them `row`. k is A's width, packed where it is
/// sparse.
template <int Count, int Bits, int Shift, class Word>
__device__ void load_a(Word* registers, const void* tile, int k, int row, int lane) {
#pragma unroll
  for (int r = 0; r < Count; ++r) {
    const Cell cell = a_cell(lane, r, kPerRegister<Bits>);
    registers[r] =
        load_register<Bits, Shift>(tile, static_cast<std::size_t>((row + cell.line) * k + cell.along));
  }
}

/// Registers of B of 8 columns, k elements each.
template <int Count, int Bits, int Shift, class Word>
__device__ void load_b(Word* registers, const void* tile, int k, int lane) {
#pragma unroll
  for (int r = 0; r < Count; ++r) {
    const Cell cell = b_cell(lane, r, kPerRegister<Bits>);
    registers[r] = load_register<Bits, Shift>(tile, static_cast<std::size_t>(cell.line * k + cell.along));
  }
}

/// Registers of C (or stores those of D): pairs of neighbours, 2 * Bytes each, so that memory is accessed by
/// the pair.
template <int Bytes>
struct Pair;
template <>
struct Pair<2> {
  using Vector = unsigned;
  static constexpr int kRegisters = 1;
  template <class Word>
  static __device__ void split(Vector from, Word* to) {
    to[0] = from;
  }
  template <class Word>
  static __device__ Vector join(const Word* from) {
    return from[0];
  }
};
template <>
struct Pair<4> {
  using Vector = uint2;
  static constexpr int kRegisters = 2;
  template <class Word>
  static __device__ void split(Vector from, Word* to) {
    to[0] = from.x;
    to[1] = from.y;
  }
  template <class Word>
  static __device__ Vector join(const Word* from) {
    return make_uint2(from[0], from[1]);
  }
};
template <>
struct Pair<8> {
  using Vector = ulonglong2;
  static constexpr int kRegisters = 2;
  template <class Word>
  static __device__ void split(Vector from, Word* to) {
    to[0] = from.x;
    to[1] = from.y;
  }
  template <class Word>
  static __device__ Vector join(const Word* from) {
    return make_ulonglong2(from[0], from[1]);
  }
};

/// The pair's number among the pairs of a tile with n columns.
__device__ inline std::size_t pair_index(int row, int n, int pair, int lane) {
  const Cell cell = c_cell(lane, pair);
  return static_cast<std::size_t>((row + cell.line) * n + cell.along) / 2;
}

template <int Count, int Bytes, class Word>
__device__ void load_c(Word* registers, const void* tile, int n, int row, int lane) {
  using P = Pair<Bytes>;
#pragma unroll
  for (int pair = 0; pair < Count / P::kRegisters; ++pair)
    P::split(load<typename P::Vector>(tile, pair_index(row, n, pair, lane)),
             registers + pair * P::kRegisters);
}

template <int Count, int Bytes, class Word>
__device__ void store_d(const Word* registers, void* tile, int n, int row, int lane) {
  using P = Pair<Bytes>;
#pragma unroll
  for (int pair = 0; pair < Count / P::kRegisters; ++pair)
    static_cast<typename P::Vector*>(tile)[pair_index(row, n, pair, lane)] =
        P::join(registers + pair * P::kRegisters);
}

/// A register of B where A is sparse: the elements of a column from k on. `tile` holds those that take part,
/// chosen by the tile's number; the others get a value that would be noticed.
template <int ABits, int Bits, int Bytes, int Shift>
__device__ std::uint32_t load_expanded(const void* tile, unsigned long long noticed, int number, int packed_k,
                                       int column, int k) {
  using Value =
      std::conditional_t<Bytes == 1, unsigned char, std::conditional_t<Bytes == 2, unsigned short, unsigned>>;
  constexpr Sparsity kSparsity = sparsity_of(ABits);
  constexpr int kWidth = chunk_width(kSparsity);
  static_assert(kWidth % kPerRegister<Bits> == 0, "a register's elements are of one chunk");
  const unsigned chosen = nibble(kSparsity, number, k / kWidth);
  const int in_chunk = kWidth == kPerRegister<Bits> ? 0 : k % kWidth;
  const int before = column * packed_k + k / kWidth * (kWidth / 2);
  std::uint32_t packed = 0;
#pragma unroll
  for (int j = 0; j < kPerRegister<Bits>; ++j) {
    const int index = packed_index(kSparsity, chosen, in_chunk + j);
    const auto value =
        index < 0 ? static_cast<Value>(noticed) : load<Value>(tile, static_cast<std::size_t>(before + index));
    packed |= static_cast<std::uint32_t>(value) << (Bits * j + Shift);
  }
  return packed;
}

}  // namespace mmaprint::cuda
