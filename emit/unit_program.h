// A unit as a program: docs/semantics.md, specialised to one model.
#pragma once

#include <stdexcept>

#include "emit/program.h"
#include "model/unit_model.h"

namespace mmaprint::emit {

/// What a model has and no export can say yet, in one line.
class NotExported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The computation of a valid model; the last function is called `name`. Throws NotExported.
[[nodiscard]] Program program_of(const UnitModel& model, const std::string& name);

}  // namespace mmaprint::emit
