// Batches as NumPy arrays: bit patterns as uint64, shapes (n, k), (n,) and (n, scales).
#pragma once

#include <mmaprint/mmaprint.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

namespace mmaprint::python {

/// As it comes: any shape, its elements beside each other.
using Patterns = nanobind::ndarray<const std::uint64_t, nanobind::c_contig, nanobind::device::cpu>;
/// The same of unsigned integers of any width.
using AnyPatterns = nanobind::ndarray<nanobind::c_contig, nanobind::device::cpu, nanobind::ro>;
using NewArray = nanobind::ndarray<nanobind::numpy, std::uint64_t>;

/// (a, b, c, sa, sb), None where a unit has no such operand.
using ArraysOfInputs =
    std::tuple<Patterns, Patterns, std::optional<Patterns>, std::optional<Patterns>, std::optional<Patterns>>;

/// Requires arrays whose first dimension is the number of inputs.
[[nodiscard]] InputBatch batch_of(const ArraysOfInputs& arrays);
/// Of (n, k), (n, k) and (n,); what they show lives as long as they do. Throws InputError for other elements.
[[nodiscard]] InputView view_of(const AnyPatterns& a, const AnyPatterns& b,
                                const std::optional<AnyPatterns>& c);
/// (a, b, c, sa, sb) as above.
[[nodiscard]] nanobind::tuple arrays_of(const InputBatch& batch);
/// (a, b, c, sa, sb, d)
[[nodiscard]] nanobind::tuple arrays_of(const ObservedBatch& batch);
[[nodiscard]] NewArray array_of(std::vector<std::uint64_t> patterns);
[[nodiscard]] std::vector<std::uint64_t> patterns_of(const Patterns& array);

}  // namespace mmaprint::python
