// Bits that look random, made from others.
#pragma once

#include <cstdint>

namespace mmaprint {

/// The finaliser of splitmix64: every bit of the result depends on every bit of x.
[[nodiscard]] constexpr std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

}  // namespace mmaprint
