#include "inference/idle_zero.h"

#include <variant>

namespace mmaprint {

// Aligned, a rounded result, c or a normalised product is 2^(E+1) at most, by an alignment that rounds up;
// any other product 2^(E+2). Nothing below 2^(E+1) is normalised, and of powers of two nothing is lost. What
// lies between the two is a product whose exponent is E: a multiple of 2^(E - its factors' fraction bits), of
// which the place 2^(E-F) is lost. If it wraps, it is less by a multiple of what the next sum wraps by.
bool is_kept_alone(const Leaf& operand, const Adder& adder, int bits_of_factors) {
  const bool is_product = std::holds_alternative<ProductLeaf>(operand);
  if (!is_product) return std::holds_alternative<CLeaf>(operand) || std::holds_alternative<NodeLeaf>(operand);
  if (adder.product == ProductKind::exact_normalised) return true;
  const auto f = adder.alignment_fraction_bits;
  return adder.product == ProductKind::exact_unnormalised && (!f || bits_of_factors < *f);
}

}  // namespace mmaprint
