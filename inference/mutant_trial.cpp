#include "inference/mutant_trial.h"

#include <algorithm>
#include <iterator>

#include "inference/representative.h"

namespace mmaprint {
namespace {

/// Steps of the solver for one mutant: few for all of them, as most that can be told need no more, and then
/// more. Those that stay open would take most of any number of steps.
constexpr std::int64_t kStepsEach[] = {1'500, 6'000};
/// For all of them: about a second.
constexpr std::int64_t kStepsOfAll = 24'000;
/// Whatever the number of threads, so many are compared before it is asked what is left.
constexpr std::size_t kProvedTogether = 4;

}  // namespace

MutantTrial::MutantTrial(Original original, const MutationOptions& options, EquivalenceLedger& ledger,
                         const Deadline& deadline)
    : model_(original.model),
      options_(options),
      analysis_(std::move(original), options),
      ledger_(ledger),
      deadline_(deadline) {}

std::optional<bool> MutantTrial::passed(std::initializer_list<std::span<const Observation>> answered,
                                        std::size_t most, const Ask& ask) {
  most_ = most;
  for (const std::span<const Observation> some : answered)
    if (!analysis_.kill(some, By::others, deadline_)) return std::nullopt;
  if (const auto agreed = asked(analysis_.telling(most_, deadline_), By::aim, ask); agreed != true)
    return agreed;
  return asked(proved(), By::solver, ask);
}

std::optional<bool> MutantTrial::asked(std::vector<DotInput> inputs, By by, const Ask& ask) {
  if (deadline_.passed()) return std::nullopt;
  if (inputs.size() > most_) inputs.resize(most_);
  if (inputs.empty()) return true;
  most_ -= inputs.size();
  const auto agreed = ask(inputs);
  if (agreed != true) return agreed;
  std::vector<Observation> answered;
  answered.reserve(inputs.size());
  for (DotInput& input : inputs) {
    const Pattern d = model_(input);
    answered.push_back({std::move(input), d});
  }
  return analysis_.kill(answered, by, deadline_) ? std::optional(true) : std::nullopt;
}

/// Notes mutants that are equal, and gives inputs on which others differ.
std::vector<DotInput> MutantTrial::proved() {
  std::vector<std::size_t> left = analysis_.open();
  std::erase_if(left, [&](std::size_t i) { return !analysis_[i].models.has_value(); });
  std::vector<DotInput> inputs;
  const std::int64_t before = ledger_.steps();
  for (const std::int64_t each : kStepsEach) {
    std::vector<std::size_t> undecided;
    for (std::size_t from = 0; from < left.size() && !deadline_.passed(); from += kProvedTogether) {
      const auto some = std::span(left).subspan(from, std::min(kProvedTogether, left.size() - from));
      const std::int64_t steps = std::min(ledger_.steps_left(), kStepsOfAll - (ledger_.steps() - before));
      if (steps < each * static_cast<std::int64_t>(some.size())) break;
      std::ranges::copy(proved(some, each, inputs), std::back_inserter(undecided));
    }
    left = std::move(undecided);
  }
  return inputs;
}

/// Those of them that are undecided.
std::vector<std::size_t> MutantTrial::proved(std::span<const std::size_t> some, std::int64_t steps,
                                             std::vector<DotInput>& inputs) {
  std::vector<Question> questions;
  for (const std::size_t i : some)
    questions.push_back({&analysis_[i].models->model, &analysis_[i].models->mutant});
  const auto answers = ledger_.compare(questions, steps, options_.threads, deadline_);
  std::vector<std::size_t> undecided;
  for (std::size_t i = 0; i < some.size(); ++i) {
    if (std::holds_alternative<Unknown>(answers[i])) undecided.push_back(some[i]);
    if (std::holds_alternative<Equivalent>(answers[i])) analysis_.note_equal(some[i]);
    if (const auto* witness = std::get_if<Witness>(&answers[i])) inputs.push_back(witness->input);
  }
  return undecided;
}

MutantsTold MutantTrial::told() const {
  MutantsTold told{analysis_.counts(), {}};
  for (const std::size_t i : analysis_.open()) told.open.push_back(analysis_[i].name);
  return told;
}

MutantsTried try_mutants(Original original, const MutationOptions& options, const Confirming& confirmed,
                         std::span<const Observation> observations, std::size_t asked,
                         EquivalenceLedger& ledger, const Deadline& deadline, const MutantTrial::Ask& ask) {
  MutantTrial trial(std::move(original), options, ledger, deadline);
  const auto agreed = trial.passed({observations, confirmed.answers(), confirmed.answers_at_edges()},
                                   kMostDeviceInputs - std::min(asked, kMostDeviceInputs), ask);
  return {agreed, trial.told()};
}

Box values_known(const Space& space, const VersionSpace& sets, const UnitModel& model) {
  for (const HypothesisSet& set : sets)
    if (contains(space, {set}, model)) return set.box;
  return Box(values_of(model));
}

}  // namespace mmaprint
