// Zeros' signs on the way from node to node, where they need not be the same on both sides.
//
// Which sign a zero gets is a convention, and another one makes all nodes' results differ in nothing else. A
// zero operand's sign matters where all operands of its node are zeros, for the sign of the result, and
// nowhere else (unless c may count as a zero, or sums are carried on: both are left out here). So the sides
// may be asked about on the same operands, whatever their zeros' signs are: nodes before the root whether
// they agree but for zeros, the root whether it agrees where its operands are not all zeros on both sides.
// The rest is asked about the signs alone, without an adder: they may be any on either side, unless one of
// them gives no -0 at all, or not at that node (solver/zero_signs.h).
#pragma once

#include <string>

#include "solver/node_addends.h"
#include "solver/zero_signs.h"

namespace mmaprint {

/// Does a zero's sign matter among zeros only, at every node of both sides?
[[nodiscard]] bool zeros_matter_among_zeros_only(const Side& left, const Side& right);

/// What has to hold of the results of each side.
[[nodiscard]] constexpr OperandFacts facts_of_left(OperandFacts facts) {
  const bool positive = facts.zeros == EarlierZeros::positive || facts.zeros == EarlierZeros::left_positive;
  return {positive ? EarlierZeros::positive : EarlierZeros::same, facts.no_subnormals};
}
[[nodiscard]] constexpr OperandFacts facts_of_right(OperandFacts facts) {
  return {facts.zeros == EarlierZeros::right_positive ? EarlierZeros::positive : EarlierZeros::same, false};
}
/// What may be taken for granted of the operands that both sides have. Where one side's zeros are positive
/// and a node's result is asked about but for its zeros, they may be that side's; at the root either side may
/// be the one whose operands are not all zeros.
[[nodiscard]] constexpr OperandFacts facts_of_operands(OperandFacts facts, bool is_root) {
  const bool positive = facts.zeros == EarlierZeros::positive ||
                        (!is_root && zeros_may_differ(facts.zeros) && facts.zeros != EarlierZeros::any);
  return {positive ? EarlierZeros::positive : EarlierZeros::same, facts.no_subnormals};
}

/// Is this pattern of a result a zero, of either sign?
template <class G>
typename G::Bool is_zero_pattern(const SymbolicCore<G>& core, const FormatInfo& f, const WordOf<G>& pattern) {
  return core.is_zero(core.slice(pattern, 0, f.sign_bit()));
}

/// The same input, but for earlier results that are zeros: of any sign that `may_be_negative` lets them have.
template <class G>
InputWords<G> with_zeros(G& g, const Plan& plan, const std::vector<bool>& may_be_negative, InputWords<G> in) {
  const SymbolicCore<G> core(g);
  for (std::size_t i = 0; i < in.earlier->size(); ++i) {
    const bool positive = !may_be_negative[i];
    const FormatInfo& f = plan.nodes[i].result;
    WordOf<G>& pattern = (*in.earlier)[i];
    const int sign = f.sign_bit();
    const int above = f.container_bits - sign - 1;
    const auto other = positive ? g.word(1, 0) : g.inputs(1, "z" + std::to_string(i));
    const WordOf<G> zero{g.concat(g.concat(core.slice(pattern, sign + 1, above).bits, other),
                                  core.slice(pattern, 0, sign).bits)};
    pattern = core.mux(is_zero_pattern(core, f, pattern), zero, pattern);
  }
  return in;
}

template <class G>
typename G::Bool differs_but_for_zeros(G& g, const FormatInfo& result,
                                       const DifferenceQuestion<G>& question) {
  const SymbolicCore<G> core(g);
  const auto is_zero = [&](const Evaluated<G>& x) {
    return core.all(core.no(x.nan), is_zero_pattern(core, result, x.pattern));
  };
  return core.all(question.goal, core.no(core.all(is_zero(question.left), is_zero(question.right))));
}

/// At the root, where the zeros that the sides have may be different.
template <class G>
typename G::Bool differs_whichever_zeros(G& g, const Side& left, const Side& right, EarlierZeros zeros,
                                         const DifferenceQuestion<G>& question) {
  const SymbolicCore<G> core(g);
  const Plan plan = plan_of(left);
  const InputWords<G>& in = question.input;
  const auto signs_of = [&](const Side& side, bool all_positive) {
    return all_positive ? std::vector<bool>(plan.nodes.size(), false) : may_be_negative_zero(side);
  };
  const auto x = among_zeros(g, left, question.left,
                             with_zeros(g, plan, signs_of(left, zeros == EarlierZeros::left_positive), in));
  const auto y = among_zeros(g, right, question.right,
                             with_zeros(g, plan, signs_of(right, zeros == EarlierZeros::right_positive), in));
  auto signs_differ = core.differ(x.negative, y.negative);
  for (const auto* side : {&question.left, &question.right})
    if (side->source) signs_differ = core.all(signs_differ, side->source->valid());
  const auto all_zeros = core.all(x.all, y.all);
  return core.mux(all_zeros, signs_differ, question.goal);
}

}  // namespace mmaprint
