// The checker of choice: an and-inverter graph straight into CaDiCaL.
#pragma once

#include "solver/distinguish.h"
#include "solver/sat_engine.h"

namespace mmaprint {

[[nodiscard]] std::unique_ptr<EquivalenceChecker> make_aig_checker(const EngineMaker& engine = make_cadical,
                                                                   const CheckerOptions& options = {});

}  // namespace mmaprint
