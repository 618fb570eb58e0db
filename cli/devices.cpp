#include "report/devices.h"

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "device/open.h"

namespace mmaprint {

Source open_or_throw(const std::string& device, const std::optional<Signature>& formats,
                     double timeout_seconds, const Deadline& deadline) {
  auto opened = open_device(device, {timeout_seconds, formats, deadline});
  if (const auto* failure = std::get_if<DeviceFailure>(&opened)) throw DeviceUnavailable(failure->message);
  if (auto* recording = std::get_if<Recording>(&opened)) return std::move(*recording);
  return std::get<std::unique_ptr<MatmulUnit>>(std::move(opened));
}

ExitCode run_devices(const DevicesCommand& command, Session& session) {
  if (command.device) {
    const Source source =
        open_or_throw(*command.device, command.formats, command.device_timeout, session.deadline());
    if (const auto* unit = std::get_if<std::unique_ptr<MatmulUnit>>(&source))
      (*unit)->find_machine_instructions();
    const DeviceDescription device = described(source);
    session.print([&](const Style& style) { return device_text(device, style); },
                  [&] { return device_document(device); });
  } else {
    const auto devices = list_devices();
    session.print([&](const Style& style) { return devices_text(devices, style); },
                  [&] { return devices_document(devices); });
  }
  return ExitCode::yes;
}

}  // namespace mmaprint
