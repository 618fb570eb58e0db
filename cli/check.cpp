#include "inference/check.h"

#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "device/open.h"
#include "inference/document.h"
#include "report/check_text.h"

namespace mmaprint {
namespace {

std::vector<ObservationRecord> read_all(const CheckCommand& command, const Instruction& model) {
  const ObservationRules rules{command.formats, model.formats, model.k, command.pad_zeros, true};
  std::vector<ObservationRecord> records;
  for (const std::string& file : command.observations)
    std::ranges::move(read_observations(file, rules), std::back_inserter(records));
  if (records.empty()) throw BadInput(command.observations.front() + ": expected at least one observation");
  return records;
}

/// A hypothesis that no unit can have is an error of its file.
CheckResult checked(const CheckCommand& command, const AnyModel& model,
                    std::vector<ObservationRecord> records, const CommonOptions& o) {
  try {
    return check(model, std::move(records), {o.threads, o.time_limit, o.seed});
  } catch (const BadInput& problem) {
    throw BadInput(command.model + ": " + problem.what());
  }
}

}  // namespace

ExitCode run_check(const CheckCommand& command, Session& session) {
  const AnyModel model = open_model(command.model);
  auto records = read_all(command, instruction_of(model));
  const CommonOptions& o = session.options();
  session.progress().show("checking " + counted(records.size(), "observation"));
  const CheckResult result = checked(command, model, std::move(records), o);
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
