#include "inference/input_size.h"

#include <algorithm>

#include "model/value.h"

namespace mmaprint {

ProductKinds product_kinds(const UnitModel& model) { return {model.adders.front().product}; }
ProductKinds product_kinds(const UnitModel& left, const UnitModel& right) {
  ProductKinds kinds = product_kinds(left);
  if (product_kinds(right) != kinds) kinds.push_back(right.adders.front().product);
  return kinds;
}

int nonzero_products(const OperandFormats& formats, const ProductKinds& kinds, const DotInput& input) {
  int n = 0;
  for (std::size_t k = 0; k < input.a.size(); ++k)
    n += all_zero(formats, kinds, input.a[k], input.b[k]) ? 0 : 1;
  return n;
}

int significand_bits(const OperandFormats& formats, const DotInput& input) {
  int n = formats.c ? set_digits(*formats.c, input.c) : 0;
  for (const Pattern p : input.a) n += set_digits(formats.a, p);
  for (const Pattern p : input.b) n += set_digits(formats.b, p);
  return n;
}

bool all_zero(const OperandFormats& formats, const ProductKinds& kinds, Pattern a, Pattern b) {
  return std::ranges::all_of(kinds, [&](ProductKind kind) {
    return product_is_zero({formats.a, formats.b, kind}, a, b);
  });
}

namespace {
bool is_finite(Format format, Pattern p) { return !is_nan(format, p) && !is_infinite(format, p); }
}  // namespace

bool all_finite(const OperandFormats& formats, const DotInput& input) {
  for (std::size_t i = 0; i < input.a.size(); ++i)
    if (!is_finite(formats.a, input.a[i]) || !is_finite(formats.b, input.b[i])) return false;
  return !formats.c || is_finite(*formats.c, input.c);
}

}  // namespace mmaprint
