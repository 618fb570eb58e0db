#include "inference/identify.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "inference/by_need.h"
#include "inference/contradictions.h"
#include "inference/experiments.h"
#include "inference/refutation.h"
#include "inference/representative.h"
#include "model/evaluator.h"

namespace mmaprint {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Above this many hypotheses inputs of few addends come first: they split the sets into fewer parts.
constexpr std::int64_t kManyHypotheses = 10'000'000'000;

class Run {
 public:
  Run(const Space& space, std::vector<HypothesisSet> start, MatmulUnit& unit, const Instruction& instruction,
      const IdentifyOptions& options, const IdentifyHooks& hooks)
      : space_(space),
        start_(std::move(start)),
        sets_(start_),
        unit_(unit),
        instruction_(instruction),
        options_(options),
        hooks_(hooks),
        deadline_(options.seconds, hooks.stop),
        experiments_(space, options.seed, deadline_),
        ledger_(space, options.solver, options.proof_seconds, {options.seed, options.threads, hooks.stop}),
        confirming_(space, options.confirming_inputs, options.seed, experiments_,
                    [this](auto inputs, BatchSize& batch) { return confirming_answers(inputs, batch); }) {}

  Identification operator()(std::vector<Observation> known) {
    for (auto& o : known) take(std::move(o));
    if (const auto* recorded = unit_.recorded(instruction_.name))
      take_as_confirmed(*recorded);
    else
      search();
    if (result_.verdict != Identification::Verdict::none && !sets_.empty()) conclude();
    if (sets_.empty()) contradict();
    result_.seconds = seconds_since(began_);
    return std::move(result_);
  }

 private:
  /// No more to do: refuted, failed, or out of budget.
  bool ended() {
    if (sets_.empty() || result_.device_failed || exhausted_) return true;
    return deadline_.passed() && stop(std::string(deadline_.reason()));
  }
  [[nodiscard]] bool out_of_time() const { return deadline_.passed() && !hooks_.stop.stop_requested(); }
  bool stop(std::string why) {
    if (result_.reason.empty()) result_.reason = std::move(why);
    return true;
  }
  bool may_ask() {
    if (options_.most_observations &&
        std::cmp_greater_equal(result_.observations.size(), *options_.most_observations))
      return !stop("observation limit reached");
    return true;
  }

  /// A recording confirms what it can, if all of it was taken in.
  void take_as_confirmed(const std::vector<Observation>& recorded) {
    if (ended()) return;
    const std::set<Observation> taken(result_.observations.begin(), result_.observations.end());
    confirmed_ = std::ranges::all_of(recorded, [&](const Observation& o) { return taken.contains(o); });
    if (!confirmed_) stop("observation limit reached");
  }

  void tell(std::string_view doing) {
    if (hooks_.progress)
      hooks_.progress({count(sets_), result_.observations.size(), seconds_since(began_), doing});
  }

  /// A conclusion that is cut short changes nothing: what was left before is more than what is left, never
  /// less. What comes after it is kept for another run.
  void take(Observation observation) {
    const std::size_t index = result_.observations.size();
    note_contradiction(observation);
    result_.observations.push_back(std::move(observation));
    if (sets_.empty()) return;
    if (result_.unused != 0) {
      ++result_.unused;
      return;
    }
    tell("drawing conclusions");
    const Observation& seen = result_.observations.back();
    auto left = consistent(space_, sets_, seen, options_.threads, deadline_);
    if (!left) {
      ++result_.unused;
      return;
    }
    const bool settles_nan = !sets_.front().nan && is_nan(space_.formats.d, seen.d);
    if (settles_nan || count(*left) != count(sets_)) narrowing_.push_back(index);
    leave(*std::move(left));
    experiments_.remember(seen.input);
    ledger_.keep(sets_);
  }

  void leave(std::vector<HypothesisSet> sets) {
    if (sets.empty() && !sets_.empty())
      last_ = space_.model(sets_.front().chain, plainest(sets_.front().box), sets_.front().nan);
    sets_ = std::move(sets);
  }

  /// Two results for one input: no unit that is a function explains them.
  void note_contradiction(const Observation& observation) {
    const auto other = contradictions_.against(result_.observations, observation);
    if (result_.contradiction || !other) return;
    result_.contradiction = {*other, result_.observations.size()};
    leave({});
  }

  /// The device's results for all inputs, or none.
  std::optional<std::vector<Pattern>> answers(std::span<const DotInput> inputs, BatchSize* batch = nullptr) {
    tell("asking the device");
    const auto at = Clock::now();
    RunResult answer = unit_.run_until(deadline_, instruction_, inputs);
    const double took = seconds_since(at);
    result_.device_seconds += took;
    if (batch != nullptr) batch->took(took);
    ++result_.device_calls;
    if (const auto* failure = std::get_if<DeviceFailure>(&answer)) {
      result_.device_failed = true;
      result_.reason = failure->message;
      return std::nullopt;
    }
    if (std::holds_alternative<DeviceInterrupted>(answer)) {
      ended();
      return std::nullopt;
    }
    if (std::holds_alternative<DeviceExhausted>(answer)) {
      exhausted_ = true;
      stop("the device can answer nothing more");
      return std::nullopt;
    }
    return std::get<std::vector<Pattern>>(std::move(answer));
  }

  void observe(Observation seen) {
    if (hooks_.observed) hooks_.observed(seen);
    take(std::move(seen));
  }

  /// Asks the device; false if it gave no answer.
  bool ask(const DotInput& input) {
    if (!may_ask()) return false;
    const auto d = answers({&input, 1});
    if (d) observe({input, d->front()});
    return d.has_value();
  }

  /// Does the device answer as the representative does? If not, that is an observation (beyond any limit of
  /// theirs, as it was made), and the search goes on. nullopt if not all was answered.
  std::optional<bool> agrees(Confirming::Outcome outcome) {
    if (std::holds_alternative<Confirming::CutShort>(outcome)) return std::nullopt;
    auto* differs = std::get_if<Confirming::Differs>(&outcome);
    if (differs == nullptr) return true;
    if (differs->before) {
      const Observation before{differs->seen.input, *differs->before};
      if (std::ranges::find(result_.observations, before) == result_.observations.end()) observe(before);
    }
    observe(std::move(differs->seen));
    return false;
  }

  /// The device's results for confirming inputs.
  std::optional<std::vector<Pattern>> confirming_answers(std::span<const DotInput> inputs, BatchSize& batch) {
    // Of a unit that nothing explains it is asked whether it is a function at all.
    if (sets_.empty() ? deadline_.passed() : ended()) return std::nullopt;
    return answers(inputs, &batch);
  }

  /// The last questions, about the model that is to be reported.
  std::optional<bool> confirmed() {
    const Evaluator model(representative());
    for (auto&& ask : {&Confirming::anywhere, &Confirming::at_edges}) {
      const auto agreed = agrees((confirming_.*ask)(model));
      if (agreed != true) return agreed;
    }
    return agrees(confirming_.again(result_.observations));
  }

  /// Until nothing more is found that splits what is left or that the model does not explain.
  void search() {
    if (ended() || (!sets_.front().nan && !ask(experiments_.with_nan()))) return;
    while (!ended()) {
      auto input = likely_experiment();
      if (!input && confirming_.keeps_answers()) {
        // A proof about the wrong hypotheses is time lost.
        const auto agreed = agrees(confirming_.anywhere(Evaluator(representative())));
        if (!agreed) return;
        if (!*agreed) continue;
      }
      if (!input) input = solver_experiment();
      if (input) {
        if (!ask(*input)) return;
        continue;
      }
      if (ended() || !result_.reason.empty()) return;
      const auto agreed = confirmed();
      confirmed_ = agreed == true;
      if (agreed != false) return;
    }
  }

  /// An input, one of some thousand, that splits what is left.
  std::optional<DotInput> likely_experiment() {
    tell("looking for an input that tells");
    const bool many = count(sets_) > kManyHypotheses;
    // What tells little splits the sets all the same; that is worth it only where little is left to be told.
    auto input = many ? experiments_.best(sets_, InputFamily::few_addends, 150, 48, 0.05)
                      : experiments_.best(sets_, InputFamily::any, 400, 48);
    if (!input) input = experiments_.best(sets_, InputFamily::any, 1500, 96);
    if (!input) input = experiments_.best(sets_, InputFamily::edges, 4000, 96);
    return input;
  }

  UnitModel representative() {
    if (representative_ && contains(space_, sets_, *representative_)) return *representative_;
    ledger_.clear();
    const auto largest =
        std::ranges::max_element(sets_, {}, [](const HypothesisSet& s) { return s.box.size(); });
    representative_ = space_.model(largest->chain, plainest(largest->box), largest->nan);
    return *representative_;
  }

  /// An input on which survivors differ, if one is found.
  std::optional<DotInput> solver_experiment() {
    tell("comparing survivors with the solver");
    auto input = ledger_.separate(representative(), sets_, experiments_, deadline_);
    result_.solver_seconds = ledger_.seconds();
    return input;
  }

  void conclude() {
    result_.model = representative();
    result_.confirmation = confirming_.confirmation();
    std::optional<DotInput> witness;
    // A recording, or a run that ended early: how the survivors stand is still worth telling.
    if (result_.reason.empty() && unit_.recorded(instruction_.name) != nullptr) {
      witness = solver_experiment();
      if (witness) {
        exhausted_ = true;
        stop("the device can answer nothing more");
      }
    }
    bool all_proved = true;
    std::string open;
    for (const HypothesisSet& set : sets_) {
      result_.survivors.push_back(standing(set, witness));
      const SurvivorClass& last = result_.survivors.back();
      all_proved = all_proved && last.standing == SurvivorClass::Standing::proved;
      if (!last.question.empty() && open.find(last.question) == std::string::npos)
        open += (open.empty() ? " in " : ", ") + last.question;
    }
    const bool one = sets_.size() == 1 && sets_.front().box.size() == 1;
    if (!sets_.front().nan) {
      all_proved = false;
      stop("no NaN result was observed, so its pattern is open");
    }
    result_.confirmed = confirmed_;
    if (!confirmed_)
      stop("the device was not asked enough to confirm the model");
    else if (one && sets_.front().nan)
      result_.verdict = Identification::Verdict::unique;
    else if (all_proved)
      result_.verdict = Identification::Verdict::equivalent;
    else
      stop((out_of_time() ? "time limit reached: " : "") +
           ("some survivors are neither proved equal nor told apart" + open));
    if (result_.verdict != Identification::Verdict::unknown) result_.reason.clear();
  }

  /// As it was noted; undecided if the witness, which can't be asked, tells a member from the representative.
  SurvivorClass standing(const HypothesisSet& set, const std::optional<DotInput>& witness) {
    SurvivorClass entry = ledger_.of(set);
    if (!witness || entry.standing == SurvivorClass::Standing::proved) return entry;
    const Observation as_represented{*witness, evaluate(*result_.model, *witness)};
    const auto alike = consistent(space_, {set}, as_represented, options_.threads, deadline_);
    if (!alike || count(*alike) == set.box.size()) return entry;
    entry.standing = SurvivorClass::Standing::undecided;
    entry.witness = witness;
    return entry;
  }

  /// Whether a unit that nothing explains is a function at all. Asked once, where it can be asked.
  void ask_again_what_conflicts() {
    if (result_.contradiction || result_.device_failed || exhausted_ || options_.confirming_inputs == 0 ||
        unit_.recorded(instruction_.name) != nullptr || deadline_.passed())
      return;
    std::vector<Observation> before = result_.observations;
    std::ranges::reverse(before);
    (void)agrees(confirming_.all_again(std::move(before)));
  }

  void contradict() {
    ask_again_what_conflicts();
    result_.verdict = Identification::Verdict::none;
    result_.survivors.clear();
    tell("looking for the smallest conflict");
    const Deadline soon = deadline_.within(options_.proof_seconds);
    const auto smallest_of = [&](const std::vector<Observation>& all, std::vector<std::size_t> known) {
      return smallest_conflict(space_, start_, {space_.formats, space_.k, all}, std::move(known),
                               options_.threads, soon);
    };
    if (result_.contradiction) {
      const auto [first, second] = *result_.contradiction;
      result_.conflict = {first, second};
      result_.reason = kNotDeterministic;
      result_.unused = 0;  // the two suffice, whatever the others say
      const auto few = smallest_of({result_.observations[first], result_.observations[second]}, {0, 1});
      result_.conflict_is_smallest = few.smallest && few.observations.size() == 2;
    } else {
      auto few = smallest_of(result_.observations, narrowing_);
      result_.conflict = std::move(few.observations);
      result_.conflict_is_smallest = few.smallest;
    }
    if (!last_) return;  // nothing was searched
    tell("looking for the nearest model");
    auto nearest = explains_most(space_, start_, {space_.formats, space_.k, result_.observations}, *last_,
                                 options_.seed, options_.threads, deadline_.within(options_.proof_seconds));
    result_.model = std::move(nearest.model);
    result_.explained = nearest.explained;
  }

  const Space& space_;
  std::vector<HypothesisSet> start_, sets_;
  MatmulUnit& unit_;
  const Instruction& instruction_;
  const IdentifyOptions& options_;
  const IdentifyHooks& hooks_;
  Deadline deadline_;
  Experiments experiments_;
  EquivalenceLedger ledger_;
  std::optional<UnitModel> representative_;
  std::vector<std::size_t>
      narrowing_;                  ///< observations that ruled something out: together they rule out the rest
  std::optional<UnitModel> last_;  ///< one of the hypotheses that were the last to go
  Contradictions contradictions_;
  Confirming confirming_;
  bool exhausted_ = false;
  bool confirmed_ = false;  ///< by all of the device's answers to confirming inputs
  Identification result_;
  Clock::time_point began_ = Clock::now();
};

}  // namespace

bool several_nan_patterns(Format d, const std::vector<Observation>& observations) {
  std::optional<Pattern> first;
  return std::ranges::any_of(observations, [&](const Observation& o) {
    if (!is_nan(d, o.d)) return false;
    if (!first) first = o.d;
    return o.d != *first;
  });
}

Identification identify(const Space& space, std::vector<HypothesisSet> start, MatmulUnit& unit,
                        const Instruction& instruction, std::vector<Observation> known,
                        const IdentifyOptions& options, const IdentifyHooks& hooks) {
  return Run(space, std::move(start), unit, instruction, options, hooks)(std::move(known));
}

}  // namespace mmaprint
