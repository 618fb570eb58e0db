#include "model/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "model/model_json.h"
#include "model/spelling.h"

namespace mmaprint {
namespace {

std::string found(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return fmt::format("an array of {}", value.size());
  if (value.is_string()) return in_quotes(value.get_ref<const std::string&>());
  return value.dump();
}

FieldPath extended(FieldPath path, std::string step) {
  path.push_back(std::move(step));
  return path;
}

}  // namespace

void JsonReader::fail(std::string_view expected) const {
  throw FieldError(path_, "expected " + std::string(expected) + ", found " + found(*value_));
}

std::optional<JsonReader> JsonReader::find(std::string_view field) const {
  if (!value_->is_object()) fail("an object");
  const auto place = value_->find(std::string(field));
  if (place == value_->end()) return std::nullopt;
  return JsonReader(*place, extended(path_, std::string(field)));
}

JsonReader JsonReader::at(std::string_view field) const {
  if (auto there = find(field)) return *std::move(there);
  throw FieldError(path_, "expected a field " + in_quotes(field));
}

void JsonReader::only(std::span<const std::string_view> known) const {
  if (!value_->is_object()) fail("an object");
  for (const auto& item : value_->items()) {
    if (std::ranges::find(known, item.key()) != known.end()) continue;
    throw FieldError(extended(path_, item.key()), "unknown field, expected " + one_of(known));
  }
}

JsonReader JsonReader::element(std::size_t index) const {
  return JsonReader((*value_)[index], extended(path_, fmt::format("[{}]", index)));
}

const Json& JsonReader::require_array(std::size_t most) const {
  if (!value_->is_array()) fail("an array");
  if (value_->size() > most) fail(fmt::format("an array of at most {}", most));
  return *value_;
}

std::vector<JsonReader> JsonReader::elements(std::size_t most) const {
  std::vector<JsonReader> all;
  const std::size_t size = require_array(most).size();
  all.reserve(size);
  for (std::size_t i = 0; i < size; ++i) all.push_back(element(i));
  return all;
}

std::string JsonReader::text() const {
  if (!value_->is_string()) fail("a string");
  return value_->get<std::string>();
}

int JsonReader::integer(int low, int high) const {
  const std::string expected = fmt::format("an integer from {} to {}", low, high);
  if (!value_->is_number_integer()) fail(expected);
  // Unsigned numbers beyond int64 would come out negative.
  if (value_->is_number_unsigned() && value_->get<std::uint64_t>() > INT64_MAX) fail(expected);
  const auto number = value_->get<std::int64_t>();
  if (number < low || number > high) fail(expected);
  return static_cast<int>(number);
}

std::optional<int> JsonReader::integer_or_null(int low, int high) const {
  if (is_null()) return std::nullopt;
  if (!value_->is_number_integer()) fail(fmt::format("null or an integer from {} to {}", low, high));
  return integer(low, high);
}

int JsonReader::word(std::span<const std::string_view> list) const {
  if (value_->is_string())
    if (const auto index = index_of_word(list, value_->get_ref<const std::string&>())) return *index;
  fail(one_of(list));
}

Format JsonReader::format() const {
  if (value_->is_string())
    if (const auto format = format_named(value_->get_ref<const std::string&>())) return *format;
  fail("a format (" + format_names() + ")");
}

std::optional<Format> JsonReader::format_or_null() const {
  if (is_null()) return std::nullopt;
  if (value_->is_string() && format_named(value_->get_ref<const std::string&>())) return format();
  fail("null or a format (" + format_names() + ")");
}

Pattern JsonReader::pattern(Format format) const {
  if (value_->is_string())
    if (const auto pattern = pattern_from_text(format, value_->get_ref<const std::string&>()))
      return *pattern;
  fail(pattern_expectation(format));
}

std::vector<Pattern> JsonReader::patterns(Format format, std::size_t most) const {
  const Json& array = require_array(most);
  if (array.empty()) fail("at least one pattern");
  std::vector<Pattern> all;
  all.reserve(array.size());
  // Readers carry paths; building one per element would dominate reading large files.
  for (std::size_t i = 0; i < array.size(); ++i) {
    const Json& item = array[i];
    const auto pattern =
        item.is_string() ? pattern_from_text(format, item.get_ref<const std::string&>()) : std::nullopt;
    if (!pattern) element(i).fail(pattern_expectation(format));
    all.push_back(*pattern);
  }
  return all;
}

Signature JsonReader::signature() const {
  only({"a", "b", "c", "d", "sa", "sb"});
  return signature_among_fields();
}

Signature JsonReader::signature_among_fields() const {
  return {at("a").format(), at("b").format(), at("c").format_or_null(),
          at("d").format(), scales(Role::sa), scales(Role::sb)};
}

std::optional<Scales> JsonReader::scales(Role role) const {
  const auto given = find(name(role));
  if (!given || given->is_null()) return std::nullopt;
  given->only({"format", "per"});
  const JsonReader format = given->at("format");
  const Scales scales{format.format(), given->at("per").integer(1, kLargestK)};
  if (info(scales.format).has_sign || info(scales.format).is_integer()) format.fail("ue8m0 or ue4m3");
  return scales;
}

}  // namespace mmaprint
