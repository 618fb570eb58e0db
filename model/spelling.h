// The words by which parameters' values are written in files, features and reports: one table, read both
// ways.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/parameters.h"

namespace mmaprint {

/// The words for a parameter's values, in the order of its enumerators; empty for parameters that are
/// numbers.
[[nodiscard]] std::span<const std::string_view> words(Parameter parameter);

/// The value at an index of a parameter's domain as text: a word, a number, or "none".
[[nodiscard]] std::string value_text(Parameter parameter, int index);

/// The index of `word` among `list`.
[[nodiscard]] std::optional<int> index_of_word(std::span<const std::string_view> list, std::string_view word);

/// "a, b or c", for messages.
[[nodiscard]] std::string one_of(std::span<const std::string_view> list);

/// The word for a value of an enumerated parameter.
template <class Enum>
[[nodiscard]] std::string_view spelling(Parameter parameter, Enum value) {
  return words(parameter)[static_cast<std::size_t>(value)];
}

}  // namespace mmaprint
