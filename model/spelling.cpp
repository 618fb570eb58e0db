#include "model/spelling.h"

#include <fmt/format.h>

#include <algorithm>

namespace mmaprint {
std::span<const std::string_view> words(Parameter parameter) { return info(parameter).words; }

std::string value_text(Parameter parameter, int index) {
  const ParameterInfo& row = info(parameter);
  if (!row.words.empty()) return std::string(row.words[static_cast<std::size_t>(index)]);
  if (row.text != nullptr) return row.text(index);
  const auto number = row.number(index);
  return number ? fmt::format("{}", *number) : "none";
}

bool is_run(const ParameterInfo& row, int index, int next) {
  if (!row.words.empty()) return false;
  if (row.text == nullptr) return row.number(index) && row.number(next);
  const std::string from = row.text(index), to = row.text(next);
  const auto space = from.find(' ');
  return space != std::string::npos && to.compare(0, space + 1, from, 0, space + 1) == 0;
}

std::optional<int> index_of_word(std::span<const std::string_view> list, std::string_view word) {
  const auto found = std::ranges::find(list, word);
  return found == list.end() ? std::nullopt : std::optional(static_cast<int>(found - list.begin()));
}

std::string one_of(std::span<const std::string_view> list) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) text += i + 1 == list.size() ? " or " : ", ";
    text += list[i];
  }
  return text;
}

}  // namespace mmaprint
