#include "inference/idle_zero.h"

#include <variant>

namespace mmaprint {

// Aligned, a rounded result, c or a normalised product is 2^(E+1) at most, by an alignment that rounds up;
// any other product 2^(E+2). Nothing below 2^(E+1) is normalised, and of powers of two nothing is lost. What
// lies between the two is a product whose exponent is E: a multiple of 2^(E - its factors' fraction bits), of
// which the place 2^(E-F) is lost.
bool is_kept_alone(const Leaf& operand, const Adder& adder, int bits_of_factors) {
  const auto never_wraps = [&](int bits) {
    return !adder.extra_carry_bits || *adder.extra_carry_bits >= bits;
  };
  const bool is_product = std::holds_alternative<ProductLeaf>(operand);
  if (std::holds_alternative<CLeaf>(operand) || std::holds_alternative<NodeLeaf>(operand) ||
      (is_product && adder.product == ProductKind::exact_normalised))
    return never_wraps(1);
  if (!is_product || adder.product != ProductKind::exact_unnormalised) return false;
  const auto f = adder.alignment_fraction_bits;
  return never_wraps(2) && (!f || bits_of_factors < *f);
}

}  // namespace mmaprint
