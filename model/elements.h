// Bit patterns as arrays have them: beside each other, of one, two, four or eight bytes each.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "model/value.h"

namespace mmaprint {

/// Patterns that someone else owns, each in the low bits of an unsigned integer.
class Elements {
 public:
  Elements() = default;
  template <std::unsigned_integral T>
  Elements(std::span<const T> patterns)  // NOLINT(google-explicit-constructor): they are what it is
      : data_(patterns.data()), size_(patterns.size()), bytes_(sizeof(T)) {}
  /// Of that many bytes each. Requires 1, 2, 4 or 8, and data that is aligned to them.
  Elements(const void* data, std::size_t size, int bytes) : data_(data), size_(size), bytes_(bytes) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// Of each.
  [[nodiscard]] int bytes() const { return bytes_; }
  [[nodiscard]] const void* at(std::size_t i) const {
    return static_cast<const char*>(data_) + i * static_cast<std::size_t>(bytes_);
  }
  [[nodiscard]] Elements from(std::size_t first, std::size_t count) const {
    return {at(first), count, bytes_};
  }
  [[nodiscard]] Pattern operator[](std::size_t i) const {
    Pattern p = 0;
    copy(i, {&p, 1});
    return p;
  }
  /// Those from `first` on, as many as there is room for.
  void copy(std::size_t first, std::span<Pattern> to) const;

 private:
  const void* data_ = nullptr;
  std::size_t size_ = 0;
  int bytes_ = sizeof(Pattern);
};

/// fn(an integer of the type that elements of that many bytes have). Requires 1, 2, 4 or 8.
template <class Fn>
decltype(auto) with_element_type(int bytes, Fn&& fn) {
  switch (bytes) {
    case 1:
      return fn(std::uint8_t{});
    case 2:
      return fn(std::uint16_t{});
    case 4:
      return fn(std::uint32_t{});
    default:
      return fn(std::uint64_t{});
  }
}

inline void Elements::copy(std::size_t first, std::span<Pattern> to) const {
  with_element_type(bytes_, [&](auto type) {
    std::copy_n(static_cast<const decltype(type)*>(at(first)), to.size(), to.begin());
  });
}

}  // namespace mmaprint
