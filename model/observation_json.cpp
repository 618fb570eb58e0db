#include "model/observation_json.h"

#include <fmt/format.h>

#include <cerrno>
#include <istream>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "model/batch.h"
#include "model/instruction.h"
#include "model/json_reader.h"
#include "model/model_json.h"

namespace mmaprint {
namespace {

/// The next line without its end; false at the end of the stream. Throws BadInput for a line that is too
/// long.
bool next_line(std::istream& in, const std::string& file, std::size_t number, std::string& line) {
  line.clear();
  using Traits = std::istream::traits_type;
  std::streambuf& buffer = *in.rdbuf();
  try {
    for (auto ch = buffer.sbumpc(); ch != Traits::eof(); ch = buffer.sbumpc()) {
      if (ch == '\n') return true;
      if (line.size() == kLongestLine)
        throw BadInput(fmt::format("{}:{}: expected a line of at most {} bytes", file, number, kLongestLine));
      line.push_back(Traits::to_char_type(ch));
    }
  } catch (const std::ios_base::failure&) {  // from the buffer: reading failed
    throw BadInput(file + ": expected a readable file: " + error_text(errno));
  }
  return !line.empty();
}

/// Who states formats may leave those of scales to the instruction's name, or to what is known of it.
Signature with_known_scales(const JsonReader& from, Signature stated, const std::string& instruction,
                            const ObservationRules& rules) {
  const auto has = [&](std::string_view role) {
    const auto given = from.find(role);
    return given && !given->is_null();
  };
  if (stated.has_scales() || (!has("sa") && !has("sb"))) return stated;
  const auto named = instruction_from_name(instruction);
  const auto& known = named                  ? std::optional(named->formats)
                      : rules.stated_formats ? rules.stated_formats
                                             : rules.model_formats;
  if (known) {
    stated.sa = known->sa;
    stated.sb = known->sb;
  }
  return stated;
}

Signature resolve_formats(const JsonReader& from, const std::string& instruction,
                          const ObservationRules& rules) {
  if (const auto formats = from.find("formats"))
    return with_known_scales(from, formats->signature(), instruction, rules);
  if (const auto named = instruction_from_name(instruction)) return named->formats;
  if (rules.stated_formats) return *rules.stated_formats;
  if (rules.model_formats) return *rules.model_formats;
  const std::string expected =
      "expected an instruction whose formats are known, or `formats` here or by --formats";
  if (instruction.empty()) throw FieldError(from.path(), expected);
  throw FieldError({"instruction"}, expected + ", found " + in_quotes(instruction));
}

ObservationRecord read_record(const JsonReader& from, const ObservationRules& rules) {
  ObservationRecord record;
  if (const auto instruction = from.find("instruction")) record.instruction = instruction->text();
  record.formats = resolve_formats(from, record.instruction, rules);
  using enum Entries::Fewer;
  record.input =
      read_input(from, record.formats, {rules.k, rules.pad_zeros ? padded : refused_unless_padded});
  if (const auto d = from.find("d"); d && !d->is_null())
    record.d = d->pattern(record.formats.d);
  else if (rules.need_d)
    (void)from.at("d").pattern(record.formats.d);
  return record;
}

/// Observations carry no schema.
std::string_view schema_of(const Json& line) {
  if (!line.is_object()) return {};
  const auto schema = line.find("schema");
  if (schema == line.end() || !schema->is_string()) return {};
  return schema->get_ref<const std::string&>();
}

/// A journal's lines about a run and about what was found.
bool is_about_a_run(const Json& line) {
  const std::string_view name = schema_of(line);
  return name.starts_with("mmaprint/journal/") || name.starts_with("mmaprint/identification/");
}

}  // namespace

void read_observations(std::istream& in, const std::string& file, const ObservationRules& rules,
                       const std::function<void(ObservationRecord)>& use, const Deadline& deadline) {
  Checkpoint late(deadline);
  std::string line;
  OpenLines open;
  for (std::size_t number = 1; next_line(in, file, number, line); ++number) {
    if (late.passed()) throw DeadlinePassed(std::string(deadline.reason()));
    if (line.find_first_not_of(" \t\r") == std::string::npos) {
      open.add(line);
      continue;
    }
    const JsonSource source{line, file, number};
    const Json json = source.parse();
    ObservationRecord record;
    try {
      if (schema_of(json) == kBatchSchema) {
        open.close(JsonReader(json));
        continue;
      }
      open.add(line);
      if (is_about_a_run(json)) continue;
      record = read_record(JsonReader(json), rules);
    } catch (const FieldError& error) {
      source.fail(error);
    }
    record.file = file;
    record.line = number;
    record.text = line;
    use(std::move(record));
  }
}

Json observation_to_json(std::string_view instruction, const Signature& formats,
                         const Observation& observation) {
  Json json = Json::object();
  if (!instruction.empty()) json["instruction"] = instruction;
  const auto named = instruction_from_name(instruction);
  if (!named || named->formats != formats) json["formats"] = to_json(formats);
  json.update(to_json(observation.input, formats));
  json["d"] = pattern_text(formats.d, observation.d);
  return json;
}

std::string ObservationRecord::place() const { return fmt::format("{}:{}", file, line); }

std::string with_result(const ObservationRecord& record, Pattern d) {
  Json json = Json::parse(record.text);
  json["d"] = pattern_text(record.formats.d, d);
  return json_line(json);
}

}  // namespace mmaprint
