// What a device does wrong, as a value.
#pragma once

#include <string>

namespace mmaprint {

/// The device failed, is absent or not supported by this build. One line.
struct DeviceFailure {
  std::string message;
  friend bool operator==(const DeviceFailure&, const DeviceFailure&) = default;
};

}  // namespace mmaprint
