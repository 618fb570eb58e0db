// The smallest difference of integer units, against every smaller input.
#include "inference/minimal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "inference/input_size.h"
#include "model/evaluator.h"
#include "support/random.h"

namespace mmaprint::minimal_test {
namespace {

UnitModel unit(const OperandFormats& formats, const std::vector<std::vector<int>>& blocks, Overflow overflow,
               ProductKind product = ProductKind::exact_unnormalised) {
  ChainParameters values;
  values.block.product = product;
  values.block.output_fraction_bits = info(formats.d).fraction_bits;
  values.conventions.overflow = overflow;
  int k = 0;
  for (const auto& block : blocks) k += static_cast<int>(block.size());
  UnitModel model = chain_model("integers", k, formats, {blocks, CEnters::first}, values, std::nullopt);
  validate(model);
  return model;
}

OperandFormats to_int32(Format a, Format b) { return {a, b, Format::int32, Format::int32}; }

Different smallest(const UnitModel& left, const UnitModel& right) {
  const auto found = smallest_difference(left, right, {});
  EXPECT_TRUE(std::holds_alternative<Different>(found));
  return std::holds_alternative<Different>(found) ? std::get<Different>(found) : Different{};
}

std::int64_t number(Format format, Pattern p) {
  const int bits = info(format).container_bits;
  const auto x = static_cast<std::int64_t>(p);
  return info(format).has_sign && (p >> (bits - 1) & 1U) != 0 ? x - (std::int64_t{1} << bits) : x;
}
int bits_of(Format format, Pattern p) {
  return std::popcount(static_cast<std::uint64_t>(std::abs(number(format, p))));
}

struct Size {
  int products = 0, bits = 0;
  friend auto operator<=>(const Size&, const Size&) = default;
};

/// The size of the smallest difference among all factors and those c from which their sum can leave the
/// range.
Size by_trying_all(const UnitModel& left, const UnitModel& right) {
  const Format fa = left.formats.a, fb = left.formats.b, fc = left.formats.c.value();
  const bool exclusive = left.adders.front().product == ProductKind::exclusive_or ||
                         right.adders.front().product == ProductKind::exclusive_or;
  const bool conjunction = left.adders.front().product != ProductKind::exclusive_or ||
                           right.adders.front().product != ProductKind::exclusive_or;
  const Evaluator x(left);
  const Evaluator y(right);
  std::vector<Pattern> some_c;
  for (Pattern i = 0; i <= 300; ++i)
    for (const Pattern end : {Pattern{0}, Pattern{0x7fffffff}, Pattern{0x80000000}})
      for (const Pattern c : {end + i, end - i}) some_c.push_back(c & 0xffffffffU);
  std::ranges::sort(some_c, {}, [&](Pattern c) { return bits_of(fc, c); });
  Size best{left.k + 1, 0};
  const auto n = static_cast<std::size_t>(left.k);
  DotInput in{std::vector<Pattern>(n, 0), std::vector<Pattern>(n, 0), 0};
  const auto visit = [&](const auto& self, std::size_t k, Size size) -> void {
    if (size >= best) return;
    if (k < n) {
      for (in.a[k] = 0; in.a[k] <= info(fa).pattern_mask(); ++in.a[k])
        for (in.b[k] = 0; in.b[k] <= info(fb).pattern_mask(); ++in.b[k]) {
          const bool nonzero = (conjunction && number(fa, in.a[k]) * number(fb, in.b[k]) != 0) ||
                               (exclusive && in.a[k] != in.b[k]);
          self(self, k + 1,
               {size.products + (nonzero ? 1 : 0), size.bits + bits_of(fa, in.a[k]) + bits_of(fb, in.b[k])});
        }
      return;
    }
    for (const Pattern c : some_c) {
      const Size all{size.products, size.bits + bits_of(fc, c)};
      if (all >= best) return;
      in.c = c;
      if (x(in) != y(in)) best = all;
    }
  };
  visit(visit, 0, {});
  return best;
}

void expect_smallest(const UnitModel& left, const UnitModel& right) {
  const Different found = smallest(left, right);
  EXPECT_NE(found.left, found.right);
  EXPECT_EQ(evaluate(left, found.input), found.left);
  EXPECT_EQ(evaluate(right, found.input), found.right);
  EXPECT_TRUE(found.terms_minimal);
  EXPECT_TRUE(found.bits_minimal);
  const Size best = by_trying_all(left, right);
  EXPECT_EQ(found.nonzero_products, best.products);
  EXPECT_EQ(found.significand_bits, best.bits);
}

TEST(SmallestDifference, OfBytesThatWrapAndThatSaturateHasAProduct) {
  const auto formats = to_int32(Format::int8, Format::int8);
  const Different found = smallest(unit(formats, {{0, 1, 2, 3}}, Overflow::wrap),
                                   unit(formats, {{0, 1, 2, 3}}, Overflow::saturate));
  EXPECT_EQ(found.nonzero_products, 1) << "c alone is in range, whatever it is";
  EXPECT_EQ(found.significand_bits, 3) << "-2^31 and 1·-1";
  EXPECT_EQ(found.input.c, 0x80000000U);
  EXPECT_TRUE(found.terms_minimal);
  EXPECT_TRUE(found.bits_minimal);
}

TEST(SmallestDifference, OfNibblesIsThatOfAllInputs) {
  for (const Format a : {Format::int4, Format::uint4})
    for (const Format b : {Format::int4, Format::uint4}) {
      SCOPED_TRACE(std::string(name(a)) + " " + std::string(name(b)));
      const auto formats = to_int32(a, b);
      expect_smallest(unit(formats, {{0}}, Overflow::wrap), unit(formats, {{0}}, Overflow::saturate));
    }
}

TEST(SmallestDifference, OfWhereNibblesAreClippedIsThatOfAllInputs) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const auto formats = to_int32(Format::int4, Format::int4);
  expect_smallest(unit(formats, {{0, 1}}, Overflow::saturate), unit(formats, {{0}, {1}}, Overflow::saturate));
}

TEST(SmallestDifference, OfSingleBitsCountsWhatTheirUnitsMakeOfThem) {
  const auto formats = to_int32(Format::b1, Format::b1);
  const auto exclusive = ProductKind::exclusive_or;
  expect_smallest(unit(formats, {{0, 1}}, Overflow::wrap),
                  unit(formats, {{0, 1}}, Overflow::wrap, exclusive));
  expect_smallest(unit(formats, {{0, 1}}, Overflow::wrap, exclusive),
                  unit(formats, {{0, 1}}, Overflow::saturate, exclusive));
}

}  // namespace
}  // namespace mmaprint::minimal_test
