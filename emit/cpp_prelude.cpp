#include "emit/cpp_prelude.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "emit/walk.h"

namespace mmaprint::emit {
namespace {

constexpr std::string_view kWords = R"(using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
)";
constexpr std::string_view kWords128 = R"(using u128 = unsigned __int128;  // of GCC, Clang and nvcc
using i128 = __int128;
)";

constexpr std::string_view kMaximum = R"(template <class T>
@ T maximum(T x, T y) {
  return x < y ? y : x;
}
)";
constexpr std::string_view kMinimum = R"(template <class T>
@ T minimum(T x, T y) {
  return y < x ? y : x;
}
)";

/// Two's complement of 64 * N bits. A template with what the programs need, and no more.
constexpr std::string_view kWide =
    R"(/// An integer of 64 * N bits, the lowest limb first; negative ones are two's complements.
template <int N>
struct wide {
  u64 limb[N];

  @ wide() : limb{} {}
  @ explicit wide(u64 x) : limb{x} {}
  @ explicit wide(u128 x) : limb{u64(x), u64(x >> 64)} {}
  @ explicit wide(u32 x) : limb{x} {}
  template <int M>
  @ explicit wide(const wide<M>& x) : limb{} {
    for (int i = 0; i < N && i < M; ++i) limb[i] = x.limb[i];
  }
  @ explicit operator u32() const { return u32(limb[0]); }
  @ explicit operator u64() const { return limb[0]; }
  @ explicit operator u128() const { return u128(limb[1]) << 64 | limb[0]; }
  @ wide operator+(const wide& y) const {
    wide sum;
    u64 carry = 0;
    for (int i = 0; i < N; ++i) {
      const u64 partial = limb[i] + carry;
      sum.limb[i] = partial + y.limb[i];
      carry = u64(partial < carry) + u64(sum.limb[i] < partial);
    }
    return sum;
  }
  @ wide operator~() const {
    wide x;
    for (int i = 0; i < N; ++i) x.limb[i] = ~limb[i];
    return x;
  }
  @ wide operator-() const { return ~*this + wide(u64(1)); }
  @ wide operator-(const wide& y) const { return *this + -y; }
  @ wide operator&(const wide& y) const {
    wide x;
    for (int i = 0; i < N; ++i) x.limb[i] = limb[i] & y.limb[i];
    return x;
  }
  @ wide operator|(const wide& y) const {
    wide x;
    for (int i = 0; i < N; ++i) x.limb[i] = limb[i] | y.limb[i];
    return x;
  }
  @ wide operator^(const wide& y) const {
    wide x;
    for (int i = 0; i < N; ++i) x.limb[i] = limb[i] ^ y.limb[i];
    return x;
  }
  @ wide operator<<(int by) const {
    wide x;
    for (int i = N - 1; i >= by / 64; --i) {
      const int from = i - by / 64;
      x.limb[i] = limb[from] << by % 64;
      if (by % 64 > 0 && from > 0) x.limb[i] |= limb[from - 1] >> (64 - by % 64);
    }
    return x;
  }
  @ wide operator>>(int by) const {
    wide x;
    for (int i = 0; i + by / 64 < N; ++i) {
      const int from = i + by / 64;
      x.limb[i] = limb[from] >> by % 64;
      if (by % 64 > 0 && from + 1 < N) x.limb[i] |= limb[from + 1] << (64 - by % 64);
    }
    return x;
  }
  @ bool operator==(const wide& y) const {
    for (int i = 0; i < N; ++i)
      if (limb[i] != y.limb[i]) return false;
    return true;
  }
  @ bool operator!=(const wide& y) const { return !(*this == y); }
};
)";

constexpr std::string_view kBitLength = R"(/// How many bits a number has up to its leading one: 0 for 0.
@ int bit_length(u64 x) {
  int length = 0;
  for (int step = 32; step > 0; step /= 2)
    if (x >> step != 0) {
      x >>= step;
      length += step;
    }
  return length + int(x);
}
)";
constexpr std::string_view kBitLength128 = R"(@ int bit_length(u128 x) {
  return u64(x >> 64) != 0 ? 64 + bit_length(u64(x >> 64)) : bit_length(u64(x));
}
)";
constexpr std::string_view kBitLengthWide = R"(template <int N>
@ int bit_length(const wide<N>& x) {
  for (int i = N - 1; i > 0; --i)
    if (x.limb[i] != 0) return 64 * i + bit_length(x.limb[i]);
  return bit_length(x.limb[0]);
}
)";

constexpr std::string_view kMagnitude = R"(@ u32 magnitude(int x) { return x < 0 ? 0 - u32(x) : u32(x); }
@ u64 magnitude(i64 x) { return x < 0 ? 0 - u64(x) : u64(x); }
)";
constexpr std::string_view kMagnitude128 =
    R"(@ u128 magnitude(i128 x) { return x < 0 ? 0 - u128(x) : u128(x); }
)";
constexpr std::string_view kMagnitudeWide = R"(template <int N>
@ bool is_negative(const wide<N>& x) {
  return x.limb[N - 1] >> 63 != 0;
}
template <int N>
@ wide<N> magnitude(const wide<N>& x) {
  return is_negative(x) ? -x : x;
}
)";
constexpr std::string_view kWrapped = R"(/// The lowest bits as a two's complement number.
template <class T>
@ T wrapped(T x, int bits) {
  const T sign = ONE << (bits - 1);
  return ((x & (sign + (sign - ONE))) ^ sign) - sign;
}
)";

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result(text);
  for (std::size_t at = result.find(from); at != std::string::npos; at = result.find(from, at + to.size()))
    result.replace(at, from.size(), to);
  return result;
}

}  // namespace

std::string cpp_prelude(const Program& program, const std::string& function) {
  std::set<Op> used;
  int widest = 0;
  for_each_expression(program, [&](const Expression& x) {
    used.insert(x.op);
    widest = std::max(widest, x.type.bits);
  });
  const bool has_128 = widest > 64, has_wide = widest > 128;
  std::string text(kWords);
  if (has_128) text += kWords128;
  const auto add = [&](bool needed, std::string_view helper) {
    if (needed) text += "\n" + replaced(helper, "@", function);
  };
  add(has_wide, kWide);
  add(used.contains(Op::maximum), kMaximum);
  add(used.contains(Op::minimum), kMinimum);
  const bool length = used.contains(Op::bit_length);
  add(length, kBitLength);
  add(length && has_128, kBitLength128);
  add(length && has_wide, kBitLengthWide);
  const bool signs = used.contains(Op::magnitude);
  add(signs, kMagnitude);
  add(signs && has_128, kMagnitude128);
  add(signs && has_wide, kMagnitudeWide);
  add(used.contains(Op::wrapped), replaced(kWrapped, "ONE", has_wide ? "T(u64(1))" : "T(1)"));
  return text;
}

}  // namespace mmaprint::emit
