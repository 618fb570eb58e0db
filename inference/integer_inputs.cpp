// Integers differ where a sum leaves D's range, and on the way: so c lies near either end of it as often as
// not, and products reach beyond and come back.
#include <algorithm>

#include "inference/inputs.h"

namespace mmaprint {

Pattern InputGenerator::integer_operand(const FormatInfo& f) {
  const Pattern top = Pattern{1} << (f.container_bits - 1);
  const Pattern ends[] = {0, 1, f.pattern_mask(), top, top - 1};
  return chance(30) ? ends[below(5)] & f.pattern_mask() : word() & f.pattern_mask();
}

DotInput InputGenerator::integers() {
  DotInput in = zeros();
  const int share = chance(50) ? 100 : 1 + below(60);  // per cent of the products that are not zero
  const bool largest = chance(30);
  for (std::size_t k = 0; k < in.a.size(); ++k) {
    if (!chance(share)) continue;
    in.a[k] = integer_operand(a_);
    in.b[k] = integer_operand(b_);
    if (!largest) continue;
    // The largest magnitudes, of either sign where there is one.
    const Pattern most_a = a_.has_sign ? a_.pattern_mask() >> 1 : a_.pattern_mask();
    in.a[k] = chance(50) && a_.has_sign ? most_a + 1 : most_a;
    in.b[k] = b_.has_sign ? b_.pattern_mask() >> 1 : b_.pattern_mask();
  }
  if (!c_) return in;
  const Pattern end = chance(50) ? c_->pattern_mask() >> 1 : (c_->pattern_mask() >> 1) + 1;
  const Pattern distance = word() >> (64 - std::min(c_->container_bits, 1 + below(24)));
  switch (below(4)) {
    case 0:
      in.c = word() & c_->pattern_mask();
      break;
    case 1:
      in.c = distance;
      break;
    default:
      in.c = (chance(50) ? end + distance : end - distance) & c_->pattern_mask();
  }
  return in;
}

}  // namespace mmaprint
