// Products of matrices against the evaluator, chained by hand: on every set of vector instructions that this
// processor has, and on none.
#include "model/matrix_product.h"

#include <gtest/gtest.h>

#include "device/catalogue.h"
#include "model/pattern.h"
#include "support/describe.h"
#include "support/generate.h"
#include "support/wide_units.h"

namespace mmaprint::matrix_product_test {
namespace {

using test::Random;

struct Matrices {
  ProductShape shape;
  std::vector<Pattern> a, b, c;
  [[nodiscard]] ProductOperands operands() const { return {a, b, c}; }
};

DotInput some_input(Random& random, const UnitModel& model) {
  if (!info(model.formats.d).is_integer()) return test::random_input(random, model);
  DotInput input = zero_input(model.formats, model.k);
  for (Pattern& p : input.a) p = random.bits() & info(model.formats.a).pattern_mask();
  for (Pattern& p : input.b) p = random.bits() & info(model.formats.b).pattern_mask();
  input.c = random.bits() & info(*model.formats.c).pattern_mask();
  return input;
}

/// Operands from random inputs, which know what is special; in some matrices everything is finite.
Matrices random_matrices(Random& random, const UnitModel& model) {
  const auto upto = [&](int most) { return static_cast<std::size_t>(random.between(1, most)); };
  const bool one_step = model.formats.c != model.formats.d;
  Matrices all{{upto(5), upto(40), upto(one_step ? model.k : 4 * model.k)}, {}, {}, {}};
  const auto fill = [&](std::vector<Pattern>& values, std::size_t count, auto&& from) {
    const bool finite = random.chance(1, 2);
    while (values.size() < count) {
      const DotInput input = some_input(random, model);
      for (const auto& [format, pattern] : from(input)) {
        const bool skip = finite && classify(info(format), pattern) >= ValueClass::infinite;
        if (values.size() < count && !skip) values.push_back(pattern);
      }
    }
  };
  using Patterns = std::vector<std::pair<Format, Pattern>>;
  const auto of = [](Format format, const std::vector<Pattern>& patterns) {
    Patterns all_of;
    for (const Pattern p : patterns) all_of.emplace_back(format, p);
    return all_of;
  };
  fill(all.a, all.shape.m * all.shape.k, [&](const DotInput& x) { return of(model.formats.a, x.a); });
  fill(all.b, all.shape.k * all.shape.n, [&](const DotInput& x) { return of(model.formats.b, x.b); });
  if (model.formats.c)
    fill(all.c, all.shape.m * all.shape.n, [&](const DotInput& x) { return of(*model.formats.c, {x.c}); });
  return all;
}

Pattern by_hand(const Evaluator& unit, const Matrices& in, std::size_t row, std::size_t column) {
  const auto k = static_cast<std::size_t>(unit.model().k);
  Pattern d = in.c.empty() ? 0 : in.c[row * in.shape.n + column];
  for (std::size_t first = 0; first < in.shape.k; first += k) {
    DotInput step{std::vector<Pattern>(k), std::vector<Pattern>(k), d};
    for (std::size_t i = 0; i < k && first + i < in.shape.k; ++i) {
      step.a[i] = in.a[row * in.shape.k + first + i];
      step.b[i] = in.b[(first + i) * in.shape.n + column];
    }
    d = unit(step);
  }
  return d;
}

void expect_as_by_hand(const MatrixProduct& product, const Matrices& in) {
  const Evaluator unit(product.model());
  const std::vector<Pattern> d = product(in.shape, in.operands(), 2);
  ASSERT_EQ(d.size(), in.shape.m * in.shape.n);
  for (std::size_t row = 0; row < in.shape.m; ++row)
    for (std::size_t column = 0; column < in.shape.n; ++column)
      ASSERT_EQ(d[row * in.shape.n + column], by_hand(unit, in, row, column))
          << test::describe(product.model()) << in.shape.m << " x " << in.shape.n << " x " << in.shape.k
          << ", row " << row << ", column " << column;
}

class EveryKernel : public testing::TestWithParam<std::size_t> {
 protected:
  /// The last is none.
  static LaneKernel kernel() {
    return GetParam() < lane_kernels().size() ? lane_kernels()[GetParam()] : nullptr;
  }
};
INSTANTIATE_TEST_SUITE_P(FastestFirst, EveryKernel, testing::Range(std::size_t{0}, std::size_t{5}));

TEST_P(EveryKernel, MultipliesAsCataloguedUnitsWould) {
  Random random(test::starting_seed(8'400));
  for (const CataloguedUnit& unit : catalogued_units())
    for (const UnitModel& model : catalogued_models(unit.name)) {
      if (model.k > 64 || not_a_matrix_product(model, 1) || random.chance(3, 4)) continue;
      expect_as_by_hand(MatrixProduct(model, kernel()), random_matrices(random, model));
      if (HasFatalFailure()) return;
    }
}

TEST_P(EveryKernel, MultipliesAsAnyUnitWould) {
  Random random(test::starting_seed(8'500));
  for (long i = 0; i < test::count(300); ++i) {
    UnitModel model = test::random_wide_unit(random, random.between(1, 9));
    if (random.chance(1, 3)) model = test::with_rare_rules(random, std::move(model));
    expect_as_by_hand(MatrixProduct(model, kernel()), random_matrices(random, model));
    if (HasFatalFailure()) return;
  }
}

TEST_P(EveryKernel, SaysWhatEveryStepOfAnElementHadForC) {
  Random random(test::starting_seed(8'600));
  const auto models = catalogued_models("a100");
  const auto model = std::ranges::find(models, "mma.m16n8k16.f32.f16.f16.f32", &UnitModel::instruction);
  Matrices in = random_matrices(random, *model);
  const MatrixProduct product(*model, kernel());
  const std::vector<Pattern> steps = product.steps(in.shape, in.operands(), 0, 0);
  ASSERT_EQ(steps.size(), (in.shape.k + 15) / 16 + 1);
  EXPECT_EQ(steps.front(), in.c.front());
  EXPECT_EQ(steps.back(), product(in.shape, in.operands(), 1).front());
}

TEST(MatrixProduct, SaysWhyAUnitHasNone) {
  const auto why = [](std::string_view unit, std::string_view instruction, std::size_t k) {
    const auto models = catalogued_models(unit);
    return not_a_matrix_product(*std::ranges::find(models, instruction, &UnitModel::instruction), k);
  };
  EXPECT_EQ(why("a100", "mma.m16n8k16.f32.f16.f16.f32", 1'000), std::nullopt);
  EXPECT_EQ(why("v100", "mma.m8n8k4.f32.f16.f16.f16", 4), std::nullopt);
  EXPECT_EQ(why("v100", "mma.m8n8k4.f32.f16.f16.f16", 5),
            "its c is fp16, its d fp32, and an element has 5 products, of which it adds 4");
  EXPECT_EQ(why("a100", "mma.m16n8k16.f32.f16.f16.f32", 0), "expected one product at least");
}

}  // namespace
}  // namespace mmaprint::matrix_product_test
