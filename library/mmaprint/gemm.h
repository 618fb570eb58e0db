// Products of matrices, as a model's unit would multiply them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "mmaprint/model.h"

namespace mmaprint {
inline namespace api {

/// Bit patterns, row by row; each stands in the low bits of its word, all above are 0.
struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<std::uint64_t> patterns;  ///< rows · columns
  friend bool operator==(const Matrix&, const Matrix&) = default;
};

/// d = c + a · b, m x n, for a of m x k, b of k x n and c of m x n; c is all +0 where it is not given, and
/// there is none in a unit without c. Each element is a chain over k in index order: the unit adds the first
/// K products to c, the next K to the d of that, and so on. Where k is no multiple of K the last step has
/// products +0 · +0 at its end, which is what kernels fill their tiles with.
///
/// Throws InputError for a partial model, a unit with scales, one that cannot go on from its own d (there is
/// no c, or it has another format) where k is larger than K, and for matrices that do not fit each other or
/// hold patterns that are wider than their formats. 0 threads: one for each core.
[[nodiscard]] Matrix gemm(const Model& model, const Matrix& a, const Matrix& b,
                          const std::optional<Matrix>& c = std::nullopt, int threads = 0);

}  // namespace api
}  // namespace mmaprint
