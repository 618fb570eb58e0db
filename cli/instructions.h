// Which instructions of a device a command is about.
#pragma once

#include <vector>

#include "device/open.h"

namespace mmaprint {

/// The named ones. Throws BadInput for a name that the device does not have (saying which are near) or whose
/// formats are not modelled, DeviceUnavailable for one that is not available here.
[[nodiscard]] std::vector<Instruction> named_instructions(const DeviceDescription& device,
                                                          const std::vector<std::string>& names);
/// All that can be identified here; the others are left out with a warning. If none is left: throws BadInput
/// for a recording, DeviceUnavailable for a unit.
[[nodiscard]] std::vector<Instruction> all_instructions(const Source& source);

}  // namespace mmaprint
