// What operands come in.
#pragma once

#include <optional>

#include "model/skeleton.h"

namespace mmaprint {

/// The format of an operand's patterns. The one that it is computed in stands beside it.
struct Container {
  FormatInfo format;
  std::optional<Conversion> conversion = {};  ///< none: it is computed in as it comes
};

}  // namespace mmaprint
