#include "inference/validate.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stop_token>

#include "base/parallel.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/full_model.h"
#include "cli/instructions.h"
#include "device/open.h"
#include "inference/document.h"
#include "inference/journal.h"
#include "report/validation_text.h"

namespace mmaprint {
namespace {

constexpr std::string_view kAllGpus = "cuda:all";

/// The devices that DEVICE names: one, or every GPU.
std::vector<Source> open_all(const ValidateCommand& command, const Deadline& deadline) {
  std::vector<std::string> names{command.device};
  if (command.device == kAllGpus) {
    names.clear();
    for (const DeviceListing& listing : list_devices())
      if (listing.name.starts_with("cuda:") && listing.available) names.push_back(listing.name);
    if (names.empty()) names.emplace_back("cuda:0");  // which says why there is none
  }
  std::vector<Source> all;
  all.reserve(names.size());
  for (const std::string& name : names)
    all.push_back(open_or_throw(name, command.formats, command.device_timeout, deadline));
  return all;
}

/// The device's instruction that the model is of: the one of that name or, where there is none, the only one
/// with that K and those formats.
Instruction instruction_for(const Source& source, const UnitModel& model, const ValidateCommand& command) {
  const DeviceDescription device = described(source);
  const auto fits = [&](const Instruction& i) { return i.k == model.k && i.formats == model.formats; };
  const std::string name = command.instruction.value_or(model.instruction);
  std::vector<std::string> fitting;
  for (const InstructionInfo& info : device.instructions)
    if (info.available && fits(info.instruction)) fitting.push_back(info.instruction.name);
  const bool known = find_instruction(device.instructions, name).has_value();
  const bool only = !known && !command.instruction && fitting.size() == 1;
  Instruction chosen = named_instructions(device, {only ? fitting.front() : name}).front();
  if (!fits(chosen))
    throw BadInput(fmt::format("{}: expected K and formats of {} on {}, found K = {} and {}", command.model,
                               chosen.name, device.name, model.k, to_json(model.formats).dump()));
  if (std::holds_alternative<Recording>(source))
    throw BadInput("validate: expected a device that answers any input, found " + device.name +
                   ", which only replays");
  return chosen;
}

class ValidateRun {
 public:
  ValidateRun(const ValidateCommand& command, Session& session)
      : command_(command),
        session_(session),
        model_(full_model(command.model, session.deadline())),
        devices_(open_all(command, session.deadline())) {
    for (const Source& device : devices_)
      results_.push_back({described(device).name, instruction_for(device, model_, command), {}});
    if (!session.options().journal) return;
    if (devices_.size() > 1) throw BadInput("--journal: expected one device, found " + command.device);
    journal_ = std::make_unique<Journal>(
        *session.options().journal,
        Provenance{version(), well_formed(results_.front().device), session.options().seed},
        session.deadline());
    for (const std::string& warning : journal_->warnings()) log_warning(warning);
    const Instruction& i = results_.front().instruction;
    (void)journal_->begin(Search(default_space(i.name, i.k, i.formats)));
  }

  const std::vector<DeviceValidation>& all() {
    const ValidateOptions options = this->options();
    progress_.resize(devices_.size());
    const std::stop_callback interrupted(session_.stop(), [this] { stop_.request_stop(); });
    in_parallel(
        devices_.size(), static_cast<int>(devices_.size()), [&](std::size_t i) { one(i, options); }, &stop_);
    session_.progress().clear();
    for (const DeviceValidation& v : results_) {
      if (v.result.device_failed) log_error(v.result.reason);
    }
    return results_;
  }

  /// The examples go into the journal, if there is one.
  void record() {
    if (!journal_) return;
    std::vector<Observation> seen;
    for (const Mismatch& m : results_.front().result.examples) seen.push_back(m.seen);
    journal_->record(results_.front().instruction.name, seen);
  }

 private:
  ValidateOptions options() const {
    const CommonOptions& o = session_.options();
    const std::optional left = o.time_limit ? std::optional(session_.deadline().remaining()) : std::nullopt;
    return {command_.vectors, o.seed, o.threads, left, stop_.get_token()};
  }

  void one(std::size_t i, const ValidateOptions& options) {
    DeviceValidation& v = results_[i];
    v.result = validate_on(*std::get<std::unique_ptr<MatmulUnit>>(devices_[i]), v.instruction, model_,
                           options, [&](const ValidateProgress& p) { show(i, p); });
  }

  void show(std::size_t device, const ValidateProgress& p) {
    const std::lock_guard lock(mutex_);
    progress_[device] = p;
    ValidateProgress sum;
    for (const ValidateProgress& each : progress_) {
      sum.vectors += each.vectors;
      sum.mismatches += each.mismatches;
    }
    session_.progress().show(quantity(sum.vectors) + " vectors, " + quantity(sum.mismatches) + " mismatches");
  }

  const ValidateCommand& command_;
  Session& session_;
  UnitModel model_;
  std::vector<Source> devices_;  ///< units, all of them
  std::vector<DeviceValidation> results_;
  std::unique_ptr<Journal> journal_;
  std::stop_source stop_;  ///< the session's stop, or a device's exception
  std::mutex mutex_;
  std::vector<ValidateProgress> progress_;
};

/// Of several devices: a failure before a mismatch before an "unknown".
ExitCode exit_of(const std::vector<DeviceValidation>& all) {
  const auto any = [&](auto&& holds) {
    return std::ranges::any_of(all, [&](const DeviceValidation& v) { return holds(v.result); });
  };
  if (any([](const Validation& v) { return v.device_failed; })) return ExitCode::device_failed;
  if (any([](const Validation& v) { return v.verdict == AgreementVerdict::mismatch; })) return ExitCode::no;
  if (any([](const Validation& v) { return v.verdict == AgreementVerdict::unknown; }))
    return ExitCode::unknown;
  return ExitCode::yes;
}

}  // namespace

ExitCode run_validate(const ValidateCommand& command, Session& session) {
  try {
    ValidateRun run(command, session);
    const auto& all = run.all();
    bool recorded = true;
    try {
      run.record();
    } catch (const JournalFailure& failure) {
      session.log().error("{}", failure.what());
      recorded = false;
    }
    session.print([&](const Style& style) { return validation_text(all, style); },
                  [&] { return validation_document(all, session.options().seed); });
    return recorded ? exit_of(all) : ExitCode::bad_input;
  } catch (const JournalFailure& failure) {
    throw BadInput(failure.what());
  }
}

}  // namespace mmaprint
