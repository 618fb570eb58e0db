// The questions of solver/distinguish.h as formulas, over any backend. Included by the engines alone.
#pragma once

#include <string>
#include <string_view>

#include "model/datapath.h"
#include "solver/box_choice.h"
#include "solver/distinguish.h"
#include "solver/symbolic.h"

namespace mmaprint {

template <class G>
using WordOf = typename SymbolicCore<G>::Word;

/// A dot product's operands as words of a formula.
template <class G>
struct InputWords {
  std::vector<WordOf<G>> a, b;
  WordOf<G> c;
  /// For the question about a single node: what the nodes before it gave, as patterns of D.
  std::optional<std::vector<WordOf<G>>> earlier;
};

/// One evaluated side: its result, and its parameters where they are unknowns.
template <class G>
struct Evaluated {
  typename G::Bool nan;
  WordOf<G> pattern;
  std::optional<Pattern> nan_pattern;
  std::unique_ptr<BoxChoice<G>> choice;
};

namespace detail {

/// An operand's pattern: free, but for what the restriction makes constant.
template <class G>
WordOf<G> free_operand(G& g, const FormatInfo& f, std::optional<int> fraction_bits, std::string_view name) {
  const int kept = std::min(f.fraction_bits, fraction_bits.value_or(f.fraction_bits));
  const int constant = f.ignored_low_bits + f.fraction_bits - kept;
  return {g.concat(g.inputs(f.container_bits - constant, name), g.word(constant, 0))};
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
  for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) {
    if (where.products && !(*where.products)[i]) {
      in.a.push_back({g.word(info(formats.a).container_bits, 0)});
      in.b.push_back({g.word(info(formats.b).container_bits, 0)});
      continue;
    }
    const auto b_bits = where.b_power_of_two ? std::optional(0) : where.leading_fraction_bits;
    in.a.push_back(
        detail::free_operand(g, info(formats.a), where.leading_fraction_bits, "a" + std::to_string(i)));
    in.b.push_back(detail::free_operand(g, info(formats.b), b_bits, "b" + std::to_string(i)));
  }
  in.c = detail::free_operand(g, info(formats.c), std::nullopt, "c");
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
    ok = core.all(ok, finite(info(formats.c), in.c));
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
    for (const auto& w : in.a)
      bits_of(w, info(formats.a).ignored_low_bits, info(formats.a).fraction_bits, bits);
    for (const auto& w : in.b)
      bits_of(w, info(formats.b).ignored_low_bits, info(formats.b).fraction_bits, bits);
    bits_of(in.c, info(formats.c).ignored_low_bits, info(formats.c).fraction_bits, bits);
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
  in.c = {g.word(info(formats.c).container_bits, input.c)};
  return in;
}

/// A unit's result, or that of the node that comes after those of `in.earlier`.
template <class G, class Choice>
DotResult<Symbolic<G, Choice>> result_of(G& g, const Plan& plan, Choice& choice, const InputWords<G>& in) {
  using A = Symbolic<G, Choice>;
  const A algebra(g, choice);
  const PatternOperands<A> operands(algebra, plan, in.a, in.b, in.c);
  if (!in.earlier) return dot(algebra, plan, operands);
  Row<Operand<A>> results(in.earlier->size());
  for (const auto& pattern : *in.earlier) results.push_back(decode(algebra, plan.d, pattern));
  const auto result = node_result(algebra, plan, plan.nodes[in.earlier->size()], operands, results.all());
  return {result.nan, encode(algebra, plan.d, result)};
}

template <class G>
Evaluated<G> evaluate_side(G& g, const UnitModel& model, const InputWords<G>& in) {
  const FixedChoice choice(model);
  const auto result = result_of(g, Plan(model.formats, model.k, model.tree), choice, in);
  return {result.nan, result.pattern, model.nan, nullptr};
}

inline Tree tree_of(const Hypotheses& side) {
  return tree_of(side.space->chains[static_cast<std::size_t>(side.set.chain)]);
}

/// The result with the set's parameters as `choice` has them.
template <class G>
auto result_of_chosen(G& g, const Hypotheses& side, BoxChoice<G>& choice, const InputWords<G>& in) {
  return result_of(g, Plan(side.space->formats, side.space->k, tree_of(side)), choice, in);
}

template <class G>
Evaluated<G> evaluate_side(G& g, const Hypotheses& side, const InputWords<G>& in) {
  auto choice = std::make_unique<BoxChoice<G>>(g, side.space->formats.d, side.set.box);
  const auto result = result_of_chosen(g, side, *choice, in);
  return {result.nan, result.pattern, side.set.nan, std::move(choice)};
}

template <class G>
Evaluated<G> evaluate_side(G& g, const Side& side, const InputWords<G>& in) {
  return std::visit([&](const auto& s) { return evaluate_side(g, s, in); }, side);
}

/// Where the two results differ: one NaN and the other not, other patterns, or (unless inputs are finite)
/// other NaNs.
template <class G>
typename G::Bool difference(G& g, const Evaluated<G>& x, const Evaluated<G>& y) {
  const SymbolicCore<G> core(g);
  const auto pattern = core.no(core.is_zero(WordOf<G>{g.exclusive(x.pattern.bits, y.pattern.bits)}));
  const bool other_nan = x.nan_pattern && y.nan_pattern && *x.nan_pattern != *y.nan_pattern;
  return core.any(core.differ(x.nan, y.nan), core.all(core.no(x.nan), core.no(y.nan), pattern),
                  core.all(x.nan, y.nan, core.truth(other_nan)));
}

inline const OperandFormats& formats_of(const Side& side) {
  if (const auto* model = std::get_if<UnitModel>(&side)) return model->formats;
  return std::get<Hypotheses>(side).space->formats;
}
inline int products_of(const Side& side) {
  if (const auto* model = std::get_if<UnitModel>(&side)) return model->k;
  return std::get<Hypotheses>(side).space->k;
}

/// "Is there an input on which they differ?", ready to be asked.
template <class G>
struct DifferenceQuestion {
  InputWords<G> input;
  Evaluated<G> left, right;
  typename G::Bool goal;
};

/// With a node, the question is about its result alone: those of the nodes before it are arbitrary, the same
/// on both sides.
template <class G>
DifferenceQuestion<G> difference_question(G& g, const Side& left, const Side& right, const Restriction& where,
                                          std::optional<std::size_t> node = std::nullopt) {
  const SymbolicCore<G> core(g);
  const OperandFormats& formats = formats_of(left);
  auto input = free_input(g, formats, products_of(left), where);
  if (node) input.earlier.emplace();
  for (std::size_t i = 0; i < node.value_or(0); ++i)
    input.earlier->push_back({g.inputs(info(formats.d).container_bits)});
  auto x = evaluate_side(g, left, input);
  auto y = evaluate_side(g, right, input);
  auto goal = difference(g, x, y);
  for (const auto* side : {&x, &y})
    if (side->choice) goal = core.all(goal, side->choice->valid());
  goal = core.all(goal, admissible(g, formats, input, where));
  return {std::move(input), std::move(x), std::move(y), std::move(goal)};
}

/// What a problem's answer will be used for; a solver may be tuned to it.
enum class Purpose : std::uint8_t { difference, explanation };

/// An engine over any `Problem`: one formula with its gates and its solver. It offers
///   Problem(Purpose), static name(), Gates, Gates& gates(), void require(Bool), Verdict check(const
///   Limits&), bool value(Bool) after `satisfiable`, and std::int64_t size(), how large the formula is.
template <class Problem>
class EngineOver final : public Engine {
 public:
  [[nodiscard]] std::string_view name() const override { return Problem::name(); }

  [[nodiscard]] Distinction distinguish(const Side& left, const Side& right, const Restriction& where,
                                        const Limits& limits) const override {
    Problem problem(Purpose::difference);
    const auto question = difference_question(problem.gates(), left, right, where);
    if (problem.gates().known(question.goal) == std::optional(false)) return Equivalent{0};
    problem.require(question.goal);
    return answered(problem, limits, [&] {
      return Witness{input_of(problem, question.input), chosen(problem, question.left.choice.get()),
                     chosen(problem, question.right.choice.get())};
    });
  }

  [[nodiscard]] Distinction compare_node(const Side& left, const Side& right, std::size_t node,
                                         const Limits& limits) const override {
    Problem problem(Purpose::difference);
    const auto question = difference_question(problem.gates(), left, right, {}, node);
    if (problem.gates().known(question.goal) == std::optional(false)) return Equivalent{0};
    problem.require(question.goal);
    return answered(problem, limits, [] { return Unknown{}; });
  }

  [[nodiscard]] Distinction explain(const Hypotheses& hypotheses, std::span<const Observation> observations,
                                    const Limits& limits) const override {
    Problem problem(Purpose::explanation);
    Gates& gates = problem.gates();
    const SymbolicCore<Gates> core(gates);
    const OperandFormats& formats = hypotheses.space->formats;
    BoxChoice<Gates> choice(gates, formats.d, hypotheses.set.box);
    problem.require(choice.valid());
    for (const Observation& seen : observations) {
      const auto result =
          result_of_chosen(gates, hypotheses, choice, constant_input(gates, formats, seen.input));
      if (is_nan(formats.d, seen.d)) {
        problem.require(result.nan);
      } else {
        const auto expected = gates.word(info(formats.d).container_bits, seen.d);
        problem.require(
            core.all(core.no(result.nan), gates.is_zero(gates.exclusive(result.pattern.bits, expected))));
      }
    }
    return answered(problem, limits, [&] { return Witness{{}, chosen(problem, &choice), std::nullopt}; });
  }

 private:
  using Gates = typename Problem::Gates;

  template <class MakeWitness>
  static Distinction answered(Problem& problem, const Limits& limits, MakeWitness&& witness) {
    switch (problem.check(limits)) {
      case Verdict::satisfiable:
        return witness();
      case Verdict::unsatisfiable:
        return Equivalent{problem.size()};
      case Verdict::unknown:
        break;
    }
    return Unknown{};
  }

  static Pattern pattern_of(Problem& problem, const WordOf<Gates>& word) {
    const SymbolicCore<Gates> core(problem.gates());
    Pattern pattern = 0;
    for (int i = 0; i < Gates::width(word.bits); ++i)
      if (problem.value(core.bit(word, i))) pattern |= Pattern{1} << i;
    return pattern;
  }

  static DotInput input_of(Problem& problem, const InputWords<Gates>& in) {
    DotInput input;
    for (const auto& w : in.a) input.a.push_back(pattern_of(problem, w));
    for (const auto& w : in.b) input.b.push_back(pattern_of(problem, w));
    input.c = pattern_of(problem, in.c);
    return input;
  }

  static std::optional<ParameterValues> chosen(Problem& problem, const BoxChoice<Gates>* choice) {
    if (choice == nullptr) return std::nullopt;
    return choice->chosen([&](const typename Gates::Bool& x) { return problem.value(x); });
  }
};

}  // namespace mmaprint
