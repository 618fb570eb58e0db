#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "device/open.h"
#include "report/model_text.h"

namespace mmaprint {

ExitCode run_show(const ShowCommand& command, Session& session) {
  const AnyModel model = open_model(command.model, session.deadline());
  session.print([&](const Style& style) { return model_text(model, style); },
                [&] { return std::visit([](const auto& m) { return to_json(m); }, model); });
  return ExitCode::yes;
}

}  // namespace mmaprint
