#include "inference/near_products.h"

#include <bit>
#include <cstddef>

#include "model/memo.h"

namespace mmaprint {
namespace {

using Table = std::vector<std::vector<NearProduct>>;

constexpr int kMostBitsOfOne = 12;
constexpr int kMostBits = 20;
constexpr std::size_t kMostOfPower = 1024;
constexpr int kFarthest = 4;

Table made(int bits_a, int bits_b) {
  Table table(static_cast<std::size_t>(bits_a + bits_b + 2));
  const std::uint32_t pairs = std::uint32_t{1} << (bits_a + bits_b);
  const std::uint32_t one_a = std::uint32_t{1} << bits_a, one_b = std::uint32_t{1} << bits_b;
  for (std::uint32_t i = 0; i < pairs; ++i) {
    // In another order, so that what is kept of many is of any size.
    const std::uint32_t pair = i * 0x9E3779B1U & (pairs - 1);
    const std::uint32_t a = one_a | pair >> bits_b, b = one_b | (pair & (one_b - 1));
    for (int distance = -kFarthest; distance <= kFarthest; ++distance) {
      const auto multiple = static_cast<std::uint32_t>(static_cast<std::int64_t>(a * b) - distance);
      if (distance == 0 || multiple == 0) continue;
      const auto power = static_cast<std::size_t>(std::countr_zero(multiple));
      if (power != 0 && power < table.size() && table[power].size() < kMostOfPower)
        table[power].push_back({a, b, distance});
    }
  }
  return table;
}

}  // namespace

const std::vector<std::vector<NearProduct>>* near_products(int fraction_bits_a, int fraction_bits_b) {
  if (fraction_bits_a > kMostBitsOfOne || fraction_bits_b > kMostBitsOfOne ||
      fraction_bits_a + fraction_bits_b > kMostBits)
    return nullptr;
  constexpr auto kBits = static_cast<std::size_t>(kMostBitsOfOne) + 1;
  static Memo<Table, kBits * kBits> tables;
  const auto index =
      static_cast<std::size_t>(fraction_bits_a) * kBits + static_cast<std::size_t>(fraction_bits_b);
  return &tables.at(index, [&] { return made(fraction_bits_a, fraction_bits_b); });
}

}  // namespace mmaprint
