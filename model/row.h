// A row of values whose greatest length is known when it is made: the operands of one instruction, of one
// node.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "model/inlining.h"

namespace mmaprint {

/// Holds up to `capacity` values, without allocating for usual instructions. Values need no default
/// constructor.
template <class T>
class Row {
 public:
  constexpr explicit Row(std::size_t capacity)
      : data_(capacity <= kInside ? inside() : std::allocator<T>().allocate(capacity)), capacity_(capacity) {}
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;
  constexpr ~Row() {
    std::destroy_n(data_, size_);
    if (capacity_ > kInside) std::allocator<T>().deallocate(data_, capacity_);
  }

  /// Requires size() < capacity.
  constexpr void push_back(T value) { std::construct_at(data_ + size_++, std::move(value)); }
  /// Appends make(0), .., make(count-1). Requires room for them.
  template <class Make>
  constexpr void append(std::size_t count, Make&& make) {
    if constexpr (std::is_trivially_destructible_v<T>) {  // no member changes inside the loop, so it stays
                                                          // tight
      T* const end = data_ + size_;
      for (std::size_t i = 0; i < count; ++i) std::construct_at(end + i, make(i));
      size_ += count;
    } else {
      for (std::size_t i = 0; i < count; ++i) push_back(make(i));
    }
  }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr const T& operator[](std::size_t i) const { return data_[i]; }
  [[nodiscard]] constexpr std::span<const T> all() const { return {data_, size_}; }

 private:
  static constexpr std::size_t kInside = 34;
  constexpr T* inside() { return reinterpret_cast<T*>(bytes_); }

  T* data_;
  std::size_t capacity_;
  std::size_t size_ = 0;
  alignas(T) std::byte bytes_[kInside * sizeof(T)];
};

/// N values in a row, `First` of which are put one by one and the others made all at once. Device code holds
/// them in registers; lanes, which have too few, in memory, by a loop that is no longer for more of them.
template <class T, std::size_t N, std::size_t First>
class Cells {
 public:
  constexpr Cells() {}  // NOLINT(modernize-use-equals-default): lanes' values are not zeroed first
  constexpr void put(std::size_t i, const T& value) { data_[i] = value; }
  template <class Make>
  MMAPRINT_INLINE constexpr void make(Make&& make) {
#if defined(MMAPRINT_LANE_BITS)
#pragma GCC unroll 1
    for (std::size_t i = First; i < N; ++i) data_[i] = make(i - First);
#else
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((data_[First + I] = make(I)), ...);
    }(std::make_index_sequence<N - First>{});
#endif
  }
  [[nodiscard]] constexpr std::span<const T, N> all() const { return std::span<const T, N>(data_); }

 private:
#if defined(MMAPRINT_LANE_BITS)
  static_assert(std::is_trivially_copyable_v<T>);
  union {
    T data_[N];  // NOLINT(readability-identifier-naming): a member of the class, and private
  };
#else
  T data_[N];
#endif
};

/// A row whose length is known when it is compiled, filled by one append.
template <class T, std::size_t N>
class FullRow {
 public:
  constexpr explicit FullRow(std::size_t /*capacity*/) {}
  template <class Make>
  MMAPRINT_INLINE constexpr void append(std::size_t /*count*/, Make&& make) {
    cells_.make(make);
  }
  [[nodiscard]] constexpr std::span<const T, N> all() const { return cells_.all(); }

 private:
  Cells<T, N, 0> cells_;
};

/// For N values, where N may be std::dynamic_extent.
template <class T, std::size_t N>
struct RowOfLength {
  using Type = FullRow<T, N>;
};
template <class T>
struct RowOfLength<T, std::dynamic_extent> {
  using Type = Row<T>;
};
template <class T, std::size_t N>
using RowOf = typename RowOfLength<T, N>::Type;

}  // namespace mmaprint
