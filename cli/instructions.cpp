#include "cli/instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cli/commands.h"
#include "model/model_json.h"

namespace mmaprint {
namespace {

constexpr std::size_t kMostNamed = 5;

/// Levenshtein's distance.
std::size_t distance(std::string_view x, std::string_view y) {
  std::vector<std::size_t> row(y.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < y.size(); ++j) {
      const std::size_t changed = diagonal + (x[i] == y[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string near_names(const DeviceDescription& device, std::string_view name) {
  std::vector<std::pair<std::size_t, std::string>> all;
  all.reserve(device.instructions.size());
  for (const InstructionInfo& info : device.instructions)
    all.emplace_back(distance(name, info.instruction.name), info.instruction.name);
  if (all.empty()) return "none: the device has none";
  std::ranges::stable_sort(all, {}, &std::pair<std::size_t, std::string>::first);
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), kMostNamed); ++i)
    text += (i == 0 ? "" : ", ") + all[i].second;
  if (all.size() > kMostNamed) text += fmt::format(", ... ({})", all.size());
  return text;
}

/// Why no unit of the space computes this, if none does.
std::optional<std::string> not_modelled(const Instruction& i) {
  if (auto why = not_modelled(i.formats)) return why;
  if (i.k < 1) return "a K, which its name does not tell";
  return std::nullopt;
}

}  // namespace

std::vector<Instruction> named_instructions(const DeviceDescription& device,
                                            const std::vector<std::string>& names) {
  std::vector<Instruction> chosen;
  for (const std::string& name : names) {
    const auto info = find_instruction(device.instructions, name);
    if (!info)
      throw BadInput("--instruction: expected one of " + near_names(device, name) + "; found " +
                     in_quotes(name));
    if (!info->available)
      throw DeviceUnavailable(device.name + ": " + name + " is not available: " + info->reason);
    if (const auto why = not_modelled(info->instruction)) throw BadInput(name + ": expected " + *why);
    if (std::ranges::find(chosen, info->instruction) == chosen.end()) chosen.push_back(info->instruction);
  }
  return chosen;
}

std::vector<Instruction> all_instructions(const Source& source) {
  const DeviceDescription device = described(source);
  std::vector<Instruction> chosen;
  for (const InstructionInfo& info : device.instructions) {
    const auto why = not_modelled(info.instruction);
    if (!info.available)
      log_warning(info.instruction.name + " is left out: " + info.reason);
    else if (why)
      log_warning(info.instruction.name + " is left out: expected " + *why);
    else
      chosen.push_back(info.instruction);
  }
  if (chosen.empty() && std::holds_alternative<Recording>(source))
    throw BadInput(device.name +
                   ": expected observations of an instruction that can be identified, found none");
  if (chosen.empty()) throw DeviceUnavailable(device.name + ": no instruction that can be identified");
  return chosen;
}

}  // namespace mmaprint
