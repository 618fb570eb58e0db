// Units on inputs of few products are the units that take their place.
#include "inference/few_products.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "device/catalogue.h"
#include "inference/inputs.h"
#include "model/evaluator.h"
#include "model/model_json.h"
#include "model/pattern.h"
#include "model/zero_input.h"
#include "support/generate.h"
#include "support/wide_units.h"

namespace mmaprint::few_products_test {
namespace {

using test::Random;

std::vector<bool> some_products(Random& random, int k) {
  std::vector<bool> products(static_cast<std::size_t>(k));
  for (int n = random.between(0, 3); n > 0; --n)
    products[static_cast<std::size_t>(random.between(0, k - 1))] = true;
  return products;
}

/// The input, with zeros of either sign for all other products.
DotInput with_zeros_elsewhere(Random& random, const UnitModel& model, const std::vector<bool>& products,
                              DotInput in) {
  for (std::size_t k = 0; k < products.size(); ++k) {
    if (products[k]) continue;
    in.a[k] = zero_pattern(info(model.formats.a), random.chance(1, 2));
    in.b[k] = 0;
  }
  if (random.chance(1, 4))  // nothing but zeros
    for (std::size_t k = 0; k < products.size(); ++k) {
      in.a[k] = zero_pattern(info(model.formats.a), random.chance(3, 4));
      in.b[k] = 0;
    }
  if (model.formats.c && random.chance(1, 4))
    in.c = zero_pattern(info(*model.formats.c), random.chance(1, 2));
  return in;
}

void expect_alike(Random& random, const UnitModel& model) {
  const auto products = some_products(random, model.k);
  const UnitModel few = with_few_products(model, products);
  const Evaluator whole(model), rest(few);
  for (int i = 0; i < 200; ++i) {
    const DotInput in = with_zeros_elsewhere(random, model, products, test::random_input(random, model));
    ASSERT_EQ(whole(in), rest(in)) << to_json(model).dump() << "\n" << to_json(few).dump();
  }
}

TEST(FewProducts, AreAddedByTheUnitThatTakesItsPlaceOnRandomInputs) {
  Random random(test::starting_seed(71));
  for (long n = 0; n < test::count(2'000); ++n) {
    UnitModel model = test::random_wide_unit(random, random.between(1, 9));
    if (random.chance(1, 3)) model = test::with_carried_sums(random, std::move(model));
    if (random.chance(1, 3)) model = test::with_rare_rules(random, std::move(model));
    if (random.chance(1, 2))
      model.conventions.zero_sign = {ZeroSign::positive, ZeroSign::positive, ZeroSign::positive,
                                     ZeroSign::positive};
    expect_alike(random, model);
  }
}

TEST(FewProducts, OfChainsAreAddedByTheUnitThatTakesItsPlaceOnRandomInputs) {
  Random random(test::starting_seed(72));
  for (long n = 0; n < test::count(1'000); ++n) {
    const Signature formats = test::random_formats(random);
    const int k = random.between(2, 12);
    const auto c_enters = random.pick({CEnters::first, CEnters::last});
    ChainParameters values = test::random_values(random, formats.d);
    values.block.normalisation = Normalisation::late;
    const UnitModel model = chain_model("chain", k, formats, test::random_chain(random, k, c_enters), values,
                                        canonical_nan(formats.d));
    expect_alike(random, model);
  }
}

TEST(FewProducts, OfCataloguedUnitsAreAddedByFewNodes) {
  Random random(test::starting_seed(73));
  for (const CataloguedUnit& unit : catalogued_units())
    for (const UnitModel& model : catalogued_models(unit.name)) {
      SCOPED_TRACE(std::string(unit.name) + "#" + model.instruction);
      const auto products = some_products(random, model.k);
      const UnitModel few = with_few_products(model, products);
      const auto chosen = std::ranges::count(products, true);
      // Where zeros have a say, or a scale may be NaN, nothing is.
      if (few != model) {
        EXPECT_LE(few.tree.nodes.size(), 3U * static_cast<std::size_t>(chosen) + 3);
      }
      const Evaluator whole(model), rest(few);
      InputGenerator inputs(model.k, model.formats, random.bits());
      for (int i = 0; i < 100; ++i) {
        const DotInput in = with_zeros_elsewhere(random, model, products, inputs.next());
        ASSERT_EQ(whole(in), rest(in));
      }
    }
}

constexpr Signature kFormats{Format::fp16, Format::fp16, Format::fp32, Format::fp32};

UnitModel in_pairs(std::optional<int> clamp, int f, std::optional<int> carry, int result_bits = 23,
                   CEnters c_enters = CEnters::first) {
  ChainParameters values;
  values.block.alignment_fraction_bits = f;
  values.block.minimum_alignment_exponent = clamp;
  values.block.extra_carry_bits = carry;
  values.block.rounding = Rounding::toward_zero;
  values.block.output_fraction_bits = result_bits;
  values.conventions.zero_sign = {ZeroSign::positive, ZeroSign::positive, ZeroSign::positive,
                                  ZeroSign::positive};
  return chain_model("pairs", 4, kFormats, {{{0, 1}, {2, 3}}, c_enters}, values, 0x7fffffff);
}

TEST(FewProducts, LeaveNodesThatHaveNothingToDo) {
  const std::vector<bool> first{true, false, false, false}, last{false, false, false, true};
  const auto nodes = [](const UnitModel& model, const std::vector<bool>& products) {
    return with_few_products(model, products).tree.nodes.size();
  };
  for (const auto& products : {first, last}) {
    EXPECT_EQ(nodes(in_pairs(std::nullopt, 24, std::nullopt), products), 1U);
    EXPECT_EQ(nodes(in_pairs(-125, 24, std::nullopt), products), 1U);
  }
  // A sum that is given back loses its last bit.
  EXPECT_EQ(nodes(in_pairs(-124, 24, std::nullopt), first), 2U);
  EXPECT_EQ(nodes(in_pairs(std::nullopt, 22, std::nullopt), first), 2U);
  EXPECT_EQ(nodes(in_pairs(std::nullopt, 22, std::nullopt), last), 1U) << "it would be cut off again";
  EXPECT_EQ(nodes(in_pairs(std::nullopt, 24, std::nullopt, 22), last), 2U)
      << "the last bit of c is cut off before it is added";
}

TEST(FewProducts, LoseTheLastBitOfAProductThatIsNormalised) {
  UnitModel model = in_pairs(std::nullopt, 20, std::nullopt, 23, CEnters::last);
  const DotInput in{{0, 0, 0, 0x3fff}, {0, 0, 0, 0x3fff}, 0};  // 2047^2 / 2^20, above 2
  const std::vector<bool> last{false, false, false, true};
  for (const ProductKind kind : {ProductKind::exact_normalised, ProductKind::exact_unnormalised}) {
    for (Adder& adder : model.adders) adder.product = kind;
    EXPECT_EQ(Evaluator(with_few_products(model, last))(in), Evaluator(model)(in));
  }
}

TEST(FewProducts, AreNotAlignedToAnEarlierCThatWasCutOff) {
  UnitModel model = in_pairs(std::nullopt, 21, std::nullopt, 46);
  model.formats = {Format::fp64, Format::fp64, Format::fp64, Format::fp64};
  const auto number = [](std::uint64_t exponent, std::uint64_t fraction) {
    return exponent << 52U | fraction;
  };
  // a*b is 1.00...01 (31 zeros) * 2^-1031, of which 2^-1022 keeps less; c is 2^-1074.
  const DotInput in{
      {0, 0, 0, number(1023 - 512, 0)}, {0, 0, 0, number(1023 - 519, std::uint64_t{1} << 31U)}, 1};
  EXPECT_EQ(Evaluator(with_few_products(model, {false, false, false, true}))(in), Evaluator(model)(in));
}

TEST(FewProducts, KeepTheSignOfAnOperandThatIsDropped) {
  UnitModel model = in_pairs(std::nullopt, 24, std::nullopt);
  model.conventions.zero_sign.all_zero = ZeroSign::follow;
  Adder dropping = model.adders.front();
  dropping.minimum_alignment_exponent = -15;
  dropping.c_dropped_below = 5;
  model.adders.push_back(dropping);
  model.tree.nodes.push_back({{NodeLeaf{1}}, 1});
  const DotInput in{{0, 0, 0, 0}, {0, 0, 0, 0}, 0x9a000000};  // c is -2^-75
  EXPECT_EQ(Evaluator(model)(in), 0x80000000);
  EXPECT_EQ(Evaluator(with_few_products(model, std::vector<bool>(4)))(in), 0x80000000);
}

TEST(FewProducts, HaveNoCarryThatTheirSumsDoNotReach) {
  const auto carry_of = [](int carry, const std::vector<bool>& products) {
    const UnitModel few = with_few_products(in_pairs(std::nullopt, 24, carry), products);
    return few.adders[static_cast<std::size_t>(few.tree.nodes.front().adder)].extra_carry_bits;
  };
  EXPECT_EQ(carry_of(2, {true, false, false, false}), std::nullopt);
  EXPECT_EQ(carry_of(1, {true, false, false, false}), 1) << "a product below 4 and c below 2 reach 4";
  EXPECT_EQ(carry_of(2, {true, true, false, false}), 2);
}

}  // namespace
}  // namespace mmaprint::few_products_test
