// Ways from a unit to a model of another structure, by theorems about what nodes add.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "derivations.h"
#include "inference/equivalence.h"
#include "model/alike_nodes.h"

namespace mmaprint::derivation_theorems_test {
namespace {

using derivations::problem;
using derivations::read_back;
using enum Parameter;

/// A set of another skeleton than the model's: nodes in more classes, and +0 among the first one's operands.
struct OtherSkeleton {
  UnitModel model;
  Space space;
  HypothesisSet set;
  Derivation derivation{};

  OtherSkeleton(bool from_zero, ZeroSign all_zero) {
    Adder adder = exact_adder(Format::fp16, Rounding::nearest_even);
    adder.alignment_fraction_bits = 20;
    const Signature formats{Format::e4m3, Format::e4m3, std::nullopt, Format::fp16};
    const Tree chain = tree_of(Chain{{{0, 1}, {2, 3}, {4, 5}}, std::nullopt});
    model = unit_model("other classes", 6, formats, {{}, chain}, {{adder}, {}}, canonical_nan(formats.d));
    model.conventions.zero_sign.all_zero = all_zero;
    UnitModel other = with_classes(model, {0, 1, 1}).value();
    if (from_zero)
      other.tree.nodes.front().operands.insert(other.tree.nodes.front().operands.begin(), ZeroLeaf{});
    space = {other.instruction, other.k, other.formats, {skeleton_of(other)}, Box(1)};
    set = {0, Box(values_of(other)), canonical_nan(formats.d)};
    // More carry bits than so few addends fill.
    set.box[{extra_carry_bits, 1}].insert(CarryDomain::index(5));
    const auto checker = make_checker(Solver::cadical, {nullptr, true});
    auto answer = compare_with_set(*checker, model, space, set, {});
    if (auto* equal = std::get_if<EquivalentSet>(&answer)) derivation = std::move(equal->derivation);
  }
};

TEST(Derivation, LeadsToModelsOfOtherClassesAndWithoutTheZeroThatSumsStartFrom) {
  for (const bool from_zero : {false, true}) {
    const OtherSkeleton p(from_zero, ZeroSign::positive);
    ASSERT_FALSE(p.derivation.models.empty());
    EXPECT_TRUE(std::ranges::any_of(p.derivation.models, [&](const ModelStep& step) {
      return from_zero ? std::holds_alternative<ByPlainForm>(step.by)
                       : std::holds_alternative<BySameNodes>(step.by);
    }));
    EXPECT_EQ(problem(p.space, p.model, p.set, p.derivation), "");
    EXPECT_EQ(problem(p.space, p.model, p.set, read_back(p.space, p.model, p.set, p.derivation)), "");
  }
}

TEST(Derivation, DoesNotLeadToAModelWhoseZerosHaveAnotherSign) {
  const OtherSkeleton p(true, ZeroSign::follow);
  EXPECT_TRUE(p.derivation.models.empty()) << "-0 of zeros alone, beside +0 of these and +0";
}

TEST(Derivation, FailsWhereNodesAreSaidToBeTheSameThatAreNot) {
  const OtherSkeleton p(false, ZeroSign::positive);
  Derivation forged = p.derivation;
  for (ModelStep& step : forged.models)
    if (std::holds_alternative<BySameNodes>(step.by)) step.right.adders.front().output_fraction_bits -= 1;
  EXPECT_NE(problem(p.space, p.model, p.set, forged).find("step "), std::string::npos);
  // A model with another parameter, by a step that names the same classes.
  UnitModel other = p.model;
  other.adders.front().output_fraction_bits -= 1;
  HypothesisSet one = p.set;
  one.box = Box(p.set.box.lowest());
  Derivation leads_elsewhere;
  leads_elsewhere.models.push_back({p.space.model(0, one.box.lowest(), one.nan), other, BySameNodes{}});
  EXPECT_EQ(problem(p.space, other, one, leads_elsewhere),
            "step 1: the models differ in more than which nodes are of one class");
}

/// The same unit with the operands of every node turned round.
UnitModel turned_round(UnitModel unit) {
  for (Node& node : unit.tree.nodes) std::ranges::reverse(node.operands);
  return unit;
}

/// A set of one unit.
struct OneUnit {
  Space space;
  HypothesisSet set;
  explicit OneUnit(const UnitModel& unit)
      : space{unit.instruction, unit.k, unit.formats, {skeleton_of(unit)}, Box(classes_of(unit.tree))},
        set{0, Box(values_of(unit)), constant_nan(unit.nan)} {}
};

/// Is a unit shown to compute as the model, by a theorem of this kind among others, and so that it holds?
template <class Theorem>
void expect_led_to(const UnitModel& model, const UnitModel& other) {
  const OneUnit one(other);
  const auto answer =
      compare_with_set(*make_checker(Solver::cadical, {nullptr, true}), model, one.space, one.set, {});
  const auto* equal = std::get_if<EquivalentSet>(&answer);
  ASSERT_NE(equal, nullptr);
  EXPECT_TRUE(std::ranges::any_of(equal->derivation.models, [](const ModelStep& step) {
    return std::holds_alternative<Theorem>(step.by);
  }));
  EXPECT_EQ(problem(one.space, model, one.set, equal->derivation), "");
  EXPECT_EQ(problem(one.space, model, one.set, read_back(one.space, model, one.set, equal->derivation)), "");
}
/// Why one step by that theorem does not lead there.
template <class Theorem>
std::string problem_of_forged(const UnitModel& model, const UnitModel& other) {
  const OneUnit one(other);
  Derivation forged;
  forged.models.push_back({other, model, Theorem{}});
  return problem(one.space, model, one.set, forged);
}

TEST(Derivation, LeadsToAModelThatAddsInAnotherOrderWhereThatCannotMatter) {
  const UnitModel model = OtherSkeleton(false, ZeroSign::positive).model;
  expect_led_to<ByOrder>(model, turned_round(model));
}

TEST(Derivation, FailsWhereAnOrderIsSaidNotToMatterThatDoes) {
  UnitModel model = OtherSkeleton(false, ZeroSign::positive).model;
  model.adders.front().normalisation = Normalisation::immediate;
  EXPECT_EQ(problem_of_forged<ByOrder>(model, turned_round(model)),
            "step 1: the models differ in more than the order of operands, or it may matter");
}

/// The same unit, whose result one more node passes on.
UnitModel passed_on(UnitModel unit) {
  const int root = static_cast<int>(unit.tree.nodes.size()) - 1,
            adders = static_cast<int>(unit.adders.size());
  unit.tree.nodes.push_back({{NodeLeaf{root}}, adders, {}});
  unit.adders.push_back(exact_adder(unit.formats.d, Rounding::toward_zero));
  return unit;
}

TEST(Derivation, LeadsToAModelWithANodeThatRoundsNothing) {
  const UnitModel model = OtherSkeleton(false, ZeroSign::positive).model;
  UnitModel other = passed_on(model);
  // The set's hypothesis differs from the model in what shows nowhere, too.
  other.adders.back().alignment_fraction_bits = info(model.formats.d).fraction_bits;
  expect_led_to<ByPlainForm>(model, other);
}

TEST(Derivation, FailsWhereANodeIsSaidToRoundNothingThatDoes) {
  const UnitModel model = OtherSkeleton(false, ZeroSign::positive).model;
  UnitModel other = passed_on(model);
  other.adders.back().output_fraction_bits -= 1;
  EXPECT_EQ(problem_of_forged<ByPlainForm>(model, other), "step 1: the models have other plain forms");
}

UnitModel integer_chain(Overflow overflow, const Chain& chain) {
  ChainParameters values;
  values.block = exact_adder(Format::int32, Rounding::nearest_even);
  values.final_rounding = Rounding::nearest_even;
  values.conventions.overflow = overflow;
  return chain_model("integers", 4, {Format::int8, Format::int8, Format::int32, Format::int32}, chain, values,
                     std::nullopt);
}

TEST(Derivation, LeadsToAModelThatGroupsIntegersOtherwiseWhoseSumsWrap) {
  const Chain two{{{0, 1}, {2, 3}}, CEnters::first}, four{{{0}, {1}, {2}, {3}}, CEnters::last};
  expect_led_to<ByPlainForm>(integer_chain(Overflow::wrap, two), integer_chain(Overflow::wrap, four));
}

TEST(Derivation, FailsWhereIntegersAreSaidToBeGroupedOtherwiseThatMaySaturate) {
  const Chain two{{{0, 1}, {2, 3}}, CEnters::first}, one{{{0, 1, 2, 3}}, CEnters::first};
  EXPECT_EQ(problem_of_forged<ByPlainForm>(integer_chain(Overflow::saturate, two),
                                           integer_chain(Overflow::saturate, one)),
            "step 1: the models have other plain forms");
}

TEST(Derivation, TakesOnePlainFormAlone) {
  const UnitModel model = OtherSkeleton(false, ZeroSign::positive).model;
  const UnitModel other = passed_on(model);
  const OneUnit one(other);
  const auto read = [&](int times) {
    Json steps = Json::array();
    for (int i = 0; i < times; ++i) steps.push_back({{"form", "plain"}, {"theorem", "plain form"}});
    steps.push_back({{"to", "model"}, {"theorem", "plain form"}});
    return steps_from_json(JsonReader(steps), one.space, one.set, model, {});
  };
  EXPECT_EQ(problem(one.space, model, one.set, read(1)), "");
  EXPECT_THROW(read(2), FieldError) << "each takes time";
}

}  // namespace
}  // namespace mmaprint::derivation_theorems_test
