#include <iostream>

#include "cli/commands.h"
#include "cli/full_model.h"
#include "model/evaluator.h"
#include "model/observation_text.h"
#include "model/text.h"

namespace mmaprint {
namespace {

/// Line by line, so that it can stand in a pipe.
void simulate(std::istream& in, const std::string& file, const ObservationRules& rules, const Evaluator& unit,
              Output& out) {
  read_observations(in, file, rules, [&](const ObservationRecord& record) {
    if (record.formats != unit.model().formats)
      throw BadInput(record.place() + ": formats: expected the model's");
    out.write(with_result(record, unit(record.input)) + "\n");
  });
}

}  // namespace

ExitCode run_simulate(const SimulateCommand& command, Session& session) {
  const Evaluator unit(full_model(command.model));
  const ObservationRules rules{command.formats, unit.model().formats, unit.model().k, command.pad_zeros,
                               false};
  if (command.observations == "-") {
    simulate(std::cin, "standard input", rules, unit, session.output());
  } else {
    std::ifstream in = open_for_reading(command.observations);
    simulate(in, command.observations, rules, unit, session.output());
  }
  session.output().finish();
  return ExitCode::yes;
}

}  // namespace mmaprint
