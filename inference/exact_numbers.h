// Numbers as integers, in units small enough for all that inputs are made of (inference/tie_inputs.h). What
// an alignment keeps of one is a guess here, as good as inputs need it: the evaluator says what they give.
#pragma once

#include "base/contracts.h"
#include "model/adder.h"

namespace mmaprint {

template <class T>
T magnitude(T x) {
  return x < 0 ? -x : x;
}
/// -1 for zero. Requires x >= 0.
template <class T>
int leading_bit(T x) {
  MMAPRINT_EXPECTS(x >= 0);
  int bit = -1;
  for (; x != 0; x >>= 1) ++bit;
  return bit;
}
/// With so many bits below the leading one; what lies below these is dropped, or made one more of.
template <class T>
T leading_part(T x, int fraction_bits, bool up) {
  const int dropped = leading_bit(magnitude(x)) - fraction_bits;
  if (dropped <= 0) return x;
  const T part = ((magnitude(x) >> dropped) + (up ? 1 : 0)) << dropped;
  return x < 0 ? -part : part;
}
/// x as a multiple of 2^bits.
template <class T>
T aligned(T x, int bits, AlignmentRounding rounding) {
  if (bits <= 0) return x;
  const T place = T{1} << bits;
  const T lost = x & (place - 1);
  if (lost == 0) return x;
  const T down = x - lost;
  const T toward_zero = x < 0 ? down + place : down;
  switch (rounding) {
    case AlignmentRounding::truncate:
      return toward_zero;
    case AlignmentRounding::floor:
      return down;
    case AlignmentRounding::nearest_even:
      return lost > place / 2 || (lost == place / 2 && (down & place) != 0) ? down + place : down;
    case AlignmentRounding::sticky:
      return (magnitude(toward_zero) | place) * (x < 0 ? -1 : 1);
  }
  return x;
}

}  // namespace mmaprint
