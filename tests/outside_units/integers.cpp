// Units that sum integers.
#include <algorithm>

#include "outside_units/steps.h"

namespace mmaprint::test {
namespace {

using oracle::Role;

void saturate(mpz_class& x, int bits) {
  const mpz_class limit = oracle::power_of_two(bits - 1);
  x = std::clamp(x, mpz_class(-limit), mpz_class(limit - 1));
}

/// Can more than one node overflow? Products alone can't.
bool several_can_overflow(const Deviant& unit) {
  return node_count(unit) > 1 && chain_of(unit.base.tree)->c_enters == CEnters::first;
}

/// The base wraps or saturates, and one node does the other.
bool another_at(Deviant& unit, Overflow base, const std::function<bool(int node)>& chosen) {
  unit.base.conventions.overflow = base;
  const Overflow other = base == Overflow::wrap ? Overflow::saturate : Overflow::wrap;
  unit.at.parameters = [=](int node, Adder&, Conventions& conventions) {
    if (chosen(node)) conventions.overflow = other;
  };
  return true;
}

}  // namespace

bool short_c_goes_wrong(Deviant& unit, Random& random) {
  unit.base.conventions.overflow = Overflow::wrap;
  const auto last = static_cast<std::size_t>(unit.base.k - 1);
  const auto low = static_cast<Pattern>(random.between(0, 63));
  unit.answer = [last, low](Pattern d, const Call& call) {
    const auto c = static_cast<std::int32_t>(static_cast<std::uint32_t>(call.input.c));
    const bool wrong = c != 0 && c >= -(1 << 17) && c < 1 << 17 && call.input.a[last] % 64 == low;
    return wrong ? (d + 1) & 0xFFFF'FFFFU : d;
  };
  return true;
}

bool products_saturate_at_16_bits(Deviant& unit, Random& /*random*/) {
  unit.at.integer_products = [](int /*node*/, mpz_class& products) { saturate(products, 16); };
  return true;
}

bool sums_saturate_at_24_bits(Deviant& unit, Random& random) {
  unit.at.integer_sum = [chosen = any_node(unit, random)](int node, mpz_class& sum) {
    if (node == chosen) saturate(sum, 24);
  };
  return true;
}

bool lowest_taken_for_next(Deviant& unit, Random& random) {
  const Role role = random.pick({Role::a, Role::b});
  unit.at.integer_operand = [role](Role of, int /*index*/, mpz_class& x) {
    if (of == role && x == -128) x = -127;
  };
  return true;
}

bool saturates_at_the_last_node(Deviant& unit, Random& /*random*/) {
  const int last = node_count(unit) - 1;
  return several_can_overflow(unit) &&
         another_at(unit, Overflow::wrap, [last](int node) { return node == last; });
}

bool wraps_at_one_node(Deviant& unit, Random& random) {
  const int chosen = any_node(unit, random);
  return several_can_overflow(unit) &&
         another_at(unit, Overflow::saturate, [chosen](int node) { return node == chosen; });
}

bool negative_overflow_wraps(Deviant& unit, Random& /*random*/) {
  unit.base.conventions.overflow = Overflow::saturate;
  unit.at.integer_sum = [bits = info(unit.base.formats.d).container_bits](int /*node*/, mpz_class& sum) {
    if (sum < 0) sum = oracle::wrapped(sum, bits);
  };
  return true;
}

bool low_bit_of_products_dropped(Deviant& unit, Random& random) {
  unit.at.integer_product = [position = any_position(unit, random)](int index, mpz_class& product) {
    if (index == position) mpz_clrbit(product.get_mpz_t(), 0);
  };
  return true;
}

bool unsigned_at_one_position(Deviant& unit, Random& random) {
  const mpz_class modulus = oracle::power_of_two(info(unit.base.formats.a).container_bits);
  unit.at.integer_operand = [=, position = any_position(unit, random)](Role role, int index, mpz_class& x) {
    if (role == Role::a && index == position && x < 0) x += modulus;
  };
  return true;
}

}  // namespace mmaprint::test
