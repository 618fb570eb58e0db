// Differences that thousands of random inputs do not show: models are run beside each other on millions, on
// all threads. Worth it where the solver has neither found a difference nor proved that there is none.
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "model/unit_model.h"

namespace mmaprint {

struct RareSearch {
  std::uint64_t seed = 1;
  int threads = 1;
  std::stop_token stop;
  double seconds = 1e9;  ///< at most, about
  std::uint64_t inputs = std::uint64_t{1} << 22;
};

/// An input on which one of the others differs from the model. All have the same K and formats. The same
/// whatever the number of threads, unless time runs out.
[[nodiscard]] std::optional<DotInput> rare_difference(const UnitModel& model,
                                                      const std::vector<UnitModel>& others,
                                                      const RareSearch& search);

}  // namespace mmaprint
