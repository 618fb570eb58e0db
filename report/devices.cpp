#include "report/devices.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "model/model_json.h"
#include "report/table.h"

namespace mmaprint {
std::string devices_text(const std::vector<DeviceListing>& devices, const Style& style) {
  Table table("");
  for (const DeviceListing& device : devices) {
    const Tone tone = device.available ? Tone::plain : Tone::faint;
    std::string what = device.description;
    if (!device.available) what += "  (" + device.reason + ")";
    table.add({{device.name, device.available ? Tone::strong : Tone::faint}, {what, tone}});
  }
  table.add({{"model:FILE", Tone::strong}, {"a model as a device"}});
  table.add({{"replay:FILE", Tone::strong}, {"recorded observations"}});
  table.add({{"exec:COMMAND", Tone::strong}, {"a child process"}});
  return table.text(style);
}

Json devices_document(const std::vector<DeviceListing>& devices) {
  Json list = Json::array();
  for (const DeviceListing& device : devices) {
    Json entry{{"name", device.name}, {"description", device.description}, {"available", device.available}};
    if (!device.available) entry["reason"] = device.reason;
    list.push_back(std::move(entry));
  }
  return {{"schema", kDevicesSchema}, {"devices", std::move(list)}};
}

std::string device_text(const DeviceDescription& device, const Style& style) {
  Table table;
  table.add({{"instruction", Tone::faint}, {"K", Tone::faint, true}, {"d = c + Σ a·b", Tone::faint}, {}});
  for (const InstructionInfo& info : device.instructions) {
    const Instruction& i = info.instruction;
    const std::string note = info.available ? info.machine_instruction.value_or("") : info.reason;
    const Tone tone = info.available ? Tone::plain : Tone::faint;
    table.add({{i.name, info.available ? Tone::strong : Tone::faint},
               {fmt::format("{}", i.k), tone, true},
               {formats_text(i.formats), tone},
               {note, Tone::faint}});
  }
  const std::string title = device.description == device.name ? "" : "  " + printable(device.description);
  return style(Tone::strong, printable(device.name)) + title + "\n" + table.text(style);
}

Json device_document(const DeviceDescription& device) {
  Json list = Json::array();
  for (const InstructionInfo& info : device.instructions) {
    const Instruction& i = info.instruction;
    Json entry{{"name", i.name}, {"k", i.k}, {"formats", to_json(i.formats)}, {"available", info.available}};
    entry["machine_instruction"] = info.machine_instruction ? Json(*info.machine_instruction) : Json(nullptr);
    if (!info.available) entry["reason"] = info.reason;
    list.push_back(std::move(entry));
  }
  return {{"schema", kDeviceSchema},
          {"device", device.name},
          {"description", device.description},
          {"instructions", std::move(list)}};
}

}  // namespace mmaprint
