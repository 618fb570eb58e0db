#include "report/devices.h"

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "device/open.h"

namespace mmaprint {

std::unique_ptr<MatmulUnit> open_or_throw(const std::string& device,
                                          const std::optional<OperandFormats>& formats,
                                          double timeout_seconds, const Deadline& deadline) {
  auto opened = open_device(device, {timeout_seconds, formats, deadline});
  if (const auto* failure = std::get_if<DeviceFailure>(&opened)) throw DeviceUnavailable(failure->message);
  return std::get<std::unique_ptr<MatmulUnit>>(std::move(opened));
}

ExitCode run_devices(const DevicesCommand& command, Session& session) {
  if (command.device) {
    const auto device =
        open_or_throw(*command.device, command.formats, command.device_timeout, session.deadline());
    device->find_machine_instructions();
    session.print([&](const Style& style) { return device_text(*device, style); },
                  [&] { return device_document(*device); });
  } else {
    const auto devices = list_devices();
    session.print([&](const Style& style) { return devices_text(devices, style); },
                  [&] { return devices_document(devices); });
  }
  return ExitCode::yes;
}

}  // namespace mmaprint
