// Which NaN a unit's NaN results are: docs/semantics.md, "NaN".
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "model/format.h"

namespace mmaprint {

/// Of several NaNs at a node, which one goes on; and what an invalid operation gives.
struct NanRule {
  /// Where a running sum, or c, stands among a node's operands; `between`: behind every product's first
  /// factor, before the second ones.
  enum class Sum : std::uint8_t { first, last, between } sum = Sum::first;
  /// The order of the products, and of sums that are no running ones.
  enum class Products : std::uint8_t { ascending, descending } products = Products::ascending;
  /// The order of a product's factors.
  enum class Factors : std::uint8_t { a_first, b_first } factors = Factors::a_first;
  /// Where the NaN stands that zero times infinity gives: at its product's place, after all NaN operands of
  /// its node, or before them (but not before signalling ones that go first).
  enum class Invalid : std::uint8_t { in_order, last, first } invalid = Invalid::in_order;
  /// Do signalling NaNs go before quiet ones?
  enum class Signalling : std::uint8_t { alike, first } signalling = Signalling::alike;
  /// What an invalid operation gives, as it is seen in d.
  Pattern generated = 0;
  friend bool operator==(const NanRule&, const NanRule&) = default;
};
inline constexpr std::array<std::string_view, 3> kNanSumWords{"first", "last", "between-factors"};
inline constexpr std::array<std::string_view, 2> kNanProductsWords{"ascending", "descending"};
inline constexpr std::array<std::string_view, 2> kNanFactorsWords{"a-first", "b-first"};
inline constexpr std::array<std::string_view, 3> kNanInvalidWords{"in-order", "last", "first"};
inline constexpr std::array<std::string_view, 2> kNanSignallingWords{"alike", "first"};

/// Integers have no NaN.
struct NoNan {
  friend bool operator==(const NoNan&, const NoNan&) = default;
};
/// Several patterns, of which the model says nothing more.
struct SeveralNans {
  friend bool operator==(const SeveralNans&, const SeveralNans&) = default;
};
/// A pattern: all NaN results are that one.
using NanBehaviour = std::variant<NoNan, Pattern, NanRule, SeveralNans>;

/// The pattern that stands for every NaN result, where there is one.
[[nodiscard]] inline std::optional<Pattern> constant_nan(const NanBehaviour& nan) {
  const auto* pattern = std::get_if<Pattern>(&nan);
  return pattern != nullptr ? std::optional(*pattern) : std::nullopt;
}
/// That pattern; without one, several (integers: none).
[[nodiscard]] NanBehaviour nan_behaviour(Format d, std::optional<Pattern> constant);

/// What was expected of it, if it is none for results of this format.
[[nodiscard]] std::optional<std::string> not_legal(const NanBehaviour& nan, Format d);

/// In words: "7fffffff", "several patterns", "the first NaN operand's, quieted (...)".
[[nodiscard]] std::string in_words(const NanBehaviour& nan, Format d);

}  // namespace mmaprint
