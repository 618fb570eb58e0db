// A checksum that finds accidents: FNV-1a, 64 bits.
//
// Any one changed byte changes it for certain, as each step is a permutation of the state; of other accidents
// it misses one in 2^64. Forgers are not its business: who wants to know whether a result holds does
// everything again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mmaprint {

class Checksum {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) state_ = (state_ ^ static_cast<unsigned char>(byte)) * kPrime;
  }
  /// 16 lower-case hexadecimal digits.
  [[nodiscard]] std::string text() const;

 private:
  static constexpr std::uint64_t kPrime = 0x100000001b3U;
  std::uint64_t state_ = 0xcbf29ce484222325U;
};

[[nodiscard]] std::string checksum(std::string_view bytes);

}  // namespace mmaprint
