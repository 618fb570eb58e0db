#include "cli/commands.h"
#include "cli/full_model.h"
#include "emit/emit.h"
#include "report/model_markdown.h"

namespace mmaprint {
namespace {

std::string exported(const UnitModel& model, ExportLanguage to, const emit::Provenance& from) {
  switch (to) {
    case ExportLanguage::cpp:
      break;
    case ExportLanguage::cuda:
      return emit::to_cuda(model, from);
    case ExportLanguage::python:
      return emit::to_python(model, from);
    case ExportLanguage::octave:
      return emit::to_octave(model, from);
    case ExportLanguage::smt2:
      return emit::to_smt2(model, from);
    case ExportLanguage::markdown:
      return model_markdown(model, from);
  }
  return emit::to_cpp(model, from);
}

}  // namespace

ExitCode run_export(const ExportCommand& command, Session& session) {
  const UnitModel model = full_model(command.model, session.deadline());
  try {
    session.output().write(exported(model, command.to, {command.model, version()}));
  } catch (const emit::NotExported& refused) {
    throw BadInput(command.model + ": " + refused.what());
  }
  session.output().finish();
  return ExitCode::yes;
}

}  // namespace mmaprint
