#include "inference/check.h"

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "device/open.h"
#include "inference/document.h"
#include "report/check_text.h"

namespace mmaprint {
namespace {

/// Reads until the time is up; why not all was read, empty if it was.
std::string read_all(const CheckCommand& command, const Instruction& model, const Deadline& deadline,
                     CheckedRecords& records) {
  const ObservationRules rules{command.formats, model.formats, model.k, command.pad_zeros, true};
  for (const std::string& file : command.observations) {
    try {
      read_observations(
          file, rules, [&](const ObservationRecord& record) { records.add(record); }, deadline);
    } catch (const DeadlinePassed& passed) {
      return std::string(passed.what()) + " while reading " + file;
    }
  }
  if (records.size() == 0)
    throw BadInput(command.observations.front() + ": expected at least one observation");
  return {};
}

/// A hypothesis that no unit can have is an error of its file.
CheckResult checked(const CheckCommand& command, const AnyModel& model, const CheckedRecords& records,
                    const CheckOptions& options) {
  try {
    return check(model, records, options);
  } catch (const BadInput& problem) {
    throw BadInput(command.model + ": " + problem.what());
  }
}

}  // namespace

ExitCode run_check(const CheckCommand& command, Session& session) {
  if (!command.gemm.empty()) return run_check_gemm(command, session);
  const AnyModel model = open_model(command.model, session.deadline());
  const CommonOptions& o = session.options();
  const CheckOptions options{o.threads, session.deadline(), o.seed};
  CheckedRecords records(instruction_of(model));
  session.progress().show("reading observations");
  const std::string cut = read_all(command, instruction_of(model), options.deadline, records);
  session.progress().show("checking " + counted(records.size(), "observation"));
  CheckResult result = checked(command, model, records, options);
  if (!cut.empty()) {
    result.reason = cut;
    if (result.verdict == CheckResult::Verdict::consistent) result.verdict = CheckResult::Verdict::unknown;
  }
  session.print([&](const Style& style) { return check_text(result, style); },
                [&] { return check_document(result); });
  switch (result.verdict) {
    case CheckResult::Verdict::consistent:
      return ExitCode::yes;
    case CheckResult::Verdict::inconsistent:
      return ExitCode::no;
    case CheckResult::Verdict::unknown:
      break;
  }
  return ExitCode::unknown;
}

}  // namespace mmaprint
