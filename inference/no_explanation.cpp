#include "inference/no_explanation.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/parallel.h"
#include "inference/mutation_analysis.h"
#include "inference/representative.h"

namespace mmaprint {
namespace {

/// Two results for one input, where there are such; else a smallest set of observations that refutes
/// everything, as far as the deadline lets it be looked for.
void find_conflict(const Evidence& evidence, const IdentifyOptions& options, const Deadline& soon,
                   NoExplanation& found) {
  const Space& space = evidence.space();
  const auto smallest_of = [&](const std::vector<Observation>& all, std::vector<std::size_t> known) {
    return smallest_conflict(space, evidence.start(), {space.formats, space.k, all}, std::move(known),
                             options.threads, options.conflict_work, soon);
  };
  const auto& all = evidence.observations();
  if (const auto& pair = evidence.contradiction()) {
    const auto [first, second] = *pair;
    const auto few = smallest_of({all[first], all[second]}, {0, 1});
    found.end = ending::NotDeterministic{first, second};
    found.conflict = {first, second};
    found.conflict_is_smallest = few.smallest && few.observations.size() == 2;
    return;
  }
  auto few = smallest_of(all, evidence.narrowing());
  found.conflict = std::move(few.observations);
  found.conflict_is_smallest = few.smallest;
}

constexpr std::size_t kAnswersToClimb = 500;
constexpr std::size_t kEveryAnswer = 10'000;

/// How many of the answers a model gives.
std::size_t explained(const UnitModel& model, std::span<const Observation> answers) {
  const Evaluator evaluator(model);
  return static_cast<std::size_t>(std::ranges::count_if(
      answers, [&](const Observation& o) { return evaluator(o.input) == as_modelled(model, o.d); }));
}

/// The space's models that differ from this one in one parameter, or in structure.
std::vector<UnitModel> beside(const Space& space, const VersionSpace& start, const UnitModel& model) {
  std::vector<UnitModel> all;
  for (const HypothesisSet& set : start) {
    const ParameterValues own = nearest(set.box, model);
    all.push_back(space.model(set.skeleton, own, constant_nan(model.nan)));
    if (space.skeleton(set) != skeleton_of(model)) continue;
    for (const ParameterKey& key : set.box.keys())
      for (const int index : set.box[key].values()) {
        ParameterValues other = own;
        set_value(other, key, index);
        all.push_back(space.model(set.skeleton, other, constant_nan(model.nan)));
      }
  }
  return all;
}

/// From one model to the next that explains more, as long as there is one; then it, and those beside it that
/// explain most. What a unit departs from explains most of its answers, if not those that tell models apart.
std::vector<UnitModel> climbed(const Evidence& evidence, UnitModel model,
                               std::span<const Observation> answers, int threads, const Deadline& deadline) {
  constexpr std::size_t kBeside = 24;
  constexpr int kLongestClimb = 50;  // in parameters; some are usual
  std::size_t most = explained(model, answers);
  for (int climbs = 0;; ++climbs) {
    std::vector<UnitModel> others = beside(evidence.space(), evidence.start(), model);
    std::vector<std::pair<std::size_t, std::size_t>> ranked(others.size());
    in_parallel(others.size(), threads, [&](std::size_t i) {
      ranked[i] = {deadline.passed() ? 0 : explained(others[i], answers), others.size() - i};
    });
    std::ranges::sort(ranked, std::greater());
    const auto place = [&](std::size_t rank) { return others.size() - ranked[rank].second; };
    if (ranked.empty() || ranked.front().first <= most || climbs == kLongestClimb) {
      std::vector<UnitModel> best{std::move(model)};
      for (std::size_t rank = 0; rank < std::min(kBeside, ranked.size()); ++rank)
        best.push_back(others[place(rank)]);
      return best;
    }
    most = ranked.front().first;
    model = others[place(0)];
  }
}

/// What the inputs have in common on which the nearest model is wrong; or another that explains more of the
/// unit's answers, if not of what was observed to tell models apart, and then is the nearest.
void find_trait(const std::vector<Observation>& observations, std::span<const Observation> answers,
                const std::vector<UnitModel>& likely, NoExplanation& found) {
  std::vector<Observation> all(answers.begin(), answers.end());
  std::ranges::copy(observations, std::back_inserter(all));
  found.in_common = trait_of_departures(*found.nearest, all);
  if (found.in_common || likely.empty()) return;
  const UnitModel& other = likely.front();
  if (explained(other, all) <= explained(*found.nearest, all)) return;
  found.in_common = trait_of_departures(other, all);
  if (!found.in_common) return;
  found.nearest = other;
  found.explained = explained(other, observations);
}

/// Mutants that give all that was answered, "one" or "one, or another"; empty where there is none. Some
/// observations are explained by many, so the unit is asked more where any does.
std::string explained_by_mutants(const std::vector<UnitModel>& models, const Suspects& suspects,
                                 const std::vector<Observation>& observations, const Deadline& deadline) {
  constexpr std::size_t kMostNamed = 3;
  Budget budget(kExplainingWork);
  std::vector<std::string> names;
  for (const UnitModel& suspect : models) {
    if (names.size() > kMostNamed) break;
    const Original original(suspect);
    Mutants mutants =
        that_explain(mutants_of(original, kEveryMutant, 0), original, observations, budget, deadline);
    for (const std::size_t count : {kAnswersToClimb, kEveryAnswer})
      if (!mutants.empty())
        mutants = that_explain(std::move(mutants), original, suspects.answers(count), budget, deadline);
    for (Mutant& mutant : mutants)
      if (std::ranges::find(names, mutant.name) == names.end()) names.push_back(std::move(mutant.name));
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i)
    text += (i == 0 ? "" : ", or ") + names[i];
  return names.size() > kMostNamed ? text + ", or another" : text;
}

}  // namespace

void NoExplanation::put_into(Identification& result) && {
  result.end = std::move(end);
  result.conflict = std::move(conflict);
  result.conflict_is_smallest = conflict_is_smallest;
  result.model = std::move(nearest);
  result.explained = explained;
  result.in_common = std::move(in_common);
}

std::vector<UnitModel> suspects_of(std::vector<UnitModel> before,
                                   std::initializer_list<std::optional<UnitModel>> more) {
  for (const auto& model : more)
    if (model && std::ranges::find(before, *model) == before.end()) before.push_back(*model);
  return before;
}

NoExplanation explain_nothing(const Evidence& evidence, const Suspects& suspects,
                              const IdentifyOptions& options, const Deadline& deadline,
                              const std::function<void(std::string_view)>& tell) {
  NoExplanation found;
  std::vector<UnitModel> models = suspects.models;
  if (evidence.last()) {  // else nothing was searched
    tell("looking for the nearest model");
    const Space& space = evidence.space();
    auto nearest =
        explains_most(space, evidence.start(), {space.formats, space.k, evidence.observations()},
                      *evidence.last(), options.seed, options.threads, deadline.within(kLongestConflict));
    const auto answers = suspects.answers(kAnswersToClimb);
    std::vector<UnitModel> likely;
    if (!answers.empty() && !evidence.contradiction())
      likely = climbed(evidence, nearest.model, answers, options.threads, deadline.within(kLongestConflict));
    for (const UnitModel& one : likely) models = suspects_of(std::move(models), {one});
    found.nearest = std::move(nearest.model);
    found.explained = nearest.explained;
    if (!evidence.contradiction()) find_trait(evidence.observations(), answers, likely, found);
  }
  if (!evidence.contradiction()) {
    tell("looking for what the unit could be");
    found.end = ending::NothingExplains{
        suspects.device_failure,
        explained_by_mutants(models, suspects, evidence.observations(), deadline.within(kLongestConflict))};
  }
  // At last, as it takes longest.
  tell("looking for the smallest conflict");
  find_conflict(evidence, options, deadline.within(kLongestConflict), found);
  return found;
}

}  // namespace mmaprint
