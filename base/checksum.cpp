#include "base/checksum.h"

namespace mmaprint {

std::string Checksum::text() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr int kBits = 64;
  std::string text;
  for (int shift = kBits - 4; shift >= 0; shift -= 4) text += kDigits[state_ >> shift & 15U];
  return text;
}

std::string checksum(std::string_view bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.text();
}

}  // namespace mmaprint
