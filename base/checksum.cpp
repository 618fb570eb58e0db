#include "base/checksum.h"

#include <openssl/sha.h>

#include <array>
#include <span>

namespace mmaprint {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

std::string hexadecimal(std::span<const unsigned char> bytes) {
  std::string text;
  for (const unsigned char byte : bytes) text += {kDigits[byte >> 4U], kDigits[byte & 15U]};
  return text;
}

}  // namespace

std::string Checksum::text() const {
  std::array<unsigned char, 8> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<unsigned char>(state_ >> (56U - 8U * i));
  return hexadecimal(bytes);
}

std::string fnv1a64(std::string_view bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.text();
}

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return hexadecimal(digest);
}

}  // namespace mmaprint
