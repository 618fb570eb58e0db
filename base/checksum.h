// Checksums: what shows that bytes are those that were written.
//
// Files that people keep and cite are listed by SHA-256. A journal's batches are closed by FNV-1a, 64 bits,
// taken as bytes come: any one changed byte changes it for certain, as each step is a permutation of the
// state. Both find accidents; who wants to know whether a result holds does everything again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mmaprint {

/// FNV-1a.
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
[[nodiscard]] std::string fnv1a64(std::string_view bytes);

/// 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);

/// A checksum that was stated, in lower-case hexadecimal digits.
struct StatedChecksum {
  enum class Kind : std::uint8_t {
    sha256,
    fnv1a64,  ///< in certificates of before
  };
  Kind kind = Kind::sha256;
  std::string digits;
  /// What it should be for these bytes.
  [[nodiscard]] std::string of(std::string_view bytes) const {
    return kind == Kind::sha256 ? sha256(bytes) : fnv1a64(bytes);
  }
};

}  // namespace mmaprint
