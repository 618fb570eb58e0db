// Devices and their instructions, as tables and as a document.
#pragma once

#include "base/json_source.h"
#include "device/matmul_unit.h"
#include "device/open.h"
#include "report/style.h"

namespace mmaprint {

inline constexpr std::string_view kDevicesSchema = "mmaprint/devices/1";
inline constexpr std::string_view kDeviceSchema = "mmaprint/device/1";

[[nodiscard]] std::string devices_text(const std::vector<DeviceListing>& devices, const Style& style);
[[nodiscard]] Json devices_document(const std::vector<DeviceListing>& devices);

[[nodiscard]] std::string device_text(const DeviceDescription& device, const Style& style);
[[nodiscard]] Json device_document(const DeviceDescription& device);

}  // namespace mmaprint
