// Words of 256 bits: two of 128, which the compiler knows. What a fused multiply-add of FP64 needs.
#pragma once

#include "model/wide.h"

namespace mmaprint {

/// An unsigned integer modulo 2^256. Shifts are by 0 .. 255.
class Word256 {
 public:
  constexpr Word256() = default;
  constexpr explicit Word256(Word128 low) : low_(low) {}
  constexpr explicit Word256(std::uint64_t low) : low_(low) {}
  constexpr explicit Word256(unsigned low) : low_(low) {}
  constexpr explicit Word256(int low) : low_(static_cast<unsigned>(low)) {}  // from 0 on
  constexpr explicit operator std::uint32_t() const { return static_cast<std::uint32_t>(low_); }
  constexpr explicit operator std::uint64_t() const { return static_cast<std::uint64_t>(low_); }
  constexpr explicit operator Word128() const { return low_; }
  [[nodiscard]] constexpr Word128 high() const { return high_; }
  [[nodiscard]] constexpr Word128 low() const { return low_; }

  friend constexpr Word256 operator+(const Word256& x, const Word256& y) {
    const Word128 low = x.low_ + y.low_;
    return {x.high_ + y.high_ + (low < x.low_ ? 1U : 0U), low};
  }
  friend constexpr Word256 operator-(const Word256& x, const Word256& y) {
    return {x.high_ - y.high_ - (x.low_ < y.low_ ? 1U : 0U), x.low_ - y.low_};
  }
  friend constexpr Word256 operator~(const Word256& x) { return {~x.high_, ~x.low_}; }
  friend constexpr Word256 operator&(const Word256& x, const Word256& y) {
    return {x.high_ & y.high_, x.low_ & y.low_};
  }
  friend constexpr Word256 operator|(const Word256& x, const Word256& y) {
    return {x.high_ | y.high_, x.low_ | y.low_};
  }
  friend constexpr Word256 operator<<(const Word256& x, int count) {
    if (count >= 128) return {x.low_ << (count - 128), 0};
    // In two steps, as one by 128 has no meaning.
    return {x.high_ << count | x.low_ >> 1 >> (127 - count), x.low_ << count};
  }
  friend constexpr Word256 operator>>(const Word256& x, int count) {
    if (count >= 128) return {0, x.high_ >> (count - 128)};
    return {x.high_ >> count, x.low_ >> count | x.high_ << 1 << (127 - count)};
  }
  friend constexpr bool operator==(const Word256&, const Word256&) = default;
  friend constexpr auto operator<=>(const Word256&, const Word256&) = default;

 private:
  constexpr Word256(Word128 high, Word128 low) : high_(high), low_(low) {}

  Word128 high_ = 0, low_ = 0;  // in this order, which comparison follows
};

constexpr int bit_length(const Word256& x) {
  return x.high() != 0 ? 128 + bit_length(x.high()) : bit_length(x.low());
}
/// Requires x != 0.
constexpr int lowest_bit(const Word256& x) {
  return x.low() != 0 ? lowest_bit(x.low()) : 128 + lowest_bit(x.high());
}

}  // namespace mmaprint
