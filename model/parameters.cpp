#include "model/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace mmaprint {
namespace {

template <class Row>
constexpr bool kOptional = std::is_same_v<ValueOf<Row>, std::optional<int>>;

template <class Row>
std::optional<int> number(int index) {
  if constexpr (WordRow<Row> || TextRow<Row>)
    return index;
  else
    return DomainOf<Row>::value(index);
}

template <class Row>
constexpr auto text_of() -> std::string (*)(int) {
  if constexpr (TextRow<Row>)
    return DomainOf<Row>::text;
  else
    return nullptr;
}

template <class Row>
int index_in(const Adder& adder, const Conventions& unit) {
  return DomainOf<Row>::index(Row::in(adder, unit));
}

template <class Row>
void set_in(Adder& adder, Conventions& unit, int index) {
  Row::in(adder, unit) = DomainOf<Row>::value(index);
}

/// What units have in place of parameters that mean nothing to them.
Adder plain(const Signature& formats) {
  Adder adder;
  adder.output_fraction_bits = info(formats.d).fraction_bits;
  return adder;
}

/// Is it about a c that is not there?
template <class Row>
bool is_missing(const Signature& formats) {
  return Row::about_c && !formats.c;
}

template <class Row>
ValueSet searched(const Signature& formats) {
  if (is_missing<Row>(formats)) return ValueSet::single(index_in<Row>(plain(formats), {}));
  if (info(formats.d).is_integer()) {
    if constexpr (is_of_integers<Row>())
      return Row::in_integers(formats);
    else
      return ValueSet::single(index_in<Row>(plain(formats), {}));
  }
  if constexpr (requires { Row::in_floats(formats); })
    return Row::in_floats(formats);
  else
    return ValueSet::range(0, DomainOf<Row>::kSize - 1);
}

template <class Row>
ValueSet searched_at_last(const Signature& formats) {
  if constexpr (requires { Row::in_widest(formats); })
    if (!info(formats.d).is_integer() && !is_missing<Row>(formats)) return Row::in_widest(formats);
  return searched<Row>(formats);
}

template <class Row>
bool widens(int index, const Signature& formats) {
  if constexpr (requires { Row::widens(index); })
    return !info(formats.d).is_integer() && !is_missing<Row>(formats) && Row::widens(index);
  else
    return false;
}

template <class Row>
constexpr ParameterInfo info_of() {
  static_assert(std::is_same_v<typename DomainOf<Row>::Value, ValueOf<Row>>);
  static_assert(DomainOf<Row>::kSize <= ValueSet::kCapacity);
  return {Row::id,
          Row::name,
          field_of<Row>(),
          Row::scope,
          DomainOf<Row>::kSize,
          words_of<Row>(),
          kOptional<Row>,
          text_of<Row>(),
          Row::plainest_is_last,
          Row::is_newer,
          is_of_integers<Row>(),
          Row::about_c,
          number<Row>,
          index_in<Row>,
          set_in<Row>,
          range_of<Row>,
          searched<Row>,
          searched_at_last<Row>,
          widens<Row>};
}

constexpr auto kTable = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array{info_of<std::tuple_element_t<I, ParameterRows>>()...};
}(std::make_index_sequence<kParameterCount>{});

constexpr auto kRankInProofs = [] {
  std::array<int, kParameterCount> ranks{};
  for_each_row([&]<class Row>() { ranks[static_cast<std::size_t>(Row::id)] = Row::in_proofs; });
  return ranks;
}();
/// Later classes are of few nodes: what the others have in common with them is easier to tell by then.
int rank_in_proofs(const ParameterKey& key) {
  constexpr int kEarlier = 75;
  return kRankInProofs[static_cast<std::size_t>(key.parameter)] - (key.of_class > 0 ? kEarlier : 0);
}

std::vector<ParameterKey> keys_of(int classes) {
  std::vector<ParameterKey> keys;
  for (int of_class = 0; of_class < classes; ++of_class)
    for (const ParameterInfo& row : kTable)
      if (of_class == 0 || row.scope == Scope::adder) keys.push_back({row.id, of_class});
  return keys;
}

constexpr bool has_twice(auto values) {
  std::ranges::sort(values);
  return std::ranges::adjacent_find(values) != values.end();
}
template <class... Rows>
constexpr bool places_and_names_differ(const std::tuple<Rows...>* /*rows*/) {
  return !has_twice(std::array{Rows::in_proofs...}) && !has_twice(std::array{Rows::in_documents...}) &&
         !has_twice(std::array{Rows::name...});
}
static_assert(places_and_names_differ(static_cast<const ParameterRows*>(nullptr)),
              "no two rows claim the same place or name");

}  // namespace

const std::array<ParameterInfo, kParameterCount>& all_parameters() { return kTable; }
const ParameterInfo& info(Parameter parameter) { return kTable[static_cast<std::size_t>(parameter)]; }

int default_index(const ParameterInfo& row) { return row.index({}, {}); }

std::string ZeroAddendsDomain::text(int index) {
  const ZeroAddends rule = value(index);
  if (rule.kind() == ZeroAddends::Kind::left_out) return std::string(kLeftOut);
  return fmt::format("{} {}", rule.kind() == ZeroAddends::Kind::as_exponent ? kAsExponent : kFactorExponent,
                     rule.exponent());
}

std::span<const ParameterKey> all_keys(int classes) {
  // Class after class: those of few classes come first among those of many.
  static const std::vector<ParameterKey> kKeys = keys_of(kMostClasses);
  const auto later =
      static_cast<std::size_t>(std::ranges::count(kTable, Scope::adder, &ParameterInfo::scope));
  return std::span(kKeys).first(kParameterCount + static_cast<std::size_t>(classes - 1) * later);
}

std::span<const ParameterKey> order_of_proof(int classes) {
  static const auto kOrders = [] {
    std::array<std::vector<ParameterKey>, kMostClasses + 1> orders;
    for (int n = 1; n <= kMostClasses; ++n) {
      auto& order = orders[static_cast<std::size_t>(n)] = keys_of(n);
      std::ranges::stable_sort(order, {}, rank_in_proofs);
    }
    return orders;
  }();
  return kOrders[static_cast<std::size_t>(classes)];
}

std::string name_of(const ParameterKey& key, int classes) {
  const ParameterInfo& row = info(key.parameter);
  if (key.of_class == 0) return std::string(row.name);
  if (key.parameter == Parameter::block_rounding && key.of_class == classes - 1) return "final_rounding";
  return fmt::format("{}[{}]", row.name, key.of_class);
}

}  // namespace mmaprint
