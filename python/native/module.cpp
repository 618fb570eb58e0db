// The extension module: the library with bit patterns as uint64 arrays. What users see is in python/mmaprint.
#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "python/native/arrays.h"
#include "python/native/questions.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace mmaprint::python {
namespace {

void bind_errors(nb::module_& module) {
  const nb::exception<Error> error(module, "Error");
  const nb::exception<InputError> input(module, "InputError",
                                        nb::make_tuple(error, nb::handle(PyExc_ValueError)));
  const nb::exception<DeviceError> device(module, "DeviceError",
                                          nb::make_tuple(error, nb::handle(PyExc_RuntimeError)));
}

void bind_formats(nb::module_& module) {
  nb::class_<ScaleFormat>(module, "ScaleFormat")
      .def(nb::init<std::string, int>(), "format"_a, "per"_a)
      .def_ro("format", &ScaleFormat::format)
      .def_ro("per", &ScaleFormat::per);
  nb::class_<Formats>(module, "Formats")
      .def(nb::init<std::string, std::string, std::optional<std::string>, std::string,
                    std::optional<ScaleFormat>, std::optional<ScaleFormat>>(),
           "a"_a, "b"_a, "c"_a.none(), "d"_a, "sa"_a.none() = nb::none(), "sb"_a.none() = nb::none())
      .def_ro("a", &Formats::a)
      .def_ro("b", &Formats::b)
      .def_ro("c", &Formats::c)
      .def_ro("d", &Formats::d)
      .def_ro("sa", &Formats::sa)
      .def_ro("sb", &Formats::sb);
  nb::class_<FormatFacts>(module, "FormatFacts")
      .def_ro("bits", &FormatFacts::bits)
      .def_ro("is_integer", &FormatFacts::is_integer)
      .def_ro("is_signed", &FormatFacts::is_signed)
      .def_ro("exponent_bits", &FormatFacts::exponent_bits)
      .def_ro("fraction_bits", &FormatFacts::fraction_bits);
  module.def("formats_of", &formats_of, "text"_a);
  module.def("format_facts", &format_facts, "format"_a);
  module.def("format_list", &format_list);
}

NewArray results_of(const Model& model, const ArraysOfInputs& arrays) {
  const InputBatch batch = batch_of(arrays);
  std::vector<std::uint64_t> results;
  {
    const nb::gil_scoped_release unlocked;
    results = model(batch);
  }
  return array_of(std::move(results));
}

NewArray results_of_arrays(const Model& model, const AnyPatterns& a, const AnyPatterns& b,
                           const std::optional<AnyPatterns>& c) {
  const InputView view = view_of(a, b, c);
  std::vector<std::uint64_t> results;
  {
    const nb::gil_scoped_release unlocked;
    results = model(view);
  }
  return array_of(std::move(results));
}

/// Requires two dimensions.
Matrix matrix_of(const Patterns& array) { return {array.shape(0), array.shape(1), patterns_of(array)}; }

/// d's rows one after the other.
NewArray product_of(const Model& model, const Patterns& a, const Patterns& b,
                    const std::optional<Patterns>& c) {
  const Matrix rows = matrix_of(a), columns = matrix_of(b);
  const std::optional<Matrix> addend = c ? std::optional(matrix_of(*c)) : std::nullopt;
  Matrix d;
  {
    const nb::gil_scoped_release unlocked;
    d = gemm(model, rows, columns, addend);
  }
  return array_of(std::move(d.patterns));
}

void bind_models(nb::module_& module) {
  nb::class_<Model>(module, "Model")
      .def_static("open", &Model::open, "spec"_a)
      .def_static("from_json", &Model::from_json, "text"_a)
      .def_prop_ro("instruction", &Model::instruction)
      .def_prop_ro("k", &Model::k)
      .def_prop_ro("formats", &Model::formats)
      .def_prop_ro("is_partial", &Model::is_partial)
      .def("to_json", &Model::to_json)
      .def("features_json", &Model::features_json)
      .def("text", &Model::text)
      .def("results", &results_of, "inputs"_a)
      .def("results_of_arrays", &results_of_arrays, "a"_a, "b"_a, "c"_a.none())
      .def("gemm", &product_of, "a"_a, "b"_a, "c"_a.none())
      .def(
          "equals", [](const Model& one, const Model& other) { return one == other; }, "other"_a);
  module.def("catalogued_names", &catalogued_names);
}

}  // namespace
}  // namespace mmaprint::python

NB_MODULE(_native, module) {
  using namespace mmaprint::python;
  module.attr("__version__") = MMAPRINT_VERSION_TEXT;
  bind_errors(module);
  bind_formats(module);
  bind_models(module);
  bind_questions(module);
  module.def(
      "read_observed",
      [](const std::string& file, int k, const mmaprint::Formats& formats) {
        return arrays_of(mmaprint::read_observed(file, k, formats));
      },
      "file"_a, "k"_a, "formats"_a);
}
