#include "report/observation_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/printable.h"
#include "model/model_json.h"

namespace mmaprint {
namespace {

/// Products and exclusive ors of single bits, side by side where both may be meant.
bool is_of_bits(const Signature& formats) { return formats.a == Format::b1 && formats.b == Format::b1; }

GridRow product_row(const Signature& formats, const DotInput& input, std::size_t k, ProductKind kind) {
  const Pattern a = input.a[k];
  const Pattern b = input.b[k];
  const bool exclusive = kind == ProductKind::exclusive_or;
  const std::string_view sign = !is_of_bits(formats) ? "·" : exclusive ? " xor " : " and ";
  return {fmt::format("a{0}{1}b{0}", k, sign),
          pattern_text(formats.a, a) + (is_of_bits(formats) ? " " : "·") + pattern_text(formats.b, b),
          exclusive ? binary(Format::b1, a ^ b) : product(binary(formats.a, a), binary(formats.b, b)),
          false,
          Tone::plain,
          {}};
}

GridRow result_row(Format format, const NamedResult& result, const Binary& first) {
  GridRow row{printable(result.name),
              pattern_text(format, result.d),
              binary(format, result.d),
              true,
              result.tone,
              {}};
  std::ranges::set_symmetric_difference(row.number.ones, first.ones, std::back_inserter(row.marked),
                                        std::greater<>{});
  return row;
}

}  // namespace

std::vector<GridRow> observation_rows(const Signature& formats, const DotInput& input,
                                      const std::vector<NamedResult>& results, const ProductKinds& kinds) {
  constexpr auto kProduct = ProductKind::exact_unnormalised;
  ProductKinds shown{kProduct};
  if (is_of_bits(formats)) shown = kinds.empty() ? ProductKinds{kProduct, ProductKind::exclusive_or} : kinds;
  std::vector<GridRow> rows;
  if (const auto c = formats.c)
    rows.push_back({"c", pattern_text(*c, input.c), binary(*c, input.c), false, Tone::plain, {}});
  for (std::size_t k = 0; k < input.a.size(); ++k)
    for (const ProductKind kind : shown) {
      GridRow row = product_row(formats, input, k, kind);
      // A zero with a sign of its own matters only to signs of zero.
      if (!row.number.is_zero() || row.number.negative) rows.push_back(std::move(row));
    }
  for (const auto& [role, format, count] : input_roles(formats, static_cast<int>(input.a.size())))
    for (std::size_t i = 0; is_of_scales(role) && i < input.of(role).size(); ++i)
      if (const Pattern p = input.of(role)[i]; p != one_of_scales(format))
        rows.push_back({fmt::format("{}{}", name(role), i),
                        pattern_text(format, p),
                        binary(format, p),
                        false,
                        Tone::plain,
                        {}});
  if (results.empty()) return rows;
  const Binary first = binary(formats.d, results.front().d);
  for (const NamedResult& result : results) rows.push_back(result_row(formats.d, result, first));
  return rows;
}

}  // namespace mmaprint
