// Matrices in NumPy's .npy files.
#pragma once

#include <string>
#include <vector>

#include "base/deadline.h"
#include "model/format.h"

namespace mmaprint {

/// Bit patterns, row by row.
struct NpyMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<Pattern> patterns;
};

/// Reads a matrix of that format: an array of two dimensions of the NumPy type that has the format's bits, or
/// of unsigned integers that hold bit patterns; little-endian, in either order. Throws BadInput: file, what,
/// what was expected; DeadlinePassed.
[[nodiscard]] NpyMatrix read_npy(const std::string& path, Format format, const Deadline& deadline);

}  // namespace mmaprint
