#include "solver/product_lemmas.h"

#include <algorithm>
#include <bit>

#include "base/contracts.h"

namespace mmaprint {
namespace {

constexpr std::uint64_t ones(int bits) { return (std::uint64_t{1} << bits) - 1; }

/// The odd x's inverse modulo 2^64: each step doubles the bits that are right.
constexpr std::uint64_t inverse(std::uint64_t x) {
  std::uint64_t result = x;
  for (int bits = 3; bits < 64; bits *= 2) result *= 2 - x * result;
  return result;
}

/// The smallest y of first, first + step, ... up to `last` that is such beside this x.
struct Progression {
  std::uint64_t first, step, last;
};

/// Those y that the product's lowest known bits and its highest ones leave; empty where last < first.
Progression candidates(std::uint64_t x, const KnownBits& product, const FactorWidths& widths) {
  constexpr Progression kNone{1, 1, 0};
  const std::uint64_t all = ones(widths.y);
  if (x == 0) return product.value == 0 ? Progression{0, 1, all} : kNone;
  const int known_low = std::countr_one(product.mask);
  const int zeros = std::min(std::countr_zero(x), known_low);
  if ((product.value & ones(zeros)) != 0) return kNone;
  const int decided = std::min(known_low - zeros, widths.y);
  const std::uint64_t step = std::uint64_t{1} << decided;
  const std::uint64_t first =
      decided == 0 ? 0 : ((product.value >> zeros) * inverse(x >> std::countr_zero(x))) & (step - 1);
  const std::uint64_t unknown = ~product.mask & ones(widths.x + widths.y);
  const std::uint64_t low_part = ones(static_cast<int>(std::bit_width(unknown)));
  const std::uint64_t lowest = (product.value & ~low_part) / x;
  const std::uint64_t highest = ((product.value & ~low_part) | low_part) / x;
  const std::uint64_t skipped = lowest > first ? (lowest - first) / step : 0;
  return {first + skipped * step, step, std::min(highest, all)};
}

}  // namespace

bool is_within(const PartlyKnown& known, const FactorWidths& widths) {
  const auto is = [](const KnownBits& bits, int width) {
    return ((bits.mask | bits.value) & ~ones(width)) == 0;
  };
  return is(known.x, widths.x) && is(known.y, widths.y) && is(known.product, widths.x + widths.y);
}

std::optional<FactorPair> find_factors(const PartlyKnown& known, const FactorWidths& widths,
                                       std::int64_t& tried) {
  MMAPRINT_EXPECTS(is_within(known, widths));
  const std::uint64_t free = ones(widths.x) & ~known.x.mask;
  std::uint64_t part = 0;  // of x, in the places that are free: all of them in turn
  do {
    const std::uint64_t x = known.x.value | part;
    const auto [first, step, last] = candidates(x, known.product, widths);
    ++tried;
    for (std::uint64_t y = first; y <= last; y += step) {
      ++tried;
      if (known.y.allows(y) && known.product.allows(x * y)) return FactorPair{x, y};
    }
    part = (part - free) & free;
  } while (part != 0);
  return std::nullopt;
}

PartlyKnown generalised(PartlyKnown known, const FactorWidths& widths, std::int64_t most,
                        std::int64_t& tried) {
  const std::int64_t until = tried + most;
  const auto gives_up = [&](KnownBits PartlyKnown::*word, std::uint64_t bits) {
    if (tried > until || ((known.*word).mask & bits) == 0) return;
    PartlyKnown fewer = known;
    (fewer.*word).mask &= ~bits;
    (fewer.*word).value &= ~bits;
    if (!find_factors(fewer, widths, tried)) known = fewer;
  };
  gives_up(&PartlyKnown::x, ~std::uint64_t{0});
  gives_up(&PartlyKnown::y, ~std::uint64_t{0});
  for (int i = widths.x + widths.y - 1; i >= 0; --i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    gives_up(&PartlyKnown::product, bit);
    gives_up(&PartlyKnown::x, bit);
    gives_up(&PartlyKnown::y, bit);
  }
  return known;
}

bool may_lie_beside(Beside side, const FactorWidths& widths, int lost, int boundary, FactorKinds factors) {
  constexpr int kMostLost = 6;
  const int width = widths.x + widths.y;
  if (lost <= 0) return false;
  if (boundary <= lost) return true;
  // All of them lie below the first multiple, and far enough.
  const auto is_far_below = [&] {
    if (boundary > width) return true;
    const std::uint64_t largest = ones(widths.x) * ones(widths.y);
    return side == Beside::above || (std::uint64_t{1} << boundary) - largest >= std::uint64_t{1} << lost;
  };
  if (width < 64 && boundary >= width && is_far_below()) return false;
  if (width > kMostBitsOfFactors || lost > kMostLost) return true;
  std::int64_t tried = 0;
  const std::uint64_t low = ones(boundary);
  const auto leading = [&](int bits) {
    const std::uint64_t bit = factors == FactorKinds::normal ? std::uint64_t{1} << (bits - 1) : 0;
    return KnownBits{bit, bit};
  };
  const KnownBits x = leading(widths.x), y = leading(widths.y);
  for (std::uint64_t distance = 1; distance < std::uint64_t{1} << lost; ++distance) {
    if (side == Beside::below) {
      if (find_factors({x, y, {low, (low + 1 - distance) & low}}, widths, tried)) return true;
      continue;
    }
    // Above a boundary, some bit is there beyond those.
    for (int i = boundary; i < width; ++i) {
      const std::uint64_t high = std::uint64_t{1} << i;
      if (find_factors({x, y, {low | high, distance | high}}, widths, tried)) return true;
    }
  }
  return false;
}

}  // namespace mmaprint
