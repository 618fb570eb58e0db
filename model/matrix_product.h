// Products of matrices as a unit computes them: every element is a chain of the unit's dot products, K
// products at a time in index order, in which d of each step is c of the next. Where the last step has fewer
// products, +0 · +0 stands for those that are missing, as kernels pad.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "model/batch_evaluator.h"

namespace mmaprint {

/// a is m x k, b k x n, c and d are m x n.
struct ProductShape {
  std::size_t m = 0, n = 0, k = 0;
};

/// The operands as bit patterns, row by row. c is empty where the unit has none.
struct ProductOperands {
  std::span<const Pattern> a, b, c;
};

/// Why the unit multiplies no matrices whose elements are sums of k products; nullopt if it does.
[[nodiscard]] std::optional<std::string> not_a_matrix_product(const UnitModel& model, std::size_t k);

/// By the processor's vector unit where the model fits it: a column of d in each lane.
class MatrixProduct {
 public:
  /// Requires a valid model (see `validate`).
  explicit MatrixProduct(const UnitModel& model) : evaluator_(model) {}
  /// By this kernel, if the model fits its lanes; null: by none.
  MatrixProduct(const UnitModel& model, LaneKernel kernel) : evaluator_(model, kernel) {}

  /// d. Requires a shape that not_a_matrix_product has no objection to, and operands of that shape. Throws
  /// DeadlinePassed.
  [[nodiscard]] std::vector<Pattern> operator()(const ProductShape& shape, const ProductOperands& in,
                                                int threads, const Deadline& deadline = {}) const;
  /// The same for one element of d, and what each of its steps had for c: those, and d at last.
  [[nodiscard]] std::vector<Pattern> steps(const ProductShape& shape, const ProductOperands& in,
                                           std::size_t row, std::size_t column) const;
  [[nodiscard]] const UnitModel& model() const { return evaluator_.model(); }

 private:
  BatchEvaluator evaluator_;
};

}  // namespace mmaprint
