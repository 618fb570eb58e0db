// The values of the algebra in lanes.h: vectors of the widest registers that a source is compiled for, by
// Highway. Lanes have MMAPRINT_LANE_BITS bits: 32 of them do twice as much, where a unit's words fit them.
#pragma once

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

namespace mmaprint {

namespace lanes {
namespace hn = hwy::HWY_NAMESPACE;
#if MMAPRINT_LANE_BITS == 32
using Word = std::uint32_t;
using Int = std::int32_t;
#else
using Word = std::uint64_t;
using Int = std::int64_t;
#endif
using Words = hn::ScalableTag<Word>;
using Ints = hn::ScalableTag<Int>;
using WordVector = hn::Vec<Words>;
using IntVector = hn::Vec<Ints>;
inline constexpr std::size_t kLanes = hn::MaxLanes(Words());

inline WordVector as_words(IntVector v) { return hn::BitCast(Words(), v); }
inline IntVector as_ints(WordVector v) { return hn::BitCast(Ints(), v); }
inline WordVector every(std::uint64_t v) { return hn::Set(Words(), static_cast<Word>(v)); }
inline IntVector every_int(int v) { return hn::Set(Ints(), v); }

/// Does the compiler know that all bits of a vector are those of `value`, 0 or -1? It does not look through
/// the instructions that tests of vectors are.
[[gnu::always_inline]] inline bool is_constant(WordVector v, long long value) {
  bool all = true;
  for (std::size_t i = 0; i < sizeof(v.raw) / sizeof(v.raw[0]); ++i)
    all = all && __builtin_constant_p(v.raw[i]) && v.raw[i] == value;
  return __builtin_constant_p(all) && all;
}

/// Highway 1.0.3, Debian 12's, has none. Of 0: one less than a lane's bits at least.
inline WordVector leading_zeros(WordVector x) {
#if HWY_TARGET == HWY_AVX3
#if MMAPRINT_LANE_BITS == 32
  return WordVector{_mm512_lzcnt_epi32(x.raw)};
#else
  return WordVector{_mm512_lzcnt_epi64(x.raw)};
#endif
#else
  auto count = every(0);
  for (int step = MMAPRINT_LANE_BITS / 2; step >= 1; step /= 2) {
    const auto top_zeros = hn::Eq(hn::ShiftRightSame(x, MMAPRINT_LANE_BITS - step), every(0));
    x = hn::IfThenElse(top_zeros, hn::ShiftLeftSame(x, step), x);
    count = hn::Or(count, hn::IfThenElseZero(top_zeros, every(static_cast<std::uint64_t>(step))));
  }
  return count;
#endif
}

/// Words' halves of 32 bits, one for each lane.
using Halves = hn::Rebind<std::uint32_t, Words>;
using SignedHalves = hn::Rebind<std::int32_t, Words>;
#if MMAPRINT_LANE_BITS == 32
inline WordVector product_of_halves(WordVector x, WordVector y) { return hn::Mul(x, y); }
inline IntVector widened(hn::Vec<Halves> x) { return hn::BitCast(SignedHalves(), x); }
/// Such words have no high half.
inline WordVector joined(hn::Vec<Halves> low, hn::Vec<Halves> /*high*/) { return low; }
#else
/// What a vector unit multiplies fastest: the low halves of lanes.
inline WordVector product_of_halves(WordVector x, WordVector y) {
  const hn::Repartition<std::uint32_t, Words> halves;
  return hn::MulEven(hn::BitCast(halves, x), hn::BitCast(halves, y));
}
inline IntVector widened(hn::Vec<Halves> x) { return hn::PromoteTo(Ints(), hn::BitCast(SignedHalves(), x)); }
inline WordVector joined(hn::Vec<Halves> low, hn::Vec<Halves> high) {
  return hn::Or(hn::ShiftLeft<32>(hn::PromoteTo(Words(), high)), hn::PromoteTo(Words(), low));
}
#endif
}  // namespace lanes

/// All bits of a lane are one where it is true. (No mask: GCC 12 loses some of these where it has to keep
/// many.)
struct LanesBool {
  lanes::WordVector value = lanes::every(0);
};
struct LanesInt {
  lanes::IntVector value;
};
struct LanesWord {
  lanes::WordVector value = lanes::every(0);
};
struct LanesSum {
  lanes::WordVector value = lanes::every(0);
};
inline LanesBool of_mask(lanes::hn::Mask<lanes::Words> m) {
  return {lanes::hn::VecFromMask(lanes::Words(), m)};
}
inline LanesBool of_mask(lanes::hn::Mask<lanes::Ints> m) {
  return {lanes::as_words(lanes::hn::VecFromMask(lanes::Ints(), m))};
}
/// Where no algebra is at hand (model/node_results.h).
inline LanesBool is_zero_word(const LanesWord& x) { return of_mask(lanes::hn::Eq(x.value, lanes::every(0))); }

}  // namespace mmaprint
