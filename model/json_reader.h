// Checked access to a JSON document's fields: every failure is a FieldError that says where and what was
// expected.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_source.h"
#include "model/signature.h"

namespace mmaprint {

/// A value inside a document that outlives it, and the way to it.
class JsonReader {
 public:
  explicit JsonReader(const Json& value, FieldPath path = {}) : value_(&value), path_(std::move(path)) {}

  [[nodiscard]] const Json& json() const { return *value_; }
  [[nodiscard]] bool is_null() const { return value_->is_null(); }
  [[nodiscard]] const FieldPath& path() const { return path_; }

  /// Throws FieldError: "expected EXPECTED, found ...".
  [[noreturn]] void fail(std::string_view expected) const;

  /// A field of an object; fails if it is missing (or if this is no object).
  [[nodiscard]] JsonReader at(std::string_view field) const;
  /// The same, or nullopt if it is missing.
  [[nodiscard]] std::optional<JsonReader> find(std::string_view field) const;
  /// Fails if this is no object or has a field that is not in `known`.
  void only(std::span<const std::string_view> known) const;
  void only(std::initializer_list<std::string_view> known) const {
    only(std::span(known.begin(), known.size()));
  }

  /// An array's elements; fails if there are more than `most`.
  [[nodiscard]] std::vector<JsonReader> elements(std::size_t most) const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] int integer(int low, int high) const;
  /// nullopt for null.
  [[nodiscard]] std::optional<int> integer_or_null(int low, int high) const;
  /// The index of the word that stands here.
  [[nodiscard]] int word(std::span<const std::string_view> list) const;
  [[nodiscard]] Format format() const;
  /// nullopt for null.
  [[nodiscard]] std::optional<Format> format_or_null() const;
  [[nodiscard]] Pattern pattern(Format format) const;
  /// An array of 1 .. `most` patterns.
  [[nodiscard]] std::vector<Pattern> patterns(Format format, std::size_t most) const;
  /// `{"a":..,"b":..,"c":..,"d":..}`, c null where there is none; `"sa":{"format":..,"per":..}` and `sb`
  /// where there are scales
  [[nodiscard]] Signature signature() const;
  /// The same of an object that has other fields besides.
  [[nodiscard]] Signature signature_among_fields() const;

 private:
  [[nodiscard]] std::optional<Scales> scales(Role role) const;
  [[nodiscard]] JsonReader element(std::size_t index) const;
  const Json& require_array(std::size_t most) const;

  const Json* value_;
  FieldPath path_;
};

/// An enumerator from its word.
template <class Enum>
[[nodiscard]] Enum read_word(const JsonReader& from, std::span<const std::string_view> list) {
  return static_cast<Enum>(from.word(list));
}

}  // namespace mmaprint
