// Formulas of whole units against the concrete evaluator, on random models and inputs.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/evaluator.h"
#include "solver/miter.h"
#include "solver/sat.h"
#include "solver/simulation.h"
#include "support/chains.h"
#include "support/describe.h"
#include "support/generate.h"
#include "support/wide_units.h"

namespace mmaprint::encoding_test {
namespace {

using test::count;
using test::Random;

UnitModel random_model(Random& random, int most_products) {
  const int k = random.between(1, most_products);
  const Signature formats = test::random_formats(random);
  if (random.chance(1, 4)) {
    const int adders = random.between(1, 2);
    UnitModel model{"random", k, formats, test::random_tree(random, k, adders), {}, {}, {}};
    for (int i = 0; i < adders; ++i) model.adders.push_back(test::random_adder(random, formats.d));
    model.conventions = test::random_conventions(random);
    model.nan = test::random_nan(random, formats.d);
    return model;
  }
  const auto c = random.pick({CEnters::first, CEnters::last});
  return chain_model("random", k, formats, test::random_chain(random, k, c),
                     test::random_values(random, formats.d), test::random_nan(random, formats.d));
}

/// With FP64, or FP32 factors, exact sums are thousands of bits wide.
bool is_wide(const UnitModel& model) {
  const auto& f = model.formats;
  const auto computed = [](Format container, const OperandPath& path) {
    return path ? path->compute : container;
  };
  const auto large = [](Format x) { return x == Format::fp64 || x == Format::fp32; };
  return large(f.a) || large(f.b) || f.c == Format::fp64 || f.d == Format::fp64 ||
         large(computed(f.a, model.paths.a)) || large(computed(f.b, model.paths.b));
}
UnitModel narrow_model(Random& random, int most_products) {
  for (;;) {
    UnitModel model = random_model(random, most_products);
    if (!is_wide(model)) return model;
  }
}

/// Any tree, with conversions, formats of nodes and all rules; of every three one carries sums.
UnitModel any_unit(Random& random, int most_products, std::uint64_t seed) {
  UnitModel model = test::random_wide_unit(random, random.between(1, most_products));
  if (seed % 2 == 1) model = test::with_rare_rules(random, std::move(model));
  if (seed % 3 == 1) model = test::with_carried_sums(random, std::move(model));
  return model;
}

template <class Gates>
void expect_constants(Gates& gates, const UnitModel& model, const DotInput& input, std::uint64_t seed) {
  const auto side = evaluate_side(gates, model, constant_input(gates, model.formats, input));
  const auto nan = gates.known(side.nan);
  const auto pattern = gates.constant(side.pattern.bits);
  const Pattern expected = evaluate(model, input);
  ASSERT_TRUE(nan.has_value()) << "seed " << seed << '\n' << test::describe(model, input);
  ASSERT_EQ(*nan, is_nan(model.formats.d, expected)) << "seed " << seed << '\n'
                                                     << test::describe(model, input);
  if (*nan) return;
  ASSERT_TRUE(pattern.has_value()) << "seed " << seed << '\n' << test::describe(model, input);
  ASSERT_EQ(*pattern, expected) << "seed " << seed << '\n' << test::describe(model, input);
}

TEST(GraphEncoding, OfConstantInputsIsTheConstantResultOnRandomInputs) {
  const std::uint64_t first = test::starting_seed(300);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count(1000)); ++seed) {
    Random random(seed);
    const UnitModel model = random_model(random, 8);
    for (int i = 0; i < 5; ++i) {
      Aig graph;
      AigGates gates(graph);
      expect_constants(gates, model, test::random_input(random, model), seed);
      ASSERT_EQ(graph.size(), 1U) << "seed " << seed;  // no gate but the constant
      if (HasFatalFailure()) return;
    }
  }
}

TEST(GraphEncoding, OfConstantInputsIsTheConstantResultForConvertedOperandsAndNodesOfOtherFormats) {
  const std::uint64_t first = test::starting_seed(350);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count(400)); ++seed) {
    Random random(seed);
    const UnitModel model = any_unit(random, 6, seed);
    for (int i = 0; i < 5; ++i) {
      Aig graph;
      AigGates gates(graph);
      expect_constants(gates, model, test::random_input(random, model), seed);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(TermEncoding, OfConstantInputsIsTheConstantResultOnRandomInputs) {
  const std::uint64_t first = test::starting_seed(400);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count(300)); ++seed) {
    Random random(seed);
    const UnitModel plain = random_model(random, 6);
    UnitModel model = seed % 2 == 1 ? test::with_rare_rules(random, plain) : plain;
    if (seed % 3 == 1) model = test::with_carried_sums(random, std::move(model));
    z3::context context;
    Z3Gates gates(context);
    for (int i = 0; i < 5; ++i) {
      expect_constants(gates, model, test::random_input(random, model), seed);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(TermEncoding, OfConstantInputsIsTheConstantResultForConvertedOperandsAndNodesOfOtherFormats) {
  const std::uint64_t first = test::starting_seed(450);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count(300)); ++seed) {
    Random random(seed);
    const UnitModel model = any_unit(random, 6, seed);
    z3::context context;
    Z3Gates gates(context);
    for (int i = 0; i < 4; ++i) {
      const DotInput input =
          i == 0 ? test::random_input_with_a_sum_of_zeros(random, model) : test::random_input(random, model);
      expect_constants(gates, model, input, seed);
      if (HasFatalFailure()) return;
    }
  }
}

std::vector<bool> bits_of(const UnitModel& model, const DotInput& input) {
  std::vector<bool> bits;
  const auto append = [&](Format format, Pattern pattern) {
    const FormatInfo& f = info(format);
    for (int i = f.ignored_low_bits; i < f.container_bits; ++i) bits.push_back(((pattern >> i) & 1) != 0);
  };
  for (std::size_t i = 0; i < input.a.size(); ++i) {
    append(model.formats.a, input.a[i]);
    append(model.formats.b, input.b[i]);
  }
  append(model.formats.c.value(), input.c);
  return bits;
}

Pattern pattern_of(const std::vector<bool>& values, const AigGates::Bits& bits) {
  Pattern pattern = 0;
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (values[bits[i].node()] != bits[i].complemented()) pattern |= Pattern{1} << i;
  return pattern;
}

bool truth_of(const std::vector<bool>& values, Literal x) { return values[x.node()] != x.complemented(); }

TEST(GraphEncoding, OfUnknownInputsSimulatesToTheResultOnRandomInputs) {
  const std::uint64_t first = test::starting_seed(500);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count(150)); ++seed) {
    Random random(seed);
    const UnitModel model = random.chance(1, 10) ? random_model(random, 2) : narrow_model(random, 5);
    Aig graph;
    AigGates gates(graph);
    const auto in = free_input(gates, model.formats, model.k, {});
    const auto side = evaluate_side(gates, model, in);
    for (int i = 0; i < 30; ++i) {
      const DotInput input = test::random_input(random, model);
      const auto values = test::simulated(graph, bits_of(model, input));
      const Pattern expected = evaluate(model, input);
      const bool nan = truth_of(values, side.nan);
      ASSERT_EQ(nan, is_nan(model.formats.d, expected)) << "seed " << seed << '\n'
                                                        << test::describe(model, input);
      if (!nan) {
        ASSERT_EQ(pattern_of(values, side.pattern.bits), expected) << "seed " << seed << '\n'
                                                                   << test::describe(model, input);
      }
    }
  }
}

TEST(GraphEncoding, OfUnknownInputsConstrainedToAValueHasTheResultAloneOnRandomInputs) {
  const std::uint64_t first = test::starting_seed(600);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count(30)); ++seed) {
    Random random(seed);
    const UnitModel model = narrow_model(random, 3);
    Aig graph;
    AigGates gates(graph);
    const SymbolicCore<AigGates> core(gates);
    const auto in = free_input(gates, model.formats, model.k, {});
    const auto side = evaluate_side(gates, model, in);
    Sat sat(graph);
    const DotInput input = test::random_input(random, model);
    const auto bits = bits_of(model, input);
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const Literal x{2 * graph.inputs()[i]};
      sat.assert_unit(bits[i] ? x : !x);
    }
    ASSERT_EQ(sat.check({}, {}), Verdict::satisfiable);
    const Pattern expected = evaluate(model, input);
    const bool nan = is_nan(model.formats.d, expected);
    const auto word = gates.word(info(model.formats.d).container_bits, expected);
    const Literal right =
        nan ? side.nan : core.all(core.no(side.nan), gates.is_zero(gates.exclusive(side.pattern.bits, word)));
    EXPECT_TRUE(sat.value(right)) << "seed " << seed << '\n' << test::describe(model, input);
    sat.assert_unit(!right);
    EXPECT_EQ(sat.check({}, {}), Verdict::unsatisfiable) << "seed " << seed << '\n'
                                                         << test::describe(model, input);
  }
}

/// The terms of unknown inputs, with inputs put in.
void expect_terms_to_evaluate(Random& random, const UnitModel& model, std::uint64_t seed) {
  z3::context context;
  Z3Gates gates(context);
  const auto in = free_input(gates, model.formats, model.k, {});
  const auto side = evaluate_side(gates, model, in);
  for (int i = 0; i < 5; ++i) {
    const DotInput input = test::random_input(random, model);
    z3::expr_vector from(context), to(context);
    const auto give = [&](const auto& word, const FormatInfo& f, Pattern p) {
      const auto low = static_cast<unsigned>(f.ignored_low_bits);
      from.push_back(low == 0 ? *word.bits.term : word.bits.term->arg(0));
      to.push_back(context.bv_val(p >> low, static_cast<unsigned>(f.container_bits) - low));
    };
    for (std::size_t n = 0; n < in.a.size(); ++n) {
      give(in.a[n], info(model.formats.a), input.a[n]);
      give(in.b[n], info(model.formats.b), input.b[n]);
    }
    give(in.c, info(model.formats.c.value()), input.c);
    const Pattern expected = evaluate(model, input);
    z3::expr nan = side.nan.term, pattern = *side.pattern.bits.term;
    nan = nan.substitute(from, to).simplify();
    ASSERT_EQ(nan.is_true(), is_nan(model.formats.d, expected)) << "seed " << seed << '\n'
                                                                << test::describe(model, input);
    if (!nan.is_true()) {
      ASSERT_EQ(pattern.substitute(from, to).simplify().as_uint64(), expected)
          << "seed " << seed << '\n'
          << test::describe(model, input);
    }
  }
}

TEST(TermEncoding, OfUnknownInputsEvaluatesToTheResultOnRandomInputs) {
  const std::uint64_t first = test::starting_seed(700);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count(25)); ++seed) {
    Random random(seed);
    expect_terms_to_evaluate(random, narrow_model(random, 4), seed);
    if (HasFatalFailure()) return;
  }
}

TEST(TermEncoding, OfUnknownInputsEvaluatesToTheResultForConvertedOperandsAndNodesOfOtherFormats) {
  const std::uint64_t first = test::starting_seed(750);
  const long units = count(40);
  int carried = 0, converted = 0, of_other_formats = 0, tried = 0;
  for (std::uint64_t seed = first; tried < units; ++seed) {
    Random random(seed);
    const UnitModel model = any_unit(random, 3, seed);
    if (is_wide(model)) continue;
    ++tried;
    const auto any_node = [&](auto&& is) { return std::ranges::any_of(model.tree.nodes, is) ? 1 : 0; };
    carried += any_node([](const Node& node) { return node.result.is_carried(); });
    of_other_formats += any_node([](const Node& node) { return node.result.format().has_value(); });
    converted += model.paths.a || model.paths.b || model.paths.c ? 1 : 0;
    expect_terms_to_evaluate(random, model, seed);
    if (HasFatalFailure()) return;
  }
  if (units < 40) return;
  EXPECT_GT(carried, 2);
  EXPECT_GT(converted, 10);
  EXPECT_GT(of_other_formats, 5);
}

/// A set with a few values of every parameter.
struct RandomSet {
  Space space;
  HypothesisSet set;
};
RandomSet random_set(Random& random, int most_products) {
  const UnitModel model = narrow_model(random, most_products);
  Space space{"random", model.k, model.formats, {}, Box(1)};
  const auto c = random.pick({CEnters::first, CEnters::last});
  space.skeletons.push_back({{}, tree_of(test::random_chain(random, model.k, c))});
  Box box(classes_of(space.skeletons.front().tree));
  if (c == CEnters::last) box = Box(ParameterValues{{{}, exact_adder(model.formats.d, {})}, {}});
  for (const ParameterKey& key : test::chain_keys()) {
    ValueSet drawn;
    for (int i = random.pick({1, 1, 2, 3, 4}); i > 0; --i)
      drawn.insert(test::value_index(test::random_values(random, model.formats.d), key));
    if (key.of_class < box.classes()) box[key] = drawn;
  }
  return {std::move(space), {0, std::move(box), std::nullopt}};
}

TEST(GraphEncoding, OfUnknownParametersSimulatesToTheChosenHypothesisOnRandomInputs) {
  const std::uint64_t first = test::starting_seed(800);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count(60)); ++seed) {
    Random random(seed);
    const auto [space, set] = random_set(random, 3);
    Aig graph;
    AigGates gates(graph);
    const auto in = free_input(gates, space.formats, space.k, {});
    const std::size_t operand_bits = graph.inputs().size();
    const auto side = evaluate_side(gates, Hypotheses{&space, set}, in);
    const std::size_t parameter_bits = graph.inputs().size() - operand_bits;
    int valid = 0;
    for (int i = 0; i < 40; ++i) {
      std::vector<bool> parameters;
      for (std::size_t n = 0; n < parameter_bits; ++n) parameters.push_back(random.chance(1, 2));
      // The inputs are drawn for some hypothesis of the set; first which one these bits choose.
      UnitModel model = space.model(0, set.box.lowest(), std::nullopt);
      const auto evaluated = [&](const DotInput& input) {
        auto bits = bits_of(model, input);
        bits.insert(bits.end(), parameters.begin(), parameters.end());
        return test::simulated(graph, bits);
      };
      auto values = evaluated(test::random_input(random, model));
      if (!truth_of(values, side.source->valid())) continue;
      ++valid;
      const auto chosen = side.source->chosen([&](Literal x) { return truth_of(values, x); });
      ASSERT_TRUE(set.box.contains(chosen)) << "seed " << seed;
      model = space.model(0, chosen, std::nullopt);
      for (int n = 0; n < 10; ++n) {
        const DotInput input = test::random_input(random, model);
        values = evaluated(input);
        const Pattern expected = evaluate(model, input);
        const bool nan = truth_of(values, side.nan);
        ASSERT_EQ(nan, is_nan(space.formats.d, expected)) << "seed " << seed << '\n'
                                                          << test::describe(model, input);
        if (!nan) {
          ASSERT_EQ(pattern_of(values, side.pattern.bits), expected) << "seed " << seed << '\n'
                                                                     << test::describe(model, input);
        }
      }
    }
    EXPECT_TRUE(valid > 0 || parameter_bits > 4) << "seed " << seed;
  }
}

}  // namespace
}  // namespace mmaprint::encoding_test
