#include "model/value.h"

#include "model/concrete.h"
#include "model/operand.h"

namespace mmaprint {
namespace {

/// Decoding and encoding read no parameter.
struct NoChoice {};
using Algebra = Concrete<std::uint64_t, NoChoice>;

}  // namespace

Value decode(Format format, Pattern pattern) {
  NoChoice none;
  const auto x = decode(Algebra(none), info(format), {pattern});
  return {x.negative.value, x.nan.value, x.infinite.value, x.exponent.value, x.significand.value};
}

Pattern encode(Format format, const Value& v) {
  if (v.nan) return canonical_nan(format);
  NoChoice none;
  return encode(Algebra(none), info(format),
                Operand<Algebra>{{v.negative}, {v.nan}, {v.infinite}, {v.exponent}, {v.significand}})
      .value;
}

}  // namespace mmaprint
