// A checker over any backend: asks the questions of solver/miter.h and reads the answers. Included by the
// checkers alone.
#pragma once

#include "base/deadline.h"
#include "solver/node_input.h"
#include "solver/node_question.h"

namespace mmaprint {

/// A checker over any `Problem`: one formula with its gates and its solver. It offers
///   Setup, Problem(const Deadline&, optional<int64> most_gates, Setup), static name(), Gates, Gates&
///   gates(), void assert_unit(Bool), Verdict check(const Limits&), bool value(Bool) after `satisfiable`, and
///   as std::int64_t size(), how large the formula is, gates_asked() and conflicts(); and kFreesProducts,
///   whether its gates can leave products open (AigGates::free_products).
/// Building a formula throws DeadlinePassed once the deadline has, and StepsSpent beyond so many gates.
template <class Problem>
class CheckerOver final : public EquivalenceChecker {
 public:
  explicit CheckerOver(typename Problem::Setup setup = {}) : setup_(std::move(setup)) {}
  [[nodiscard]] std::string_view name() const override { return Problem::name(); }

  [[nodiscard]] Distinction distinguish(const Side& left, const Side& right, const Restriction& where,
                                        const Limits& limits) const override {
    return in_time(limits, [&](Problem& problem, const Deadline& deadline) -> Distinction {
      const auto question = difference_question(problem.gates(), left, right, where);
      if (problem.gates().known(question.goal) == std::optional(false)) return Equivalent{0};
      problem.assert_unit(question.goal);
      return answered(problem, limits, deadline, [&] {
        return Witness{input_of(problem, question.input), chosen(problem, question.left.source.get()),
                       chosen(problem, question.right.source.get())};
      });
    });
  }

  [[nodiscard]] Distinction compare_node(const Side& left, const Side& right, std::size_t node,
                                         const OperandFacts& facts, const Limits& limits) const override {
    if constexpr (!Problem::kFreesProducts)
      return compare_node(left, right, node, facts, limits, Products::exact);
    // Most proofs do without what a product is, and are far shorter then.
    Allowance allowance(limits);
    const auto most = limits.steps ? std::optional(*limits.steps / 3) : std::nullopt;
    auto answer = compare_node(left, right, node, facts, allowance.rest(most), Products::free);
    if (!std::holds_alternative<Unknown>(answer)) return answer;
    return compare_node(left, right, node, facts, allowance.rest(), Products::exact);
  }

 private:
  enum class Products : std::uint8_t { exact, free };
  /// `Unknown` where products that are free make a difference.
  Distinction compare_node(const Side& left, const Side& right, std::size_t node, const OperandFacts& facts,
                           const Limits& limits, Products products) const {
    return in_time(limits, [&](Problem& problem, const Deadline& deadline) -> Distinction {
      auto& gates = problem.gates();
      if constexpr (Problem::kFreesProducts)
        if (products == Products::free) gates.free_products();
      const auto question = node_question(gates, left, right, node, facts);
      if (gates.known(question.goal) == std::optional(false)) return Equivalent{0};
      problem.assert_unit(question.goal);
      bool is_exact = true;
      if constexpr (Problem::kFreesProducts)
        if (gates.has_free_products()) {
          is_exact = false;
          problem.assert_unit(gates.facts_of_products());
        }
      return answered(problem, limits, deadline, [&]() -> Distinction {
        if (!is_exact) return Unknown{};
        return Witness{input_at_node(problem, left, question.input),
                       chosen(problem, question.left.source.get()),
                       chosen(problem, question.right.source.get())};
      });
    });
  }

  using Gates = typename Problem::Gates;

  /// What `ask` makes of a fresh problem; unknown if a limit is reached before its formula is built.
  template <class Ask>
  Distinction in_time(const Limits& limits, Ask&& ask) const {
    if (limits.steps && *limits.steps <= 0) return Unknown{};
    const Deadline deadline(limits.seconds, limits.stop);
    std::optional<std::int64_t> most_gates;
    if (limits.steps && *limits.steps < kMany) most_gates = *limits.steps * kGatesOfAStep;
    Problem problem(deadline, most_gates, setup_);
    Distinction answer = Unknown{};
    try {
      answer = ask(problem, deadline);
    } catch (const DeadlinePassed&) {
    } catch (const StepsSpent&) {
    }
    if (limits.spent != nullptr)
      *limits.spent += steps_to_build(problem) + problem.conflicts() * steps_of_conflict(problem.size());
    return answer;
  }
  static constexpr std::int64_t kMany = std::int64_t{1} << 50;

  /// One at least.
  static std::int64_t steps_to_build(const Problem& problem) {
    return 1 + problem.gates_asked() / kGatesOfAStep;
  }

  template <class MakeWitness>
  static Distinction answered(Problem& problem, Limits limits, const Deadline& deadline,
                              MakeWitness&& witness) {
    if (limits.seconds) limits.seconds = deadline.remaining();
    if (limits.steps) {
      const std::int64_t left = std::max<std::int64_t>(0, *limits.steps - steps_to_build(problem));
      const std::int64_t most = left / steps_of_conflict(problem.size());
      limits.conflicts = std::min(limits.conflicts.value_or(most), most);
    }
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

  /// What the solver made of one node's operands, as an input of the whole unit.
  static DotInput input_at_node(Problem& problem, const Side& side, const InputWords<Gates>& in) {
    std::vector<Pattern> earlier;
    for (const auto& w : *in.earlier) earlier.push_back(pattern_of(problem, w));
    return unit_input(side, in.earlier->size(), input_of(problem, in), earlier);
  }

  static std::optional<ParameterValues> chosen(Problem& problem, const BoxParameters<Gates>* source) {
    if (source == nullptr) return std::nullopt;
    return source->chosen([&](const typename Gates::Bool& x) { return problem.value(x); });
  }

  typename Problem::Setup setup_;
};

}  // namespace mmaprint
