#include "device/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "device/read.h"

namespace mmaprint {
namespace {

const std::vector<Observation> kNothing;

}  // namespace

Recording::Recording(std::string name, const std::string& file, const std::optional<Signature>& formats,
                     const Deadline& deadline)
    : name_(std::move(name)) {
  ObservationRules rules;
  rules.stated_formats = formats;
  rules.need_d = true;
  struct Read {
    std::size_t first_line;
    std::set<Observation> seen;
  };
  std::vector<Read> read;  // of each part
  const auto take = [&](ObservationRecord record) {
    const std::string instruction = record.instruction.empty() ? std::string(kUnnamed) : record.instruction;
    const int k = static_cast<int>(record.input.a.size());
    auto part = std::ranges::find(parts_, instruction, [](const Part& p) { return p.instruction.name; });
    if (part == parts_.end()) {
      parts_.push_back({{instruction, k, record.formats}, {}});
      read.push_back({record.line, {}});
      part = parts_.end() - 1;
    }
    auto& [first_line, seen] = read[static_cast<std::size_t>(part - parts_.begin())];
    if (part->instruction.k != k || part->instruction.formats != record.formats)
      throw BadInput(fmt::format("{}: {}: expected K and formats as in line {}", record.place(), instruction,
                                 first_line));
    if (!seen.insert({record.input, *record.d}).second) return;
    part->observations.push_back({std::move(record.input), *record.d});
  };
  read_observations(file, rules, take, deadline);
}

std::vector<InstructionInfo> Recording::instructions() const {
  std::vector<InstructionInfo> all;
  all.reserve(parts_.size());
  for (const Part& part : parts_) all.push_back({part.instruction, true, {}, {}});
  return all;
}

const std::vector<Observation>& Recording::of(std::string_view instruction) const {
  const auto found = std::ranges::find(parts_, instruction,
                                       [](const Part& p) -> std::string_view { return p.instruction.name; });
  return found == parts_.end() ? kNothing : found->observations;
}

}  // namespace mmaprint
