// identify --confirm: one's own model against a device, without a search.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "cli/commands.h"
#include "cli/full_model.h"
#include "cli/instructions.h"
#include "inference/confirm_model.h"
#include "inference/confirmation_json.h"
#include "inference/journal.h"
#include "report/confirmation_text.h"

namespace mmaprint {
namespace {

/// The instruction that was named; the model has to have its K and formats.
Instruction instruction_for(const Source& source, const UnitModel& model, const IdentifyCommand& command) {
  if (std::holds_alternative<Recording>(source))
    throw BadInput("--confirm: expected a device that answers any input, found " + described(source).name +
                   ", which only replays");
  Instruction chosen = named_instructions(described(source), command.instructions).front();
  if (chosen.k != model.k || chosen.formats != model.formats)
    throw BadInput(fmt::format("{}: expected K and formats of {}, found K = {} and {}", *command.confirm,
                               chosen.name, model.k, to_json(model.formats).dump()));
  return chosen;
}

ExitCode exit_of(const ModelConfirmation& result) {
  if (result.device_failed) return ExitCode::device_failed;
  switch (result.verdict) {
    case AgreementVerdict::match:
      return ExitCode::yes;
    case AgreementVerdict::mismatch:
      return ExitCode::no;
    case AgreementVerdict::unknown:
      break;
  }
  return ExitCode::unknown;
}

class ConfirmRun {
 public:
  ConfirmRun(const IdentifyCommand& command, Session& session)
      : session_(session),
        model_(full_model(*command.confirm, session.deadline())),
        source_(open_or_throw(command.device, command.formats, command.device_timeout, session.deadline())),
        instruction_(instruction_for(source_, model_, command)),
        device_(well_formed(described(source_).name)) {
    if (!session.options().journal) return;
    journal_ =
        std::make_unique<Journal>(*session.options().journal,
                                  Provenance{version(), device_, session.options().seed}, session.deadline());
    for (const std::string& warning : journal_->warnings()) log_warning(warning);
    known_ = journal_->begin(Search(default_space(instruction_.name, instruction_.k, instruction_.formats)));
  }

  ExitCode operator()() {
    const ModelConfirmation result = confirm_model(model_, *std::get<std::unique_ptr<MatmulUnit>>(source_),
                                                   instruction_, known_, options(), hooks());
    session_.progress().clear();
    if (result.device_failed) log_error(result.reason);
    session_.print(
        [&](const Style& style) { return confirmation_text(model_, instruction_, result, device_, style); },
        [&] { return confirmation_document(model_, instruction_, result, device_); });
    if (!journal_failure_.empty()) log_error(journal_failure_);
    return journal_failure_.empty() ? exit_of(result) : ExitCode::device_failed;
  }

 private:
  [[nodiscard]] IdentifyOptions options() {
    const CommonOptions& o = session_.options();
    IdentifyOptions options;
    options.seed = o.seed;
    options.threads = o.threads;
    options.most_observations = o.max_observations;
    options.solver = o.solver;
    if (o.time_limit) options.seconds = session_.deadline().remaining();
    return options;
  }

  [[nodiscard]] IdentifyHooks hooks() {
    IdentifyHooks hooks;
    hooks.stop = session_.stop();
    hooks.log = &session_.log();
    hooks.observed = [this](const Observation& o) {
      if (!journal_ || !journal_failure_.empty()) return;
      try {
        journal_->record(instruction_.name, {&o, 1});
      } catch (const JournalFailure& failure) {
        journal_failure_ = failure.what();
      }
    };
    hooks.progress = [this](const Progress& p) { session_.progress().show(std::string(p.doing)); };
    return hooks;
  }

  Session& session_;
  UnitModel model_;
  Source source_;
  Instruction instruction_;
  std::string device_;
  std::unique_ptr<Journal> journal_;
  std::vector<Observation> known_;
  std::string journal_failure_;
};

}  // namespace

ExitCode run_confirm(const IdentifyCommand& command, Session& session) {
  return ConfirmRun(command, session)();
}

}  // namespace mmaprint
