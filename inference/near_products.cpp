#include "inference/near_products.h"

#include <bit>
#include <cstddef>
#include <cstdlib>

#include "model/memo.h"

namespace mmaprint {
namespace {

using Table = std::vector<NearProducts>;

constexpr int kMostBitsOfOne = 12;
constexpr int kMostBits = 20;
constexpr std::size_t kMostOfSize = 256;

/// How much more than the nearest odd multiple of 2^power it is.
int distance_from(std::uint32_t product, int power) {
  const std::uint32_t odd = std::uint32_t{1} << power;
  return static_cast<int>(product & (2 * odd - 1)) - static_cast<int>(odd);
}

Table made(int bits_a, int bits_b) {
  Table table(static_cast<std::size_t>(bits_a + bits_b + 2));
  const std::uint32_t pairs = std::uint32_t{1} << (bits_a + bits_b);
  const std::uint32_t one_a = std::uint32_t{1} << bits_a, one_b = std::uint32_t{1} << bits_b;
  for (std::uint32_t i = 0; i < pairs; ++i) {
    // In another order, so that what is kept of many is of any size.
    const std::uint32_t pair = i * 0x9E3779B1U & (pairs - 1);
    const std::uint32_t a = one_a | pair >> bits_b, b = one_b | (pair & (one_b - 1));
    for (std::size_t power = 1; power < table.size(); ++power) {
      const int distance = distance_from(a * b, static_cast<int>(power));
      const auto size = static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(std::abs(distance))));
      if (size == 0 || size > kSizesOfDistances) continue;
      auto& of_size = table[power][size - 1];
      if (of_size.size() < kMostOfSize) of_size.push_back({a, b, distance});
    }
  }
  return table;
}

}  // namespace

const std::vector<NearProducts>* near_products(int fraction_bits_a, int fraction_bits_b) {
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
