// What evaluation by need and formulas rely on, audited: every value behind each key, each shortcut of order
// and each "always".
#include "layers/audit.h"

#include <gtest/gtest.h>

#include "layers/toys.h"

namespace mmaprint::audit_test {
namespace {

using test::AuditingParameters;
using test::Random;
using test::Toy;

/// Some values of each parameter, the given ones among them.
Box random_box(Random& random, const FormatInfo& d, const ParameterValues& values) {
  Box box;
  for (const ParameterInfo& row : all_parameters()) {
    const auto choice = test::every_value(row.id, d);
    const bool whole = random.chance(1, 3);
    for (const int i : choice.values)
      if (whole || random.chance(1, 3)) box[row.id].insert(i);
    box[row.id].insert(value_index(values, {row.id}));
  }
  // As hypotheses have it: late where kinds of operands may be aligned by rules of their own.
  using enum Parameter;
  constexpr std::array kOwn{carried_fraction_bits, carried_alignment_rounding, c_fraction_bits,
                            c_alignment_rounding, c_dropped_below};
  const bool immediate = values.adders.front().normalisation == Normalisation::immediate;
  if (immediate || random.chance(1, 3)) {
    const bool alike = std::ranges::all_of(
        kOwn, [&](Parameter p) { return value_index(values, {p}) == default_index(info(p)); });
    if (alike)
      for (const Parameter p : kOwn) box[p] = ValueSet::single(default_index(info(p)));
    if (alike) return box;
  }
  box[normalisation] = ValueSet::single(static_cast<int>(Normalisation::late));
  return box;
}

/// Only values that nodes which carry their sums on can have.
Box carrying_box(Box box, const ParameterValues& values) {
  box[Parameter::normalisation] = ValueSet::single(static_cast<int>(Normalisation::late));
  for (const Parameter p :
       {Parameter::alignment_fraction_bits, Parameter::carried_fraction_bits, Parameter::c_fraction_bits})
    box[p].intersect(ValueSet::range(0, test::kMostCarriedBits));
  for (const Parameter p : {Parameter::carried_fraction_bits, Parameter::c_fraction_bits})
    box[p].insert(value_index(values, {p}));
  box[Parameter::alignment_fraction_bits].insert(value_index(values, {Parameter::alignment_fraction_bits}));
  return box;
}

enum class Sums : std::uint8_t { rounded, carried };

template <class L>
void expect_no_breach(std::uint64_t seed, long boxes, Sums sums = Sums::rounded) {
  Random random(test::starting_seed(seed));
  AuditingParameters::Counts total;
  for (long i = 0; i < boxes; ++i) {
    const auto& f = random.pick(std::span(test::toy_formats()));
    ParameterValues values = test::random_toy_values(random, f.d);
    if (sums == Sums::carried) values = test::carrying_values(random, std::move(values));
    Box box = random_box(random, f.d, values);
    const int k = random.between(1, 3);
    Tree tree = tree_of(test::random_chain(random, k, CEnters::first));
    if (sums == Sums::carried) {
      box = carrying_box(std::move(box), values);
      tree = test::carrying_tree(random, std::move(tree));
    }
    Toy toy(f, k, std::move(tree), values);
    for (int j = 0; j < 10; ++j) {
      const DotInput input = test::random_patterns(random, toy);
      AuditingParameters source(box, values);
      const Pattern found = test::result<L>(toy, input, source);
      ASSERT_TRUE(source.broken().empty()) << source.broken().front() << "\n"
                                           << test::describe(toy, values, input);
      ASSERT_EQ(found, test::result<PlainLowering>(toy, input)) << test::describe(toy, values, input);
      total.keys += source.counts().keys;
      total.orders += source.counts().orders;
      total.claims += source.counts().claims;
    }
  }
  EXPECT_GT(total.keys, boxes);
  EXPECT_GT(total.orders, boxes);
  EXPECT_GT(total.claims, boxes);
}

TEST(Audit, FindsNoBreachWhereSumsAreCarriedOnRandomInputs) {
  expect_no_breach<Lowered>(82, test::count(3000), Sums::carried);
}

TEST(Audit, EqualKeysAndOrdersAndClaimsMeanEqualOutcomesAtToyFormatsOnRandomInputs) {
  expect_no_breach<Lowered>(81, test::count(3000));
}

/// Asks one question of an auditor about F = 0 .. 3.
AuditingParameters asked(const std::vector<int>& keys, const std::vector<int>& outcomes) {
  static const Box box = [] {
    Box all;
    for (const ParameterInfo& row : all_parameters()) all[row.id].insert(0);
    all[Parameter::alignment_fraction_bits] = ValueSet::range(0, 3);
    return all;
  }();
  AuditingParameters source(box, ParameterValues{});
  source.branch<Parameter::alignment_fraction_bits>(
      0, [&] { return [&](std::optional<int> f) { return keys[static_cast<std::size_t>(*f)]; }; },
      [&](std::optional<int> f) { return f ? outcomes[static_cast<std::size_t>(*f)] : 0; });
  return source;
}

TEST(Audit, SeesEqualKeysWithOtherOutcomesAndAnswersOutOfOrder) {
  EXPECT_TRUE(asked({0, 1, 2, 2}, {7, 8, 9, 9}).broken().empty());
  EXPECT_FALSE(asked({0, 1, 2, 2}, {7, 8, 9, 1}).broken().empty());
  EXPECT_FALSE(asked({0, 1, 0, 2}, {7, 8, 7, 9}).broken().empty());
}

}  // namespace
}  // namespace mmaprint::audit_test
