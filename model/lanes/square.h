// As many vectors as each has lanes: inputs that lie one after the other become lanes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "model/lanes/vectors.h"
#include "model/value.h"

namespace mmaprint::lanes {

/// kLanes words in each of kLanes vectors.
using Square = std::array<WordVector, kLanes>;

namespace detail {
/// A vector as the compiler's shuffles take it.
template <class T, std::size_t Count>
using Elements [[gnu::vector_size(sizeof(T) * Count)]] = T;
using Raw = Elements<Word, kLanes>;

/// The elements of two vectors by turns, half of each: the lower halves or the upper ones.
template <std::size_t First, std::size_t... I>
WordVector shuffled(WordVector x, WordVector y, std::index_sequence<I...> /*lanes*/) {
  const auto both = __builtin_shufflevector(std::bit_cast<Raw>(x.raw), std::bit_cast<Raw>(y.raw),
                                            (First + I / 2 + (I % 2) * kLanes)...);
  return WordVector{std::bit_cast<decltype(x.raw)>(both)};
}

#if MMAPRINT_LANE_BITS == 32
template <std::size_t... I>
WordVector low_halves(hn::Vec<hn::Repartition<std::uint64_t, Words>> x,
                      hn::Vec<hn::Repartition<std::uint64_t, Words>> y, std::index_sequence<I...> /*lanes*/) {
  const auto low = __builtin_shufflevector(std::bit_cast<Raw>(x.raw), std::bit_cast<Raw>(y.raw), (2 * I)...);
  return WordVector{std::bit_cast<decltype(x.raw)>(low)};
}
#endif
}  // namespace detail

/// Up to kLanes patterns that lie beside each other, `count` of them; zeros for the rest.
inline WordVector words_of(const Pattern* from, std::size_t count) {
  const hn::Repartition<std::uint64_t, Words> wide;
  const auto load = [&](std::size_t first) {
    return hn::MaskedLoad(hn::FirstN(wide, count - std::min(count, first)), wide, from + first);
  };
#if MMAPRINT_LANE_BITS == 32
  return detail::low_halves(load(0), load(kLanes / 2), std::make_index_sequence<kLanes>());
#else
  return load(0);
#endif
}

/// Word j of vector i becomes word i of vector j. Each pass shuffles the first half of the vectors with the
/// second, as one does the halves of a pack of cards, so that one bit of a word's place moves from its lane's
/// number to its vector's.
inline void transpose(Square& square) {
  constexpr std::make_index_sequence<kLanes> kAll;
#pragma GCC unroll 4
  for (std::size_t passes = 1; passes < kLanes; passes *= 2) {
    const Square before = square;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kLanes / 2; ++i) {
      square[2 * i] = detail::shuffled<0>(before[i], before[i + kLanes / 2], kAll);
      square[2 * i + 1] = detail::shuffled<kLanes / 2>(before[i], before[i + kLanes / 2], kAll);
    }
  }
}

}  // namespace mmaprint::lanes
