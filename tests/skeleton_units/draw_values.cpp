#include "skeleton_units/draw_values.h"

#include <algorithm>
#include <span>

namespace mmaprint::test {
namespace {

/// As units are built.
Adder realistic(Random& random, Format result, bool carries) {
  Adder adder = exact_adder(
      result, random.pick({Rounding::nearest_even, Rounding::nearest_even, Rounding::toward_zero}));
  if (carries || random.chance(3, 4)) {
    adder.alignment_fraction_bits = random.between(13, 30);
    adder.alignment_rounding = random.pick({AlignmentRounding::truncate, AlignmentRounding::truncate,
                                            AlignmentRounding::floor, AlignmentRounding::nearest_even});
  }
  return adder;
}

int any_of(Random& random, const ValueSet& set) {
  const auto values = set.values();
  return random.pick(std::span<const int>(values));
}

}  // namespace

ParameterValues any_values(Random& random, const Space& space) {
  const Box box = space.whole(0).box;
  ParameterValues values = box.lowest();
  for (const ParameterKey& key : box.keys()) set_value(values, key, any_of(random, box[key]));
  return values;
}

ParameterValues realistic_values(Random& random, const Space& space) {
  const Tree& tree = space.skeletons.front().tree;
  ParameterValues values;
  values.adders.clear();
  for (int i = 0; i < classes_of(tree); ++i) {
    const auto node = std::ranges::find(tree.nodes, i, &Node::adder);
    const Format result = node->result.value_or(space.formats.d);
    const bool carries = node->result.is_carried();
    const bool is_exact = (node->operands.size() == 1 && !carries) || node->result.is_scaled();
    values.adders.push_back(is_exact ? exact_adder(result, Rounding::nearest_even)
                                     : realistic(random, result, carries));
  }
  Conventions& conventions = values.conventions;
  if (random.chance(1, 4)) conventions.input_subnormals = Subnormals::flushed;
  if (space.formats.c) conventions.c_subnormals = conventions.input_subnormals;
  if (random.chance(1, 4)) conventions.output_subnormals = Subnormals::flushed;
  for (ZeroSign* sign : {&conventions.zero_sign.all_zero, &conventions.zero_sign.rounded})
    *sign = random.pick({ZeroSign::positive, ZeroSign::follow});
  return values;
}

}  // namespace mmaprint::test
