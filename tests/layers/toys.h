// Units so small that all of their inputs can be tried.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "layers/toy_formats.h"
#include "model/concrete.h"
#include "model/datapath.h"
#include "model/fixed_parameters.h"
#include "support/chains.h"
#include "support/generate.h"

namespace mmaprint::test {

/// So few that the plain specification does with words of 128 bits.
inline constexpr int kMostCarriedBits = 12;

/// A toy unit: formats, and a model whose own formats say nothing.
struct Toy {
  ToyFormats formats;
  UnitModel model;
  Plan plan;

  Toy(const ToyFormats& f, int k, Tree tree, const ParameterValues& values)
      : formats(f), plan(widths(f, k), tree) {
    model.k = k;
    model.tree = std::move(tree);
    set(values);
  }
  static PlanWidths widths(const ToyFormats& f, int k) {
    PlanWidths all(f.a, f.b, f.c, f.d, k);
    all.most_carried_bits = kMostCarriedBits;
    return all;
  }
  /// All nodes have these parameters.
  void set(const ParameterValues& values) {
    model.adders.assign(4, values.adders.front());
    model.conventions = values.conventions;
  }
};

[[nodiscard]] inline DotInput random_patterns(Random& random, const Toy& toy) {
  DotInput input;
  for (int i = 0; i < toy.model.k; ++i) {
    input.a.push_back(random.bits() & toy.formats.a.pattern_mask());
    input.b.push_back(random.bits() & toy.formats.b.pattern_mask());
  }
  input.c = random.bits() & toy.formats.c.pattern_mask();
  return input;
}

/// Calls fn with every input of a unit with one product.
template <class Fn>
void for_each_input(const Toy& toy, Fn&& fn) {
  for (Pattern a = 0; a <= toy.formats.a.pattern_mask(); ++a)
    for (Pattern b = 0; b <= toy.formats.b.pattern_mask(); ++b)
      for (Pattern c = 0; c <= toy.formats.c.pattern_mask(); ++c) fn(DotInput{{a}, {b}, c});
}

/// d, all ones where it is NaN.
template <class L, class W = Word128, class Source = const FixedParameters>
[[nodiscard]] Pattern result(const Toy& toy, const DotInput& input, Source& source) {
  using A = Concrete<W, Source>;
  const A a(source);
  std::vector<typename A::Word> wa, wb;
  for (const Pattern p : input.a) wa.push_back({W(p)});
  for (const Pattern p : input.b) wb.push_back({W(p)});
  const auto d = dot<A, L>(a, toy.plan, wa, wb, {W(input.c)});
  return d.nan.value ? ~Pattern{0} : low_word(d.pattern.value);
}
template <class L, class W = Word128>
[[nodiscard]] Pattern result(const Toy& toy, const DotInput& input) {
  const FixedParameters source(toy.model);
  return result<L, W>(toy, input, source);
}

/// A parameter and the values it takes, as indices of its domain.
struct Choice {
  Parameter parameter;
  std::vector<int> values;
};

/// Every value of a parameter that a toy with this D can tell from its neighbours, and the extremes.
[[nodiscard]] inline Choice every_value(Parameter p, const FormatInfo& d) {
  Choice choice{p, {}};
  const auto range = [&](int first, int last) {
    for (int i = first; i <= last; ++i) choice.values.push_back(i);
  };
  switch (p) {
    case Parameter::minimum_alignment_exponent:
      choice.values = {ClampDomain::index(std::nullopt), ClampDomain::index(kLowestClamp)};
      range(ClampDomain::index(-9), ClampDomain::index(0));
      break;
    case Parameter::alignment_fraction_bits:
      range(0, 10);
      for (const int f : {20, 45, 70, kLargestAlignmentFractionBits}) choice.values.push_back(f);
      choice.values.push_back(AlignmentBitsDomain::index(std::nullopt));
      break;
    case Parameter::output_fraction_bits:
      range(1, d.fraction_bits);
      break;
    case Parameter::product:
      range(0, 1);  // the third is of single bits
      break;
    case Parameter::zero_addends:
      choice.values = {ZeroAddendsDomain::index({})};
      for (const int z : {kLowestZeroExponent, -8, -5, -3, -2, -1, 0}) {
        choice.values.push_back(ZeroAddendsDomain::index(ZeroAddends::as_exponent(z)));
        choice.values.push_back(ZeroAddendsDomain::index(ZeroAddends::factor_exponent(z)));
      }
      break;
    case Parameter::overflow:
      choice.values = {static_cast<int>(Overflow::infinity), static_cast<int>(Overflow::saturate),
                       static_cast<int>(Overflow::by_direction)};
      break;
    default:
      range(0, info(p).size - 1);
  }
  return choice;
}

/// No kind of operands has rules of its own.
inline void align_alike(Adder& adder) {
  const Adder plain;
  adder.carried_fraction_bits = adder.c_fraction_bits = adder.c_dropped_below = std::nullopt;
  adder.carried_alignment_rounding = plain.carried_alignment_rounding;
  adder.c_alignment_rounding = plain.c_alignment_rounding;
}
/// Kinds of operands are aligned alike where sums are normalised at once.
inline void align_alike_if_immediate(Adder& adder) {
  if (adder.normalisation == Normalisation::immediate) align_alike(adder);
}
/// No kind of operands has rules of its own, and zeros have no say in E.
inline void align_plainly(Adder& adder) {
  align_alike(adder);
  adder.zero_addends = Adder().zero_addends;
}

[[nodiscard]] inline ParameterValues random_toy_values(Random& random, const FormatInfo& d) {
  ParameterValues values;
  for (const ParameterKey& key : chain_keys()) {
    const auto choice = every_value(key.parameter, d);
    const int index = random.pick(std::span<const int>(choice.values));
    if (key.of_class == 0) set_value(values, key, index);
  }
  align_alike_if_immediate(values.adders.front());
  return values;
}

/// The same tree, but some nodes carry their sums on, and some are padded.
[[nodiscard]] inline Tree carrying_tree(Random& random, Tree tree) {
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    if (n + 1 < tree.nodes.size() && random.chance(2, 3)) tree.nodes[n].result = NodeResult::carried();
    if (random.chance(1, 4)) tree.nodes[n].operands.emplace_back(PaddingLeaf{});
  }
  return tree;
}
/// Values that nodes which carry their sums on can have.
[[nodiscard]] inline ParameterValues carrying_values(Random& random, ParameterValues values) {
  Adder& adder = values.adders.front();
  adder.alignment_fraction_bits = random.between(0, kMostCarriedBits);
  adder.normalisation = Normalisation::late;
  const auto bits = [&] { return random.chance(1, 2) ? std::optional(random.between(0, 12)) : std::nullopt; };
  adder.carried_fraction_bits = bits();
  adder.c_fraction_bits = bits();
  adder.c_dropped_below = bits();
  return values;
}

/// Calls fn with `values` for every combination of the choices.
template <class Fn>
void for_each_combination(ParameterValues values, std::span<const Choice> choices, Fn&& fn) {
  if (choices.empty()) {
    fn(values);
    return;
  }
  for (const int index : choices.front().values) {
    set_value(values, {choices.front().parameter}, index);
    for_each_combination(values, choices.subspan(1), fn);
  }
}

[[nodiscard]] inline std::string describe(const Toy& toy, const ParameterValues& values,
                                          const DotInput& input) {
  std::string text;
  for (const ParameterInfo& row : all_parameters())
    text += std::string(row.name) + "=" + std::to_string(value_index(values, {row.id})) + " ";
  text += "\n" + std::to_string(toy.plan.nodes.size()) + " nodes, inputs";
  for (const Pattern p : input.a) text += " a" + std::to_string(p);
  for (const Pattern p : input.b) text += " b" + std::to_string(p);
  return text + " c" + std::to_string(input.c);
}

}  // namespace mmaprint::test
