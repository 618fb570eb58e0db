// Access to the table of parameters (model/parameter_table.h): by type where a parameter is known when
// compiling, by enumerator where all are treated alike.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "model/parameter_table.h"

namespace mmaprint {

inline constexpr std::size_t kParameterCount = std::tuple_size_v<ParameterRows>;

template <Parameter P>
using ParameterRow = std::tuple_element_t<static_cast<std::size_t>(P), ParameterRows>;

/// Calls fn.operator()<Row>() for every row, in order.
template <class Fn>
constexpr void for_each_row(Fn&& fn) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (fn.template operator()<std::tuple_element_t<I, ParameterRows>>(), ...);
  }(std::make_index_sequence<kParameterCount>{});
}
static_assert(
    [] {
      std::size_t place = 0;
      bool ordered = true;
      for_each_row([&]<class Row>() { ordered = ordered && Row::id == static_cast<Parameter>(place++); });
      return ordered;
    }(),
    "each row stands at its enumerator's place");

template <class Row>
concept WordRow = requires { Row::words; };
/// Values that are neither words nor numbers are written as text.
template <class Row>
concept TextRow = !WordRow<Row> && requires { Row::Domain::text(0); };

/// The type of a row's values in models.
template <class Row>
using ValueOf = std::remove_cvref_t<decltype(Row::in(std::declval<Adder&>(), std::declval<Conventions&>()))>;

namespace detail {
template <class Row>
struct DomainOfRow {
  using Type = typename Row::Domain;
};
template <WordRow Row>
struct DomainOfRow<Row> {
  using Type = WordDomain<ValueOf<Row>, Row::words.size()>;
};
}  // namespace detail
/// A row's values by index.
template <class Row>
using DomainOf = typename detail::DomainOfRow<Row>::Type;

/// A row's words; none for numbers.
template <class Row>
[[nodiscard]] constexpr std::span<const std::string_view> words_of() {
  if constexpr (WordRow<Row>)
    return Row::words;
  else
    return {};
}

/// The member's name in an adder or in the conventions.
template <class Row>
[[nodiscard]] constexpr std::string_view field_of() {
  if constexpr (requires { Row::field; })
    return Row::field;
  else
    return Row::name;
}

/// Does it mean anything for integer units?
template <class Row>
[[nodiscard]] constexpr bool is_of_integers() {
  return requires(const Signature& formats) { Row::in_integers(formats); };
}

/// The integers that files may state for a number.
template <class Row>
[[nodiscard]] IntegerRange range_of(const Signature& formats) {
  if constexpr (requires { Row::range(formats); })
    return Row::range(formats);
  else if constexpr (WordRow<Row>)
    return {0, DomainOf<Row>::kSize - 1};
  else
    return DomainOf<Row>::kRange;
}

/// The typed value of P's domain at an index: what the datapath's `select<P>` passes on.
template <Parameter P>
[[nodiscard]] constexpr auto typed_value(int index) {
  return DomainOf<ParameterRow<P>>::value(index);
}

/// A row as far as its types don't matter.
struct ParameterInfo {
  Parameter id;
  std::string_view name;
  std::string_view field;  ///< in an adder or in the conventions
  Scope scope;
  int size;                                 ///< of the domain: indices 0 .. size - 1
  std::span<const std::string_view> words;  ///< empty for numbers
  bool optional;                            ///< a number that can be none
  std::string (*text)(int);  ///< at an index, of what is neither a word nor a number; else nullptr
  bool plainest_is_last;
  bool is_newer;                                   ///< older documents don't state it, and mean the default
  bool of_integers;                                ///< means something for integer units
  bool about_c;                                    ///< and where there is a c alone
  std::optional<int> (*number)(int);               ///< at an index; nullopt is none. Of numbers
  int (*index)(const Adder&, const Conventions&);  ///< of the value that is held
  void (*set)(Adder&, Conventions&, int);
  IntegerRange (*range)(const Signature&);         ///< that files may state; of numbers
  ValueSet (*searched)(const Signature&);          ///< in the default space
  ValueSet (*searched_at_last)(const Signature&);  ///< where nothing else is left
  bool (*widens)(int, const Signature&);           ///< may this value be searched, too?
};
[[nodiscard]] const std::array<ParameterInfo, kParameterCount>& all_parameters();
[[nodiscard]] const ParameterInfo& info(Parameter parameter);
/// What documents mean that don't state a newer parameter.
[[nodiscard]] int default_index(const ParameterInfo& row);

/// A parameter of one class of nodes. What belongs to the whole unit is kept with class 0.
struct ParameterKey {
  Parameter parameter;
  int of_class = 0;
  friend auto operator<=>(const ParameterKey&, const ParameterKey&) = default;
};
/// The key of P at a node of that class.
template <Parameter P>
[[nodiscard]] constexpr ParameterKey key_at(int of_class) {
  return {P, ParameterRow<P>::scope == Scope::adder ? of_class : 0};
}

namespace detail {
/// Among the parameters that every class has, in order.
inline constexpr auto kPlaceInClass = [] {
  std::array<std::size_t, kParameterCount + 1> places{};
  std::size_t n = 0;
  for_each_row([&]<class Row>() {
    places[static_cast<std::size_t>(Row::id)] = n;
    if (Row::scope == Scope::adder) ++n;
  });
  places[kParameterCount] = n;
  return places;
}();
}  // namespace detail
/// Where a key stands in all_keys() of any number of classes.
[[nodiscard]] constexpr std::size_t place_of(const ParameterKey& key) {
  const auto p = static_cast<std::size_t>(key.parameter);
  if (key.of_class == 0) return p;
  const auto later = static_cast<std::size_t>(key.of_class - 1);
  return kParameterCount + later * detail::kPlaceInClass[kParameterCount] + detail::kPlaceInClass[p];
}
/// Every key of a unit with so many classes: class 0 with all parameters, then those that later ones have.
[[nodiscard]] std::span<const ParameterKey> all_keys(int classes);
/// The same, those first that fold most readily.
[[nodiscard]] std::span<const ParameterKey> order_of_proof(int classes);
/// More classes than any skeleton that is searched has.
inline constexpr int kMostClasses = 8;
/// What documents call it: the last class's rounding is `final_rounding`, another class's have its number.
[[nodiscard]] std::string name_of(const ParameterKey& key, int classes);

/// The index of the value that `values` holds, and its inverse.
[[nodiscard]] inline int value_index(const ParameterValues& values, const ParameterKey& key) {
  return info(key.parameter).index(values.adders[static_cast<std::size_t>(key.of_class)], values.conventions);
}
inline void set_value(ParameterValues& values, const ParameterKey& key, int index) {
  info(key.parameter).set(values.adders[static_cast<std::size_t>(key.of_class)], values.conventions, index);
}

}  // namespace mmaprint
