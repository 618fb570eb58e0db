#include "inference/check.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <tuple>
#include <utility>

#include "inference/by_need.h"
#include "inference/experiments.h"
#include "inference/refutation.h"
#include "inference/scan.h"
#include "model/evaluator.h"

namespace mmaprint {
namespace {

/// How hard a disagreement is to follow by hand, smaller is easier: NaNs, nonzero products, set digits of
/// significands.
std::tuple<bool, int, int> difficulty(const UnitModel& model, const Observation& seen, Pattern predicted) {
  const Signature& formats = model.formats;
  return {is_nan(formats.d, seen.d) || is_nan(formats.d, predicted),
          nonzero_products(formats, product_kinds(model), seen.input), significand_bits(formats, seen.input)};
}

/// The disagreement that is easiest to follow; of equally easy ones the first.
struct Easiest {
  std::tuple<bool, int, int> how;
  std::size_t index;
  Pattern predicted;
  friend bool operator<(const Easiest& x, const Easiest& y) {
    return std::tie(x.how, x.index) < std::tie(y.how, y.index);
  }
};

void check_full(const UnitModel& model, const CheckedRecords& records, const CheckOptions& options,
                CheckResult& result) {
  const Evaluator evaluator(model);
  const ObservationTable& observations = records.observations();
  std::optional<Easiest> easiest;
  std::mutex gathering;
  const auto look = [&](std::size_t first, std::size_t last) {
    std::optional<Easiest> mine;
    std::size_t disagreeing = 0;
    Observation seen;
    for (std::size_t i = first; i < last; ++i) {
      observations.read(i, seen);
      const Pattern predicted = evaluator(seen.input);
      if (predicted == as_modelled(model, seen.d)) continue;
      ++disagreeing;
      const Easiest candidate{difficulty(model, seen, predicted), i, predicted};
      if (!mine || candidate < *mine) mine = candidate;
    }
    const std::lock_guard lock(gathering);
    result.disagreeing += disagreeing;
    if (mine && (!easiest || *mine < *easiest)) easiest = mine;
  };
  result.counted = scan(records.size(), options.threads, options.deadline, look);
  if (!result.counted) result.reason = options.deadline.reason();
  if (easiest) {
    result.verdict = CheckResult::Verdict::inconsistent;
    result.refuting = {{records.record(easiest->index), {easiest->predicted}}};
    result.smallest = true;
  } else if (result.counted) {
    result.verdict = CheckResult::Verdict::consistent;
  }
}

/// What completions give for a record's input: the nearest one first, then a few others.
std::vector<Pattern> predictions(const ObservationRecord& record, const std::vector<Evaluator>& completions) {
  constexpr std::size_t kMost = 4;
  std::vector<Pattern> all;
  for (const Evaluator& completion : completions) {
    const Pattern d = completion(record.input);
    if (all.size() < kMost && std::ranges::find(all, d) == all.end()) all.push_back(d);
  }
  return all;
}

constexpr std::string_view kCarriedAreOpen =
    "nothing else explains the observations, and the bounded search has not refuted all units that carry "
    "sums "
    "on: state more of the unit";

Refutation refute_carried(const std::optional<Search>& carrying, const ObservationTable& observations,
                          const CheckOptions& options) {
  if (!carrying) return Refuted{};
  return refute_frugally(carrying->space, carrying->start(), observations,
                         {options.work_on_carried, options.seed}, options.threads, options.deadline);
}

/// Of observations that refute everything else, and of others that refute what carries sums on: a smallest
/// conflict with the former, and with the latter, where that one does not refute it, all of them.
Refuted joint_conflict(const Search& search, const Refuted& others, const std::optional<Search>& carrying,
                       const Refuted& carried, const ObservationTable& observations,
                       const CheckOptions& options) {
  Refuted conflict =
      smallest_conflict(search.space, search.start(), observations, others.observations, options.threads,
                        kConflictWork, options.deadline.within(options.seconds_for_smallest));
  ObservationTable few(search.space.formats, search.space.k);
  for (const std::size_t i : conflict.observations) few.add(observations[i]);
  if (std::holds_alternative<Refuted>(refute_carried(carrying, few, options))) return conflict;
  std::vector<std::size_t> both;
  std::ranges::set_union(conflict.observations, carried.observations, std::back_inserter(both));
  conflict.smallest = conflict.smallest && both.size() == conflict.observations.size();
  conflict.observations = std::move(both);
  return conflict;
}

void check_partial(const PartialModel& model, const CheckedRecords& records, const CheckOptions& options,
                   CheckResult& result) {
  const Deadline& deadline = options.deadline;
  const ObservationTable& observations = records.observations();
  if (model.features.nan && std::holds_alternative<NanRule>(*model.features.nan))
    throw BadInput(
        "features.nan: expected a pattern or null where there is no unit: which rule would complete it is "
        "not "
        "looked for");
  // A completion is any unit that is ever searched.
  Search search = search_for(model.instruction, model.k, model.formats, model.features);
  const auto answer = [&] {
    for (;;) {
      auto refutation = refute(search.space, search.start(), observations, options.threads, deadline);
      if (!std::holds_alternative<Refuted>(refutation)) return refutation;
      auto wider = search.wider();
      if (!wider) return refutation;
      search = *std::move(wider);
    }
  }();
  const Space& space = search.space;
  if (const auto* explained = std::get_if<Explained>(&answer)) {
    result.verdict = CheckResult::Verdict::consistent;
    result.completion = explained->model;
    return;
  }
  if (const auto* undecided = std::get_if<Undecided>(&answer)) {
    result.reason = undecided->too_many_sets ? kTooManySets : deadline.reason();
    return;
  }
  const auto carrying = search.carrying();
  const auto carried = refute_carried(carrying, observations, options);
  if (const auto* explained = std::get_if<Explained>(&carried)) {
    result.verdict = CheckResult::Verdict::consistent;
    result.completion = explained->model;
    return;
  }
  const PartialFeatures& stated = model.features;
  if (stated.family == Family::tree || (stated.c_enters && !*stated.c_enters)) {
    result.reason = "no tree of the space explains the observations, and there are others outside it";
    return;
  }
  if (std::holds_alternative<Undecided>(carried)) {
    result.reason = deadline.passed() ? deadline.reason() : kCarriedAreOpen;
    return;
  }
  result.verdict = CheckResult::Verdict::inconsistent;
  const Refuted refuted = joint_conflict(search, std::get<Refuted>(answer), carrying,
                                         std::get<Refuted>(carried), observations, options);
  result.smallest = refuted.smallest;
  Sampler sampler(space, options.seed);
  constexpr int kSampled = 64;
  const auto samples = sampler.some(search.start(), kSampled);
  const Nearest nearest = explains_most(space, search.start(), observations, samples.front(), options.seed,
                                        options.threads, deadline);
  result.completion = nearest.model;
  result.counted = nearest.explained.has_value();
  if (nearest.explained) result.disagreeing = observations.size() - *nearest.explained;
  std::vector<Evaluator> completions{Evaluator(nearest.model)};
  for (const UnitModel& sample : samples)
    if (!deadline.passed()) completions.emplace_back(sample);
  for (const std::size_t i : refuted.observations) {
    ObservationRecord record = records.record(i);
    std::vector<Pattern> predicted = predictions(record, completions);
    result.refuting.push_back({std::move(record), std::move(predicted)});
  }
}

}  // namespace

Instruction instruction_of(const AnyModel& model) {
  return std::visit([](const auto& m) { return Instruction{m.instruction, m.k, m.formats}; }, model);
}

CheckResult check(const AnyModel& model, const CheckedRecords& records, const CheckOptions& options) {
  CheckResult result;
  result.observations = records.size();
  const auto* full = std::get_if<UnitModel>(&model);
  result.contradictory = records.contradiction().has_value();
  if (full != nullptr)
    check_full(*full, records, options, result);
  else if (!result.contradictory)
    check_partial(std::get<PartialModel>(model), records, options, result);
  if (full != nullptr)
    result.products = product_kinds(*full);
  else if (result.completion)
    result.products = product_kinds(*result.completion);
  if (!result.contradictory) return result;
  const auto [first, second] = *records.contradiction();
  result.verdict = CheckResult::Verdict::inconsistent;
  result.smallest = true;
  result.refuting.clear();
  for (const std::size_t i : {first, second}) {
    result.refuting.push_back({records.record(i), {}});
    if (full != nullptr)
      result.refuting.back().predicted = {evaluate(*full, result.refuting.back().record.input)};
  }
  return result;
}

CheckResult check(const AnyModel& model, const std::vector<ObservationRecord>& records,
                  const CheckOptions& options) {
  CheckedRecords all(instruction_of(model));
  for (const auto& record : records) all.add(record);
  return check(model, all, options);
}

}  // namespace mmaprint
