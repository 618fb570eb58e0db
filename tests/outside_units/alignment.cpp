// Alignment, and the sum of what is aligned.
#include <algorithm>

#include "outside_units/steps.h"

namespace mmaprint::test {
namespace {

using oracle::Addend;
using oracle::Addends;
using oracle::Grid;

/// The base loses bits in alignment, so that its rules for that matter.
void keep_few_bits(Deviant& unit, Random& random) {
  auto& bits = unit.base.adders.front().alignment_fraction_bits;
  const int precision = info(unit.base.formats.d).precision();
  if (!bits || *bits > precision + 6 || *bits < 2) bits = random.between(8, precision + 3);
}

Rounding any_other(Random& random, Rounding than) {
  Rounding other = than;
  while (other == than)
    other = random.pick({Rounding::toward_zero, Rounding::down, Rounding::nearest_even, Rounding::odd});
  return other;
}

bool is_c(const Addend& x) { return std::holds_alternative<CLeaf>(x.from); }

/// The blocks' adder, at one of several of its nodes alone.
bool at_one_node(Deviant& unit, Random& random, const std::function<void(Adder&)>& change) {
  if (node_count(unit) < 2) return false;
  const int chosen = any_node(unit, random);
  if (unit.base.tree.nodes[static_cast<std::size_t>(chosen)].adder != 0) return false;
  unit.at.parameters = [chosen, change](int node, Adder& adder, Conventions&) {
    if (node == chosen) change(adder);
  };
  return true;
}

}  // namespace

bool zero_products_have_exponents(Deviant& unit, Random& random) {
  keep_few_bits(unit, random);
  unit.at.alignment_exponent = [](int /*node*/, const Addends& addends, long& exponent) {
    for (const Addend& x : addends)
      if (x.is_zero() && std::holds_alternative<ProductLeaf>(x.from))
        exponent = std::max(exponent, x.exponent);
  };
  return true;
}

bool zero_c_has_an_exponent(Deviant& unit, Random& random) {
  keep_few_bits(unit, random);
  const int exponent_of_zero = random.between(0, 4);
  unit.at.alignment_exponent = [=](int /*node*/, const Addends& addends, long& exponent) {
    for (const Addend& x : addends)
      if (x.is_zero() && is_c(x)) exponent = std::max<long>(exponent, exponent_of_zero);
  };
  return true;
}

bool exponents_compared_without_low_bit(Deviant& unit, Random& random) {
  keep_few_bits(unit, random);
  unit.at.alignment_exponent = [](int /*node*/, const Addends& addends, long& exponent) {
    const Addend* largest = nullptr;
    for (const Addend& x : addends)
      if (!x.is_zero() && (largest == nullptr || (x.exponent >> 1) > (largest->exponent >> 1))) largest = &x;
    if (largest != nullptr && exponent >> 1 == largest->exponent >> 1) exponent = largest->exponent;
  };
  return true;
}

bool c_left_out_of_exponent(Deviant& unit, Random& random) {
  keep_few_bits(unit, random);
  unit.base.adders.front().extra_carry_bits.reset();
  unit.at.alignment_exponent = [clamp = unit.base.adders.front().minimum_alignment_exponent](
                                   int /*node*/, const Addends& addends, long& exponent) {
    const Addend* largest = nullptr;
    for (const Addend& x : addends)
      if (!x.is_zero() && !is_c(x) && (largest == nullptr || x.exponent > largest->exponent)) largest = &x;
    if (largest != nullptr) exponent = clamp ? std::max<long>(*clamp, largest->exponent) : largest->exponent;
  };
  return true;
}

bool fewer_bits_at_one_position(Deviant& unit, Random& random) {
  keep_few_bits(unit, random);
  unit.at.aligned = [position = any_position(unit, random)](int /*node*/, const Addend& x, const Grid& grid,
                                                            mpz_class& aligned) {
    if (!is_product(x.from, position)) return;
    aligned = oracle::scaled_up(oracle::rounded(x.units, grid.unit + 1 - x.unit, grid.rounding), 1);
  };
  return true;
}

bool fewer_bits_at_one_node(Deviant& unit, Random& random) {
  keep_few_bits(unit, random);
  return at_one_node(unit, random, [](Adder& adder) { --*adder.alignment_fraction_bits; });
}

bool c_aligned_by_another_rule(Deviant& unit, Random& random) {
  keep_few_bits(unit, random);
  if (random.chance(1, 2)) unit.base.adders.front().alignment_rounding = AlignmentRounding::truncate;
  const bool truncates = unit.base.adders.front().alignment_rounding == AlignmentRounding::truncate;
  const Rounding rule = truncates ? any_other(random, Rounding::toward_zero) : Rounding::toward_zero;
  unit.at.aligned = [rule](int /*node*/, const Addend& x, const Grid& grid, mpz_class& aligned) {
    if (is_c(x)) aligned = oracle::rounded(x.units, grid.unit - x.unit, rule);
  };
  return true;
}

bool sticky_from_products_only(Deviant& unit, Random& random) {
  keep_few_bits(unit, random);
  unit.base.adders.front().alignment_rounding = AlignmentRounding::sticky;
  unit.at.aligned = [](int /*node*/, const Addend& x, const Grid& grid, mpz_class& aligned) {
    if (!std::holds_alternative<ProductLeaf>(x.from))
      aligned = oracle::rounded(x.units, grid.unit - x.unit, Rounding::toward_zero);
  };
  return true;
}

bool distant_operands_dropped(Deviant& unit, Random& random) {
  keep_few_bits(unit, random);
  const int distance = std::max(2, *unit.base.adders.front().alignment_fraction_bits - random.between(1, 6));
  unit.at.aligned = [distance](int /*node*/, const Addend& x, const Grid& grid, mpz_class& aligned) {
    if (grid.exponent - x.exponent > distance) aligned = 0;
  };
  return true;
}

bool clamp_at_one_node(Deviant& unit, Random& random) {
  keep_few_bits(unit, random);
  unit.base.adders.front().minimum_alignment_exponent.reset();
  const int clamp = random.between(-3, 0);
  return at_one_node(unit, random, [clamp](Adder& adder) { adder.minimum_alignment_exponent = clamp; });
}

bool fewer_carry_bits_at_one_node(Deviant& unit, Random& random) {
  unit.base.adders.front().extra_carry_bits.reset();
  const int carry = random.between(0, 1);
  return at_one_node(unit, random, [carry](Adder& adder) { adder.extra_carry_bits = carry; });
}

bool normalised_at_one_node(Deviant& unit, Random& random) {
  keep_few_bits(unit, random);
  unit.base.adders.front().normalisation = Normalisation::late;
  return at_one_node(unit, random, [](Adder& adder) { adder.normalisation = Normalisation::immediate; });
}

}  // namespace mmaprint::test
