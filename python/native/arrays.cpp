#include "python/native/arrays.h"

#include <memory>

namespace nb = nanobind;

namespace mmaprint::python {
namespace {

/// n rows; of one column, or of none, a vector.
nb::object rows_of(std::vector<std::uint64_t> patterns, std::size_t n) {
  auto owned = std::make_unique<std::vector<std::uint64_t>>(std::move(patterns));
  const std::size_t columns = n == 0 ? 0 : owned->size() / n;
  std::uint64_t* const data = owned->data();
  const nb::capsule owner(owned.release(), [](void* p) noexcept {
    const std::unique_ptr<std::vector<std::uint64_t>> freed(static_cast<std::vector<std::uint64_t>*>(p));
  });
  return nb::cast(NewArray(data, {n, columns}, owner));
}

nb::object rows_or_none(const std::vector<std::uint64_t>& patterns, std::size_t n) {
  return patterns.empty() ? nb::object(nb::none()) : rows_of(patterns, n);
}

nb::object vector_or_none(const std::vector<std::uint64_t>& patterns) {
  return patterns.empty() ? nb::object(nb::none()) : nb::cast(array_of(patterns));
}

std::vector<std::uint64_t> patterns_of(const std::optional<Patterns>& array) {
  return array ? python::patterns_of(*array) : std::vector<std::uint64_t>();
}

PatternView pattern_view(const AnyPatterns& array) {
  const nb::dlpack::dtype type = array.dtype();
  if (type.code != static_cast<std::uint8_t>(nb::dlpack::dtype_code::UInt) || type.lanes != 1)
    throw InputError("expected an array of unsigned integers");
  return {array.data(), array.size(), type.bits / 8};
}

}  // namespace

InputBatch batch_of(const ArraysOfInputs& arrays) {
  const auto& [a, b, c, sa, sb] = arrays;
  return {a.ndim() == 0 ? 0 : a.shape(0),
          patterns_of(a),
          patterns_of(b),
          patterns_of(c),
          patterns_of(sa),
          patterns_of(sb)};
}

InputView view_of(const AnyPatterns& a, const AnyPatterns& b, const std::optional<AnyPatterns>& c) {
  return {a.ndim() == 0 ? 0 : a.shape(0), pattern_view(a), pattern_view(b),
          c ? pattern_view(*c) : PatternView()};
}

nb::tuple arrays_of(const InputBatch& batch) {
  return nb::make_tuple(rows_of(batch.a, batch.n), rows_of(batch.b, batch.n), vector_or_none(batch.c),
                        rows_or_none(batch.sa, batch.n), rows_or_none(batch.sb, batch.n));
}

nb::tuple arrays_of(const ObservedBatch& batch) {
  const InputBatch& in = batch.inputs;
  return nb::make_tuple(rows_of(in.a, in.n), rows_of(in.b, in.n), vector_or_none(in.c),
                        rows_or_none(in.sa, in.n), rows_or_none(in.sb, in.n), array_of(batch.d));
}

NewArray array_of(std::vector<std::uint64_t> patterns) {
  auto owned = std::make_unique<std::vector<std::uint64_t>>(std::move(patterns));
  std::uint64_t* const data = owned->data();
  const std::size_t n = owned->size();
  const nb::capsule owner(owned.release(), [](void* p) noexcept {
    const std::unique_ptr<std::vector<std::uint64_t>> freed(static_cast<std::vector<std::uint64_t>*>(p));
  });
  return NewArray(data, {n}, owner);
}

std::vector<std::uint64_t> patterns_of(const Patterns& array) {
  return {array.data(), array.data() + array.size()};
}

}  // namespace mmaprint::python
