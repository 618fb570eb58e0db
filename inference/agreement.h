// How a comparison of a model with a device ends.
#pragma once

#include <cstdint>

namespace mmaprint {

enum class AgreementVerdict : std::uint8_t {
  match,     ///< the device gave the model's result on all that was to be asked
  mismatch,  ///< it gave another on one input
  unknown,   ///< no difference so far, but not all could be asked
};

}  // namespace mmaprint
