#include "cli/commands.h"
#include "cli/full_model.h"
#include "device/read.h"
#include "model/evaluator.h"

namespace mmaprint {
namespace {

/// Line by line, so that it can stand in a pipe.
void simulate(const std::string& path, const ObservationRules& rules, const Evaluator& unit, Output& out,
              const Deadline& deadline) {
  const auto answer = [&](const ObservationRecord& record) {
    if (record.formats != unit.model().formats)
      throw BadInput(record.place() + ": formats: expected the model's");
    out.write(with_result(record, unit(record.input)) + "\n");
  };
  read_observations(path, rules, answer, deadline);
}

}  // namespace

ExitCode run_simulate(const SimulateCommand& command, Session& session) {
  const Evaluator unit(full_model(command.model, session.deadline()));
  const ObservationRules rules{command.formats, unit.model().formats, unit.model().k, command.pad_zeros,
                               false};
  ExitCode exit = ExitCode::yes;
  try {
    simulate(command.observations, rules, unit, session.output(), session.deadline());
  } catch (const DeadlinePassed& passed) {
    log_warning(std::string(passed.what()) + ": not all was simulated");
    exit = ExitCode::unknown;
  }
  session.output().finish();
  return exit;
}

}  // namespace mmaprint
