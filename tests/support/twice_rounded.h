// Units that round a product by one node, and once more by another: small enough for every input.
#pragma once

#include <utility>

#include "model/evaluator.h"
#include "model/pattern.h"
#include "model/unit_model.h"
#include "support/random.h"

namespace mmaprint::test {

/// An E4M3 product, rounded to a format with so many fraction bits, and once more. It may be too large for
/// FP16, and subnormal there.
[[nodiscard]] inline UnitModel twice_rounded(Rounding first, int first_bits, Rounding second, int second_bits,
                                             Format format = Format::fp16) {
  const Signature formats{Format::e4m3, Format::e4m3, std::nullopt, format};
  UnitModel unit{"twice", 1, formats, {}, {}, {}, canonical_nan(format), {}};
  unit.tree.nodes = {Node{{ProductLeaf{0}}, 0}, Node{{NodeLeaf{0}}, 1}};
  unit.adders = {exact_adder(format, first), exact_adder(format, second)};
  unit.adders[0].output_fraction_bits = first_bits;
  unit.adders[1].output_fraction_bits = second_bits;
  validate(unit);
  return unit;
}

/// On how many of all inputs two of them differ; with reduced counts of some.
[[nodiscard]] inline int differences(const UnitModel& x, const UnitModel& y) {
  const Evaluator one(x), other(y);
  int all = 0;
  const Pattern apart = counts_are_reduced() ? 31 : 1;
  for (Pattern a = 0; a <= 0xff; ++a)
    for (Pattern b = a % apart; b <= 0xff; b += apart)
      all += one({{a}, {b}, 0}) != other({{a}, {b}, 0}) ? 1 : 0;
  return all;
}

}  // namespace mmaprint::test
