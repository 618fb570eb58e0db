#include "inference/nan_fit.h"

#include <algorithm>
#include <set>

#include "inference/evidence.h"
#include "inference/nan_inputs.h"
#include "model/evaluator.h"

namespace mmaprint {

std::vector<NanRule> all_nan_rules(Pattern generated) {
  std::vector<NanRule> all;
  for (const auto signalling : {NanRule::Signalling::alike, NanRule::Signalling::first})
    for (const auto invalid : {NanRule::Invalid::in_order, NanRule::Invalid::last, NanRule::Invalid::first})
      for (const auto products : {NanRule::Products::ascending, NanRule::Products::descending})
        for (const auto factors : {NanRule::Factors::a_first, NanRule::Factors::b_first})
          for (const auto sum : {NanRule::Sum::first, NanRule::Sum::last, NanRule::Sum::between})
            all.push_back({sum, products, factors, invalid, signalling, generated});
  return all;
}

NanFit::NanFit(const UnitModel& model, std::span<const Observation> seen)
    : model_(model), plan_(model.formats, model.k, skeleton_of(model)) {
  for (DotInput& input : nan_inputs(model)) {
    NanOperands operands = operands_of(input);
    made_.push_back({std::move(input), std::move(operands)});
  }
  for (const NanRule& rule : all_nan_rules(canonical_nan(model.formats.d))) candidates_.push_back({rule});
  for (const Observation& observation : seen) see(observation);
}

NanOperands NanFit::operands_of(const DotInput& input) const {
  return nan_operands(model_, plan_, input.a, input.b, input.c);
}

void NanFit::see(const Observation& observation) {
  const Format d = model_.formats.d;
  if (!is_nan(d, observation.d) || !is_nan(d, evaluate(model_, observation.input))) return;
  const NanOperands operands = operands_of(observation.input);
  std::erase_if(candidates_, [&](Candidate& candidate) {
    const auto through = let_through(operands, candidate.rule, plan_);
    if (!through && !candidate.generated_is_known) {
      candidate.rule.generated = observation.d;
      candidate.generated_is_known = true;
    }
    return through.value_or(candidate.rule.generated) != observation.d;
  });
}

std::optional<Pattern> NanFit::outcome(const Candidate& candidate, const NanOperands& operands) const {
  const auto through = let_through(operands, candidate.rule, plan_);
  return through || !candidate.generated_is_known ? through : candidate.rule.generated;
}

std::size_t NanFit::outcomes(const NanOperands& operands) const {
  std::set<std::optional<Pattern>> all;
  for (const Candidate& candidate : candidates_) all.insert(outcome(candidate, operands));
  return all.size() + (all.contains(std::nullopt) ? 1 : 0);  // what is not known is worth asking
}

std::optional<DotInput> NanFit::telling() const {
  if (candidates_.empty()) return std::nullopt;
  const Made* best = nullptr;
  std::size_t most = 1;
  for (const Made& made : made_)
    if (const std::size_t n = outcomes(made.operands); n > most) {
      most = n;
      best = &made;
    }
  return best != nullptr ? std::optional(best->input) : std::nullopt;
}

std::optional<NanRule> NanFit::rule() const {
  return candidates_.empty() ? std::nullopt : std::optional(candidates_.front().rule);
}

FittedNans fitted_nan_rule(const UnitModel& model, std::span<const Observation> seen, const AskForNan& ask) {
  const Format d = model.formats.d;
  if (!std::holds_alternative<SeveralNans>(model.nan) || !several_nan_patterns(d, seen)) return {};
  NanFit fit(model, seen);
  while (auto input = fit.telling()) {
    if (!ask) return {};
    const auto answer = ask(*input);
    if (!answer) return {std::nullopt, std::nullopt};
    if (!is_nan(d, *answer)) return {std::nullopt, false};
    fit.see({*std::move(input), *answer});
  }
  return {fit.rule(), true};
}

}  // namespace mmaprint
