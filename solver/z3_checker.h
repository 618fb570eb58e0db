// The second opinion: Z3's bit-vectors, each question in a context of its own and never incrementally.
#pragma once

#include <string>

#include "solver/distinguish.h"

namespace mmaprint {

[[nodiscard]] std::unique_ptr<EquivalenceChecker> make_z3_checker();

/// The question of `distinguish` as an SMT-LIB 2 script: satisfiable where the sides differ on some input.
/// Operands are the constants a0, b0, ..., c; a side that is a set adds its parameters' names.
[[nodiscard]] std::string smt2(const Side& left, const Side& right, const Restriction& where);

}  // namespace mmaprint
