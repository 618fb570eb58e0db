// The checker of choice: an and-inverter graph straight into CaDiCaL.
#pragma once

#include "solver/distinguish.h"
#include "solver/sat_engine.h"

namespace mmaprint {

class QueryLog;

/// `log`, which outlives the checker, is told of every formula that the engine was given.
[[nodiscard]] std::unique_ptr<EquivalenceChecker> make_aig_checker(const EngineMaker& engine = make_cadical,
                                                                   QueryLog* log = nullptr);

}  // namespace mmaprint
