#include "device/replay.h"

#include <algorithm>

#include "device/read.h"

namespace mmaprint {
namespace {

const std::vector<Observation> kNothing;

}  // namespace

ReplayUnit::ReplayUnit(std::string name, const std::string& file,
                       const std::optional<OperandFormats>& formats, const Deadline& deadline)
    : name_(std::move(name)) {
  ObservationRules rules;
  rules.stated_formats = formats;
  rules.need_d = true;
  std::vector<std::vector<std::size_t>> lines;  // of each recording's observations
  const auto take = [&](ObservationRecord record) {
    const std::string instruction = record.instruction.empty() ? std::string(kUnnamed) : record.instruction;
    const int k = static_cast<int>(record.input.a.size());
    auto recording =
        std::ranges::find(recordings_, instruction, [](const Recording& r) { return r.instruction.name; });
    if (recording == recordings_.end()) {
      recordings_.push_back({{instruction, k, record.formats}, {}, {}, {}});
      lines.emplace_back();
      recording = recordings_.end() - 1;
    }
    auto& own_lines = lines[static_cast<std::size_t>(recording - recordings_.begin())];
    if (recording->instruction.k != k || recording->instruction.formats != record.formats)
      throw BadInput(record.place() + ": " + instruction + ": expected K and formats as in line " +
                     std::to_string(own_lines.front()));
    if (!recording->seen.insert({record.input, *record.d}).second) return;
    recording->index.emplace(record.input, recording->observations.size());
    recording->observations.push_back({std::move(record.input), *record.d});
    own_lines.push_back(record.line);
  };
  read_observations(file, rules, take, deadline);
}

const ReplayUnit::Recording* ReplayUnit::find(std::string_view instruction) const {
  const auto found = std::ranges::find(
      recordings_, instruction, [](const Recording& r) -> std::string_view { return r.instruction.name; });
  return found == recordings_.end() ? nullptr : &*found;
}

std::vector<InstructionInfo> ReplayUnit::instructions() const {
  std::vector<InstructionInfo> all;
  all.reserve(recordings_.size());
  for (const Recording& recording : recordings_) all.push_back({recording.instruction, true, {}, {}});
  return all;
}

RunResult ReplayUnit::run(const Instruction& instruction, std::span<const DotInput> inputs) {
  const Recording* recording = find(instruction.name);
  if (recording == nullptr) return DeviceFailure{name_ + " has no instruction " + instruction.name};
  if (auto wrong = check_batch(recording->instruction, inputs)) return *std::move(wrong);
  std::vector<Pattern> results;
  results.reserve(inputs.size());
  for (const DotInput& input : inputs) {
    const auto found = recording->index.find(input);
    if (found == recording->index.end()) return DeviceExhausted{results.size()};
    results.push_back(recording->observations[found->second].d);
  }
  return results;
}

const std::vector<Observation>* ReplayUnit::recorded(std::string_view instruction) const {
  const Recording* recording = find(instruction);
  return recording == nullptr ? &kNothing : &recording->observations;
}

}  // namespace mmaprint
