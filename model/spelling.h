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
/// numbers or else.
[[nodiscard]] std::span<const std::string_view> words(Parameter parameter);

/// The value at an index of a parameter's domain as text: a word, a number, "none", or what its row has for
/// it.
[[nodiscard]] std::string value_text(Parameter parameter, int index);

/// Are the values at these neighbouring indices part of one run, written from its first to its last? Words
/// have no order, and neither has "none"; a number may come after a word that changes.
[[nodiscard]] bool is_run(const ParameterInfo& row, int index, int next);

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
