#include "inference/identify.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "inference/by_need.h"
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

double count(const std::vector<HypothesisSet>& sets) {
  double n = 0;
  for (const auto& s : sets) n += s.box.size();
  return n;
}

/// Above this many hypotheses only inputs of few addends are asked: they split into fewer parts.
constexpr double kManyHypotheses = 1e10;

/// Inputs of one call to the device; a child process answers that many well within its time.
constexpr std::size_t kValidationBatch = 1024;

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
        engine_(make_engine(options.solver)),
        experiments_(space, options.seed) {}

  Identification operator()(std::vector<Observation> known) {
    for (auto& o : known) take(std::move(o));
    if (unit_.recorded(instruction_.name) == nullptr) do
        experiment();
      while (surprised());
    if (result_.verdict != Identification::Verdict::none && !sets_.empty()) conclude();
    if (sets_.empty()) contradict();
    result_.seconds = seconds_since(began_);
    return std::move(result_);
  }

 private:
  /// No more to do: refuted, failed, or out of budget.
  bool ended() {
    if (sets_.empty() || result_.device_failed || exhausted_) return true;
    if (hooks_.stop.stop_requested()) return stop("interrupted");
    if (options_.seconds && seconds_since(began_) >= *options_.seconds) return stop("time limit reached");
    return false;
  }
  bool stop(const char* why) {
    if (result_.reason.empty()) result_.reason = why;
    return true;
  }
  bool may_ask() {
    if (options_.most_observations &&
        std::cmp_greater_equal(result_.observations.size(), *options_.most_observations))
      return !stop("observation limit reached");
    return true;
  }

  void tell(std::string_view doing) {
    if (hooks_.progress)
      hooks_.progress({count(sets_), result_.observations.size(), seconds_since(began_), doing});
  }

  void take(Observation observation) {
    if (sets_.empty()) {
      result_.observations.push_back(std::move(observation));
      return;
    }
    tell("drawing conclusions");
    sets_ = consistent(space_, sets_, observation, options_.threads);
    experiments_.remember(observation.input);
    result_.observations.push_back(std::move(observation));
    std::erase_if(proved_, [&](const SurvivorClass& c) {
      return std::ranges::none_of(
          sets_, [&](const HypothesisSet& s) { return s.chain == c.set.chain && s.box == c.set.box; });
    });
  }

  /// The device's results for all inputs, or none.
  std::optional<std::vector<Pattern>> answers(std::span<const DotInput> inputs) {
    tell("asking the device");
    const auto at = Clock::now();
    RunResult answer = unit_.run(instruction_, inputs);
    result_.device_seconds += seconds_since(at);
    ++result_.device_calls;
    if (const auto* failure = std::get_if<DeviceFailure>(&answer)) {
      result_.device_failed = true;
      result_.reason = failure->message;
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

  /// Does the device answer random inputs as the representative does? Experiments only ask what splits the
  /// space, so a unit that lies outside of it might never show. An answer that differs is an observation:
  /// true, and the search goes on.
  bool surprised() {
    if (ended() || !may_ask()) return false;
    const Evaluator expected(representative());
    for (std::size_t left = options_.validation_inputs; left > 0;) {
      if (ended()) return false;
      std::vector<DotInput> inputs = experiments_.various(std::min(left, kValidationBatch));
      left -= inputs.size();
      const auto seen = answers(inputs);
      if (!seen) return false;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (expected(inputs[i]) == (*seen)[i]) continue;
        result_.validated = 0;
        observe({std::move(inputs[i]), (*seen)[i]});
        return true;
      }
      result_.validated += inputs.size();
    }
    return false;
  }

  /// Random experiments, then the solver's, until neither splits what is left.
  void experiment() {
    if (ended() || (!sets_.front().nan && !ask(experiments_.with_nan()))) return;
    while (!ended()) {
      tell("looking for an input that tells");
      const bool many = count(sets_) > kManyHypotheses;
      auto input = experiments_.best(sets_, many ? Effort::few_addends : Effort::any, many ? 150 : 400, 48);
      if (!input && !many) input = experiments_.best(sets_, Effort::any, 1500, 96);
      if (!input && !many) input = experiments_.best(sets_, Effort::edges, 4000, 96);
      if (!input) {
        input = solver_experiment();
        if (!input) return;
      }
      if (!ask(*input)) return;
    }
  }

  UnitModel representative() {
    if (representative_ && contains(space_, sets_, *representative_)) return *representative_;
    proved_.clear();
    const auto largest =
        std::ranges::max_element(sets_, {}, [](const HypothesisSet& s) { return s.box.size(); });
    representative_ = space_.model(largest->chain, plainest(largest->box), largest->nan);
    return *representative_;
  }

  Distinction compare(const UnitModel& model, const Side& side, double seconds,
                      const Restriction& where = {}) {
    return timed([&] { return engine_->distinguish(model, side, where, limits(seconds)); });
  }

  /// An input on which some survivor differs from the representative, if the solver finds one. On the way
  /// every set that has none is noted as proved; one that the solver gives up on stays open.
  std::optional<DotInput> solver_experiment() {
    const UnitModel model = representative();
    tell("comparing survivors with the solver");
    for (const UnitModel& other : neighbours(space_, sets_, model)) {
      if (ended()) return std::nullopt;
      if (result_.solver_seconds >= options_.proof_seconds / 2) break;
      if (std::ranges::find(compared_, std::pair(model, other)) != compared_.end()) continue;
      compared_.emplace_back(model, other);
      if (auto input = difference(model, other)) return input;
    }
    for (const HypothesisSet& set : sets_) {
      if (ended()) return std::nullopt;
      const bool done = std::ranges::any_of(
          proved_, [&](const SurvivorClass& c) { return c.set.chain == set.chain && c.set.box == set.box; });
      if (done) continue;
      const auto at = Clock::now();
      const auto answer = prove(model, Hypotheses{&space_, set});
      SurvivorClass entry{set, SurvivorClass::Standing::open, 0, seconds_since(at), std::nullopt};
      if (const auto* w = std::get_if<Witness>(&answer))
        return replayed(model, space_.model(set.chain, *w->right, set.nan), w->input);
      if (const auto* e = std::get_if<Equivalent>(&answer)) {
        entry.standing = SurvivorClass::Standing::proved;
        entry.clauses = e->clauses;
      }
      proved_.push_back(std::move(entry));
    }
    return std::nullopt;
  }

  template <class Ask>
  Distinction timed(Ask&& ask) {
    const auto at = Clock::now();
    auto answer = ask();
    result_.solver_seconds += seconds_since(at);
    return answer;
  }

  /// Node by node first: one block's formula is far smaller than a chain's, and equal nodes make equal units.
  Distinction prove(const UnitModel& model, const Hypotheses& set) {
    const auto left_over = [&] {
      return std::max(0.5, options_.proof_seconds * 1.5 - result_.solver_seconds);
    };
    if (model.tree.nodes.size() > 1) {
      auto answer = timed([&] { return compare_by_nodes(*engine_, model, set, limits(left_over() / 2)); });
      if (std::holds_alternative<Equivalent>(answer)) return answer;
    }
    return compare(model, set, left_over());
  }

  Limits limits(double seconds) const {
    Limits limits;
    limits.stop = hooks_.stop;
    limits.seconds = options_.seconds
                         ? std::min(seconds, std::max(0.0, *options_.seconds - seconds_since(began_)))
                         : seconds;
    return limits;
  }

  /// Small inputs first: there the formula is small, and so is the witness.
  std::optional<DotInput> difference(const UnitModel& x, const UnitModel& y) {
    std::vector<bool> few(static_cast<std::size_t>(space_.k), false);
    for (std::size_t k = 0; k < few.size(); k += std::max<std::size_t>(1, few.size() / 3)) few[k] = true;
    Restriction c_alone;
    c_alone.products = std::vector<bool>(few.size(), false);
    Restriction small;
    small.products = few;
    small.leading_fraction_bits = 3;
    Restriction powers;
    powers.leading_fraction_bits = 0;
    const auto by_nodes = timed([&] { return compare_by_nodes(*engine_, x, y, limits(0.5)); });
    if (std::holds_alternative<Equivalent>(by_nodes)) return std::nullopt;
    const std::pair<Restriction, double> steps[] = {
        {c_alone, 0.3}, {small, 0.5}, {powers, 0.5}, {Restriction{}, 1.5}};
    for (const auto& [where, seconds] : steps) {
      const auto answer = compare(x, y, seconds, where);
      if (const auto* w = std::get_if<Witness>(&answer)) return replayed(x, y, w->input);
    }
    return std::nullopt;
  }

  /// A witness that the concrete evaluator does not confirm is an error of ours, never data.
  DotInput replayed(const UnitModel& x, const UnitModel& y, const DotInput& input) {
    if (evaluate(x, input) == evaluate(y, input))
      throw std::logic_error(
          "internal error: the solver's witness does not distinguish the models when evaluated");
    return input;
  }

  void conclude() {
    result_.model = representative();
    // A recording, or a run that ended early: how the survivors stand is still worth telling.
    if (proved_.size() < sets_.size() && result_.reason.empty() &&
        unit_.recorded(instruction_.name) != nullptr) {
      if (auto w = solver_experiment()) {
        exhausted_ = true;
        stop("the device can answer nothing more");
      }
    }
    bool all_proved = true;
    for (const HypothesisSet& set : sets_) {
      const auto entry = std::ranges::find_if(
          proved_, [&](const SurvivorClass& c) { return c.set.chain == set.chain && c.set.box == set.box; });
      result_.survivors.push_back(entry == proved_.end()
                                      ? SurvivorClass{set, SurvivorClass::Standing::open, 0, 0, std::nullopt}
                                      : *entry);
      all_proved = all_proved && result_.survivors.back().standing == SurvivorClass::Standing::proved;
    }
    const bool one = sets_.size() == 1 && sets_.front().box.size() == 1;
    if (!sets_.front().nan) {
      all_proved = false;
      stop("no NaN result was observed, so its pattern is open");
    }
    if (one && sets_.front().nan)
      result_.verdict = Identification::Verdict::unique;
    else if (all_proved)
      result_.verdict = Identification::Verdict::equivalent;
    else
      stop("some survivors are neither proved equal nor told apart");
    if (result_.verdict != Identification::Verdict::unknown) result_.reason.clear();
  }

  void contradict() {
    result_.verdict = Identification::Verdict::none;
    result_.survivors.clear();
    tell("looking for the smallest conflict");
    const auto refutation =
        refute(space_, start_, result_.observations, options_.threads, options_.proof_seconds);
    if (const auto* conflict = std::get_if<Refuted>(&refutation)) {
      result_.conflict = conflict->observations;
      result_.conflict_is_smallest = conflict->smallest;
    }
    const auto nearest = explains_most(space_, start_, result_.observations, options_.seed);
    result_.model = nearest.model;
    result_.explained = nearest.explained;
  }

  const Space& space_;
  std::vector<HypothesisSet> start_, sets_;
  MatmulUnit& unit_;
  const Instruction& instruction_;
  const IdentifyOptions& options_;
  const IdentifyHooks& hooks_;
  std::unique_ptr<Engine> engine_;
  Experiments experiments_;
  std::optional<UnitModel> representative_;
  std::vector<SurvivorClass> proved_;
  std::vector<std::pair<UnitModel, UnitModel>> compared_;
  bool exhausted_ = false;
  Identification result_;
  Clock::time_point began_ = Clock::now();
};

}  // namespace

Identification identify(const Space& space, std::vector<HypothesisSet> start, MatmulUnit& unit,
                        const Instruction& instruction, std::vector<Observation> known,
                        const IdentifyOptions& options, const IdentifyHooks& hooks) {
  return Run(space, std::move(start), unit, instruction, options, hooks)(std::move(known));
}

}  // namespace mmaprint
