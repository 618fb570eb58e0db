// Products of two significands that lie just beside an odd multiple of a power of two.
//
// A sum is rounded otherwise if what is lost of a product moves it across such a multiple, or onto it. Of
// the larger powers there are few: of FP16's 2^20 pairs of significands two have a product that is 1 more or
// less than an odd multiple of 2^19. So all pairs are gone through, once, and some are kept of each power and
// of distances about as large: one bit that is lost takes other products than five.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace mmaprint {

struct NearProduct {
  std::uint32_t a, b;  ///< normal significands, the leading bit included
  int distance;        ///< how much more than the multiple it is; not 0
};

/// Of distances from 2^0 on, from 2^1 on and so on, and their negatives.
inline constexpr std::size_t kSizesOfDistances = 7;
using NearProducts = std::array<std::vector<NearProduct>, kSizesOfDistances>;

/// By the power's exponent, from 1 on. Of significands with so many fraction bits; null where there are too
/// many pairs. Threads may ask at once.
[[nodiscard]] const std::vector<NearProducts>* near_products(int fraction_bits_a, int fraction_bits_b);

}  // namespace mmaprint
