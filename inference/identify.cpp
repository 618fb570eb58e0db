#include "inference/identify.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "base/stopwatch.h"
#include "inference/asking.h"
#include "inference/conclusion.h"
#include "inference/evidence.h"
#include "inference/experiments.h"
#include "inference/flow.h"
#include "inference/flow_log.h"
#include "inference/mutant_trial.h"
#include "inference/nan_fit.h"
#include "inference/no_explanation.h"
#include "inference/refutation.h"
#include "inference/representative.h"
#include "inference/waiting.h"
#include "model/evaluator.h"

namespace mmaprint {
namespace {

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
        is_frugal_(options.known_wait || flow::is_large(count(start))),
        evidence_(space, std::move(start), options.threads, options.shared, options.most_sets, deadline_),
        asking_(subject_, instruction, deadline_),
        experiments_(space, options.seed, deadline_, options.threads),
        ledger_(space, options.solver, options.proof_steps, {options.seed, options.threads, hooks.stop},
                hooks.log, {hooks.queries, options.keeps_proofs}),
        confirming_(space, options.confirming_inputs, options.seed, experiments_,
                    [this](auto inputs, BatchSize& batch) { return confirming_answers(inputs, batch); }) {}

  Identification operator()(std::vector<Observation> known) {
    FlowLog log(hooks_.log, space_.instruction);
    if (!known.empty()) experiments_.follow_another();
    for (auto& o : known) {
      const bool waits =
          options_.known_wait && (evidence_.nan_is_settled() || !is_nan(space_.formats.d, o.d));
      waits || stopped_ ? waiting_.add(std::move(o)) : take(std::move(o));
    }
    flow::State state = begin();
    for (; !std::holds_alternative<flow::Conclude>(state); state = next(state))
      log.enter(state, [this] { return spent(); });
    log.enter(state, [this] { return spent(); });
    for (Observation& o : waiting_.rest()) evidence_.set_aside(std::move(o));
    evidence_.sets().empty() ? conclude_from_nothing() : conclude();
    log.end([this] { return spent(); }, result_.end);
    return counted();
  }

 private:
  // ---- The way ----

  [[nodiscard]] flow::State begin() {
    if (is_recording() || remaining() != flow::Remaining::many) take_waiting();
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
    tell(State::kDoing);
    const auto left = leave(state);
    const flow::State next = flow::after(state, left, remaining());
    const bool has_to_wait =
        std::holds_alternative<flow::Structure>(next) || std::holds_alternative<flow::Conclude>(next);
    if (waiting_.empty() || has_to_wait) return next;
    take_waiting();
    return flow::search(remaining());
  }
  [[nodiscard]] static flow::State next_after(const flow::Conclude& state) { return state; }

  [[nodiscard]] flow::Remaining remaining() const { return flow::how_many(evidence_.hypotheses()); }

  /// Nothing is left, or no more can be asked. (Of a recording nothing ever is: what is known has to tell.)
  [[nodiscard]] bool over() {
    if (evidence_.sets().empty() || stopped_) return true;
    if (evidence_.sifted() + experiments_.tried() > options_.most_sifting) stop(ending::TooManySets{});
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
    is_frugal_ = is_frugal_ || evidence_.sets().size() > flow::Structure::kManySets;
    if (!is_frugal_)
      return asked<flow::Structure>(experiments_.best(evidence_.sets(), flow::Structure::kLooks));
    if (auto known = waiting_.cheap(experiments_, evidence_.sets())) {
      take(*std::move(known));
      return flow::Answered{};
    }
    return asked<flow::Structure>(
        experiments_.most_for_its_cost(evidence_.sets(), flow::Structure::kFrugalLooks));
  }
  flow::Sift::Left leave(const flow::Sift& /*state*/) {
    // What was put off says that it matters what sifting costs.
    if (is_frugal_ && waiting_.has_put_off())
      return asked<flow::Sift>(
          experiments_.most_for_its_cost(evidence_.sets(), flow::Structure::kFrugalLooks));
    return asked<flow::Sift>(experiments_.best_again(evidence_.sets(), flow::Sift::kLooks));
  }

  flow::Separate::Left leave(const flow::Separate& /*state*/) {
    if (!is_recording() && confirming_.keeps_answers()) {
      const auto agreed = agrees(confirming_.anywhere(Evaluator(representative())));
      if (!agreed) return flow::Over{};
      if (!*agreed) return flow::Surprised{};
    }
    tell(flow::Separate::kDoing);
    return asked<flow::Separate>(
        ledger_.among_neighbours(representative(), evidence_.sets(), experiments_, deadline_));
  }

  flow::Prove::Left leave(const flow::Prove& /*state*/) {
    auto input = ledger_.prove(representative(), evidence_.sets(), deadline_);
    if (!input) return flow::AllNoted{};
    return ask(*std::move(input)) ? flow::Prove::Left(flow::Answered{}) : flow::Over{};
  }

  flow::Confirm::Left leave(const flow::Confirm& /*state*/) {
    if (waiting_.has_put_off()) {
      waiting_.wake_all();
      return flow::Surprised{};
    }
    auto agreed = nans_fitted();
    if (agreed == true && !is_recording()) agreed = confirmed();
    if (!agreed) return flow::Over{};
    if (!*agreed || waiting_.has_put_off()) return flow::Surprised{};
    confirmed_ = true;
    return flow::Agreed{};
  }

  /// What a state leaves that looked for an input.
  template <class State>
  typename State::Left asked(std::optional<DotInput> input) {
    if (!input) return flow::NothingTells{};
    return ask(*std::move(input)) ? typename State::Left(flow::Answered{}) : flow::Over{};
  }

  // ---- What they do ----

  void tell(std::string_view doing) {
    if (hooks_.progress)
      hooks_.progress({evidence_.hypotheses(), evidence_.observations().size(), watch_.seconds(), doing});
  }

  void take(Observation observation) {
    if (!evidence_.sets().empty()) tell("drawing conclusions");
    const auto taken = evidence_.take(observation);
    if (taken == Evidence::Taken::too_many_sets) {
      if (!waiting_.put_off(std::move(observation), evidence_.hypotheses())) stop(ending::TooManySets{});
      return;
    }
    if (taken == Evidence::Taken::kept) return;
    experiments_.remember(observation.input);
    ledger_.keep(evidence_.sets());
    if (waiting_.has_put_off()) waiting_.wake(evidence_.hypotheses());
  }

  void take_waiting() {
    while (!waiting_.empty() && !over())
      take(waiting_.next(experiments_, evidence_.sets(), remaining() == flow::Remaining::few));
    // Nobody can be asked for what would leave fewer.
    if (is_recording() && waiting_.has_put_off() && !over()) stop(ending::TooManySets{});
  }

  void observe(Observation seen) {
    if (hooks_.observed) hooks_.observed(seen);
    take(std::move(seen));
  }

  /// Asks the device; nullopt if it gave no answer. The input that a recording can't answer is kept.
  std::optional<Pattern> ask(DotInput input) {
    if (is_recording()) {
      stop(ending::NobodyToAsk{});
      would_tell_ = std::move(input);
      return std::nullopt;
    }
    const std::size_t seen = evidence_.observations().size() + waiting_.size();
    if (options_.most_observations && std::cmp_greater_equal(seen, *options_.most_observations)) {
      stop(ending::OutOfObservations{});
      return std::nullopt;
    }
    input = with_all_scales(std::move(input), space_.formats);
    const auto d = answers({&input, 1});
    if (!d) return std::nullopt;
    observe({std::move(input), d->front()});
    return d->front();
  }

  /// The device's results for all inputs, or none.
  std::optional<std::vector<Pattern>> answers(std::span<const DotInput> inputs, BatchSize* batch = nullptr) {
    tell("asking the device");
    auto answer = asking_(inputs, batch);
    if (auto* d = std::get_if<std::vector<Pattern>>(&answer)) return std::move(*d);
    stop(std::get<Ending>(std::move(answer)));
    return std::nullopt;
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
    nan_rule_.reset();
    return false;
  }

  /// Looks for a rule that explains NaN results of several patterns; as FittedNans::agreed.
  std::optional<bool> nans_fitted() {
    AskForNan asks;
    if (!is_recording()) asks = [this](const DotInput& input) { return ask(input); };
    const auto fitted = fitted_nan_rule(representative(), evidence_.observations(), asks);
    nan_rule_ = fitted.rule;
    return fitted.agreed;
  }

  /// The last questions, about the model that is to be reported.
  std::optional<bool> confirmed() {
    const Evaluator model(with_nan_rule(representative(), nan_rule_));
    for (auto&& part : {&Confirming::anywhere, &Confirming::at_edges, &Confirming::of_nans}) {
      const auto agreed = agrees((confirming_.*part)(model));
      if (agreed != true) return agreed;
    }
    if (const auto agreed = told_from_mutants(model); agreed != true) return agreed;
    return agrees(confirming_.again(evidence_.observations()));
  }

  /// Does the device agree with the model where its mutants don't?
  std::optional<bool> told_from_mutants(const Evaluator& model) {
    if (options_.confirming_inputs == 0) return true;
    tell("looking for what the model could be mistaken for");
    const std::size_t asked = evidence_.observations().size() + options_.confirming_inputs +
                              (nan_rule_ ? Confirming::kMostOfNans : 0) + mutants_asked_;
    auto [agreed, told] =
        try_mutants({model.model(), values_known(space_, evidence_.sets(), model.model())},
                    {options_.seed, options_.threads}, confirming_, evidence_.observations(), asked, ledger_,
                    deadline_, [&](const std::vector<DotInput>& inputs) {
                      mutants_asked_ += inputs.size();
                      return agrees(confirming_.on(inputs, model));
                    });
    if (!agreed) stop(ending_of(deadline_));
    mutants_ = std::move(told);
    log_open_mutants(hooks_.log, space_.instruction, mutants_.open);
    return agreed;
  }

  const UnitModel& representative() {
    if (representative_ && contains(space_, evidence_.sets(), *representative_)) return *representative_;
    ledger_.clear();
    return representative_.emplace(plainest_of_largest(space_, evidence_.sets()));
  }

  // ---- What is established ----

  /// The model to report gives all results, even those that came too late for conclusions.
  std::optional<UnitModel> explaining() {
    const auto late = std::span(evidence_.observations()).last(evidence_.unused());
    if (gives_all(representative(), late)) return representative();
    ledger_.clear();
    return representative_ = plainest_giving(space_, evidence_.sets(), late);
  }

  /// A run that ended early, too: how the survivors stand is still worth telling.
  void conclude() {
    if (auto model = explaining()) result_.model = with_nan_rule(*std::move(model), nan_rule_);
    result_.confirmation = {confirming_.agreed(), confirming_.repeated(), mutants_};
    std::optional<Untold> untold;
    if (would_tell_ && result_.model)
      untold = {&space_, {*would_tell_, evaluate(*result_.model, *would_tell_)}, options_.threads};
    result_.survivors = standings(ledger_, evidence_.sets(), untold, deadline_);
    const bool time_up = deadline_.passed() && !hooks_.stop.stop_requested();
    result_.end = stopped_ ? *stopped_ : ending_of(evidence_, result_.survivors, confirmed_, time_up);
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
    result_.suspects = suspects_of(options_.suspects, {representative_, evidence_.last()});
    result_.end = ending::NothingExplains{};
    if (!options_.explain_nothing && !evidence_.contradiction()) {
      result_.conflict = evidence_.narrowing();  // no smallest one
      return;
    }
    ask_again_what_conflicts();
    const bool failed = stopped_ && device_failed(*stopped_);
    explain_nothing(evidence_,
                    {result_.suspects, [this](std::size_t count) { return answers_of(count); },
                     failed ? std::optional(reason_of(*stopped_)) : std::nullopt},
                    options_, deadline_, [this](std::string_view doing) { tell(doing); })
        .put_into(result_);
  }

  [[nodiscard]] std::span<const Observation> answers_of(std::size_t count) {
    if (!is_recording() && !stopped_) confirming_.ask_more(std::min(count, options_.confirming_inputs));
    return confirming_.answers();
  }

  [[nodiscard]] Spent spent() const {
    const auto& sets = evidence_.sets();
    return {evidence_.observations().size(),
            confirming_.agreed(),
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
  bool is_frugal_;  ///< inputs are chosen for what it costs to sift by them, too
  Evidence evidence_;
  Asking asking_;
  Experiments experiments_;
  EquivalenceLedger ledger_;
  Confirming confirming_;
  Waiting waiting_;
  std::optional<UnitModel> representative_;
  std::optional<NanRule> nan_rule_;     ///< of the model that is confirmed
  MutantsTold mutants_;                 ///< of the model that was confirmed last
  std::size_t mutants_asked_ = 0;       ///< inputs, in all
  bool confirmed_ = false;              ///< by all of the device's answers to confirming inputs
  std::optional<Ending> stopped_;       ///< why no more can be asked
  std::optional<DotInput> would_tell_;  ///< survivors apart, and nobody can be asked
  Identification result_;
  Stopwatch watch_;
};

}  // namespace

Identification identify(const Space& space, VersionSpace start, Subject subject,
                        const Instruction& instruction, std::vector<Observation> known,
                        const IdentifyOptions& options, const IdentifyHooks& hooks) {
  return Run(space, std::move(start), subject, instruction, options, hooks)(std::move(known));
}

}  // namespace mmaprint
