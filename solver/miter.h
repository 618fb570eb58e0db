// The questions of solver/distinguish.h as formulas, over any backend. Included by the checkers alone.
#pragma once

#include <string>
#include <string_view>

#include "model/datapath.h"
#include "model/pattern.h"
#include "solver/box_parameters.h"
#include "solver/distinguish.h"
#include "solver/symbolic.h"

namespace mmaprint {

template <class G>
using WordOf = typename SymbolicCore<G>::Word;

/// A dot product's operands as words of a formula.
template <class G>
struct InputWords {
  std::vector<WordOf<G>> a, b;
  WordOf<G> c;  ///< detail::no_c() where there is none
  /// For the question about a single node: what the nodes before it gave, as patterns of their formats.
  std::optional<std::vector<WordOf<G>>> earlier;
  /// Which exponents those of them have that are finite and not zero; else nothing is said.
  std::optional<std::pair<int, int>> earlier_exponents;
};

/// One evaluated side: its result, and its parameters where they are unknowns.
template <class G>
struct Evaluated {
  typename G::Bool nan;
  WordOf<G> pattern;
  std::optional<Pattern> nan_pattern;
  std::unique_ptr<BoxParameters<G>> source;
};

namespace detail {

/// An operand's pattern: free, but for what the restriction makes constant.
template <class G>
WordOf<G> free_operand(G& g, const FormatInfo& f, std::optional<int> fraction_bits, std::string_view name) {
  const int kept = std::min(f.fraction_bits, fraction_bits.value_or(f.fraction_bits));
  const int constant = f.ignored_low_bits + f.fraction_bits - kept;
  return {g.concat(g.inputs(f.container_bits - constant, name), g.word(constant, 0))};
}

/// A zero of either sign, where the format has two.
template <class G>
WordOf<G> free_zero(G& g, const FormatInfo& f, std::string_view name) {
  if (zero_pattern(f, true) == 0) return {g.word(f.container_bits, 0)};
  const auto sign = g.concat(g.inputs(1, name), g.word(f.sign_bit(), 0));
  return {g.concat(g.word(f.container_bits - 1 - f.sign_bit(), 0), sign)};
}

/// What stands for a c that is not there, which nothing reads: no unknown, and 0 in a witness.
template <class G>
WordOf<G> no_c(G& g, const OperandFormats& formats) {
  return {g.word(info(room_for_c(formats)).container_bits, 0)};
}

template <class G>
WordOf<G> number_of_ones(const SymbolicCore<G>& core, const std::vector<typename G::Bool>& bits) {
  int width = 1;
  while ((std::size_t{1} << width) <= bits.size()) ++width;
  auto count = core.word(width, 0);
  for (const auto& b : bits) count = core.increment(count, b, width);
  return count;
}

}  // namespace detail

template <class G>
InputWords<G> free_input(G& g, const OperandFormats& formats, int k, const Restriction& where) {
  InputWords<G> in;
  // Without any digits there is nothing to multiply.
  const bool has_digits = where.at_most_fraction_bits != 0 || info(formats.d).is_integer();
  const auto a_bits = has_digits ? where.leading_fraction_bits : 0;
  const auto b_bits = where.b_power_of_two ? 0 : a_bits;
  for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) {
    if (where.products && !(*where.products)[i]) {
      in.a.push_back(detail::free_zero(g, info(formats.a), "a" + std::to_string(i)));
      in.b.push_back({g.word(info(formats.b).container_bits, 0)});
      continue;
    }
    in.a.push_back(detail::free_operand(g, info(formats.a), a_bits, "a" + std::to_string(i)));
    in.b.push_back(detail::free_operand(g, info(formats.b), b_bits, "b" + std::to_string(i)));
  }
  const auto c_bits = has_digits ? std::nullopt : std::optional(0);
  in.c = formats.c ? detail::free_operand(g, info(*formats.c), c_bits, "c") : detail::no_c(g, formats);
  return in;
}

/// What the restriction demands beyond constants.
template <class G>
typename G::Bool admissible(G& g, const OperandFormats& formats, const InputWords<G>& in,
                            const Restriction& where) {
  const SymbolicCore<G> core(g);
  auto ok = core.truth(true);
  const auto bits_of = [&](const WordOf<G>& w, int low, int count, std::vector<typename G::Bool>& out) {
    for (int i = 0; i < count; ++i) out.push_back(core.bit(w, low + i));
  };
  if (where.finite_inputs) {
    const auto finite = [&](const FormatInfo& f, const WordOf<G>& w) {
      const auto x = decode(core, f, w);
      return core.no(core.any(x.nan, x.infinite));
    };
    for (const auto& w : in.a) ok = core.all(ok, finite(info(formats.a), w));
    for (const auto& w : in.b) ok = core.all(ok, finite(info(formats.b), w));
    if (formats.c) ok = core.all(ok, finite(info(*formats.c), in.c));
  }
  if (where.at_most_nonzero_products) {
    std::vector<typename G::Bool> nonzero;
    for (std::size_t i = 0; i < in.a.size(); ++i) {
      const auto x = decode(core, info(formats.a), in.a[i]);
      const auto y = decode(core, info(formats.b), in.b[i]);
      nonzero.push_back(core.no(core.any(core.is_zero(x.significand), core.is_zero(y.significand))));
    }
    const auto limit = static_cast<std::uint64_t>(*where.at_most_nonzero_products);
    ok = core.all(ok, core.no(core.greater(detail::number_of_ones(core, nonzero), core.word(16, limit))));
  }
  if (where.at_most_fraction_bits) {
    std::vector<typename G::Bool> bits;
    const auto digits_of = [&](const FormatInfo& f, const WordOf<G>& w) {  // significand_digits()
      if (f.is_integer())
        bits_of(decode(core, f, w).significand, 0, f.precision(), bits);
      else
        bits_of(w, f.ignored_low_bits, f.fraction_bits, bits);
    };
    for (const auto& w : in.a) digits_of(info(formats.a), w);
    for (const auto& w : in.b) digits_of(info(formats.b), w);
    if (formats.c) digits_of(info(*formats.c), in.c);
    const auto limit = static_cast<std::uint64_t>(*where.at_most_fraction_bits);
    ok = core.all(ok, core.no(core.greater(detail::number_of_ones(core, bits), core.word(16, limit))));
  }
  return ok;
}

template <class G>
InputWords<G> constant_input(G& g, const OperandFormats& formats, const DotInput& input) {
  InputWords<G> in;
  for (const Pattern p : input.a) in.a.push_back({g.word(info(formats.a).container_bits, p)});
  for (const Pattern p : input.b) in.b.push_back({g.word(info(formats.b).container_bits, p)});
  in.c = formats.c ? WordOf<G>{g.word(info(*formats.c).container_bits, input.c)} : detail::no_c(g, formats);
  return in;
}

/// A unit's result, or that of the node that comes after those of `in.earlier`.
template <class G, class ParameterSource>
DotResult<Symbolic<G, ParameterSource>> result_of(G& g, const Plan& plan, ParameterSource& source,
                                                  const InputWords<G>& in) {
  using A = Symbolic<G, ParameterSource>;
  const A algebra(g, source);
  const PatternOperands<A> operands(algebra, plan, in.a, in.b, in.c);
  if (!in.earlier) return Datapath::dot(algebra, plan, operands);
  Row<Operand<A>> results(in.earlier->size());
  for (const auto& pattern : *in.earlier) {
    const FormatInfo& f = plan.nodes[results.size()].result;
    auto x = decode(algebra, f, pattern);
    if (in.earlier_exponents) {
      const auto [low, high] = *in.earlier_exponents;
      if (f.emin() <= high && low <= std::min(high, f.emax()))
        x.exponent = algebra.within(x.exponent, std::max(f.emin(), low), std::min(f.emax(), high));
    }
    results.push_back(x);
  }
  const PlannedNode& node = plan.nodes[in.earlier->size()];
  const auto result = Datapath::node_result(algebra, plan, node, operands, results.all());
  return {result.nan, encode(algebra, node.result, result)};
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
  const OperandFormats& formats = formats_of(left);
  auto question = question_about(g, left, right, free_input(g, formats, products_of(left), where));
  question.goal = SymbolicCore<G>(g).all(question.goal, admissible(g, formats, question.input, where));
  return question;
}

}  // namespace mmaprint
