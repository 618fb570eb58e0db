// identify, check, distinguish: the questions that take long.
#pragma once

#include <nanobind/nanobind.h>

namespace mmaprint::python {

/// Adds the functions to the module.
void bind_questions(nanobind::module_& module);

}  // namespace mmaprint::python
