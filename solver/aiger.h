// A formula as an and-inverter graph in the binary AIGER format 1.9: a combinational circuit with one output
// that is true where all that is asserted is. Inputs have their names ("a0[3]") as symbols.
//
// Exclusive ors and multiplexers, which AIGER lacks, become three conjunctions each.
#pragma once

#include <string>
#include <vector>

#include "solver/formula.h"

namespace mmaprint {

/// `about`: lines of the comment section.
[[nodiscard]] std::string aiger_text(const Formula& formula, const std::vector<std::string>& about = {});

}  // namespace mmaprint
