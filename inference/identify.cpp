#include "inference/identify.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "base/stopwatch.h"
#include "inference/asking.h"
#include "inference/by_need.h"
#include "inference/evidence.h"
#include "inference/experiments.h"
#include "inference/flow.h"
#include "inference/flow_log.h"
#include "inference/refutation.h"
#include "inference/representative.h"
#include "model/evaluator.h"

namespace mmaprint {
namespace {

/// Above this many hypotheses inputs of few addends come first: they split the sets into fewer parts.
constexpr std::int64_t kManyHypotheses = 10'000'000'000;

/// Each state is a function, which says what it leaves; inference/flow.h says what comes after it.
class Run {
 public:
  Run(const Space& space, VersionSpace start, Subject subject, const Instruction& instruction,
      const IdentifyOptions& options, const IdentifyHooks& hooks)
      : space_(space),
        options_(options),
        hooks_(hooks),
        deadline_(options.seconds, hooks.stop),
        subject_(subject),
        evidence_(space, std::move(start), options.threads, deadline_),
        asking_(subject_, instruction, deadline_),
        experiments_(space, options.seed, deadline_),
        ledger_(space, options.solver, options.proof_steps, {options.seed, options.threads, hooks.stop},
                hooks.log),
        confirming_(space, options.confirming_inputs, options.seed, experiments_,
                    [this](auto inputs, BatchSize& batch) { return confirming_answers(inputs, batch); }) {}

  Identification operator()(std::vector<Observation> known) {
    FlowLog log(hooks_.log, space_.instruction);
    for (auto& o : known) take(std::move(o));
    flow::State state = begin();
    for (; !std::holds_alternative<flow::Conclude>(state); state = next(state))
      log.enter(state, [this] { return spent(); });
    log.enter(state, [this] { return spent(); });
    if (evidence_.sets().empty())
      conclude_from_nothing();
    else
      conclude();
    log.end([this] { return spent(); }, result_.end);
    return counted();
  }

 private:
  // ---- The way ----

  [[nodiscard]] flow::State begin() {
    if (over()) return flow::Conclude{};
    if (const auto* recorded = std::get_if<Recorded>(&subject_)) {
      if (recorded->whole) return flow::Separate{};
      stop(ending::OutOfObservations{});
      return flow::Conclude{};
    }
    if (!evidence_.nan_is_settled() && !ask(experiments_.with_nan())) return flow::Conclude{};
    return flow::search(remaining());
  }

  [[nodiscard]] flow::State next(const flow::State& state) {
    if (!is_recording() && over()) return flow::Conclude{};
    return std::visit([this](const auto& s) { return this->next_after(s); }, state);
  }
  template <class State>
  [[nodiscard]] flow::State next_after(const State& state) {
    const auto left = leave(state);
    return flow::after(state, left, remaining());
  }
  [[nodiscard]] static flow::State next_after(const flow::Conclude& state) { return state; }

  [[nodiscard]] flow::Remaining remaining() const {
    const Count n = count(evidence_.sets());
    return n == 0                ? flow::Remaining::nothing
           : n > kManyHypotheses ? flow::Remaining::many
                                 : flow::Remaining::few;
  }

  /// Nothing is left, or no more can be asked. (Of a recording nothing ever is: what is known has to tell.)
  [[nodiscard]] bool over() {
    if (evidence_.sets().empty() || stopped_) return true;
    if (deadline_.passed()) stop(ending_of(deadline_));
    return stopped_.has_value();
  }
  /// The first reason is the one that counts.
  void stop(Ending why) {
    if (!stopped_) stopped_ = std::move(why);
  }
  [[nodiscard]] bool is_recording() const { return std::holds_alternative<Recorded>(subject_); }

  // ---- The states ----

  flow::Structure::Left leave(const flow::Structure& /*state*/) {
    return asked<flow::Structure>(likely_experiment(flow::Structure::kLooks));
  }
  flow::Sift::Left leave(const flow::Sift& /*state*/) {
    return asked<flow::Sift>(likely_experiment(flow::Sift::kLooks));
  }

  flow::Separate::Left leave(const flow::Separate& /*state*/) {
    if (!is_recording() && confirming_.keeps_answers()) {
      const auto agreed = agrees(confirming_.anywhere(Evaluator(representative())));
      if (!agreed) return flow::Over{};
      if (!*agreed) return flow::Surprised{};
    }
    tell("comparing survivors with the solver");
    return asked<flow::Separate>(
        ledger_.among_neighbours(representative(), evidence_.sets(), experiments_, deadline_));
  }

  flow::Prove::Left leave(const flow::Prove& /*state*/) {
    auto input = ledger_.prove(representative(), evidence_.sets(), deadline_);
    if (!input) return flow::AllNoted{};
    if (!ask(*std::move(input))) return flow::Over{};
    return flow::Answered{};
  }

  flow::Confirm::Left leave(const flow::Confirm& /*state*/) {
    if (!is_recording()) {
      const auto agreed = confirmed();
      if (!agreed) return flow::Over{};
      if (!*agreed) return flow::Surprised{};
    }
    confirmed_ = true;
    return flow::Agreed{};
  }

  /// What a state leaves that looked for an input.
  template <class State>
  typename State::Left asked(std::optional<DotInput> input) {
    if (!input) return flow::NothingTells{};
    if (!ask(*std::move(input))) return flow::Over{};
    return flow::Answered{};
  }

  // ---- What they do ----

  void tell(std::string_view doing) {
    if (hooks_.progress)
      hooks_.progress({count(evidence_.sets()), evidence_.observations().size(), watch_.seconds(), doing});
  }

  void take(Observation observation) {
    if (!evidence_.sets().empty()) tell("drawing conclusions");
    const DotInput input = observation.input;
    if (!evidence_.take(std::move(observation))) return;
    experiments_.remember(input);
    ledger_.keep(evidence_.sets());
  }

  void observe(Observation seen) {
    if (hooks_.observed) hooks_.observed(seen);
    take(std::move(seen));
  }

  /// Asks the device; false if it gave no answer. The input that a recording can't answer is kept.
  bool ask(DotInput input) {
    if (is_recording()) {
      stop(ending::NobodyToAsk{});
      would_tell_ = std::move(input);
      return false;
    }
    if (options_.most_observations &&
        std::cmp_greater_equal(evidence_.observations().size(), *options_.most_observations)) {
      stop(ending::OutOfObservations{});
      return false;
    }
    const auto d = answers({&input, 1});
    if (d) observe({std::move(input), d->front()});
    return d.has_value();
  }

  /// The device's results for all inputs, or none.
  std::optional<std::vector<Pattern>> answers(std::span<const DotInput> inputs, BatchSize* batch = nullptr) {
    tell("asking the device");
    auto answer = asking_(inputs, batch);
    if (auto* end = std::get_if<Ending>(&answer)) {
      stop(std::move(*end));
      return std::nullopt;
    }
    return std::get<std::vector<Pattern>>(std::move(answer));
  }

  /// The device's results for confirming inputs.
  std::optional<std::vector<Pattern>> confirming_answers(std::span<const DotInput> inputs, BatchSize& batch) {
    // Of a unit that nothing explains it is asked whether it is a function at all.
    if (evidence_.sets().empty() ? deadline_.passed() : over()) return std::nullopt;
    return answers(inputs, &batch);
  }

  /// Does the device answer as the representative does? If not, that is an observation (beyond any limit of
  /// theirs, as it was made), and the search goes on. nullopt if not all was answered.
  std::optional<bool> agrees(Confirming::Outcome outcome) {
    if (std::holds_alternative<Confirming::CutShort>(outcome)) return std::nullopt;
    auto* differs = std::get_if<Confirming::Differs>(&outcome);
    if (differs == nullptr) return true;
    if (differs->before) {
      const Observation before{differs->seen.input, *differs->before};
      if (!evidence_.contains(before)) observe(before);
    }
    observe(std::move(differs->seen));
    return false;
  }

  /// The last questions, about the model that is to be reported.
  std::optional<bool> confirmed() {
    const Evaluator model(representative());
    for (auto&& part : {&Confirming::anywhere, &Confirming::at_edges}) {
      const auto agreed = agrees((confirming_.*part)(model));
      if (agreed != true) return agreed;
    }
    return agrees(confirming_.again(evidence_.observations()));
  }

  /// An input, one of some thousand, that splits what is left.
  std::optional<DotInput> likely_experiment(std::span<const flow::Look> looks) {
    tell("looking for an input that tells");
    for (const flow::Look& look : looks)
      if (auto input =
              experiments_.best(evidence_.sets(), look.family, look.inputs, look.sample, look.least_bits))
        return input;
    return std::nullopt;
  }

  const UnitModel& representative() {
    if (representative_ && contains(space_, evidence_.sets(), *representative_)) return *representative_;
    ledger_.clear();
    const auto largest =
        std::ranges::max_element(evidence_.sets(), {}, [](const HypothesisSet& s) { return s.box.size(); });
    representative_ = space_.model(largest->skeleton, plainest(largest->box), largest->nan);
    return *representative_;
  }

  // ---- What is established ----

  /// A run that ended early, too: how the survivors stand is still worth telling.
  void conclude() {
    result_.model = representative();
    result_.confirmation = confirming_.confirmation();
    bool all_proved = true;
    std::string open;
    for (const HypothesisSet& set : evidence_.sets()) {
      result_.survivors.push_back(standing(set));
      const SurvivorClass& last = result_.survivors.back();
      all_proved = all_proved && last.standing == SurvivorClass::Standing::proved;
      if (!last.question.empty() && open.find(last.question) == std::string::npos)
        open += (open.empty() ? "" : ", ") + last.question;
    }
    result_.end = ended(all_proved, std::move(open));
  }

  [[nodiscard]] Ending ended(bool all_proved, std::string open) const {
    const auto& sets = evidence_.sets();
    if (stopped_) return *stopped_;
    if (!confirmed_) return ending::NotConfirmed{};
    if (!evidence_.nan_is_settled()) return ending::NanUnseen{};
    if (sets.size() == 1 && sets.front().box.size() == 1) return ending::Unique{};
    if (all_proved) return ending::ProvedAlike{};
    return ending::SomeOpen{std::move(open), deadline_.passed() && !hooks_.stop.stop_requested()};
  }

  /// As it was noted; undecided if an input that nobody answers tells a member from the representative.
  SurvivorClass standing(const HypothesisSet& set) {
    SurvivorClass entry = ledger_.of(set);
    if (!would_tell_ || entry.standing == SurvivorClass::Standing::proved) return entry;
    const Observation as_represented{*would_tell_, evaluate(*result_.model, *would_tell_)};
    const auto alike = refine(space_, {set}, as_represented, options_.threads, deadline_);
    if (!alike || count(*alike) == set.box.size()) return entry;
    entry.standing = SurvivorClass::Standing::undecided;
    entry.witness = would_tell_;
    return entry;
  }

  /// Whether a unit that nothing explains is a function at all. Asked once, where it can be asked.
  void ask_again_what_conflicts() {
    if (evidence_.contradiction() || stopped_ || options_.confirming_inputs == 0 || is_recording() ||
        deadline_.passed())
      return;
    std::vector<Observation> before = evidence_.observations();
    std::ranges::reverse(before);
    (void)agrees(confirming_.all_again(std::move(before)));
  }

  void conclude_from_nothing() {
    if (!options_.explain_nothing && !evidence_.contradiction()) {
      result_.end = ending::NothingExplains{};
      return;
    }
    ask_again_what_conflicts();
    find_conflict();
    if (!evidence_.last()) return;  // nothing was searched
    tell("looking for the nearest model");
    auto nearest =
        explains_most(space_, evidence_.start(), table(evidence_.observations()), *evidence_.last(),
                      options_.seed, options_.threads, deadline_.within(kLongestConflict));
    result_.model = std::move(nearest.model);
    result_.explained = nearest.explained;
  }

  void find_conflict() {
    tell("looking for the smallest conflict");
    const Deadline soon = deadline_.within(kLongestConflict);
    const auto smallest_of = [&](const std::vector<Observation>& all, std::vector<std::size_t> known) {
      return smallest_conflict(space_, evidence_.start(), table(all), std::move(known), options_.threads,
                               options_.conflict_work, soon);
    };
    const auto& all = evidence_.observations();
    if (const auto& pair = evidence_.contradiction()) {
      const auto [first, second] = *pair;
      result_.end = ending::NotDeterministic{first, second};
      result_.conflict = {first, second};
      const auto few = smallest_of({all[first], all[second]}, {0, 1});
      result_.conflict_is_smallest = few.smallest && few.observations.size() == 2;
      return;
    }
    ending::NothingExplains end;
    if (stopped_)
      if (const auto* failed = std::get_if<ending::DeviceFailed>(&*stopped_))
        end.device_failure = failed->message;
    result_.end = std::move(end);
    auto few = smallest_of(all, evidence_.narrowing());
    result_.conflict = std::move(few.observations);
    result_.conflict_is_smallest = few.smallest;
  }

  [[nodiscard]] ObservationTable table(const std::vector<Observation>& observations) const {
    return {space_.formats, space_.k, observations};
  }

  [[nodiscard]] Spent spent() const {
    const auto& sets = evidence_.sets();
    return {evidence_.observations().size(),
            confirming_.confirmation().inputs,
            asking_.calls(),
            ledger_.steps(),
            watch_.seconds(),
            count(sets),
            sets.size()};
  }

  [[nodiscard]] Identification counted() {
    result_.unused = result_.contradicts_itself() ? 0 : evidence_.unused();  // the two suffice
    result_.observations = std::move(evidence_).observations();
    result_.device_calls = asking_.calls();
    result_.device_seconds = asking_.seconds();
    result_.solver_seconds = ledger_.seconds();
    result_.seconds = watch_.seconds();
    return std::move(result_);
  }

  const Space& space_;
  const IdentifyOptions& options_;
  const IdentifyHooks& hooks_;
  Deadline deadline_;
  Subject subject_;
  Evidence evidence_;
  Asking asking_;
  Experiments experiments_;
  EquivalenceLedger ledger_;
  Confirming confirming_;
  std::optional<UnitModel> representative_;
  bool confirmed_ = false;              ///< by all of the device's answers to confirming inputs
  std::optional<Ending> stopped_;       ///< why no more can be asked
  std::optional<DotInput> would_tell_;  ///< survivors apart, and nobody can be asked
  Identification result_;
  Stopwatch watch_;
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

Identification identify(const Space& space, VersionSpace start, Subject subject,
                        const Instruction& instruction, std::vector<Observation> known,
                        const IdentifyOptions& options, const IdentifyHooks& hooks) {
  return Run(space, std::move(start), subject, instruction, options, hooks)(std::move(known));
}

}  // namespace mmaprint
