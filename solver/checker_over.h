// A checker over any backend: asks the questions of solver/miter.h and reads the answers. Included by the
// checkers alone.
#pragma once

#include <array>

#include "base/deadline.h"
#include "solver/first_answer.h"
#include "solver/posed_question.h"

namespace mmaprint {

/// What a formula is about.
struct AskedAbout {
  const Side& left;
  const Side& right;
  const SolverQuestion& question;
};

/// A checker over any `Problem`: one formula with its gates and its solver. It offers
///   Setup, Problem(const Deadline&, optional<int64> most_gates, Setup), static name(), Gates, Gates&
///   gates(), void assert_unit(Bool), Verdict check(const AskedAbout&, const Limits&), bool value(Bool) after
///   `satisfiable`, refuted(), the proof after `unsatisfiable` if it is kept, asked(question), as what that
///   is one of, and as std::int64_t size(), how large the formula is, gates_asked(), conflicts() and
///   steps_beside(), what else it took; and kFreesProducts, whether its gates can leave products open
///   (AigGates::free_products). Then it has Verdict refine(Bool goal, const Limits&, vector<ProductLemma>&)
///   after `satisfiable` (solver/product_refinement.h), which gives lemmas where they show that there is no
///   solution.
/// Building a formula throws DeadlinePassed once the deadline has, and StepsSpent beyond so many gates.
template <class Problem>
class CheckerOver final : public EquivalenceChecker {
  using Gates = typename Problem::Gates;

 public:
  explicit CheckerOver(typename Problem::Setup setup) : setup_(std::move(setup)) {}
  [[nodiscard]] std::string_view name() const override { return Problem::name(); }

  [[nodiscard]] Distinction distinguish(const Side& left, const Side& right, const Restriction& where,
                                        const Limits& limits) const override {
    return where == Restriction{} ? asked_both_ways(left, right, UnitQuestion{}, limits)
                                  : ask(left, right, UnitQuestion{where}, limits);
  }

  [[nodiscard]] Distinction compare_node(const Side& left, const Side& right, std::size_t node,
                                         const OperandFacts& facts, const Limits& limits) const override {
    return asked_both_ways(left, right, NodeQuestion{node, facts}, limits);
  }

 private:
  /// Most proofs do without what a product is, and are far shorter then. Where that may take long, both are
  /// asked at once.
  Distinction asked_both_ways(const Side& left, const Side& right, const SolverQuestion& question,
                              const Limits& limits) const {
    if constexpr (!Problem::kFreesProducts) return ask(left, right, question, limits);
    if (are_short_factors(left)) return ask(left, right, question, limits);
    const bool is_unit = std::holds_alternative<UnitQuestion>(question);
    const auto most = limits.steps ? std::optional(*limits.steps / 4 * (is_unit ? 3 : 2)) : std::nullopt;
    if (limits.threads > 1 && limits.steps.value_or(kLeastToRace) >= kLeastToRace)
      return first_answer(
          std::array<Way, 2>{
              [&](const Limits& l) { return without_products(left, right, question, l, most); },
              [&](const Limits& l) { return ask(left, right, question, after(most, l)); }},
          limits);
    Allowance allowance(limits);
    auto answer = without_products(left, right, question, allowance.rest(), most);
    if (!std::holds_alternative<Unknown>(answer)) return answer;
    return ask(left, right, question, allowance.rest());
  }
  static constexpr std::int64_t kLeastToRace = 8'000;
  /// Their products cost no more than words of which little is known.
  static bool are_short_factors(const Side& side) {
    constexpr int kShort = 4;
    const Plan plan = plan_of(side);
    return !plan.d.is_integer() && plan.a.precision() <= kShort && plan.b.precision() <= kShort;
  }

  static Limits after(std::optional<std::int64_t> others, Limits limits) {
    if (limits.steps && others) *limits.steps -= *others;
    return limits;
  }
  /// With so many steps, and then with what it took to see that products matter.
  Distinction without_products(const Side& left, const Side& right, SolverQuestion question,
                               const Limits& limits, std::optional<std::int64_t> most) const {
    Allowance allowance(limits);
    FormulaKind& formula = formula_of(question);
    formula.products = Products::free;
    auto answer = ask(left, right, question, allowance.rest(most), &formula.lemmas);
    if (!std::holds_alternative<Unknown>(answer) || formula.lemmas.empty()) return answer;
    return ask(left, right, question, allowance.rest());
  }

  /// `Unknown` also where products that are free make a difference. Lemmas about these are looked for where
  /// there is a place for them: if they suffice to show that there is none, the question is unknown still,
  /// but not with them; else there are none.
  Distinction ask(const Side& left, const Side& right, const SolverQuestion& question, const Limits& limits,
                  std::vector<ProductLemma>* lemmas = nullptr) const {
    return in_time(limits, [&](Problem& problem, const Deadline& deadline) -> Distinction {
      const auto posed = pose(problem.gates(), left, right, question);
      if (posed.asserted.empty()) return Equivalent{0, {{question}}};
      for (const auto& x : posed.asserted) problem.assert_unit(x);
      switch (problem.check({left, right, question}, search_limits(problem, limits, deadline))) {
        case Verdict::satisfiable:
          if (posed.is_exact) return witness(problem, posed.of);
          if constexpr (Problem::kFreesProducts)
            if (lemmas != nullptr && problem.refine(posed.of.goal, search_limits(problem, limits, deadline),
                                                    *lemmas) == Verdict::satisfiable)
              return witness(problem, posed.of);
          return Unknown{};
        case Verdict::unsatisfiable:
          return Equivalent{problem.size(), {{problem.asked(question), problem.refuted()}}};
        case Verdict::unknown:
          break;
      }
      return Unknown{};
    });
  }

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
    return 1 + problem.gates_asked() / kGatesOfAStep + problem.steps_beside();
  }

  /// What is left for the search once the formula is built.
  static Limits search_limits(const Problem& problem, Limits limits, const Deadline& deadline) {
    if (limits.seconds) limits.seconds = deadline.remaining();
    if (limits.steps) {
      const std::int64_t left = std::max<std::int64_t>(0, *limits.steps - steps_to_build(problem));
      const std::int64_t most = left / steps_of_conflict(problem.size()) - problem.conflicts();
      limits.conflicts = std::min(limits.conflicts.value_or(most), most);
    }
    limits.racing.before += steps_to_build(problem);
    limits.racing.of_conflict = steps_of_conflict(problem.size());
    return limits;
  }

  static Witness witness(Problem& problem, const DifferenceQuestion<Gates>& question) {
    Witness found{input_of(problem, question.input), chosen(problem, question.left.source.get()),
                  chosen(problem, question.right.source.get())};
    if (question.input.earlier)
      for (const auto& w : *question.input.earlier) found.earlier.push_back(pattern_of(problem, w));
    return found;
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
    for (const auto& w : in.sa) input.sa.push_back(pattern_of(problem, w));
    for (const auto& w : in.sb) input.sb.push_back(pattern_of(problem, w));
    return input;
  }

  static std::optional<ParameterValues> chosen(Problem& problem, const BoxParameters<Gates>* source) {
    if (source == nullptr) return std::nullopt;
    return source->chosen([&](const typename Gates::Bool& x) { return problem.value(x); });
  }

  typename Problem::Setup setup_;
};

}  // namespace mmaprint
