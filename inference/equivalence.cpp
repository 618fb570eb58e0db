#include "inference/equivalence.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "inference/representative.h"

namespace mmaprint {
namespace {

using Clock = std::chrono::steady_clock;

/// Those that fold most readily come first.
constexpr Parameter kOrder[] = {
    Parameter::zero_flushed,
    Parameter::zero_rounded,
    Parameter::zero_cancelled,
    Parameter::zero_all_zero,
    Parameter::overflow,
    Parameter::output_subnormals,
    Parameter::c_subnormals,
    Parameter::input_subnormals,
    Parameter::final_rounding,
    Parameter::extra_carry_bits,
    Parameter::alignment_rounding,
    Parameter::normalisation,
    Parameter::product,
    Parameter::output_fraction_bits,
    Parameter::alignment_fraction_bits,
    Parameter::block_rounding,
    Parameter::minimum_alignment_exponent,
};
static_assert(std::size(kOrder) == kParameterCount);

class Steps {
 public:
  Steps(const EquivalenceChecker& checker, const UnitModel& model, const Space& space,
        const HypothesisSet& set, const Limits& limits)
      : checker_(checker), model_(model), space_(space), set_(set), limits_(limits) {}

  Comparison operator()() {
    const ParameterValues target = nearest(set_.box, model_);
    std::vector<Parameter> waiting;
    for (const Parameter p : kOrder)
      if (!set_.box[p].is_single()) waiting.push_back(p);
    // Which step is easy depends on what is already fixed: all get a little time, and then more.
    for (double seconds = 0.1; !waiting.empty(); seconds *= 4) {
      if (limits_.stop.stop_requested() || left() <= 0) return OpenStep{set_, waiting.front()};
      for (auto p = waiting.begin(); p != waiting.end();) {
        const Distinction answer = without(*p, target, seconds);
        if (separation_) return *separation_;
        if (std::holds_alternative<Equivalent>(answer))
          p = waiting.erase(p);
        else
          ++p;
      }
    }
    return with_single(space_.model(set_.chain, target, set_.nan ? set_.nan : model_.nan));
  }

 private:
  /// Compares the set with its hypotheses that have the target's value of one parameter, and shrinks it to
  /// these if there is no difference.
  Distinction without(Parameter p, const ParameterValues& target, double seconds) {
    HypothesisSet fixed = set_;
    fixed.box[p] = ValueSet::single(value_index(target, p));
    const Side left = Hypotheses{&space_, fixed};
    const Side right = Hypotheses{&space_, set_, true};
    auto answer = decided(left, right, seconds);
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
    const auto answer = decided(model_, last, left());
    if (const auto* witness = std::get_if<Witness>(&answer)) return Separation{model_, last, witness->input};
    if (const auto* equal = std::get_if<Equivalent>(&answer)) return Equivalent{clauses_ + equal->clauses};
    return OpenStep{set_, std::nullopt};
  }

  /// Node by node first: one block's formula is far smaller than a chain's, and equal nodes make equal units.
  /// The whole unit's formula is worth a try where not all results of earlier nodes occur.
  [[nodiscard]] Distinction decided(const Side& left, const Side& right, double seconds) const {
    const auto began = Clock::now();
    auto answer = compare_by_nodes(checker_, left, right, limits(seconds));
    const double spent = std::chrono::duration<double>(Clock::now() - began).count();
    constexpr double kLeast = 1;
    if (!std::holds_alternative<Unknown>(answer) || seconds < kLeast || spent > seconds / 2) return answer;
    return checker_.distinguish(left, right, {}, limits(seconds - spent));
  }

  [[nodiscard]] double left() const {
    const double spent = std::chrono::duration<double>(Clock::now() - began_).count();
    return limits_.seconds.value_or(1e9) - spent;
  }
  [[nodiscard]] Limits limits(double seconds) const {
    Limits limits = limits_;
    limits.seconds = std::clamp(seconds, 0.0, std::max(0.0, left()));
    return limits;
  }

  const EquivalenceChecker& checker_;
  const UnitModel& model_;
  const Space& space_;
  HypothesisSet set_;
  const Limits& limits_;
  std::optional<Separation> separation_;
  std::int64_t clauses_ = 0;
  Clock::time_point began_ = Clock::now();
};

}  // namespace

Comparison compare_with_set(const EquivalenceChecker& checker, const UnitModel& model, const Space& space,
                            const HypothesisSet& set, const Limits& limits) {
  return Steps(checker, model, space, set, limits)();
}

}  // namespace mmaprint
