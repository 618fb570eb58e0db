// What every generator of inputs draws from: whole numbers below a bound, chances in per cent, words of
// random bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "model/pattern.h"

namespace mmaprint {

/// Keeps `most` of them, any ones, in any order. Fisher and Yates, by hand: the standard library's shuffle is
/// another one elsewhere.
template <class Thing>
void keep_any(std::vector<Thing>& all, std::size_t most, std::mt19937_64& random) {
  const std::size_t count = std::min(most, all.size());
  for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + random() % (all.size() - i)]);
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(count), all.end());
}

/// A base of generators of inputs. With the same seed and build always the same; with the same seed, where no
/// two draws are arguments of one call, whose order is the compiler's choice.
class RandomDraws {
 protected:
  explicit RandomDraws(std::uint64_t seed) : random_(seed) {}

  /// In 0 .. bound-1; 0 where the bound is less than one.
  [[nodiscard]] int below(int bound) {
    return static_cast<int>(random_() % static_cast<std::uint64_t>(std::max(bound, 1)));
  }
  [[nodiscard]] bool chance(int percent) { return below(100) < percent; }
  [[nodiscard]] std::uint64_t word() { return random_(); }
  /// 0 .. size-1 in any order.
  template <class Index>
  void fill_with_any_order(std::vector<Index>& order) {
    for (std::size_t i = 0; i < order.size(); ++i)
      std::swap(order[i] = static_cast<Index>(i), order[random_() % (i + 1)]);
  }
  /// Keeps `most` of them, any ones, in any order.
  template <class Thing>
  void draw(std::vector<Thing>& all, std::size_t most) {
    keep_any(all, most, random_);
  }
  /// For the standard library's algorithms.
  [[nodiscard]] std::mt19937_64& engine() { return random_; }

 private:
  std::mt19937_64 random_;
};

/// The same as `floating_pattern`, but of an exponent below the format's range the lowest subnormal.
[[nodiscard]] inline Pattern nonzero_pattern(const FormatInfo& f, bool negative, int exponent,
                                             std::uint64_t fraction) {
  return floating_pattern(f, negative, std::max(exponent, f.emin() - f.fraction_bits), fraction);
}

}  // namespace mmaprint
