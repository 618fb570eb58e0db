// Bulk comparison of a model with a device on inputs that are made for it (device/tile_inputs.h): on the
// device itself where it can do that, else on all cores, where half of them are what experiments are made of
// (inference/inputs.h).
#pragma once

#include <functional>
#include <stop_token>

#include "device/bulk.h"
#include "device/matmul_unit.h"
#include "inference/agreement.h"

namespace mmaprint {

struct ValidateOptions {
  std::uint64_t vectors = 1;  ///< at least so many are compared, unless a limit is reached
  std::uint64_t seed = 1;
  int threads = 1;
  std::optional<double> seconds;
  std::stop_token stop;
};

/// What was found so far.
struct ValidateProgress {
  std::uint64_t vectors = 0;
  std::uint64_t mismatches = 0;
};
using ShowProgress = std::function<void(const ValidateProgress&)>;

struct Validation {
  AgreementVerdict verdict = AgreementVerdict::unknown;
  std::uint64_t vectors = 0;
  std::uint64_t mismatches = 0;
  /// As simple as they could be made, each asked for once more; different ones only.
  std::vector<Mismatch> examples;
  std::optional<PositionsFound> positions;  ///< where the device compares by itself
  bool device_failed = false;
  std::string reason;  ///< why not all was compared, or why the device failed
  double seconds = 0;
};

/// What was found on one of the devices that were asked for.
struct DeviceValidation {
  std::string device;
  Instruction instruction;
  Validation result;
};

/// Requires a device that answers any input, and a model with the instruction's K and formats. The same seed
/// and number of vectors give the same vectors on every device that compares with the same tiles.
[[nodiscard]] Validation validate_on(MatmulUnit& device, const Instruction& instruction,
                                     const UnitModel& model, const ValidateOptions& options,
                                     const ShowProgress& progress);

}  // namespace mmaprint
