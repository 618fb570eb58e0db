// What the concrete algebra computes with machine words, without its parameters (model/concrete.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "model/concrete_values.h"
#include "model/wide.h"
#include "model/word256.h"

namespace mmaprint {

template <class W>
class ConcreteCore {
 public:
  using Bool = ConcreteBool;
  using Int = ConcreteInt;
  using Word = ConcreteWord<W>;
  using Sum = ConcreteSum<W>;
  static constexpr int kBits = kWordBits<W>;

  // Truth values.
  [[nodiscard]] constexpr Bool truth(bool b) const { return {b}; }
  [[nodiscard]] constexpr std::optional<bool> known(Bool b) const { return b.value; }
  [[nodiscard]] constexpr Bool no(Bool x) const { return {!x.value}; }
  template <class... More>
  [[nodiscard]] constexpr Bool all(Bool x, More... more) const {
    return {static_cast<bool>((x.value & ... & more.value))};
  }
  template <class... More>
  [[nodiscard]] constexpr Bool any(Bool x, More... more) const {
    return {static_cast<bool>((x.value | ... | more.value))};
  }
  [[nodiscard]] constexpr Bool differ(Bool x, Bool y) const { return {x.value != y.value}; }
  template <class T>
  [[nodiscard]] constexpr const T& mux(Bool condition, const T& yes, const T& otherwise) const {
    return condition.value ? yes : otherwise;
  }
  template <class Yes, class No>
  [[nodiscard]] constexpr auto choose(Bool condition, Yes&& yes, No&& otherwise) const {
    return condition.value ? yes() : otherwise();
  }

  // Small signed integers: exponents and shift amounts.
  [[nodiscard]] constexpr Int integer(int v) const { return {v}; }
  [[nodiscard]] constexpr Int add(Int x, Int y) const { return {x.value + y.value}; }
  [[nodiscard]] constexpr Int subtract(Int x, Int y) const { return {x.value - y.value}; }
  [[nodiscard]] constexpr Int maximum(Int x, Int y) const { return {std::max(x.value, y.value)}; }
  [[nodiscard]] constexpr Bool at_least(Int x, int bound) const { return {x.value >= bound}; }
  [[nodiscard]] constexpr Bool equals(Int x, int v) const { return {x.value == v}; }
  [[nodiscard]] constexpr Int from_bit(Bool b) const { return {b.value ? 1 : 0}; }
  [[nodiscard]] constexpr Int to_int(const Word& x, int /*width*/) const {
    return {static_cast<int>(low_word(x.value))};
  }
  [[nodiscard]] constexpr Word to_word(Int x, int /*width*/) const {
    return {W(static_cast<unsigned>(x.value))};
  }

  // Unsigned words.
  [[nodiscard]] constexpr Word word(int /*width*/, std::uint64_t v) const { return {W(v)}; }
  [[nodiscard]] constexpr Bool bit(const Word& x, int i) const { return {((x.value >> i) & W(1)) != W(0)}; }
  [[nodiscard]] constexpr Bool is_zero(const Word& x) const { return {x.value == W(0)}; }
  [[nodiscard]] constexpr Bool greater(const Word& x, const Word& y) const { return {x.value > y.value}; }
  [[nodiscard]] constexpr Word slice(const Word& x, int low, int count) const {
    if (count <= 0 || low >= kWordBits<W>) return {};
    return {W(W(x.value >> low) & low_ones<W>(count))};
  }
  /// What slice(x, count, width - count) gives for a word of that width.
  [[nodiscard]] constexpr Word drop_low(const Word& x, int count) const {
    return {count >= kWordBits<W> ? W(0) : W(x.value >> count)};
  }
  [[nodiscard]] constexpr Word concat(const Word& high, const Word& low, int low_width) const {
    return {W(W(high.value << low_width) | low.value)};
  }
  [[nodiscard]] constexpr Word append_bit(Bool high, const Word& low, int low_width) const {
    return {W(W(W(high.value ? 1U : 0U) << low_width) | low.value)};
  }
  [[nodiscard]] constexpr Word shift_left(const Word& x, int count) const { return {W(x.value << count)}; }
  [[nodiscard]] constexpr Word shift_right(const Word& x, Int count) const {
    return {shifted_right(x.value, count.value)};
  }
  [[nodiscard]] constexpr std::pair<Word, Bool> shift_right_sticky(const Word& x, Int count) const {
    const int n = count.value < kWordBits<W> ? count.value : kWordBits<W>;
    return {shift_right(x, count), {W(x.value & low_ones<W>(n)) != W(0)}};
  }
  /// x shifted left until bit width-1 is one, and by how much; zero stays zero, its count lies in [0, width).
  [[nodiscard]] constexpr std::pair<Word, Int> normalise(const Word& x, int width) const {
    const int count = std::min(width - bit_length(x.value), width - 1);
    return {Word{W(x.value << count)}, {count}};
  }
  [[nodiscard]] constexpr Word multiply(const Word& x, const Word& y) const { return {W(x.value * y.value)}; }
  [[nodiscard]] constexpr Word increment(const Word& x, Bool by, int /*width*/) const {
    return {W(x.value + W(by.value ? 1U : 0U))};
  }
  [[nodiscard]] constexpr Word set_lowest(const Word& x, Bool b) const {
    return {W(x.value | W(b.value ? 1U : 0U))};
  }

  // Signed sums.
  [[nodiscard]] constexpr Sum zero_sum(int /*width*/) const { return {}; }
  [[nodiscard]] constexpr Sum add_signed(const Sum& s, const Word& magnitude, Bool negative) const {
#if defined(__CUDA_ARCH__)
    if constexpr (kWordBits<W> == 32) return {s.value + magnitude.value * (1U - 2U * negative.value)};
#endif
    if constexpr (kWordBits<W> <= 128) {  // signs are hard to predict: no branch
      const W flip = W(W(0) - W(negative.value ? 1U : 0U));
      return {W(W(s.value + W(magnitude.value ^ flip)) - flip)};
    } else {
      return {negative.value ? W(s.value - magnitude.value) : W(s.value + magnitude.value)};
    }
  }
  /// Adds a magnitude of a narrower algebra, whose top bit is not set.
  template <class V>
    requires(kWordBits<V> < kWordBits<W>)
  [[nodiscard]] constexpr Sum add_signed(const Sum& s, const ConcreteWord<V>& magnitude,
                                         Bool negative) const {
    if constexpr (kWordBits<V> == 32 && kWordBits<W> == 64) {  // one instruction of GPUs
      const auto sign = 1 - 2 * static_cast<std::int32_t>(negative.value);
      return {s.value + static_cast<W>(std::int64_t{static_cast<std::int32_t>(magnitude.value)} * sign)};
    } else {
      return add_signed(s, import(magnitude), negative);
    }
  }
  [[nodiscard]] constexpr Sum add_integer(const Sum& s, std::int32_t x) const {
    return {W(s.value + static_cast<W>(std::int64_t{x}))};
  }
  [[nodiscard]] constexpr Bool is_negative(const Sum& s) const {
    return {((s.value >> (kWordBits<W> - 1)) & W(1)) != W(0)};
  }
  [[nodiscard]] constexpr Word magnitude(const Sum& s) const {
    return {is_negative(s).value ? W(W(0) - s.value) : s.value};
  }
  /// The low `bits` bits of the two's complement, as they are.
  [[nodiscard]] constexpr Word low_bits(const Sum& s, int bits) const {
    return {W(s.value & low_ones<W>(bits))};
  }
  /// The value of the low `bits` bits, read as two's complement.
  [[nodiscard]] constexpr Sum wrap(const Sum& s, int bits) const {
    if (bits >= kWordBits<W>) return s;
    const W low = W(s.value & low_ones<W>(bits));
    return {((low >> (bits - 1)) & W(1)) != W(0) ? W(low - (W(1) << bits)) : low};
  }

  // Only where everything is known: what evaluation by need asks in its keys.
  [[nodiscard]] constexpr bool value(Bool b) const { return b.value; }
  [[nodiscard]] constexpr int value(Int x) const { return x.value; }
  [[nodiscard]] constexpr int lowest_one(const Word& x) const { return lowest_bit(x.value); }
  [[nodiscard]] constexpr int length(const Word& x) const { return bit_length(x.value); }

  // Words of other widths.
  [[nodiscard]] constexpr const Word& import(const Word& x) const { return x; }
  template <class V>
  [[nodiscard]] constexpr Word import(const ConcreteWord<V>& x) const {
    if constexpr (kWordBits<V> > 128 || kWordBits<W> > 128) {
      if constexpr (kWordBits<V> > kWordBits<W>)
        return {narrowed(x.value)};
      else
        return {W(x.value)};
    } else {
      return {static_cast<W>(x.value)};
    }
  }

 private:
  template <class V>
  static constexpr W narrowed(const V& x) {
    return static_cast<W>(V(x & V(low_ones<V>(kWordBits<W>))));
  }
};

}  // namespace mmaprint
