#include "inference/product_check.h"

#include <nlohmann/json.hpp>

#include "model/model_json.h"
#include "model/pattern.h"

namespace mmaprint {
namespace {

ProductDifference first_difference(const MatrixProduct& product, const ProductShape& shape,
                                   const ProductOperands& in, std::size_t row, std::size_t column) {
  const std::vector<Pattern> steps = product.steps(shape, in, row, column);
  const auto k = static_cast<std::size_t>(product.model().k);
  ProductDifference difference{row, column, zero_input(product.model().formats, product.model().k),
                               steps.size() - 1};
  DotInput& last = difference.last_step;
  const std::size_t begin = (difference.steps - 1) * k;
  for (std::size_t i = 0; i < k && begin + i < shape.k; ++i) {
    last.a[i] = in.a[row * shape.k + begin + i];
    last.b[i] = in.b[(begin + i) * shape.n + column];
  }
  if (product.model().formats.c) last.c = steps[difference.steps - 1];
  return difference;
}

}  // namespace

ProductCheck check_product(const MatrixProduct& product, const ProductShape& shape, const ProductOperands& in,
                           std::span<const Pattern> d, int threads, const Deadline& deadline) {
  const UnitModel& model = product.model();
  const std::vector<Pattern> expected = product(shape, in, threads, deadline);
  const FormatInfo& f = info(model.formats.d);
  const bool alike = std::holds_alternative<SeveralNans>(model.nan);
  ProductCheck check;
  check.shape = shape;
  check.formats = model.formats;
  std::vector<bool> rows(shape.m), columns(shape.n);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == d[i] || (alike && is_nan(f, expected[i]) && is_nan(f, d[i]))) continue;
    const std::size_t row = i / shape.n, column = i % shape.n;
    if (!check.first) {
      check.first = first_difference(product, shape, in, row, column);
      check.first->expected = expected[i];
      check.first->observed = d[i];
    }
    ++check.differing;
    rows[row] = columns[column] = true;
  }
  check.rows = static_cast<std::size_t>(std::ranges::count(rows, true));
  check.columns = static_cast<std::size_t>(std::ranges::count(columns, true));
  return check;
}

Json check_document(const ProductCheck& result) {
  Json document{{"schema", kProductCheckSchema},
                {"verdict", result.first ? "inconsistent" : "consistent"},
                {"elements", result.shape.m * result.shape.n},
                {"differing", result.differing},
                {"differing_rows", result.rows},
                {"differing_columns", result.columns},
                {"first", nullptr}};
  if (const auto& first = result.first)
    document["first"] = {{"row", first->row},
                         {"column", first->column},
                         {"expected", pattern_text(result.formats.d, first->expected)},
                         {"observed", pattern_text(result.formats.d, first->observed)}};
  return document;
}

}  // namespace mmaprint
