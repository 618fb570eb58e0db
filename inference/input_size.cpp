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

int nonzero_products(const Signature& formats, const ProductKinds& kinds, const DotInput& input) {
  int n = 0;
  for (std::size_t k = 0; k < input.a.size(); ++k)
    n += all_zero(formats, kinds, input.a[k], input.b[k]) ? 0 : 1;
  return n;
}

int significand_bits(const Signature& formats, const DotInput& input) {
  int n = 0;
  for (const RolePatterns& role : input_roles(formats, static_cast<int>(input.a.size())))
    for (const Pattern p : is_of_scales(role.role) ? std::span<const Pattern>() : input.of(role.role))
      n += set_digits(role.format, p);
  return n;
}

bool all_zero(const Signature& formats, const ProductKinds& kinds, Pattern a, Pattern b) {
  return std::ranges::all_of(kinds, [&](ProductKind kind) {
    return product_is_zero({formats.a, formats.b, kind}, a, b);
  });
}

namespace {
bool is_finite(Format format, Pattern p) { return !is_nan(format, p) && !is_infinite(format, p); }
}  // namespace

bool all_finite(const Signature& formats, const DotInput& input) {
  return std::ranges::all_of(
      input_roles(formats, static_cast<int>(input.a.size())), [&](const RolePatterns& role) {
        return std::ranges::all_of(input.of(role.role), [&](Pattern p) { return is_finite(role.format, p); });
      });
}

}  // namespace mmaprint
