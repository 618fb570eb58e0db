#include "model/parameter_json.h"

#include <algorithm>
#include <vector>

namespace mmaprint {
namespace {

std::string_view member_of(std::string_view name) {
  const std::string_view group = group_of(name);
  return group.empty() ? name : name.substr(group.size() + 1);
}

}  // namespace

Json value_to_json(const ParameterInfo& row, int index) {
  if (!row.words.empty()) return row.words[static_cast<std::size_t>(index)];
  if (row.text != nullptr) return row.text(index);
  const auto number = row.number(index);
  return number ? Json(*number) : Json(nullptr);
}

int index_of_text(const JsonReader& from, const ParameterInfo& row) {
  const std::string text = from.text();
  for (int i = 0; i < row.size; ++i)
    if (row.text(i) == text) return i;
  from.fail(row.text(0) + " .. " + row.text(row.size - 1));
}

std::optional<int> index_of_number(const ParameterInfo& row, std::optional<int> number) {
  for (int i = 0; i < row.size; ++i)
    if (row.number(i) == number) return i;
  return std::nullopt;
}

int value_from_json(const JsonReader& from, const ParameterInfo& row, const IntegerRange& range) {
  if (!row.words.empty()) return from.word(row.words);
  if (row.text != nullptr) return index_of_text(from, row);
  const auto [low, high] = range;
  const auto index = index_of_number(
      row, row.optional ? from.integer_or_null(low, high) : std::optional(from.integer(low, high)));
  if (!index) from.fail("a value of the parameter's domain");
  return *index;
}

std::string_view group_of(std::string_view name) {
  const auto dot = name.find('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
}

void place_field(Json& json, std::string_view name, Json value) {
  const std::string_view group = group_of(name);
  Json& object = group.empty() ? json : json[std::string(group)];
  object[std::string(member_of(name))] = std::move(value);
}

JsonReader field_at(const JsonReader& from, std::string_view name) {
  const std::string_view group = group_of(name);
  return group.empty() ? from.at(name) : from.at(group).at(member_of(name));
}

std::optional<JsonReader> find_field(const JsonReader& from, std::string_view name) {
  const std::string_view group = group_of(name);
  if (group.empty()) return from.find(name);
  const auto object = from.find(group);
  return object ? object->find(member_of(name)) : std::nullopt;
}

void require_only_fields(const JsonReader& from, std::span<const std::string_view> names) {
  std::vector<std::string_view> known;
  for (const std::string_view name : names) {
    const std::string_view group = group_of(name);
    const std::string_view field = group.empty() ? name : group;
    if (std::ranges::find(known, field) == known.end()) known.push_back(field);
  }
  from.only(known);
}

void require_only_members(const JsonReader& group, std::string_view name,
                          std::span<const std::string_view> names) {
  std::vector<std::string_view> known;
  for (const std::string_view one : names)
    if (group_of(one) == name) known.push_back(member_of(one));
  group.only(known);
}

}  // namespace mmaprint
