#include "support/wide_units.h"

#include <algorithm>

#include "model/conversion.h"
#include "model/pattern.h"
#include "support/generate.h"

namespace mmaprint::test {

OperandPath random_path(Random& random, Format container) {
  using enum Format;
  if (random.chance(1, 3)) return std::nullopt;
  for (int tries = 0; tries < 20; ++tries) {
    const Converted path{random.pick({fp32, fp32, tf32, bf16, fp16, fp16, e5m2, e4m3, e2m3, e2m1}),
                         random.pick({Conversion::exact, Conversion::exact, Conversion::chop,
                                      Conversion::nearest_even, Conversion::nearest_away})};
    if (path.compute != container && !not_convertible(container, path)) return path;
  }
  return std::nullopt;
}

UnitModel random_wide_unit(Random& random, int k) {
  using enum Format;
  UnitModel model{"random", k, random_formats(random), {}, {}, random_conventions(random), {}};
  const int classes = random.between(1, 3);
  model.tree = random_tree(random, k, classes);
  // The root's class gives D; the last node may do nothing but that.
  if (random.chance(1, 2)) {
    const int last = static_cast<int>(model.tree.nodes.size()) - 1;
    model.tree.nodes.push_back({{NodeLeaf{last}}, classes, {}});
  }
  const int root = model.tree.nodes.back().adder;
  for (int i = 0; i < std::max(classes, root + 1); ++i) {
    const Format drawn = i == root || random.chance(1, 3) ? model.formats.d
                                                          : random.pick({fp32, fp32, fp16, bf16, tf32, e5m2});
    for (Node& node : model.tree.nodes)
      if (node.adder == i && drawn != model.formats.d) node.result = drawn;
    model.adders.push_back(random_adder(random, result_format(model.tree, i, model.formats.d)));
  }
  model.paths = {random_path(random, model.formats.a), random_path(random, model.formats.b),
                 random_path(random, model.formats.c.value())};
  model.nan = random_nan(random, model.formats.d);
  return model;
}

UnitModel with_rare_rules(Random& random, UnitModel model) {
  const auto rarely = [&] { return random.chance(1, 2); };
  Conventions& how = model.conventions;
  if (rarely()) how.input_subnormals = Subnormals::flushed_positive;
  if (rarely()) how.c_subnormals = Subnormals::flushed_positive;
  if (rarely()) how.output_subnormals = Subnormals::flushed;
  if (rarely()) how.flush_test = random.pick({FlushTest::before, FlushTest::after_unbounded});
  for (Adder& adder : model.adders) {
    if (rarely()) adder.product_overflow = ProductOverflow::infinity;
    const int z = random.chance(1, 2) ? random.between(-20, 0) : random.between(kLowestZeroExponent, 0);
    if (rarely())
      adder.zero_addends =
          random.chance(1, 2) ? ZeroAddends::as_exponent(z) : ZeroAddends::factor_exponent(z);
  }
  return model;
}

UnitModel with_carried_sums(Random& random, UnitModel model) {
  const auto some = [&] { return random.chance(1, 2); };
  const auto bits = [&] { return random.between(0, random.chance(1, 2) ? 12 : kLargestOwnFractionBits); };
  const auto rounding = [&] {
    return static_cast<OwnAlignmentRounding>(
        random.between(0, static_cast<int>(kOwnAlignmentWords.size()) - 1));
  };
  const int root = model.tree.nodes.back().adder;
  for (int i = 0; i < static_cast<int>(model.adders.size()); ++i) {
    Adder& adder = model.adders[static_cast<std::size_t>(i)];
    const bool carried = i != root && random.chance(2, 3);
    const bool own = some();
    if (carried || own) adder.normalisation = Normalisation::late;
    if (own) {
      if (some()) adder.carried_fraction_bits = bits();
      if (some()) adder.c_fraction_bits = bits();
      adder.carried_alignment_rounding = rounding();
      adder.c_alignment_rounding = rounding();
      if (some()) adder.c_dropped_below = bits();
    }
    if (!carried) continue;
    adder.alignment_fraction_bits = bits();
    adder.output_fraction_bits = info(model.formats.d).fraction_bits;  // nothing is rounded to it
    for (Node& node : model.tree.nodes)
      if (node.adder == i) node.result = NodeResult::carried();
  }
  for (Node& node : model.tree.nodes)
    if (random.chance(1, 4)) node.operands.emplace_back(PaddingLeaf{});
  return model;
}

DotInput random_input_with_a_sum_of_zeros(Random& random, const UnitModel& model) {
  std::vector<const Node*> carrying;
  for (const Node& node : model.tree.nodes)
    if (node.result.is_carried()) carrying.push_back(&node);
  DotInput input = random_input(random, model);
  if (carrying.empty()) return input;
  const auto zero = [&](Format format) { return zero_pattern(info(format), random.chance(1, 2)); };
  const auto tiny = [&](Format format) {
    return zero(format) | static_cast<Pattern>(random.between(1, 3)) << info(format).ignored_low_bits;
  };
  std::ranges::generate(input.a, [&] { return tiny(model.formats.a); });
  std::ranges::generate(input.b, [&] { return tiny(model.formats.b); });
  if (model.formats.c) input.c = tiny(*model.formats.c);
  const Node& of_zeros =
      *carrying[static_cast<std::size_t>(random.between(0, static_cast<int>(carrying.size()) - 1))];
  for (const Leaf& leaf : of_zeros.operands) {
    if (const auto* product = std::get_if<ProductLeaf>(&leaf))
      input.a[static_cast<std::size_t>(product->index)] = zero(model.formats.a);
    if (std::holds_alternative<CLeaf>(leaf) && model.formats.c) input.c = zero(*model.formats.c);
  }
  return input;
}

}  // namespace mmaprint::test
