#include "inference/equivalence.h"

#include <algorithm>
#include <vector>

#include "inference/representative.h"
#include "solver/idle_values.h"

namespace mmaprint {
namespace {

class Steps {
 public:
  Steps(const EquivalenceChecker& checker, const UnitModel& model, const Space& space,
        const HypothesisSet& set, const Limits& limits)
      : checker_(checker),
        model_(model),
        space_(space),
        set_(set),
        plan_(space.formats, space.k, space.skeleton(set)),
        total_(limits.steps),
        allowance_(limits) {}

  Comparison operator()() {
    const ParameterValues target = nearest(set_.box, model_);
    set_.box = without_idle_values(plan_, set_.box, target);
    std::vector<ParameterKey> waiting;
    for (const ParameterKey& p : order_of_proof(set_.box.classes()))
      if (!set_.box[p].is_single()) waiting.push_back(p);
    // Which question is easy depends on what is already fixed: all get a little, and then more.
    for (std::int64_t steps = kFirst; !waiting.empty(); steps *= 4) {
      if (allowance_.used_up()) return OpenStep{set_, waiting.front()};
      const std::int64_t before = allowance_.spent();
      const bool all_there_are = total_ && steps >= *total_;
      for (auto p = waiting.begin(); p != waiting.end();) {
        const Distinction answer = without(*p, target, steps);
        if (separation_) return *separation_;
        if (std::holds_alternative<Equivalent>(answer))
          p = waiting.erase(p);
        else
          ++p;
      }
      set_.box = without_idle_values(plan_, set_.box, target);
      std::erase_if(waiting, [&](const ParameterKey& p) { return set_.box[p].is_single(); });
      // What cannot be asked with all that there is will not be.
      if (all_there_are && !waiting.empty() && allowance_.spent() == before)
        return OpenStep{set_, waiting.front()};
    }
    return with_single(space_.model(set_.skeleton, target, set_.nan ? set_.nan : constant_nan(model_.nan)));
  }

 private:
  static constexpr std::int64_t kFirst = 3'500;
  /// The formula of the whole unit is not tried with fewer.
  static constexpr std::int64_t kLeastForAll = 34'000;

  /// Compares the set with its hypotheses that have the target's value of one parameter, and shrinks it to
  /// these if there is no difference.
  Distinction without(const ParameterKey& p, const ParameterValues& target, std::int64_t steps) {
    HypothesisSet fixed = set_;
    fixed.box[p] = ValueSet::single(value_index(target, p));
    const Side left = Hypotheses{&space_, fixed};
    const Side right = Hypotheses{&space_, set_, true};
    auto answer = decided(left, right, steps);
    if (const auto* witness = std::get_if<Witness>(&answer))
      separation_ =
          Separation{model_of(left, witness->left), model_of(right, witness->right), witness->input};
    if (const auto* equal = std::get_if<Equivalent>(&answer)) {
      clauses_ += equal->clauses;
      set_ = fixed;
    }
    return answer;
  }

  Comparison with_single(const UnitModel& last) {
    if (last == model_) return Equivalent{clauses_};
    const auto answer = decided(model_, last, std::nullopt);
    if (const auto* witness = std::get_if<Witness>(&answer)) return Separation{model_, last, witness->input};
    if (const auto* equal = std::get_if<Equivalent>(&answer)) return Equivalent{clauses_ + equal->clauses};
    return OpenStep{set_, std::nullopt};
  }

  /// Node by node first: one block's formula is far smaller than a chain's, and equal nodes make equal units.
  /// The whole unit's formula is worth a try where not all results of earlier nodes occur.
  /// nullopt: with all that is left.
  [[nodiscard]] Distinction decided(const Side& left, const Side& right, std::optional<std::int64_t> most) {
    const Limits limits = allowance_.rest(most);
    const auto steps = limits.steps;
    const std::int64_t before = allowance_.spent();
    auto answer = compare_by_nodes(checker_, left, right, limits);
    const std::int64_t spent = allowance_.spent() - before;
    const bool enough = !steps || (*steps >= kLeastForAll && spent <= *steps / 2);
    if (!std::holds_alternative<Unknown>(answer) || !enough) return answer;
    return checker_.distinguish(left, right, {},
                                allowance_.rest(steps ? std::optional(*steps - spent) : std::nullopt));
  }

  const EquivalenceChecker& checker_;
  const UnitModel& model_;
  const Space& space_;
  HypothesisSet set_;
  Plan plan_;
  std::optional<std::int64_t> total_;  ///< steps
  Allowance allowance_;
  std::optional<Separation> separation_;
  std::int64_t clauses_ = 0;
};

}  // namespace

Comparison compare_with_set(const EquivalenceChecker& checker, const UnitModel& model, const Space& space,
                            const HypothesisSet& set, const Limits& limits) {
  return Steps(checker, model, space, set, limits)();
}

}  // namespace mmaprint
