#include "inference/common_trait.h"

#include <gtest/gtest.h>

#include "device/catalogue.h"
#include "inference/identify.h"
#include "inference/inputs.h"
#include "model/evaluator.h"
#include "model/pattern.h"
#include "mutant_units.h"

namespace mmaprint::common_trait_test {
namespace {

const UnitModel& a100() {
  static const UnitModel model = catalogued_model("a100", "mma.m16n8k8.f32.f16.f16.f32").value();
  return model;
}

/// What a unit answers that is the model but for the last bit of d where `departs` holds.
template <class Departs>
std::vector<Observation> answers_of(Departs&& departs, int inputs = 600) {
  InputGenerator generator(a100().k, a100().formats, 7);
  const Evaluator evaluator(a100());
  std::vector<Observation> all;
  for (int i = 0; i < inputs; ++i) {
    const DotInput x = generator.next(i % 3 == 0 ? InputFamily::edges : InputFamily::any);
    const Pattern d = evaluator(x);
    all.push_back({x, d ^ (departs(x) && classify(info(Format::fp32), d) == ValueClass::normal ? 1U : 0U)});
  }
  return all;
}

ValueClass class_of_c(const DotInput& x) { return classify(info(Format::fp32), x.c); }

TEST(CommonTrait, IsToldOfASubnormalC) {
  const auto trait = trait_of_departures(
      a100(), answers_of([](const DotInput& x) { return class_of_c(x) == ValueClass::subnormal; }, 6000));
  ASSERT_TRUE(trait);
  EXPECT_EQ(trait->words.substr(0, 13), "a subnormal c");
  EXPECT_GT(trait->departing, 2U);
}

TEST(CommonTrait, IsToldOfAZeroProductBesideOthers) {
  const auto is_zero = [](Pattern p) { return classify(info(Format::fp16), p) == ValueClass::zero; };
  const auto trait = trait_of_departures(a100(), answers_of([&](const DotInput& x) {
                                           bool zero = false, other = false;
                                           for (std::size_t k = 0; k < x.a.size(); ++k)
                                             (is_zero(x.a[k]) || is_zero(x.b[k]) ? zero : other) = true;
                                           return zero && other;
                                         }));
  ASSERT_TRUE(trait);
  EXPECT_NE(trait->words.find("zero"), std::string::npos) << text(*trait);
  EXPECT_NE(trait->words.find("a zero product beside one that is not"), std::string::npos) << text(*trait);
}

TEST(CommonTrait, IsToldOfAPlace) {
  const auto trait = trait_of_departures(a100(), answers_of([](const DotInput& x) {
                                           const bool negative = ((x.a[5] ^ x.b[5]) >> 15 & 1U) != 0;
                                           const auto& f = info(Format::fp16);
                                           return negative && !is_zero(f, x.a[5]) && !is_zero(f, x.b[5]);
                                         }));
  ASSERT_TRUE(trait);
  EXPECT_NE(trait->words.find("a negative product at place 5"), std::string::npos) << text(*trait);
}

TEST(CommonTrait, TakesNoNanForPositive) {
  const auto with_c = [](Pattern c) {
    DotInput input = zero_input(a100().formats, a100().k);
    input.c = c;
    return input;
  };
  const DotInput nan = with_c(canonical_nan(Format::fp32)), one = with_c(0x3f800000);
  const DotInput minus_one = with_c(0xbf800000);
  std::vector<Observation> answers(20, {nan, 0});
  answers.resize(40, {one, 0});
  answers.resize(80, {minus_one, evaluate(a100(), minus_one)});
  const auto trait = trait_of_departures(a100(), answers);
  ASSERT_TRUE(trait);
  EXPECT_EQ(trait->words, "a zero result");
}

TEST(CommonTrait, IsNotToldWhereUnitAndModelAgree) {
  EXPECT_FALSE(trait_of_departures(a100(), answers_of([](const DotInput&) { return false; })));
}

TEST(CommonTrait, IsNotToldOfWhatAnyBitsDecide) {
  const auto trait = trait_of_departures(
      a100(), answers_of([](const DotInput& x) { return (x.a[0] * 31 + x.b[3] * 17 + x.c * 7) % 11 == 0; }));
  EXPECT_FALSE(trait) << text(*trait);
}

TEST(CommonTrait, IsNotToldOfTwoDeparturesThatMayHaveItByAccident) {
  int left = 2;
  EXPECT_FALSE(trait_of_departures(
      a100(), answers_of([&](const DotInput& x) { return (x.c & 1U) != 0 && left-- > 0; })));
}

TEST(CommonTrait, IsToldOfAUnitThatNothingInTheSpaceExplains) {
  const auto model = catalogued_model("v100", "mma.m8n8k4.f32.f16.f16.f32");
  ASSERT_TRUE(model);
  // Where the last product is negative it takes the place of the one before it.
  test::FunctionUnit unit([of_model = Evaluator(*model), &f = info(Format::fp16)](DotInput x) {
    if (!is_zero(f, x.a[3]) && !is_zero(f, x.b[3]) && is_negative(f, x.a[3]) != is_negative(f, x.b[3]))
      x.a[2] = x.a[3], x.b[2] = x.b[3];
    return of_model(x);
  });
  const Space space = default_space(model->instruction, model->k, model->formats);
  IdentifyOptions options;
  options.threads = 2;
  options.proof_steps = 100'000;
  const Identification found =
      identify(space, space.whole(), unit, {model->instruction, model->k, model->formats}, {}, options, {});
  ASSERT_EQ(found.verdict(), Identification::Verdict::none);
  ASSERT_TRUE(found.in_common);
  EXPECT_NE(found.in_common->words.find("a negative product at place 3"), std::string::npos)
      << text(*found.in_common);
}

TEST(CommonTrait, IsASentence) {
  EXPECT_EQ(text({"a zero product", 37, 463, 12}),
            "37 inputs on which it is wrong, all with a zero product; 12 of the 463 others have that");
  EXPECT_EQ(text({"a zero product", 37, 463, 0}),
            "37 inputs on which it is wrong, all with a zero product; none of the 463 others have that");
}

}  // namespace
}  // namespace mmaprint::common_trait_test
