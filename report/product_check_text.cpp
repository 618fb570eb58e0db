#include "report/product_check_text.h"

#include <fmt/format.h>

#include "report/observation_rows.h"

namespace mmaprint {

std::string check_text(const ProductCheck& result, const Style& style) {
  const std::string elements = counted(result.shape.m * result.shape.n, "element");
  if (!result.first) return style(Tone::good, "consistent") + ": the model gives all of " + elements + "\n";
  std::string text = style(Tone::bad, "inconsistent") + ": " + quantity(result.differing) + " of " +
                     elements + (result.differing == 1 ? " differs" : " differ");
  if (result.differing > 1)
    text += ", in " + quantity(result.rows) + " of " + counted(result.shape.m, "row") + " and " +
            quantity(result.columns) + " of " + counted(result.shape.n, "column");
  const ProductDifference& first = *result.first;
  std::string where = fmt::format("row {}, column {}", first.row, first.column);
  if (first.steps > 1) where += fmt::format(", step {0} of {0}, with the model's c", first.steps);
  const std::vector<NamedResult> results{{"observed", first.observed, Tone::strong},
                                         {"predicted", first.expected, Tone::plain}};
  return text + "\n\n" + style(Tone::faint, where) + "\n" +
         bit_grid(observation_rows(result.formats, first.last_step, results), style);
}

}  // namespace mmaprint
