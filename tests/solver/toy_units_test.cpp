// Both checkers against every input of toy formats.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "model/evaluator.h"
#include "solver/by_nodes.h"
#include "solver/sides.h"
#include "support/chains.h"
#include "support/describe.h"
#include "support/generate.h"

namespace mmaprint::toy_units_test {
namespace {

using test::count;
using test::expect_difference;
using test::kSolvers;
using test::Random;

/// E2M1 throughout, but for the result: 2^20 inputs for two products.
constexpr Signature kToy{Format::e2m1, Format::e2m1, Format::e2m1, Format::e5m2};
/// One product with specials: 2^20 inputs.
constexpr Signature kToySpecial{Format::e5m2, Format::e2m1, Format::e5m2, Format::e5m2};
/// Two products without c, or one with specials.
constexpr Signature kToyNoC{Format::e2m1, Format::e2m1, std::nullopt, Format::e5m2};
constexpr Signature kToySpecialNoC{Format::e5m2, Format::e5m2, std::nullopt, Format::e5m2};

/// Calls fn(input) for every input until it returns true; did it?
bool some_input(const Signature& formats, int k, const std::function<bool(const DotInput&)>& fn) {
  const auto n = static_cast<std::size_t>(k);
  DotInput input{std::vector<Pattern>(n), std::vector<Pattern>(n), 0};
  const auto next = [](Pattern& p, Format f) { return (p = (p + 1) & info(f).pattern_mask()) == 0; };
  for (;;) {
    if (fn(input)) return true;
    bool carry = !formats.c || next(input.c, *formats.c);
    for (std::size_t i = 0; i < n && carry; ++i) {
      carry = next(input.a[i], formats.a);
      if (carry) carry = next(input.b[i], formats.b);
    }
    if (carry) return false;
  }
}

/// What a restriction means, in plain words.
bool allowed(const Signature& formats, const Restriction& where, const DotInput& input) {
  const auto fraction = [](const FormatInfo& f, Pattern p) {
    return (p >> f.ignored_low_bits) & ((Pattern{1} << f.fraction_bits) - 1);
  };
  const FormatInfo &fa = info(formats.a), &fb = info(formats.b), &fc = info(room_for_c(formats));
  const auto finite = [](Format f, Pattern p) { return !is_nan(f, p) && !is_infinite(f, p); };
  const auto zero = [](const FormatInfo& f, Pattern p) {
    return f.specials != Specials::nan_at_zero && (p & (f.pattern_mask() >> 1)) == 0;
  };
  int nonzero = 0, fraction_bits = std::popcount(fraction(fc, input.c));
  for (std::size_t i = 0; i < input.a.size(); ++i) {
    const Pattern a = input.a[i], b = input.b[i];
    if (where.products && !(*where.products)[i] && (!zero(fa, a) || b != 0)) return false;
    if (where.finite_inputs && !(finite(formats.a, a) && finite(formats.b, b))) return false;
    if (!zero(fa, a) && !zero(fb, b)) ++nonzero;
    fraction_bits += std::popcount(fraction(fa, a)) + std::popcount(fraction(fb, b));
    if (where.b_power_of_two && fraction(fb, b) != 0) return false;
    if (where.leading_fraction_bits) {
      const auto beyond = [&](const FormatInfo& f, Pattern p) {
        const int gone = std::max(0, f.fraction_bits - *where.leading_fraction_bits);
        return (fraction(f, p) & ((Pattern{1} << gone) - 1)) != 0;
      };
      if (beyond(fa, a) || beyond(fb, b)) return false;
    }
  }
  if (where.finite_inputs && !finite(room_for_c(formats), input.c)) return false;
  if (where.at_most_nonzero_products && nonzero > *where.at_most_nonzero_products) return false;
  return !where.at_most_fraction_bits || fraction_bits <= *where.at_most_fraction_bits;
}

Restriction random_restriction(Random& random, int k) {
  Restriction where;
  where.finite_inputs = random.chance(1, 3);
  if (random.chance(1, 3)) {
    std::vector<bool> products;
    for (int i = 0; i < k; ++i) products.push_back(random.chance(2, 3));
    where.products = products;
  }
  if (random.chance(1, 3)) where.at_most_nonzero_products = random.between(0, k);
  if (random.chance(1, 3)) where.at_most_fraction_bits = random.between(0, 5);
  if (random.chance(1, 3)) where.leading_fraction_bits = random.between(0, 3);
  where.b_power_of_two = random.chance(1, 4);
  return where;
}

std::string words(const Restriction& where) {
  std::string text = "where";
  if (where.finite_inputs) text += " finite";
  if (where.products)
    for (const bool b : *where.products) text += b ? " some" : " zero";
  if (where.at_most_nonzero_products) text += " nonzero<=" + std::to_string(*where.at_most_nonzero_products);
  if (where.at_most_fraction_bits) text += " bits<=" + std::to_string(*where.at_most_fraction_bits);
  if (where.leading_fraction_bits) text += " leading=" + std::to_string(*where.leading_fraction_bits);
  return text + (where.b_power_of_two ? " powers" : "");
}

/// A toy unit and one that differs from it in one parameter or two.
std::pair<UnitModel, UnitModel> toy_pair(Random& random, const Signature& formats, int k) {
  const auto c = random.pick({CEnters::first, CEnters::last});
  Chain chain = test::random_chain(random, k, c);
  if (!formats.c) chain.c_enters.reset();
  ChainParameters values = test::random_values(random, formats.d);
  if (random.chance(3, 4) && values.block.alignment_fraction_bits)
    values.block.alignment_fraction_bits = random.between(0, 8);
  ChainParameters others = values;
  for (int i = random.between(1, 2); i > 0; --i) {
    const ParameterKey& p = random.pick(test::chain_keys());
    test::set_value(others, p, test::value_index(test::random_values(random, formats.d), p));
  }
  const Pattern nan = canonical_nan(formats.d);
  return {chain_model("toy", k, formats, chain, values, nan),
          chain_model("toy", k, formats, chain, others, nan)};
}

void compare_with_every_input(Solver solver, std::uint64_t stated_seed, long n, const Signature& formats,
                              int k) {
  const std::uint64_t first = test::starting_seed(stated_seed);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(n); ++seed) {
    Random random(seed);
    const auto [left, right] = toy_pair(random, formats, k);
    const Restriction where = random.chance(1, 3) ? Restriction{} : random_restriction(random, k);
    const Evaluator x(left), y(right);
    const bool different = some_input(formats, k, [&](const DotInput& input) {
      return allowed(formats, where, input) && x(input) != y(input);
    });
    const auto answer = make_checker(solver)->distinguish(left, right, where, {});
    const auto what = [&] {
      return "seed " + std::to_string(seed) + " " + words(where) + "\n" + test::describe(left) + "\n" +
             test::describe(right);
    };
    ASSERT_EQ(std::holds_alternative<Witness>(answer), different) << what();
    ASSERT_EQ(std::holds_alternative<Equivalent>(answer), !different) << what();
    if (different) {
      const DotInput& input = std::get<Witness>(answer).input;
      ASSERT_TRUE(allowed(formats, where, input)) << what() << '\n' << test::describe(left, input);
      ASSERT_NE(x(input), y(input)) << what() << '\n' << test::describe(left, input);
    }
  }
}

/// Of pairs with 2^20 inputs: none where counts are reduced, as a single one takes seconds then.
long large(long n) { return test::counts_are_reduced() ? 0 : count(n); }

TEST(GraphEngine, AgreesWithEveryInputOfToyUnitsOnRandomInputs) {
  compare_with_every_input(Solver::cadical, 2'000, large(4), kToy, 2);
  compare_with_every_input(Solver::cadical, 3'000, large(6), kToySpecial, 1);
  compare_with_every_input(Solver::cadical, 3'500, count(30), kToyNoC, 2);
  compare_with_every_input(Solver::cadical, 3'700, count(30), kToySpecialNoC, 1);
}

TEST(TermEngine, AgreesWithEveryInputOfToyUnitsOnRandomInputs) {
  compare_with_every_input(Solver::z3, 4'000, large(3), kToy, 2);
  compare_with_every_input(Solver::z3, 5'000, large(4), kToySpecial, 1);
  compare_with_every_input(Solver::z3, 5'500, count(8), kToyNoC, 2);
}

/// The same unit with other signs of zeros, of one kind or several: later nodes absorb many of them.
UnitModel with_other_zero_signs(Random& random, UnitModel model) {
  ZeroSigns& signs = model.conventions.zero_sign;
  const ZeroSigns before = signs;
  while (signs == before)
    for (auto kind : {&ZeroSigns::all_zero, &ZeroSigns::cancelled, &ZeroSigns::rounded, &ZeroSigns::flushed})
      signs.*kind = random.chance(1, 2) ? ZeroSign::positive : ZeroSign::follow;
  return model;
}

/// What is taken for granted about a node's operands must not hide a difference.
void compare_by_nodes_with_every_input(std::uint64_t stated_seed, long n, const Signature& toy) {
  const std::uint64_t first = test::starting_seed(stated_seed);
  const auto checker = make_checker(Solver::cadical);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(n); ++seed) {
    Random random(seed);
    auto [left, right] = toy_pair(random, toy, 2);
    const int kind = random.between(0, 2);
    if (kind == 1) {
      right = left;
      right.adders.front().minimum_alignment_exponent = random.between(-12, 0);
    }
    if (kind == 2) right = with_other_zero_signs(random, left);
    const Evaluator x(left), y(right);
    const bool different = some_input(toy, 2, [&](const DotInput& input) { return x(input) != y(input); });
    Limits limits;
    limits.seconds = 5;
    const auto answer = compare_by_nodes(*checker, left, right, limits);
    const std::string what =
        "seed " + std::to_string(seed) + "\n" + test::describe(left) + "\n" + test::describe(right);
    EXPECT_FALSE(different && std::holds_alternative<Equivalent>(answer)) << what;
    if (const auto* witness = std::get_if<Witness>(&answer)) {
      EXPECT_NE(x(witness->input), y(witness->input)) << what;
    }
  }
}

TEST(GraphEngine, NodeByNodeAgreesWithEveryInputOfToyUnitsOnRandomInputs) {
  compare_by_nodes_with_every_input(7'000, large(6), kToy);
  compare_by_nodes_with_every_input(7'500, count(30), kToyNoC);
}

TEST(BothEngines, FindTheMemberOfASetThatDiffersOnRandomInputs) {
  const std::uint64_t first = test::starting_seed(6'000);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count(10)); ++seed) {
    Random random(seed);
    const Chain chain = test::random_chain(random, 1, CEnters::last);
    const ChainParameters base = test::random_values(random, kToy.d);
    const auto model_of = [&](const ChainParameters& v) {
      return chain_model("toy", 1, kToy, chain, v, canonical_nan(kToy.d));
    };
    const UnitModel unit = model_of(base);
    const Space space{"toy", 1, kToy, {skeleton_of(unit)}, Box(1)};
    Hypotheses set{&space, {0, Box(values_of(unit)), std::nullopt}};
    std::vector<ChainParameters> members{base};
    for (int i = random.between(0, 2); i > 0; --i) {
      const ParameterKey& p = random.pick(test::chain_keys());
      const int index = test::value_index(test::random_values(random, kToy.d), p);
      ValueSet& values = set.set.box[p];
      if (values.contains(index)) continue;
      values.insert(index);
      const std::size_t before = members.size();
      for (std::size_t m = 0; m < before; ++m) {
        if (test::value_index(members[m], p) != values.first() && values.size() > 2) continue;
        members.push_back(members[m]);
        test::set_value(members.back(), p, index);
      }
    }
    members.erase(std::remove_if(members.begin(), members.end(),
                                 [&](const ChainParameters& v) {
                                   return !set.set.box.contains(values_of(model_of(v)));
                                 }),
                  members.end());
    const bool different = std::ranges::any_of(members, [&](const ChainParameters& v) {
      const Evaluator x(unit), y(model_of(v));
      return some_input(kToy, 1, [&](const DotInput& input) { return x(input) != y(input); });
    });
    for (const Solver solver : kSolvers) {
      const std::string what = "seed " + std::to_string(seed);
      expect_difference(different, solver, unit, set, {}, what);
      expect_difference(different, solver, set, unit, {}, what);
    }
    expect_difference(different, Solver::cadical, set, set, {}, "both sets");
  }
}

}  // namespace
}  // namespace mmaprint::toy_units_test
