#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/drat_trim.h"
#include "inference/document.h"
#include "inference/verification.h"
#include "report/check_text.h"

namespace mmaprint {

ExitCode run_verify(const VerifyCommand& command, Session& session) {
  const CommonOptions& o = session.options();
  VerifyOptions options;
  options.threads = o.threads;
  options.seed = o.seed;
  if (o.time_limit) options.seconds = session.deadline().remaining();
  options.solver = o.solver;
  options.solve = command.solve;
  options.version = version();
  if (command.drat_trim) options.other = drat_trim();
  options.stop = session.stop();
  options.progress = [&](std::string_view doing) { session.progress().show(std::string(doing)); };
  const Verification result = verify_certificate(command.certificate, options);
  session.print([&](const Style& style) { return verification_text(result, style); },
                [&] { return verification_document(result); });
  switch (result.verdict) {
    case Verification::Verdict::valid:
      return ExitCode::yes;
    case Verification::Verdict::invalid:
      return ExitCode::no;
    case Verification::Verdict::unknown:
      break;
  }
  return ExitCode::unknown;
}

}  // namespace mmaprint
