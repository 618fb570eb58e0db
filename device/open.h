// Devices by name.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "device/matmul_unit.h"
#include "device/read.h"
#include "device/recording.h"

namespace mmaprint {

struct DeviceOptions {
  double timeout_seconds = 10;       ///< `exec:`: for each request
  std::optional<Signature> formats;  ///< `replay:`: where lines don't tell theirs
  Deadline deadline{};               ///< of opening it
};

/// What there is to learn from: a unit that answers, or what one has answered.
using Source = std::variant<std::unique_ptr<MatmulUnit>, Recording>;
[[nodiscard]] DeviceDescription described(const Source& source);

/// A source, or why there is none here.
using OpenResult = std::variant<std::unique_ptr<MatmulUnit>, Recording, DeviceFailure>;

/// Opens "sim:NAME", "model:FILE.json", "replay:FILE.jsonl", "exec:COMMAND", "cuda:N" or "cpu". Throws
/// BadInput for a name that is none of these, an unknown catalogued unit, a bad file or a command that can't
/// be split into words; DeadlinePassed if it did before the device was open.
[[nodiscard]] OpenResult open_device(std::string_view spec, const DeviceOptions& options = {});

/// Devices that need no file or command, as open_device names them, available or not.
struct DeviceListing {
  std::string name;
  std::string description;
  bool available = true;
  std::string reason;  ///< why it is not available
};
[[nodiscard]] std::vector<DeviceListing> list_devices();

/// MODEL on the command line: "sim:DEVICE#INSTRUCTION", or what load_model reads. Throws BadInput;
/// DeadlinePassed if it did before all was read.
[[nodiscard]] AnyModel open_model(const std::string& spec, const Deadline& deadline = {});

}  // namespace mmaprint
