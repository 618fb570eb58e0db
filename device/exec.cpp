#include "device/exec.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/bad_input.h"
#include "device/command_words.h"
#include "model/input_json.h"
#include "model/json_reader.h"
#include "model/skeleton_json.h"

namespace mmaprint {
namespace {

using NoAnswer = std::variant<DeviceInterrupted, DeviceFailure>;

constexpr std::size_t kMostInstructions = 4096;

/// How failures name the child, on one line whatever the command holds.
std::string title(std::string_view command) { return "exec " + in_quotes(command); }

/// Asks the child and hands its answer to `read`. Whatever is wrong with an answer ends the child, as from
/// then on it can't be known which request it answers; an error that it reports itself does not.
template <class Read>
std::optional<NoAnswer> ask(ChildProcess& child, const Json& request, std::chrono::duration<double> timeout,
                            const Deadline& deadline, Read&& read) {
  const ChildProcess::Line answer = child.exchange(request.dump(), timeout, deadline);
  if (const auto* failure = std::get_if<DeviceFailure>(&answer)) return *failure;
  if (std::holds_alternative<DeviceInterrupted>(answer)) return DeviceInterrupted{};
  const JsonSource source{std::get<std::string>(answer), "answer", 1};
  try {
    const Json json = source.parse();
    const JsonReader from(json);
    if (const auto error = from.find("error"))
      return DeviceFailure{child.name() + ": says " + in_quotes(error->text())};
    read(from);
    return std::nullopt;
  } catch (const FieldError& error) {
    const std::string field = path_text(error.path);
    return child.fail("bad answer: " + (field.empty() ? "" : field + ": ") + error.what());
  } catch (const BadInput& error) {
    return child.fail(std::string("bad ") + error.what());
  }
}

Instruction read_instruction(const JsonReader& from) {
  Instruction instruction;
  instruction.name = from.at("name").text();
  if (instruction.name.empty()) from.at("name").fail("a name");
  instruction.k = from.at("k").integer(1, kLargestK);
  instruction.formats = from.signature_among_fields();
  return instruction;
}

Json request_for(const Instruction& instruction, std::span<const DotInput> inputs) {
  Json request{
      {"op", "run"}, {"instruction", instruction.name}, {"a", nullptr}, {"b", nullptr}, {"c", nullptr}};
  for (const RolePatterns& role : input_roles(instruction.formats, instruction.k)) {
    Json all = Json::array();
    for (const DotInput& input : inputs) all.push_back(role_to_json(role, input));
    request[name(role.role)] = std::move(all);
  }
  return request;
}

}  // namespace

ExecUnit::Opened ExecUnit::open(std::string_view command, double timeout_seconds, const Deadline& deadline) {
  auto started = ChildProcess::start(split_words(command), title(command));
  if (auto* failure = std::get_if<DeviceFailure>(&started)) return std::move(*failure);
  std::unique_ptr<ExecUnit> unit(new ExecUnit("exec:" + std::string(command),
                                              std::get<ChildProcess>(std::move(started)), timeout_seconds));
  if (auto none = unit->describe(deadline)) {
    if (auto* failure = std::get_if<DeviceFailure>(&*none)) return std::move(*failure);
    throw DeadlinePassed(std::string(deadline.reason()));
  }
  return std::unique_ptr<MatmulUnit>(std::move(unit));
}

std::optional<ExecUnit::NoAnswer> ExecUnit::describe(const Deadline& deadline) {
  return ask(child_, {{"op", "describe"}}, timeout_, deadline, [&](const JsonReader& from) {
    if (const auto name = from.find("name")) description_ = name->text();
    for (const JsonReader& each : from.at("instructions").elements(kMostInstructions)) {
      Instruction instruction = read_instruction(each);
      if (std::ranges::count(instructions_, instruction.name, &Instruction::name) > 0)
        each.at("name").fail("every name once");
      instructions_.push_back(std::move(instruction));
    }
  });
}

std::vector<InstructionInfo> ExecUnit::instructions() const {
  std::vector<InstructionInfo> all;
  all.reserve(instructions_.size());
  for (const Instruction& instruction : instructions_) all.push_back({instruction, true, {}, {}});
  return all;
}

RunResult ExecUnit::run_until(const Deadline& deadline, const Instruction& instruction,
                              std::span<const DotInput> inputs) {
  const auto known = std::ranges::find(instructions_, instruction.name, &Instruction::name);
  if (known == instructions_.end())
    return DeviceFailure{name_ + " has no instruction " + in_quotes(instruction.name)};
  if (auto wrong = check_batch(*known, inputs)) return *std::move(wrong);
  std::vector<Pattern> results;
  results.reserve(inputs.size());
  while (!inputs.empty()) {
    const auto some = inputs.first(std::min(inputs.size(), kLargestRequest));
    if (auto none = run_some(deadline, *known, some, results))
      return std::visit([](const auto& why) -> RunResult { return why; }, *none);
    inputs = inputs.subspan(some.size());
  }
  return results;
}

std::optional<ExecUnit::NoAnswer> ExecUnit::run_some(const Deadline& deadline, const Instruction& instruction,
                                                     std::span<const DotInput> inputs,
                                                     std::vector<Pattern>& results) {
  return ask(child_, request_for(instruction, inputs), timeout_, deadline, [&](const JsonReader& from) {
    const JsonReader d = from.at("d");
    const auto patterns = d.patterns(instruction.formats.d, kLargestRequest);
    if (patterns.size() != inputs.size()) d.fail(fmt::format("{} results", inputs.size()));
    results.insert(results.end(), patterns.begin(), patterns.end());
  });
}

}  // namespace mmaprint
