// The values of the algebra in lanes.h: vectors of the widest registers that a source is compiled for, by
// Highway.
#pragma once

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

namespace mmaprint {

namespace lanes {
namespace hn = hwy::HWY_NAMESPACE;
using Words = hn::ScalableTag<std::uint64_t>;
using Ints = hn::ScalableTag<std::int64_t>;
using WordVector = hn::Vec<Words>;
using IntVector = hn::Vec<Ints>;
inline constexpr std::size_t kLanes = hn::MaxLanes(Words());

inline WordVector as_words(IntVector v) { return hn::BitCast(Words(), v); }
inline IntVector as_ints(WordVector v) { return hn::BitCast(Ints(), v); }
inline WordVector every(std::uint64_t v) { return hn::Set(Words(), v); }
inline IntVector every_int(int v) { return hn::Set(Ints(), v); }
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
