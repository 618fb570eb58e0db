// The questions of solver/distinguish.h as formulas, over any backend. Included by the checkers alone.
#pragma once

#include <memory>
#include <span>

#include "model/datapath.h"
#include "solver/box_parameters.h"
#include "solver/input_words.h"
#include "solver/symbolic.h"

namespace mmaprint {

/// One evaluated side: its result, and its parameters where they are unknowns.
template <class G>
struct Evaluated {
  typename G::Bool nan;
  WordOf<G> pattern;
  std::optional<Pattern> nan_pattern;
  std::unique_ptr<BoxParameters<G>> source;
};

/// Gives look(operands), with scales where there are some.
template <class A, class G, class Look>
auto with_operands(const A& algebra, const Plan& plan, const InputWords<G>& in, const Look& look) {
  using Words = std::span<const typename A::Word>;
  return with_scales(algebra, plan, PatternOperands<A>(algebra, plan, in.a, in.b, in.c), Words(in.sa),
                     Words(in.sb), look);
}

/// The result of the node that comes after those of `in.earlier`.
template <class A, class Operands, class G>
DotResult<A> result_of_node(const A& algebra, const Plan& plan, const Operands& operands,
                            const InputWords<G>& in) {
  Row<Operand<A>> results(in.earlier->size());
  for (const auto& pattern : *in.earlier) {
    const FormatInfo& f = plan.nodes[results.size()].result;
    auto x = decode(algebra, f, pattern);
    if (!in.earlier_exponents.empty()) {
      const auto [low, high] = in.earlier_exponents[results.size()];
      if (f.emin() <= high && low <= std::min(high, f.emax()))
        x.exponent = algebra.within(x.exponent, std::max(f.emin(), low), std::min(f.emax(), high));
    }
    results.push_back(x);
  }
  const PlannedNode& node = plan.nodes[in.earlier->size()];
  const auto result = Datapath::node_result(algebra, plan, node, operands, results.all());
  return {result.nan, encode(algebra, node.result, result)};
}

/// A unit's result, or that of the node that comes after those of `in.earlier`.
template <class G, class ParameterSource>
DotResult<Symbolic<G, ParameterSource>> result_of(G& g, const Plan& plan, ParameterSource& source,
                                                  const InputWords<G>& in) {
  using A = Symbolic<G, ParameterSource>;
  const A algebra(g, source);
  return with_operands<A>(algebra, plan, in, [&](const auto& operands) -> DotResult<A> {
    return in.earlier ? result_of_node(algebra, plan, operands, in) : Datapath::dot(algebra, plan, operands);
  });
}

template <class G>
Evaluated<G> evaluate_side(G& g, const UnitModel& model, const InputWords<G>& in,
                           const BoxParameters<G>* /*other*/ = nullptr) {
  const FixedParameters source(model);
  const auto result = result_of(g, Plan(model.formats, model.k, skeleton_of(model)), source, in);
  return {result.nan, result.pattern, constant_nan(model.nan), nullptr};
}

template <class G>
Evaluated<G> evaluate_side(G& g, const Hypotheses& side, const InputWords<G>& in,
                           const BoxParameters<G>* other = nullptr) {
  auto source = std::make_unique<BoxParameters<G>>(g, side.set.box, side.tied ? other : nullptr);
  const auto result = result_of(g, plan_of(side), *source, in);
  return {result.nan, result.pattern, side.set.nan, std::move(source)};
}

/// `other` is the other side's choice, to which this one may be tied.
template <class G>
Evaluated<G> evaluate_side(G& g, const Side& side, const InputWords<G>& in, const BoxParameters<G>* other) {
  return std::visit([&](const auto& s) { return evaluate_side(g, s, in, other); }, side);
}

/// Where the two results differ: one NaN and the other not, other patterns, or (unless inputs are finite)
/// other NaNs where both sides have one pattern for them.
template <class G>
typename G::Bool difference(G& g, const Evaluated<G>& x, const Evaluated<G>& y) {
  const SymbolicCore<G> core(g);
  const auto pattern = core.no(core.is_zero(WordOf<G>{g.exclusive(x.pattern.bits, y.pattern.bits)}));
  const bool other_nan = x.nan_pattern && y.nan_pattern && *x.nan_pattern != *y.nan_pattern;
  return core.any(core.differ(x.nan, y.nan), core.all(core.no(x.nan), core.no(y.nan), pattern),
                  core.all(x.nan, y.nan, core.truth(other_nan)));
}

/// "Is there an input on which they differ?", ready to be asked.
template <class G>
struct DifferenceQuestion {
  InputWords<G> input;
  Evaluated<G> left, right;
  typename G::Bool goal;
};

/// Do the sides differ on this input, with hypotheses of the sides' sets?
template <class G>
DifferenceQuestion<G> question_about(G& g, const Side& left, const Side& right, InputWords<G> input) {
  const SymbolicCore<G> core(g);
  auto x = evaluate_side<G>(g, left, input, nullptr);
  auto y = evaluate_side<G>(g, right, input, x.source.get());
  auto goal = difference(g, x, y);
  for (const auto* side : {&x, &y})
    if (side->source) goal = core.all(goal, side->source->valid());
  return {std::move(input), std::move(x), std::move(y), std::move(goal)};
}

template <class G>
DifferenceQuestion<G> difference_question(G& g, const Side& left, const Side& right,
                                          const Restriction& where) {
  const Signature& formats = formats_of(left);
  auto question = question_about(g, left, right, free_input(g, formats, products_of(left), where));
  question.goal = SymbolicCore<G>(g).all(question.goal, admissible(g, formats, question.input, where));
  return question;
}

}  // namespace mmaprint
