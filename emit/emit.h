// Models as programs that others run without us: one function for each language. Each takes a valid model and
// throws NotExported (emit/unit_program.h) with one line where it can't be said in that language yet.
#pragma once

#include <string>

#include "emit/provenance.h"
#include "emit/unit_program.h"
#include "model/unit_model.h"

namespace mmaprint::emit {

/// A header: C++17, its standard library alone. Function NAME(a, b, c) over patterns.
[[nodiscard]] std::string to_cpp(const UnitModel& model, const Provenance& from);
/// The same for host and device code of CUDA.
[[nodiscard]] std::string to_cuda(const UnitModel& model, const Provenance& from);
/// A module for NumPy: simulate(a, b, c) over arrays of patterns.
[[nodiscard]] std::string to_python(const UnitModel& model, const Provenance& from);
/// A function file for Octave and MATLAB: d = NAME(a, b, c) over uint64 arrays of patterns.
[[nodiscard]] std::string to_octave(const UnitModel& model, const Provenance& from);
/// Definitions in SMT-LIB 2 (QF_BV): (NAME a0 .. b0 .. c).
[[nodiscard]] std::string to_smt2(const UnitModel& model, const Provenance& from);

}  // namespace mmaprint::emit
