#include "inference/refutation.h"

#include <algorithm>
#include <utility>

#include "base/budget.h"
#include "inference/by_need.h"
#include "inference/experiments.h"
#include "inference/hitting_set.h"
#include "inference/representative.h"
#include "inference/scan.h"

namespace mmaprint {
namespace {

using Indices = std::vector<std::size_t>;

/// Any NaN pattern is as good as any other until one was seen; then that one counts.
VersionSpace with_seen_nan(VersionSpace sets, Format d, const ObservationTable& observations) {
  for (std::size_t i = 0; i < observations.size(); ++i) {
    if (!is_nan(d, observations.d(i))) continue;
    for (auto& set : sets)
      if (!set.nan) set.nan = observations.d(i);
    break;
  }
  return sets;
}

UnitModel plainest_of(const Space& space, const VersionSpace& sets) {
  return space.model(sets.front().skeleton, plainest(sets.front().box), sets.front().nan);
}

/// The search for a smaller conflict than one that is known.
class Minimising {
 public:
  Minimising(const Space& space, const VersionSpace& whole, const ObservationTable& observations,
             Indices known, int threads, std::int64_t work, const Deadline& deadline)
      : space_(space),
        whole_(whole),
        observations_(observations),
        threads_(threads),
        work_(work),
        deadline_(deadline),
        best_{std::move(known), false},
        sampler_(space, 1),
        collected_(observations, threads) {}

  Refuted operator()() {
    if (whole_.empty()) return {{}, true};
    // Half of the work for a smallest one; then what is known can at least be made smaller.
    const Deadline half = deadline_.within(deadline_.remaining() / 2);
    if (auto smallest = search(work_ / 2, half)) return {*std::move(smallest), true};
    leave_out();
    return best_;
  }

 private:
  static constexpr std::size_t kLargestSearched = 8;

  /// nullopt if none was found with so much work, or in time.
  std::optional<Indices> search(std::int64_t work, const Deadline& deadline) {
    if (!collect(with_seen_nan(whole_, space_.formats.d, observations_), 64, deadline)) return std::nullopt;
    while (auto chosen = done_ < work ? collected_.smallest(kLargestSearched, work - done_, done_, deadline)
                                      : std::nullopt) {
      const auto rest = left_by(*chosen, deadline);
      if (!rest) return std::nullopt;
      if (rest->empty()) return chosen;
      // Collect several that explain the set at once: each round costs an evaluation by need.
      if (!collect(*rest, 32, deadline)) return std::nullopt;
    }
    return std::nullopt;
  }

  bool collect(const VersionSpace& from, std::size_t most, const Deadline& deadline) {
    constexpr std::size_t kEvaluations = std::size_t{1} << 22;
    const std::size_t affordable = kEvaluations / std::max<std::size_t>(1, observations_.size());
    const auto count = static_cast<int>(std::clamp(affordable, std::size_t{1}, most));
    done_ += count * static_cast<std::int64_t>(observations_.size()) * (space_.k + 1) / kOperandsOfWork;
    return collected_.add(sampler_.some(from, count), deadline);
  }

  /// What some observations leave of the whole, whatever the NaN pattern: with fewer another one may do.
  std::optional<VersionSpace> left_by(const Indices& some, const Deadline& deadline) {
    std::optional left = whole_;
    for (const std::size_t i : some) {
      Sifting spent;
      left = refine(space_, *left, observations_[i], threads_, deadline, &spent);
      done_ += spent.operands;
      if (!left || left->empty()) break;
    }
    return left;
  }

  /// Observations that can be spared one at a time are: no longer a smallest set, but a small one.
  void leave_out() {
    for (std::size_t i = best_.observations.size(); i-- > 0 && done_ < work_ && !deadline_.passed();) {
      Indices fewer = best_.observations;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      const auto rest = left_by(fewer, deadline_);
      if (rest && rest->empty()) best_.observations = std::move(fewer);
    }
  }

  const Space& space_;
  const VersionSpace& whole_;
  const ObservationTable& observations_;
  int threads_;
  std::int64_t work_, done_ = 0;  ///< that may be done, and that was
  const Deadline& deadline_;
  Refuted best_;
  Sampler sampler_;
  Refutations collected_;
};

/// The model that explains most, of those that are offered.
class Contest {
 public:
  Contest(const ObservationTable& observations, int threads, const Deadline& deadline)
      : observations_(observations), threads_(threads), deadline_(deadline) {}

  /// Counts on some observations, spread evenly; on all where there are few.
  void offer(const UnitModel& model) {
    if (deadline_.passed()) return;
    const std::size_t step = std::max<std::size_t>(1, observations_.size() / kSome);
    const Evaluator evaluator(model);
    std::size_t explained = 0;
    for (std::size_t i = 0; i < observations_.size(); i += step)
      explained += agrees(evaluator, observations_[i]) ? 1U : 0U;
    best_.emplace_back(explained, model);
    std::ranges::stable_sort(best_, std::greater<>(), &Entry::first);
    if (best_.size() > kFinalists) best_.pop_back();
  }
  /// Of the best by some observations the best by all.
  [[nodiscard]] std::optional<Nearest> winner() const {
    std::optional<Nearest> nearest;
    for (const auto& [some, model] : best_) {
      const auto explained = agreeing(Evaluator(model), observations_, threads_, deadline_);
      if (explained && (!nearest || *explained > nearest->explained)) nearest = Nearest{model, explained};
    }
    return nearest;
  }

 private:
  static constexpr std::size_t kSome = 2048;
  static constexpr std::size_t kFinalists = 4;
  using Entry = std::pair<std::size_t, UnitModel>;

  const ObservationTable& observations_;
  int threads_;
  const Deadline& deadline_;
  std::vector<Entry> best_;
};

/// Hypotheses that explain many of the observations: each one that some explain narrows them.
VersionSpace explaining_many(const Space& space, VersionSpace sets, const ObservationTable& observations,
                             int threads, const Deadline& deadline) {
  constexpr std::size_t kFew = 300;
  Budget budget(kConflictWork);
  std::size_t next = 0;
  for (std::size_t step = 0; step < kFew && next < observations.size() && !budget.is_spent();
       ++step, ++next) {
    if (observations.size() > kFew) {
      const auto missed =
          first_disagreement(Evaluator(plainest_of(space, sets)), observations, next, threads, deadline);
      if (!missed || *missed < next) break;
      next = *missed;
    }
    Sifting spent;
    auto narrowed = refine(space, sets, observations[next], threads, deadline, &spent);
    if (!narrowed) break;
    budget.spend(spent.operands);
    if (!narrowed->empty()) sets = *std::move(narrowed);
  }
  return sets;
}

/// Observations that a model does not give, a few of them, from one on.
Indices missed_by(const UnitModel& model, const ObservationTable& observations, std::size_t from, int threads,
                  const Deadline& deadline) {
  constexpr std::size_t kFew = 64;
  const Evaluator evaluator(model);
  Indices missed;
  while (missed.size() < kFew && !deadline.passed()) {
    const auto next = first_disagreement(evaluator, observations, from, threads, deadline);
    if (!next || (!missed.empty() && *next == missed.front())) break;
    missed.push_back(*next);
    from = *next + 1;
  }
  return missed;
}

}  // namespace

Refutation refute(const Space& space, const VersionSpace& whole, const ObservationTable& observations,
                  int threads, const Deadline& deadline) {
  auto left = whole;
  Indices used;
  for (std::size_t next = 0; !left.empty();) {
    UnitModel candidate = plainest_of(space, left);
    const auto missed = first_disagreement(Evaluator(candidate), observations, next, threads, deadline);
    if (deadline.passed()) return Undecided{};
    if (!missed) return Explained{std::move(candidate)};
    Sifting spent;
    auto narrowed = refine(space, left, observations[*missed], threads, deadline, &spent);
    if (!narrowed) return Undecided{spent.too_many_sets};
    left = *std::move(narrowed);
    if (std::ranges::find(used, *missed) != used.end())
      throw std::logic_error("internal error: an observation was drawn conclusions from in vain");
    used.push_back(*missed);
    next = *missed + 1;
  }
  std::ranges::sort(used);
  return Refuted{std::move(used), false};
}

Refutation refute_frugally(const Space& space, const VersionSpace& whole,
                           const ObservationTable& observations, const Frugality& frugality, int threads,
                           const Deadline& deadline) {
  constexpr int kSample = 48;  // hypotheses that observations are tried on
  Experiments experiments(space, frugality.seed, deadline, threads);
  auto left = whole;
  Indices used;
  Sifting spent;
  for (std::size_t next = 0; !left.empty();) {
    UnitModel candidate = plainest_of(space, left);
    const Indices missed = missed_by(candidate, observations, next, threads, deadline);
    if (deadline.passed()) return Undecided{};
    if (missed.empty()) return Explained{std::move(candidate)};
    std::vector<Observation> offered;
    for (const std::size_t i : missed) offered.push_back(observations[i]);
    const auto best =
        experiments.most_for_its_cost(left, offered, kSample, Experiments::Patience::much).value_or(0);
    if (spent.operands + experiments.tried() > frugality.work) return Undecided{true};
    auto narrowed = refine(space, left, offered[best], threads, deadline, &spent);
    if (!narrowed) return Undecided{spent.too_many_sets};
    left = *std::move(narrowed);
    used.push_back(missed[best]);
    next = missed[best] + 1;
  }
  std::ranges::sort(used);
  return Refuted{std::move(used), false};
}

Refuted smallest_conflict(const Space& space, const VersionSpace& whole, const ObservationTable& observations,
                          std::vector<std::size_t> known, int threads, std::int64_t work,
                          const Deadline& deadline) {
  return Minimising(space, whole, observations, std::move(known), threads, work, deadline)();
}

Nearest explains_most(const Space& space, const VersionSpace& whole, const ObservationTable& observations,
                      const UnitModel& likely, std::uint64_t seed, int threads, const Deadline& deadline) {
  constexpr int kOfAll = 200;
  constexpr int kOfGood = 50;
  // Even where the time is up this much is worth while: how near the nearest comes.
  const Deadline grace(0.3);
  Contest contest(observations, threads, deadline);
  contest.offer(likely);
  if (!whole.empty() && !deadline.passed()) {
    const auto start = with_seen_nan(whole, space.formats.d, observations);
    const auto good = explaining_many(space, start, observations, threads, deadline);
    contest.offer(plainest_of(space, good));
    Sampler sampler(space, seed);
    for (const UnitModel& model : sampler.some(good, kOfGood)) contest.offer(model);
    for (const UnitModel& model : sampler.some(start, kOfAll)) contest.offer(model);
  }
  if (auto nearest = contest.winner()) return *std::move(nearest);
  return {likely, agreeing(Evaluator(likely), observations, threads, grace)};
}

}  // namespace mmaprint
