// The question about a single node: do its results agree, whatever the nodes before it gave?
//
// Five facts keep it small. The results of earlier nodes have no more fraction bits than they are rounded to,
// and they are multiples of a power of two in a range (solver/node_range.h). Where nothing but the clamp of
// the alignment exponent differs, the sides can only differ where every addend lies below the larger clamp.
// And an operand whose format has no exponent as low as that is a zero then, of either sign: a zero's sign
// matters only among zeros, where no clamp takes part. And an earlier node of one product is worked out
// (solver/relays.h), so that its results are those of products.
#pragma once

#include <algorithm>

#include "model/pattern.h"
#include "solver/earlier_zeros.h"
#include "solver/miter.h"
#include "solver/node_addends.h"
#include "solver/node_range.h"
#include "solver/relays.h"

namespace mmaprint {

/// If the sides can differ in nothing but the clamp: the larger one; kNoClamp for none at all.
[[nodiscard]] std::optional<int> largest_clamp_if_alone(const Side& left, const Side& right);
/// How many fraction bits the results of a side's nodes with this adder have at most.
[[nodiscard]] int result_fraction_bits(const Side& side, int adder);

/// c, subnormal or a zero.
template <class G>
WordOf<G> subnormal_operand(G& g, const FormatInfo& f) {
  const int fraction = f.ignored_low_bits + f.fraction_bits;
  const auto sign = g.inputs(f.container_bits - f.sign_bit(), "c_sign");
  return {g.concat(sign, g.concat(g.word(f.exponent_bits, 0), g.inputs(fraction, "c_fraction")))};
}

/// Is a product that is zero as good as any other of its sign? Not where sides treat zeros among the inputs
/// differently, or where a factor beside a zero has a say in E.
[[nodiscard]] bool zero_products_are_alike(const Side& left, const Side& right);

template <class G>
void make_zeros_beside_c(G& g, const Signature& formats, const PlannedNode& node, InputWords<G>& input) {
  const auto is = [&](OperandRun::Kind kind) {
    return std::ranges::any_of(node.runs, [&](const OperandRun& run) { return run.kind == kind; });
  };
  if (!is(OperandRun::Kind::c)) return;
  // Of either sign; products are +0 times 1 or -1.
  for (const OperandRun& run : node.runs)
    if (run.kind == OperandRun::Kind::node)
      (*input.earlier)[run.node] = {g.concat(g.inputs(run.format.container_bits - run.format.sign_bit(),
                                                      "d" + std::to_string(run.node) + "_sign"),
                                             g.word(run.format.sign_bit(), 0))};
  const FormatInfo& b = info(formats.b);
  for (const OperandRun& run : node.runs)
    for (const std::size_t k : run.products) {
      input.a[k] = {g.word(info(formats.a).container_bits, 0)};
      input.b[k] = {g.concat(g.inputs(b.container_bits - b.sign_bit(), "b" + std::to_string(k) + "_sign"),
                             g.word(b.sign_bit(), floating_pattern(b, false, 0, 0)))};
    }
}

/// The result of the node after those of `in.earlier`: of one product.
template <class G>
WordOf<G> relayed_product(G& g, const Side& side, const FormatInfo& result, const InputWords<G>& in) {
  const auto product = evaluate_side(g, any_model_of(side), in);
  const WordOf<G> nan{g.word(result.container_bits, result.has_nan() ? canonical_nan(result.id) : 0)};
  return SymbolicCore<G>(g).mux(product.nan, nan, product.pattern);
}

/// The operands of a node, where all of them have exponents below `limit` if that is given.
template <class G>
InputWords<G> node_input(G& g, const Side& left, const Side& right, const Plan& plan, std::size_t node,
                         std::optional<int> limit, const OperandFacts& facts) {
  const Signature& formats = formats_of(left);
  InputWords<G> input = free_input(g, formats, products_of(left), {});
  if (facts.inputs != Inputs::all && formats.c) input.c = subnormal_operand(g, info(*formats.c));
  // c stays free where earlier results do: what is assumed of those is proved on the way, and for every c.
  const auto vanishes = [&](const FormatInfo& f) { return limit && *limit <= f.emin(); };
  // So do earlier results where such are assumed of that have an exponent as low.
  const bool assumes = facts.no_subnormals || facts.zeros == EarlierZeros::positive;
  const bool all_vanish =
      std::ranges::all_of(plan.nodes, [&](const PlannedNode& n) { return vanishes(n.result); });
  const auto is_low = [&](std::size_t i) {
    return vanishes(plan.nodes[i].result) && (all_vanish || !assumes);
  };
  bool all_low = vanishes(plan.d) && vanishes(plan.nodes[node].result);
  for (std::size_t i = 0; i < node; ++i) all_low = all_low && is_low(i);
  if (formats.c && all_low && vanishes(plan.c)) input.c = {g.word(info(*formats.c).container_bits, 0)};
  input.earlier.emplace();
  const Tree left_tree = tree_of(left), right_tree = tree_of(right);
  const std::vector<bool> relays = relays_to(left, plan, node);
  for (std::size_t i = 0; i < node; ++i) {
    const FormatInfo& f = plan.nodes[i].result;
    const int bits = std::max(result_fraction_bits(left, left_tree.nodes[i].adder),
                              result_fraction_bits(right, right_tree.nodes[i].adder));
    if (relays[i])
      input.earlier->push_back(relayed_product(g, left, f, input));
    else if (is_low(i))
      input.earlier->push_back({g.word(f.container_bits, 0)});
    else
      input.earlier->push_back(detail::free_operand(g, f, bits, "d" + std::to_string(i)));
  }
  if (facts.inputs == Inputs::subnormal_c_alone) make_zeros_beside_c(g, formats, plan.nodes[node], input);
  return input;
}

/// Is this operand, a result, one that the facts allow?
template <class G>
typename G::Bool allowed(const SymbolicCore<G>& core, const FormatInfo& d, const Operand<SymbolicCore<G>>& x,
                         const OperandFacts& facts) {
  const auto zero = core.is_zero(x.significand);
  auto ok = core.truth(true);
  if (facts.zeros == EarlierZeros::positive) ok = core.no(core.all(zero, x.negative));
  if (facts.no_subnormals) ok = core.all(ok, core.any(zero, core.bit(x.significand, d.fraction_bits)));
  return ok;
}

/// Is a finite operand in format d a multiple of 2^lowest_bit?
template <class G>
typename G::Bool is_multiple(const SymbolicCore<G>& core, const FormatInfo& d,
                             const Operand<SymbolicCore<G>>& x, int lowest_bit) {
  const int finest = d.emin() - d.fraction_bits;
  if (lowest_bit <= finest) return core.truth(true);
  const auto below = core.subtract(core.integer(lowest_bit + d.fraction_bits), x.exponent);
  return core.no(core.shift_right_sticky(x.significand, core.maximum(below, core.integer(0))).second);
}

/// Are the earlier results such as nodes may give?
template <class G>
typename G::Bool earlier_occur(G& g, const Plan& plan, const std::vector<NodeRange>& ranges,
                               const OperandFacts& facts, const InputWords<G>& in) {
  const SymbolicCore<G> core(g);
  auto ok = core.truth(true);
  for (std::size_t i = 0; i < in.earlier->size(); ++i) {
    const FormatInfo& d = plan.nodes[i].result;
    const NodeRange& range = ranges[i];
    const auto x = decode(core, d, (*in.earlier)[i]);
    const auto free = core.any(x.nan, x.infinite, core.is_zero(x.significand));
    ok = core.all(ok, core.any(free, core.at_least(x.exponent, range.lowest_bit)),
                  core.any(free, is_multiple(core, d, x, range.lowest_bit)),
                  core.any(free, core.no(core.at_least(x.exponent, range.largest_exponent + 1))),
                  allowed(core, d, x, facts));
  }
  return ok;
}

/// The results of the nodes before it are arbitrary within their ranges, the same on both sides: unless zeros
/// may differ in their signs (solver/earlier_zeros.h).
template <class G>
DifferenceQuestion<G> node_question(G& g, const Side& left, const Side& right, std::size_t node,
                                    const OperandFacts& facts) {
  const SymbolicCore<G> core(g);
  const Plan plan = plan_of(left);
  const bool is_root = node + 1 == plan.nodes.size();
  const bool zeros_differ = zeros_may_differ(facts.zeros);
  // A carried sum has an E of its own, to which the clamp may belong: it is no operand that tells.
  // Nor are they where what E is decides whether c counts as a zero.
  const bool by_clamp = plan.nodes[node].carried.count == 0 && !may_drop_c(left) && !may_drop_c(right);
  const auto clamp = by_clamp ? largest_clamp_if_alone(left, right) : std::nullopt;
  // Where zeros' signs differ, they may matter: zeros that the clamp makes are of either sign, too.
  auto input = node_input(g, left, right, plan, node, zeros_differ ? std::nullopt : clamp, facts);
  const std::vector<NodeRange> ranges = node_ranges(left);
  for (std::size_t i = 0; i < node; ++i)
    input.earlier_exponents.emplace_back(ranges[i].lowest_bit, ranges[i].largest_exponent);
  auto question = question_about(g, left, right, std::move(input));
  if (clamp && g.known(question.goal) != std::optional(false)) {
    // On one side, at least: they may differ in which exponent a subnormal factor's product is aligned by.
    const auto clamped = [&](const Side& side, const Evaluated<G>& evaluated) {
      return core.no(core.at_least(largest_exponent(g, side, evaluated, question.input), *clamp));
    };
    question.goal =
        core.all(question.goal, core.any(clamped(left, question.left), clamped(right, question.right)));
  }
  // Among zeros no clamp tells whether signs differ: so this comes after it.
  if (zeros_differ)
    question.goal = is_root ? differs_whichever_zeros(g, left, right, facts.zeros, question)
                            : differs_but_for_zeros(g, plan.nodes[node].result, question);
  if (!is_root) {
    // Where the sides agree, but for zeros' signs, it does not matter whose result has the other facts.
    const FormatInfo& format = plan.nodes[node].result;
    const auto breaks = [&](const Evaluated<G>& side, const OperandFacts& its) {
      const auto result = decode(core, format, side.pattern);
      return core.all(side.source ? side.source->valid() : core.truth(true), core.no(side.nan),
                      core.no(allowed(core, format, result, its)));
    };
    question.goal = core.any(question.goal, breaks(question.left, facts_of_left(facts)),
                             breaks(question.right, facts_of_right(facts)));
  }
  if (g.known(question.goal) != std::optional(false))
    question.goal = core.all(
        question.goal, earlier_occur(g, plan, ranges, facts_of_operands(facts, is_root), question.input));
  return question;
}

}  // namespace mmaprint
