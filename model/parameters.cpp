#include "model/parameters.h"

#include <algorithm>

namespace mmaprint {
namespace {

template <class Row>
constexpr bool kOptional = std::is_same_v<ValueOf<Row>, std::optional<int>>;

template <class Row>
std::optional<int> number(int index) {
  if constexpr (WordRow<Row>)
    return index;
  else
    return DomainOf<Row>::value(index);
}

template <class Row>
int index_in(const ParameterValues& values) {
  return DomainOf<Row>::index(Row::in(values));
}

template <class Row>
void set_in(ParameterValues& values, int index) {
  Row::in(values) = DomainOf<Row>::value(index);
}

/// What integer units have in place of parameters that mean nothing to them.
ParameterValues plain(const OperandFormats& formats) {
  ParameterValues values;
  values.block.output_fraction_bits = info(formats.d).fraction_bits;
  return values;
}

template <class Row>
ValueSet searched(const OperandFormats& formats) {
  if (info(formats.d).is_integer()) {
    if constexpr (is_of_integers<Row>())
      return Row::in_integers(formats);
    else
      return ValueSet::single(index_in<Row>(plain(formats)));
  }
  if constexpr (requires { Row::in_floats(formats); })
    return Row::in_floats(formats);
  else
    return ValueSet::range(0, DomainOf<Row>::kSize - 1);
}

template <class Row>
bool widens(int index, const OperandFormats& formats) {
  if constexpr (requires { Row::widens(index); })
    return !info(formats.d).is_integer() && Row::widens(index);
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
          Row::plainest_is_last,
          is_of_integers<Row>(),
          number<Row>,
          index_in<Row>,
          set_in<Row>,
          range_of<Row>,
          searched<Row>,
          widens<Row>};
}

constexpr auto kTable = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array{info_of<std::tuple_element_t<I, ParameterRows>>()...};
}(std::make_index_sequence<kParameterCount>{});

constexpr auto kOrderOfProof = [] {
  std::array<std::pair<int, Parameter>, kParameterCount> ranks{};
  std::size_t n = 0;
  for_each_row([&]<class Row>() { ranks[n++] = {Row::in_proofs, Row::id}; });
  std::ranges::sort(ranks);
  std::array<Parameter, kParameterCount> order{};
  std::ranges::transform(ranks, order.begin(), &std::pair<int, Parameter>::second);
  return order;
}();

constexpr bool has_twice(auto values) {
  std::ranges::sort(values);
  return std::ranges::adjacent_find(values) != values.end();
}
template <class... Rows>
constexpr bool clear_order(const std::tuple<Rows...>* /*rows*/) {
  return !has_twice(std::array{Rows::in_proofs...}) && !has_twice(std::array{Rows::in_documents...}) &&
         !has_twice(std::array{Rows::name...});
}
static_assert(clear_order(static_cast<const ParameterRows*>(nullptr)),
              "no two rows claim the same place or name");

}  // namespace

const std::array<ParameterInfo, kParameterCount>& all_parameters() { return kTable; }
const ParameterInfo& info(Parameter parameter) { return kTable[static_cast<std::size_t>(parameter)]; }
const std::array<Parameter, kParameterCount>& order_of_proof() { return kOrderOfProof; }

}  // namespace mmaprint
