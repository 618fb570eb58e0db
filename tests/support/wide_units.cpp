#include "support/wide_units.h"

#include "model/conversion.h"
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
  UnitModel model{"random", k, random_formats(random), {}, {}, random_conventions(random), 0};
  const int classes = random.between(1, 3);
  model.tree = random_tree(random, k, classes);
  // The root's class gives D; the last node may do nothing but that.
  if (random.chance(1, 2)) {
    const int last = static_cast<int>(model.tree.nodes.size()) - 1;
    model.tree.nodes.push_back({{NodeLeaf{last}}, classes, std::nullopt});
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
                 random_path(random, model.formats.c)};
  model.nan = random_nan(random, model.formats.d);
  return model;
}

}  // namespace mmaprint::test
