// The checker of choice: an and-inverter graph straight into CaDiCaL.
#pragma once

#include "solver/distinguish.h"

namespace mmaprint {

[[nodiscard]] std::unique_ptr<EquivalenceChecker> make_aig_checker();

}  // namespace mmaprint
