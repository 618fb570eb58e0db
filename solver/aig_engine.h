// The engine of choice: an and-inverter graph straight into CaDiCaL.
#pragma once

#include "solver/distinguish.h"

namespace mmaprint {

[[nodiscard]] std::unique_ptr<Engine> make_aig_engine();

}  // namespace mmaprint
