#include "inference/characterise.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "inference/asking.h"
#include "inference/evidence.h"
#include "inference/experiments.h"
#include "inference/flow.h"
#include "inference/flow_log.h"
#include "inference/structure.h"
#include "model/evaluator.h"

namespace mmaprint {
namespace {

/// Rounds of bulk comparison and search before a model that still differs is given up.
constexpr int kMostRounds = 6;
/// Operands that nodes are run on before a search is given up that is tried before wider ones: some half a
/// minute of two cores.
constexpr std::int64_t kSiftingOfTried = 100'000'000;

// The stages, and what comes after each.
//
//   identify ──▶ compare ──▶ done
//    ▲  │  ▲        │
//    │  ▼  └────────┘ an input on which they differ
//   measure structure, widen, try carried sums, merge NaNs
struct Identify {};
/// Nothing explains what was observed: the structure is measured, and searched.
struct Measure {};
/// Nothing of that does: wider skeletons are searched, too.
struct Widen {};
/// Before the widest search, which takes longest: does a skeleton explain it that carries sums on? Given up
/// where that costs much; what is known then is that nothing of the other spaces explains the unit.
struct TryCarried {};
/// NaN results have several patterns, and nothing explains that: from here on they are not told apart.
struct MergeNans {};
struct Compare {};
struct Done {};
using Stage = std::variant<Identify, Measure, Widen, TryCarried, MergeNans, Compare, Done>;

/// A device is asked what tells most; a recording says its own in any order. Those come first that few of the
/// hypotheses explain, and of these the ones with few addends, on which evaluation by need splits less.
void put_what_tells_first(const Search& search, std::vector<Observation>& observations, std::uint64_t seed,
                          const Deadline& deadline) {
  constexpr std::size_t kSample = 64, kFewest = 4, kEvaluations = std::size_t{1} << 17;
  const std::size_t affordable = kEvaluations / std::max<std::size_t>(1, observations.size());
  if (affordable < kFewest) return;
  struct Rank {
    int explained_by = 0;
    std::size_t addends = 0;
    std::size_t place = 0;
    auto operator<=>(const Rank&) const = default;
  };
  const VersionSpace sets = search.start();
  std::vector<Rank> ranks(observations.size());
  for (std::size_t n = 0; n < ranks.size(); ++n) {
    const DotInput& in = observations[n].input;
    ranks[n] = {0, in.c != 0 ? 1U : 0U, n};
    for (std::size_t i = 0; i < in.a.size(); ++i) ranks[n].addends += in.a[i] != 0 && in.b[i] != 0 ? 1U : 0U;
  }
  Checkpoint late(deadline);
  const auto sample = static_cast<int>(std::min(kSample, affordable));
  for (const UnitModel& model : Sampler(search.space, seed).some(sets, sample)) {
    const Evaluator evaluator(model);
    for (Rank& rank : ranks) {
      if (late.passed()) return;
      const Observation& seen = observations[rank.place];
      rank.explained_by += evaluator(seen.input) == as_modelled(model, seen.d) ? 1 : 0;
    }
  }
  std::ranges::sort(ranks);
  std::vector<Observation> sorted;
  sorted.reserve(observations.size());
  for (const Rank& rank : ranks) sorted.push_back(std::move(observations[rank.place]));
  observations = std::move(sorted);
}

bool carries_sums(const Skeleton& skeleton) {
  return std::ranges::any_of(skeleton.tree.nodes, [](const Node& node) { return node.result.is_carried(); });
}

/// Did a search end by something else than its own work?
bool is_cut(const Ending& end) {
  return device_failed(end) || std::holds_alternative<ending::TimeUp>(end) ||
         std::holds_alternative<ending::Interrupted>(end) ||
         std::holds_alternative<ending::OutOfObservations>(end) ||
         std::holds_alternative<ending::JournalFailed>(end) ||
         std::holds_alternative<ending::NotDeterministic>(end);
}

class Characterising {
 public:
  Characterising(Search search, Subject subject, const Instruction& instruction,
                 const CharacteriseOptions& options, const CharacteriseHooks& hooks)
      : subject_(subject),
        instruction_(instruction),
        options_(options),
        hooks_(hooks),
        deadline_(options.identify.seconds, hooks.identify.stop),
        found_{std::move(search), {}, {}} {}

  Characterisation operator()(std::vector<Observation> known) {
    known_ = std::move(known);
    for (Stage stage = Identify{}; !std::holds_alternative<Done>(stage);)
      stage = std::visit([this](auto s) { return this->after(s); }, stage);
    return std::move(found_);
  }

 private:
  Stage after(Identify /*stage*/) {
    IdentifyOptions options = options_.identify;
    options.seconds = seconds_left();
    const bool is_recorded = std::holds_alternative<Recorded>(subject_);
    if (is_recorded && !deadline_.passed())
      put_what_tells_first(found_.search, known_, options.seed, deadline_);
    auto wider = found_.search.wider();
    options.explain_nothing = !wider;
    options.suspects = std::exchange(found_.result.suspects, {});
    options.known_wait = widened_ || is_recorded || flow::is_large(found_.search.size());
    found_.result = searched(found_.search, std::exchange(known_, {}), options);
    // A device that has failed may say no more than that when it is asked again.
    if (found_.result.device_failed() && failed_) found_.result.end = *failed_;
    if (may_merge_nans(found_.search.space, found_.result)) return MergeNans{};
    // Without time, too: the wider search then ends at once, not knowing whether anything explains the unit.
    if (wider && std::holds_alternative<ending::NothingExplains>(found_.result.end)) {
      if (may_measure()) return Measure{};
      const bool is_time_for_carried = !wider->wider() && !deadline_.passed();
      return is_time_for_carried && !std::exchange(tried_carried_, true) ? Stage(TryCarried{})
                                                                         : Stage(Widen{});
    }
    if (may_compare()) return Compare{};
    return Done{};
  }

  Stage after(Measure /*stage*/) {
    measured_ = true;
    const auto structure = structure_of(std::get<std::reference_wrapper<MatmulUnit>>(subject_));
    log_structure(hooks_.identify.log, instruction_.name, structure);
    if (!structure) return Widen{};
    std::optional<Search> given_up;
    for (const MeasuredSkeletons& what :
         measured_skeletons(*structure, instruction_.k, instruction_.formats)) {
      if (!options_.tries_carried && carries_sums(what.skeletons.front())) continue;
      const auto search = found_.search.measured(what);
      if (!search) continue;
      const Tried end = tried(*search, kSiftingOfTried);
      if (end.next) return *end.next;
      if (end.is_open && !given_up) given_up = search;
    }
    // More likely than what has another structure, whatever it takes.
    if (!given_up) return Widen{};
    return tried(*given_up, std::numeric_limits<std::int64_t>::max()).next.value_or(Widen{});
  }
  Stage after(TryCarried /*stage*/) {
    // Who states a hypothesis wants to know soon that it is wrong.
    const bool may_carry = options_.tries_carried && found_.search.assumed == PartialFeatures{};
    const auto carrying = may_carry ? found_.search.carrying() : std::nullopt;
    if (!carrying) return Widen{};
    return tried(*carrying, kSiftingOfTried).next.value_or(Widen{});  // whose search tells what this one cost
  }

  struct Tried {
    std::optional<Stage> next;  ///< none where the search goes on elsewhere
    bool is_open = false;       ///< it was given up, and may explain the unit
  };
  /// Another search, which is given up where it takes more than so many operands. Where nothing of it
  /// explains the unit, as far as was seen, what was observed remains.
  Tried tried(const Search& search, std::int64_t most_sifting) {
    const bool is_last = most_sifting == std::numeric_limits<std::int64_t>::max();
    IdentifyOptions options = options_.identify;
    options.seconds = seconds_left();
    options.explain_nothing = false;
    options.known_wait = true;
    options.most_sifting = most_sifting;
    log_tried(hooks_.identify.log, search.space.instruction, search.size());
    Identification tried = searched(search, found_.result.observations, options);
    if (may_merge_nans(search.space, tried)) {
      found_.result.observations = std::move(tried.observations);
      merge_nans();
      Search merged = search;
      merged.space.nan_results = NanResults::several;
      return this->tried(merged, most_sifting);
    }
    const bool is_open = tried.verdict() == Identification::Verdict::unknown;
    if (!tried.confirmed() && !is_cut(tried.end) && !(is_last && is_open)) {
      found_.result.observations = std::move(tried.observations);
      return {std::nullopt, is_open};
    }
    const bool found = tried.confirmed();
    found_.search = search;
    found_.result = std::move(tried);
    if (!found) return {Done{}};  // a journal goes on in the space before, with all that was observed
    if (hooks_.changed) hooks_.changed(found_.search, CharacteriseHooks::Change::widened);
    return {may_compare() ? Stage(Compare{}) : Stage(Done{})};
  }

  /// Asks for what was not observed before; each answer is an observation.
  [[nodiscard]] std::optional<Joining> structure_of(MatmulUnit& unit) {
    std::vector<Observation>& seen = found_.result.observations;
    std::map<DotInput, Pattern> answers;
    for (const Observation& o : seen) answers.emplace(o.input, o.d);
    Asking asking(std::ref(unit), instruction_, deadline_);
    const AskAll ask = [&](std::span<const DotInput> inputs) -> std::optional<std::vector<Pattern>> {
      if (failed_) return std::nullopt;
      std::set<DotInput> is_new;
      for (const DotInput& input : inputs)
        if (!answers.contains(input)) is_new.insert(input);
      const auto& most = options_.identify.most_observations;
      if (most && std::cmp_greater(seen.size() + is_new.size(), *most)) return std::nullopt;
      const std::vector<DotInput> asked(is_new.begin(), is_new.end());
      auto answer = asking(asked, nullptr);
      if (const auto* end = std::get_if<Ending>(&answer)) {
        if (const auto* failed = std::get_if<ending::DeviceFailed>(end)) failed_ = *failed;
        return std::nullopt;
      }
      const auto& d = std::get<std::vector<Pattern>>(answer);
      for (std::size_t i = 0; i < asked.size(); ++i) {
        seen.push_back({asked[i], d[i]});
        if (hooks_.identify.observed) hooks_.identify.observed(seen.back());
        answers.emplace(asked[i], d[i]);
      }
      std::vector<Pattern> all;
      all.reserve(inputs.size());
      for (const DotInput& input : inputs) all.push_back(answers.at(input));
      return all;
    };
    auto structure = measured_structure(instruction_.k, instruction_.formats, ask);
    costs_.device_calls += asking.calls();
    costs_.device_seconds += asking.seconds();
    return structure;
  }

  Stage after(Widen /*stage*/) {
    found_.search = *found_.search.wider();
    widened_ = true;
    if (hooks_.changed) hooks_.changed(found_.search, CharacteriseHooks::Change::widened);
    known_ = std::move(found_.result.observations);
    return Identify{};
  }

  void merge_nans() {
    found_.search.space.nan_results = NanResults::several;
    if (hooks_.changed) hooks_.changed(found_.search, CharacteriseHooks::Change::nans_merged);
  }
  Stage after(MergeNans /*stage*/) {
    merge_nans();
    known_ = std::move(found_.result.observations);
    return Identify{};
  }

  Stage after(Compare /*stage*/) {
    ++rounds_;
    validate();
    if (found_.validation->verdict != AgreementVerdict::mismatch) return Done{};
    if (rounds_ == kMostRounds || found_.validation->examples.empty()) {
      found_.result.end = ending::DiffersInBulk{};
      return Done{};
    }
    known_ = std::move(found_.result.observations);
    for (const Mismatch& m : found_.validation->examples) {
      if (hooks_.identify.observed) hooks_.identify.observed(m.seen);
      known_.push_back(m.seen);
    }
    return Identify{};
  }

  static Stage after(Done stage) { return stage; }

  /// One search. What it cost is told together with the searches before.
  Identification searched(const Search& search, std::vector<Observation> known,
                          const IdentifyOptions& options) {
    Identification result = identify(search.space, search.start(), subject_, instruction_, std::move(known),
                                     options, hooks_.identify);
    costs_.device_calls = result.device_calls += costs_.device_calls;
    costs_.seconds = result.seconds += costs_.seconds;
    costs_.solver_seconds = result.solver_seconds += costs_.solver_seconds;
    costs_.device_seconds = result.device_seconds += costs_.device_seconds;
    return result;
  }

  [[nodiscard]] static bool may_merge_nans(const Space& space, const Identification& result) {
    return std::holds_alternative<ending::NothingExplains>(result.end) &&
           space.nan_results != NanResults::several &&
           several_nan_patterns(space.formats.d, result.observations);
  }
  [[nodiscard]] bool may_measure() const {
    return !measured_ && std::holds_alternative<std::reference_wrapper<MatmulUnit>>(subject_) &&
           instruction_.k > 1 && !info(instruction_.formats.d).is_integer() && !deadline_.passed() &&
           found_.search.assumed == PartialFeatures{};
  }
  [[nodiscard]] bool may_compare() const {
    const Identification& result = found_.result;
    return options_.vectors != 0 && std::holds_alternative<std::reference_wrapper<MatmulUnit>>(subject_) &&
           result.model && result.verdict() != Identification::Verdict::none && !result.device_failed();
  }

  [[nodiscard]] std::optional<double> seconds_left() const {
    return options_.identify.seconds ? std::optional(deadline_.remaining()) : std::nullopt;
  }

  void validate() {
    const ValidateOptions options{options_.vectors, options_.identify.seed, options_.identify.threads,
                                  seconds_left(), hooks_.identify.stop};
    MatmulUnit& unit = std::get<std::reference_wrapper<MatmulUnit>>(subject_);
    found_.validation = validate_on(unit, instruction_, *found_.result.model, options, hooks_.validating);
  }

  Subject subject_;
  const Instruction& instruction_;
  const CharacteriseOptions& options_;
  const CharacteriseHooks& hooks_;
  Deadline deadline_;
  Characterisation found_;
  Identification costs_;                        ///< of all searches: calls and seconds alone
  std::vector<Observation> known_;              ///< what the next identification begins with
  std::optional<ending::DeviceFailed> failed_;  ///< while the structure was measured
  int rounds_ = 0;                              ///< of bulk comparison
  bool widened_ = false, measured_ = false, tried_carried_ = false;
};

}  // namespace

Characterisation characterise(Search search, Subject subject, const Instruction& instruction,
                              std::vector<Observation> known, const CharacteriseOptions& options,
                              const CharacteriseHooks& hooks) {
  return Characterising(std::move(search), subject, instruction, options, hooks)(std::move(known));
}

}  // namespace mmaprint
