#include "random_units/edge_unit.h"

#include <algorithm>

#include "random_units/random_unit.h"

namespace mmaprint::test {

UnitModel edge_unit(Random& random) {
  UnitModel unit = random_unit(random);
  Adder& adder = unit.adders.front();
  Conventions& how = unit.conventions;
  const FormatInfo& a = info(unit.formats.a);
  const FormatInfo& d = info(unit.formats.d);
  const auto either = [&] { return random.chance(1, 2); };

  const int subnormals_begin = either() ? d.emin() : 2 * a.emin();
  const int edge = subnormals_begin - (either() ? d.fraction_bits : 0) + random.between(-3, 3);
  adder.minimum_alignment_exponent.reset();
  if (either()) adder.minimum_alignment_exponent = std::clamp(edge, kLowestClamp, 0);
  if (either()) adder.alignment_fraction_bits = random.between(8, d.fraction_bits + 3);
  if (either()) adder.output_fraction_bits = random.between(1, 6);
  adder.extra_carry_bits.reset();
  if (either()) adder.extra_carry_bits = random.between(0, 2);
  if (either()) adder.rounding = random.pick({Rounding::up, Rounding::down, Rounding::odd});

  how.overflow = either() ? Overflow::saturate : Overflow::infinity;
  how.output_subnormals = either() ? Subnormals::flushed : Subnormals::kept;
  const auto sign = [&] { return either() ? ZeroSign::follow : ZeroSign::positive; };
  how.zero_sign = {sign(), sign(), sign(), sign()};
  return unit;
}

}  // namespace mmaprint::test
