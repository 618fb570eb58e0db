#include "report/observation_rows.h"

#include <algorithm>
#include <iterator>

#include "model/text.h"

namespace mmaprint {
namespace {

bool is_zero(const Binary& x) { return x.kind == Binary::Kind::finite && x.ones.empty(); }

GridRow result_row(Format format, const NamedResult& result, const Binary& first) {
  GridRow row{result.name, pattern_text(format, result.d), binary(format, result.d), true, result.tone, {}};
  std::ranges::set_symmetric_difference(row.number.ones, first.ones, std::back_inserter(row.marked),
                                        std::greater<>{});
  return row;
}

}  // namespace

std::vector<GridRow> observation_rows(const OperandFormats& formats, const DotInput& input,
                                      const std::vector<NamedResult>& results) {
  std::vector<GridRow> rows;
  rows.push_back({"c", pattern_text(formats.c, input.c), binary(formats.c, input.c), false, Tone::plain, {}});
  for (std::size_t k = 0; k < input.a.size(); ++k) {
    const Binary p = product(binary(formats.a, input.a[k]), binary(formats.b, input.b[k]));
    // A zero with a sign of its own matters only to signs of zero.
    if (is_zero(p) && !p.negative) continue;
    rows.push_back({"a" + std::to_string(k) + "·b" + std::to_string(k),
                    pattern_text(formats.a, input.a[k]) + "·" + pattern_text(formats.b, input.b[k]),
                    p,
                    false,
                    Tone::plain,
                    {}});
  }
  if (results.empty()) return rows;
  const Binary first = binary(formats.d, results.front().d);
  for (const NamedResult& result : results) rows.push_back(result_row(formats.d, result, first));
  return rows;
}

}  // namespace mmaprint
