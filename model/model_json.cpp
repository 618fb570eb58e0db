#include "model/model_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "model/features_json.h"
#include "model/instruction.h"
#include "model/json_reader.h"
#include "model/unit_json.h"

namespace mmaprint {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
/// What `--formats` says in the place of a c that is not there.
constexpr std::string_view kNoC = "none";

/// k and formats of a model document: as stated, else as the instruction's name says.
Instruction read_operation(const JsonReader& from) {
  Instruction operation{from.at("instruction").text(), 0, {}};
  const auto named = instruction_from_name(operation.name);
  const auto formats = from.find("formats");
  const auto k = from.find("k");
  if (formats)
    operation.formats = formats->signature();
  else if (named)
    operation.formats = named->formats;
  else
    (void)from.at("formats");  // fails: nothing else gives them
  if (k)
    operation.k = k->integer(1, kLargestK);
  else if (named && named->k > 0)
    operation.k = named->k;
  else
    (void)from.at("k");
  if (operation.formats.has_scales())
    if (const auto why = not_modelled(operation.formats)) (formats ? *formats : from).fail(*why);
  return operation;
}

AnyModel read_model(const JsonReader& from) {
  from.only({"schema", "instruction", "k", "formats", "unit", "features", "unobservable", "device", "notes"});
  // The schema may be left out of a hypothesis written by hand.
  if (const auto schema = from.find("schema"); schema && schema->json() != kModelSchema)
    schema->fail(in_quotes(kModelSchema));
  const auto [instruction, k, formats] = read_operation(from);
  const auto features = from.find("features");
  const auto stated = features ? features_from_json(*features, k, formats) : PartialFeatures{};

  const auto unit = from.find("unit");
  if (!unit) return PartialModel{instruction, k, formats, stated};
  UnitModel model;
  model.instruction = instruction;
  model.k = k;
  model.formats = formats;
  read_unit(*unit, model);
  try {
    validate(model);
  } catch (const std::invalid_argument& error) {
    throw FieldError(unit->path(), error.what());
  }
  const auto wrong = first_disagreement(stated, features_of(model));
  if (wrong && first_disagreement(stated, features_of_before(model)))
    throw FieldError({"features", std::string(*wrong)}, "expected the value that follows from unit");
  return model;
}

/// A model document, or the one within an identification.
AnyModel read_document(const JsonReader& from) {
  const auto schema = from.find("schema");
  if (!schema || schema->json() != kIdentificationSchema) return read_model(from);
  const auto model = from.find("model");
  if (!model || model->is_null())
    throw FieldError(from.path(), "expected an identification that has a model");
  return read_model(*model);
}

}  // namespace

std::string pattern_text(Format format, Pattern pattern) {
  std::string text(static_cast<std::size_t>(info(format).hex_digits()), '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, pattern >>= 4)
    *digit = kHexDigits[pattern & 15];
  return text;
}

std::optional<Pattern> pattern_from_text(Format format, std::string_view text) {
  const FormatInfo& f = info(format);
  if (text.size() != static_cast<std::size_t>(f.hex_digits())) return std::nullopt;
  Pattern pattern = 0;
  for (const char ch : text) {
    const std::size_t digit = kHexDigits.find(ch);
    if (digit == std::string_view::npos) return std::nullopt;
    pattern = pattern << 4 | digit;
  }
  return (pattern & ~f.pattern_mask()) == 0 ? std::optional(pattern) : std::nullopt;
}

std::string pattern_expectation(Format format) {
  const FormatInfo& f = info(format);
  std::string text = fmt::format("{} lower-case hexadecimal digits ({}", f.hex_digits(), f.name);
  if (f.container_bits < 8) text += ", at most " + pattern_text(format, f.pattern_mask());
  return text + ")";
}

std::string format_names() {
  std::string text;
  for (const FormatInfo& f : all_formats()) text += (text.empty() ? "" : " ") + std::string(f.name);
  return text;
}

Signature formats_from_text(std::string_view text) {
  std::array<std::optional<Format>, 4> formats{};
  std::string_view rest = text;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string_view word = rest.substr(0, end);
    formats[i] = format_named(word);
    const bool known = formats[i] || (i == 2 && word == kNoC);
    if (!known || (end == rest.size()) != (i + 1 == formats.size()))
      throw BadInput("formats: expected four of a,b,c,d (" + format_names() + "; c may be none), found " +
                     in_quotes(text));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const auto& [a, b, c, d] = formats;
  return {.a = *a, .b = *b, .c = c, .d = *d};
}

std::string formats_option(const Signature& formats) {
  return fmt::format("{},{},{},{}", name(formats.a), name(formats.b), formats.c ? name(*formats.c) : kNoC,
                     name(formats.d));
}

Json to_json(const Signature& formats) {
  Json json{{"a", name(formats.a)},
            {"b", name(formats.b)},
            {"c", formats.c ? Json(name(*formats.c)) : Json(nullptr)},
            {"d", name(formats.d)}};
  const auto add = [&](Role role, const std::optional<Scales>& scales) {
    if (scales) json[name(role)] = {{"format", name(scales->format)}, {"per", scales->per}};
  };
  add(Role::sa, formats.sa);
  add(Role::sb, formats.sb);
  return json;
}

Json to_json(const Features& features, const Signature& formats) {
  return features_to_json(features, formats);
}

Json to_json(const UnitModel& model) {
  return {{"schema", kModelSchema},
          {"instruction", model.instruction},
          {"k", model.k},
          {"formats", to_json(model.formats)},
          {"unit", unit_to_json(model)},
          {"features", features_to_json(features_of(model), model.formats)}};
}

Json to_json(const PartialModel& model) {
  return {{"schema", kModelSchema},
          {"instruction", model.instruction},
          {"k", model.k},
          {"formats", to_json(model.formats)},
          {"features", features_to_json(model.features, model.formats)}};
}

AnyModel model_from_json(const Json& json, const std::string& where) {
  try {
    return read_document(JsonReader(json));
  } catch (const FieldError& error) {
    throw BadInput(where + ": " + (error.path.empty() ? "" : path_text(error.path) + ": ") + error.what());
  }
}

AnyModel model_from_text(std::string_view text, const std::string& file) {
  const JsonSource source{text, file};
  const Json json = source.parse();
  try {
    return read_document(JsonReader(json));
  } catch (const FieldError& error) {
    source.fail(error);
  }
}

}  // namespace mmaprint
