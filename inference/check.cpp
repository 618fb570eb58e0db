#include "inference/check.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "inference/experiments.h"
#include "inference/refutation.h"
#include "model/evaluator.h"

namespace mmaprint {
namespace {

using Verdict = CheckResult::Verdict;

/// How hard a disagreement is to follow by hand, smaller is easier: NaNs, nonzero products, set digits of
/// significands.
std::tuple<bool, int, int> difficulty(const UnitModel& model, const Observation& seen, Pattern predicted) {
  const OperandFormats& formats = model.formats;
  return {is_nan(formats.d, seen.d) || is_nan(formats.d, predicted),
          nonzero_products(formats, product_kinds(model), seen.input), significand_bits(formats, seen.input)};
}

/// As --formats takes them.
std::string formats_text(const OperandFormats& f) {
  std::string all(name(f.a));
  for (const Format format : {f.b, f.c, f.d}) all += "," + std::string(name(format));
  return all;
}

Observation observation_of(const ObservationRecord& record) { return {record.input, *record.d}; }

void require_match(const ObservationRecord& record, const Instruction& model) {
  if (record.formats != model.formats)
    throw BadInput(record.place() + ": formats: expected the model's, " + formats_text(model.formats) +
                   ", found " + formats_text(record.formats));
  if (std::cmp_not_equal(record.input.a.size(), model.k))
    throw BadInput(record.place() + ": a: expected " + std::to_string(model.k) +
                   " entries as the model has, found " + std::to_string(record.input.a.size()));
  if (!record.d) throw BadInput(record.place() + ": d: expected a result");
}

/// Two records with one input and different results; the records' count where there are none.
std::pair<std::size_t, std::size_t> contradiction(const std::vector<ObservationRecord>& records) {
  std::map<DotInput, std::size_t> seen;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto [place, fresh] = seen.emplace(records[i].input, i);
    if (!fresh) return {place->second, i};
  }
  return {records.size(), records.size()};
}

void check_full(const UnitModel& model, const std::vector<ObservationRecord>& records, CheckResult& result) {
  const Evaluator evaluator(model);
  std::optional<std::pair<std::tuple<bool, int, int>, std::size_t>> easiest;
  Pattern shown = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Pattern predicted = evaluator(records[i].input);
    if (predicted == as_modelled(model, *records[i].d)) continue;
    ++result.disagreeing;
    const std::pair candidate{difficulty(model, observation_of(records[i]), predicted), i};
    if (easiest && *easiest <= candidate) continue;
    easiest = candidate;
    shown = predicted;
  }
  result.verdict = easiest ? Verdict::inconsistent : Verdict::consistent;
  if (!easiest) return;
  result.refuting = {{records[easiest->second], {shown}}};
  result.smallest = true;
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

void check_partial(const PartialModel& model, const std::vector<ObservationRecord>& records,
                   const CheckOptions& options, CheckResult& result) {
  if (const auto outside = outside_space(model.features)) {
    result.reason = *outside;
    return;
  }
  const Search search(default_space(model.instruction, model.k, model.formats), model.features);
  std::vector<Observation> observations;
  observations.reserve(records.size());
  for (const auto& record : records) observations.push_back(observation_of(record));
  const auto answer = refute(search.space, search.start(), observations, options.threads, options.seconds);
  if (const auto* explained = std::get_if<Explained>(&answer)) {
    result.verdict = Verdict::consistent;
    result.completion = explained->model;
    return;
  }
  if (std::holds_alternative<Undecided>(answer)) {
    result.reason = "time limit reached";
    return;
  }
  result.verdict = Verdict::inconsistent;
  const auto& refuted = std::get<Refuted>(answer);
  result.smallest = refuted.smallest;
  const Nearest nearest = explains_most(search.space, search.start(), observations, options.seed);
  result.completion = nearest.model;
  result.disagreeing = observations.size() - nearest.explained;
  std::vector<Evaluator> completions{Evaluator(nearest.model)};
  Sampler sampler(search.space, options.seed);
  constexpr int kSampled = 64;
  for (int i = 0; i < kSampled; ++i) completions.emplace_back(sampler.one(search.start()));
  for (const std::size_t i : refuted.observations)
    result.refuting.push_back({records[i], predictions(records[i], completions)});
}

}  // namespace

Instruction instruction_of(const AnyModel& model) {
  return std::visit([](const auto& m) { return Instruction{m.instruction, m.k, m.formats}; }, model);
}

CheckResult check(const AnyModel& model, std::vector<ObservationRecord> records,
                  const CheckOptions& options) {
  const Instruction instruction = instruction_of(model);
  for (const auto& record : records) require_match(record, instruction);
  records = without_duplicates(std::move(records));

  CheckResult result;
  result.observations = records.size();
  const auto* full = std::get_if<UnitModel>(&model);
  const auto [first, second] = contradiction(records);
  result.contradictory = first < records.size();
  if (full != nullptr)
    check_full(*full, records, result);
  else if (!result.contradictory)
    check_partial(std::get<PartialModel>(model), records, options, result);
  if (full != nullptr)
    result.products = product_kinds(*full);
  else if (result.completion)
    result.products = product_kinds(*result.completion);
  if (!result.contradictory) return result;
  result.verdict = Verdict::inconsistent;
  result.smallest = true;
  result.refuting.clear();
  for (const std::size_t i : {first, second}) {
    result.refuting.push_back({records[i], {}});
    if (full != nullptr) result.refuting.back().predicted = {evaluate(*full, records[i].input)};
  }
  return result;
}

}  // namespace mmaprint
