#include "inference/confirm_model.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "base/stopwatch.h"
#include "inference/asking.h"
#include "inference/mutant_trial.h"

namespace mmaprint {
namespace {

class ConfirmRun {
 public:
  ConfirmRun(const UnitModel& model, MatmulUnit& unit, const Instruction& instruction,
             const IdentifyOptions& options, const IdentifyHooks& hooks)
      : model_(model),
        options_(options),
        hooks_(hooks),
        deadline_(options.seconds, hooks.stop),
        space_(default_space(instruction.name, instruction.k, instruction.formats)),
        asking_(unit, instruction, deadline_),
        experiments_(space_, options.seed, deadline_),
        ledger_(space_, options.solver, options.proof_steps, {options.seed, options.threads, hooks.stop},
                hooks.log),
        confirming_(space_, options.confirming_inputs, options.seed, experiments_,
                    [this](auto inputs, BatchSize& batch) { return answers(inputs, batch); }) {}

  ModelConfirmation operator()(const std::vector<Observation>& known) {
    asked_ = known.size();
    if (const auto agreed = confirmed(known); agreed)
      found_.verdict = *agreed ? AgreementVerdict::match : AgreementVerdict::mismatch;
    else
      say_why(ending_of(deadline_));
    found_.confirmation.inputs = confirming_.agreed();
    found_.confirmation.repeated = confirming_.repeated();
    if (found_.verdict == AgreementVerdict::mismatch && found_.reason.empty()) name_mutants(known);
    found_.device_calls = asking_.calls();
    found_.seconds = watch_.seconds();
    return std::move(found_);
  }

 private:
  void tell(std::string_view doing) {
    if (hooks_.progress) hooks_.progress({1, found_.seen.size(), watch_.seconds(), doing});
  }

  void say_why(const Ending& end) {
    if (!found_.reason.empty()) return;
    found_.reason = reason_of(end);
    found_.device_failed = device_failed(end);
  }

  std::optional<std::vector<Pattern>> answers(std::span<const DotInput> inputs, BatchSize& batch) {
    tell("asking the device");
    if (deadline_.passed()) return std::nullopt;
    if (options_.most_observations && std::cmp_greater(asked_ + inputs.size(), *options_.most_observations)) {
      say_why(ending::OutOfObservations{});
      return std::nullopt;
    }
    asked_ += inputs.size();
    auto answer = asking_(inputs, &batch);
    if (const auto* end = std::get_if<Ending>(&answer)) {
      say_why(*end);
      return std::nullopt;
    }
    return std::get<std::vector<Pattern>>(std::move(answer));
  }

  std::optional<bool> agrees(Confirming::Outcome outcome) {
    if (std::holds_alternative<Confirming::CutShort>(outcome)) return std::nullopt;
    auto* differs = std::get_if<Confirming::Differs>(&outcome);
    if (differs == nullptr) return true;
    if (differs->before) {
      found_.reason = kNotDeterministic;
      see({differs->seen.input, *differs->before});
    }
    see(std::move(differs->seen));
    return false;
  }
  void see(Observation observation) {
    if (hooks_.observed) hooks_.observed(observation);
    found_.seen.push_back(std::move(observation));
  }

  /// nullopt where not all was asked.
  std::optional<bool> confirmed(const std::vector<Observation>& known) {
    for (const Observation& o : known) {
      if (model_(o.input) == as_modelled(model_.model(), o.d)) continue;
      found_.seen = {o};
      return false;
    }
    for (auto&& part : {&Confirming::anywhere, &Confirming::at_edges, &Confirming::of_nans})
      if (const auto agreed = agrees((confirming_.*part)(model_)); agreed != true) return agreed;
    tell("looking for what the model could be mistaken for");
    auto [agreed, told] = try_mutants(
        Original(model_.model()), {options_.seed, options_.threads}, confirming_, known,
        options_.confirming_inputs + known.size(), ledger_, deadline_,
        [&](const std::vector<DotInput>& inputs) { return agrees(confirming_.on(inputs, model_)); });
    found_.confirmation.mutants = std::move(told);
    if (agreed != true) return agreed;
    return agrees(confirming_.again(known));
  }

  void name_mutants(const std::vector<Observation>& known) {
    tell("looking for what the unit could be");
    const Original original(model_.model());
    std::vector<Observation> all = known;
    std::ranges::copy(found_.seen, std::back_inserter(all));
    Budget budget(kExplainingWork);
    Mutants mutants = that_explain(mutants_of(original, kEveryMutant, 0), original, all, budget, deadline_);
    if (mutants.empty()) return;
    confirming_.ask_more(options_.confirming_inputs);
    for (const Mutant& mutant :
         that_explain(std::move(mutants), original, confirming_.answers(), budget, deadline_))
      found_.answers_like.push_back(mutant.name);
  }

  Evaluator model_;
  const IdentifyOptions& options_;
  const IdentifyHooks& hooks_;
  Deadline deadline_;
  Space space_;
  Asking asking_;
  Experiments experiments_;
  EquivalenceLedger ledger_;
  Confirming confirming_;
  std::size_t asked_ = 0;  ///< inputs, those of before included
  ModelConfirmation found_;
  Stopwatch watch_;
};

}  // namespace

ModelConfirmation confirm_model(const UnitModel& model, MatmulUnit& unit, const Instruction& instruction,
                                const std::vector<Observation>& known, const IdentifyOptions& options,
                                const IdentifyHooks& hooks) {
  return ConfirmRun(model, unit, instruction, options, hooks)(known);
}

}  // namespace mmaprint
