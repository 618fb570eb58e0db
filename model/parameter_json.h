// Parameters' values and the fields that hold them as JSON. A name "group.member" is a member of the object
// in field `group`.
#pragma once

#include <span>
#include <string_view>

#include "base/json_source.h"
#include "model/json_reader.h"
#include "model/parameters.h"

namespace mmaprint {

/// The value at an index of the parameter's domain: a word, a number, or null for none.
[[nodiscard]] Json value_to_json(const ParameterInfo& row, int index);
/// The index of the value that stands here; numbers have to be within `range`. Throws FieldError.
[[nodiscard]] int value_from_json(const JsonReader& from, const ParameterInfo& row,
                                  const IntegerRange& range);
/// The index of what is written as text. Throws FieldError.
[[nodiscard]] int index_of_text(const JsonReader& from, const ParameterInfo& row);
/// The index of a number, or of none; nullopt for what the domain lacks.
[[nodiscard]] std::optional<int> index_of_number(const ParameterInfo& row, std::optional<int> number);

/// "" where the name has none.
[[nodiscard]] std::string_view group_of(std::string_view name);
void place_field(Json& json, std::string_view name, Json value);
/// Throws FieldError where a field is missing.
[[nodiscard]] JsonReader field_at(const JsonReader& from, std::string_view name);
[[nodiscard]] std::optional<JsonReader> find_field(const JsonReader& from, std::string_view name);
/// Throws FieldError for fields other than these, a group's members not looked at.
void require_only_fields(const JsonReader& from, std::span<const std::string_view> names);
/// The same of a group's members.
void require_only_members(const JsonReader& group, std::string_view name,
                          std::span<const std::string_view> names);

}  // namespace mmaprint
