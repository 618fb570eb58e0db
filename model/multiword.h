// Fixed-width words beyond 128 bits where Boost's do not run: in device code.
#pragma once

#include <array>
#include <compare>

#include "model/wide.h"

namespace mmaprint {

/// An unsigned integer of 64·N bits, modulo 2^(64·N). Shifts by counts of at least that width give zero.
template <int N>
class Multiword {
 public:
  constexpr Multiword() = default;
  constexpr explicit Multiword(std::uint64_t low) : limbs_{low} {}
  constexpr explicit Multiword(Word128 low)
      : limbs_{static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(low >> 64)} {}
  constexpr explicit Multiword(unsigned low) : limbs_{low} {}
  constexpr explicit Multiword(int low) : limbs_{static_cast<std::uint64_t>(low)} {}  // from 0 on
  constexpr explicit operator std::uint64_t() const { return limbs_[0]; }
  constexpr explicit operator Word128() const { return Word128{limbs_[1]} << 64 | limbs_[0]; }
  [[nodiscard]] constexpr std::uint64_t limb(int i) const { return limbs_[i]; }

  friend constexpr Multiword operator+(const Multiword& x, const Multiword& y) {
    Multiword sum;
    std::uint64_t carry = 0;
    for (int i = 0; i < N; ++i) {
      const std::uint64_t partial = x.limbs_[i] + y.limbs_[i];
      sum.limbs_[i] = partial + carry;
      carry = (partial < x.limbs_[i] ? 1U : 0U) | (sum.limbs_[i] < partial ? 1U : 0U);
    }
    return sum;
  }
  friend constexpr Multiword operator-(const Multiword& x, const Multiword& y) {
    return x + ~y + Multiword(1U);
  }
  friend constexpr Multiword operator~(const Multiword& x) {
    return limbwise(x, x, [](std::uint64_t a, std::uint64_t) { return ~a; });
  }
  friend constexpr Multiword operator&(const Multiword& x, const Multiword& y) {
    return limbwise(x, y, [](std::uint64_t a, std::uint64_t b) { return a & b; });
  }
  friend constexpr Multiword operator|(const Multiword& x, const Multiword& y) {
    return limbwise(x, y, [](std::uint64_t a, std::uint64_t b) { return a | b; });
  }
  friend constexpr Multiword operator<<(const Multiword& x, int count) {
    Multiword moved;
    const int whole = count / 64, part = count % 64;
    for (int i = N - 1; i >= whole; --i) {
      moved.limbs_[i] = x.limbs_[i - whole] << part;
      if (part != 0 && i > whole) moved.limbs_[i] |= x.limbs_[i - whole - 1] >> (64 - part);
    }
    return moved;
  }
  friend constexpr Multiword operator>>(const Multiword& x, int count) {
    Multiword moved;
    const int whole = count / 64, part = count % 64;
    for (int i = 0; i + whole < N; ++i) {
      moved.limbs_[i] = x.limbs_[i + whole] >> part;
      if (part != 0 && i + whole + 1 < N) moved.limbs_[i] |= x.limbs_[i + whole + 1] << (64 - part);
    }
    return moved;
  }
  friend constexpr bool operator==(const Multiword&, const Multiword&) = default;
  friend constexpr std::strong_ordering operator<=>(const Multiword& x, const Multiword& y) {
    for (int i = N - 1; i > 0; --i)
      if (x.limbs_[i] != y.limbs_[i]) return x.limbs_[i] <=> y.limbs_[i];
    return x.limbs_[0] <=> y.limbs_[0];
  }

 private:
  template <class Fn>
  static constexpr Multiword limbwise(const Multiword& x, const Multiword& y, Fn&& fn) {
    Multiword result;
    for (int i = 0; i < N; ++i) result.limbs_[i] = fn(x.limbs_[i], y.limbs_[i]);
    return result;
  }
  std::uint64_t limbs_[static_cast<std::size_t>(N)] = {};
};

template <int N>
constexpr int bit_length(const Multiword<N>& x) {
  for (int i = N - 1; i > 0; --i)
    if (x.limb(i) != 0) return 64 * i + bit_length(x.limb(i));
  return bit_length(x.limb(0));
}
template <int N>
constexpr int lowest_bit(const Multiword<N>& x) {
  for (int i = 0; i + 1 < N; ++i)
    if (x.limb(i) != 0) return 64 * i + lowest_bit(x.limb(i));
  return 64 * (N - 1) + lowest_bit(x.limb(N - 1));
}

}  // namespace mmaprint
