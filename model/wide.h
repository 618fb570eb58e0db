// Unsigned machine words of 32, 64 and 128 bits and fixed-width integers beyond, behind the same few
// functions.
#pragma once

#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>

namespace mmaprint {

// NOLINTNEXTLINE(bugprone-reserved-identifier): the compiler's own 128-bit type
using Word128 = unsigned __int128;
template <unsigned Bits>
using WideWord = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<Bits, Bits, boost::multiprecision::unsigned_magnitude,
                                           boost::multiprecision::unchecked, void>,
    boost::multiprecision::et_off>;

template <class W>
inline constexpr int kWordBits = static_cast<int>(sizeof(W) * 8);
template <unsigned Bits>
inline constexpr int kWordBits<WideWord<Bits>> = static_cast<int>(Bits);

/// Position of the leading one plus one; 0 for 0.
constexpr int bit_length(std::uint64_t x) {
#ifdef __CUDA_ARCH__  // there, the builtins behind <bit> compile and give zero
  return 64 - __clzll(static_cast<long long>(x));
#else
  return static_cast<int>(std::bit_width(x));
#endif
}
constexpr int bit_length(std::uint32_t x) {
#ifdef __CUDA_ARCH__
  return 32 - __clz(static_cast<int>(x));
#else
  return static_cast<int>(std::bit_width(x));
#endif
}
constexpr int bit_length(Word128 x) {
  const auto high = static_cast<std::uint64_t>(x >> 64);
  return high != 0 ? 64 + bit_length(high) : bit_length(static_cast<std::uint64_t>(x));
}
template <unsigned Bits>
int bit_length(const WideWord<Bits>& x) {
  return x.is_zero() ? 0 : static_cast<int>(boost::multiprecision::msb(x)) + 1;
}

/// Position of the lowest one. Requires x != 0.
constexpr int lowest_bit(std::uint64_t x) { return bit_length(x & (0 - x)) - 1; }
constexpr int lowest_bit(std::uint32_t x) { return bit_length(x & (0U - x)) - 1; }
constexpr int lowest_bit(Word128 x) {
  const auto low = static_cast<std::uint64_t>(x);
  return low != 0 ? lowest_bit(low) : 64 + lowest_bit(static_cast<std::uint64_t>(x >> 64));
}
template <unsigned Bits>
int lowest_bit(const WideWord<Bits>& x) {
  return static_cast<int>(boost::multiprecision::lsb(x));
}

template <class W>
constexpr std::uint64_t low_word(const W& x) {
  if constexpr (std::is_integral_v<W> || std::is_same_v<W, Word128>)
    return static_cast<std::uint64_t>(x);
  else
    return static_cast<std::uint64_t>(x & W(~std::uint64_t{0}));
}

/// x >> count, which is 0 from the word's width on. Requires count >= 0.
template <class W>
constexpr W shifted_right(const W& x, int count) {
#ifdef __CUDA_ARCH__  // there, one instruction
  if constexpr (std::is_same_v<W, std::uint32_t>)
    return __funnelshift_rc(x, 0, static_cast<unsigned>(count));
  else
#endif
      if constexpr (std::is_same_v<W, std::uint64_t>)  // exponents are hard to predict: no branch
    return (x >> (static_cast<unsigned>(count) % 64)) & (0 - std::uint64_t{count < 64});
  else
    return count >= kWordBits<W> ? W(0) : W(x >> count);
}

/// 2^count - 1, for 0 <= count <= the word's width.
template <class W>
constexpr W low_ones(int count) {
  return count >= kWordBits<W> ? W(~W(0)) : W((W(1) << count) - W(1));
}

}  // namespace mmaprint
