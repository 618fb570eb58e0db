#include "mmaprint/gemm.h"

#include <fmt/format.h>

#include "library/conversion.h"
#include "library/model_access.h"
#include "model/matrix_product.h"

namespace mmaprint {
namespace {

/// Requires so many patterns as the matrix's shape says, each within its format.
void require_patterns(const Matrix& matrix, const char* name, Format format) {
  const bool fits = matrix.columns == 0 || matrix.patterns.size() / matrix.columns == matrix.rows;
  if (!fits || matrix.patterns.size() != matrix.rows * matrix.columns)
    throw BadInput(fmt::format("{}: expected {} x {} patterns, found {}", name, matrix.rows, matrix.columns,
                               matrix.patterns.size()));
  require_within(matrix.patterns, name, format);
}

ProductShape shape_of(const Matrix& a, const Matrix& b, const std::optional<Matrix>& c) {
  if (b.rows != a.columns)
    throw BadInput(
        fmt::format("b: expected {} rows, as a has {} columns, found {}", a.columns, a.columns, b.rows));
  if (c && (c->rows != a.rows || c->columns != b.columns))
    throw BadInput(fmt::format("c: expected {} x {}, found {} x {}", a.rows, b.columns, c->rows, c->columns));
  return {a.rows, b.columns, a.columns};
}

}  // namespace

inline namespace api {

Matrix gemm(const Model& model, const Matrix& a, const Matrix& b, const std::optional<Matrix>& c,
            int threads) {
  return with_public_errors([&] {
    const UnitModel& unit = full(model, "model");
    require_patterns(a, "a", unit.formats.a);
    require_patterns(b, "b", unit.formats.b);
    if (c && !unit.formats.c) throw BadInput("c: expected none, as the unit has no c");
    if (c) require_patterns(*c, "c", *unit.formats.c);
    const ProductShape shape = shape_of(a, b, c);
    if (const auto why = not_a_matrix_product(unit, shape.k))
      throw BadInput(unit.instruction + " multiplies no such matrices: " + *why);
    std::vector<Pattern> zeros;
    if (!c && unit.formats.c) zeros.resize(shape.m * shape.n);
    const ProductOperands operands{a.patterns, b.patterns, c ? c->patterns : zeros};
    return Matrix{shape.m, shape.n, MatrixProduct(unit)(shape, operands, threads_of(threads))};
  });
}

}  // namespace api
}  // namespace mmaprint
