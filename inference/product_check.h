// Is a product of matrices what a unit gives?
#pragma once

#include "base/json_source.h"
#include "model/matrix_product.h"

namespace mmaprint {

inline constexpr std::string_view kProductCheckSchema = "mmaprint/gemm-check/1";

/// The first element, by rows, that is another one than the model's.
struct ProductDifference {
  std::size_t row = 0, column = 0;
  DotInput last_step;  ///< with the c that the model has there
  std::size_t steps = 1;
  Pattern expected = 0, observed = 0;
};

struct ProductCheck {
  ProductShape shape;
  Signature formats;
  std::size_t differing = 0, rows = 0, columns = 0;  ///< elements, and rows and columns that have some
  std::optional<ProductDifference> first;
};

/// Compares d with what the product gives, NaN as NaN where the unit's NaN results have several patterns.
/// Requires what the product requires, and d of that shape. Throws DeadlinePassed.
[[nodiscard]] ProductCheck check_product(const MatrixProduct& product, const ProductShape& shape,
                                         const ProductOperands& in, std::span<const Pattern> d, int threads,
                                         const Deadline& deadline);
[[nodiscard]] Json check_document(const ProductCheck& result);

}  // namespace mmaprint
