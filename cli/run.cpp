#include "cli/run.h"

#include "cli/commands.h"
#include "cli/output.h"

namespace mmaprint {
namespace {

struct Runner {
  Session& session;
  ExitCode operator()(const DevicesCommand& c) const { return run_devices(c, session); }
  ExitCode operator()(const IdentifyCommand& c) const { return run_identify(c, session); }
  ExitCode operator()(const CheckCommand& c) const { return run_check(c, session); }
  ExitCode operator()(const DistinguishCommand& c) const { return run_distinguish(c, session); }
  ExitCode operator()(const SimulateCommand& c) const { return run_simulate(c, session); }
  ExitCode operator()(const ValidateCommand& c) const { return run_validate(c, session); }
  ExitCode operator()(const VerifyCommand& c) const { return run_verify(c, session); }
  ExitCode operator()(const ShowCommand& c) const { return run_show(c, session); }
};

}  // namespace

ExitCode run(const std::variant<Arguments, Answer>& parsed) {
  if (const auto* answer = std::get_if<Answer>(&parsed)) {
    Output out;
    out.write(answer->text);
    out.finish();
    return ExitCode::yes;
  }
  const auto& arguments = std::get<Arguments>(parsed);
  Session session(arguments.common);
  return std::visit(Runner{session}, arguments.command);
}

}  // namespace mmaprint
