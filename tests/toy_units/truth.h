// What units compute, on every input.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/unit_model.h"

namespace mmaprint::toys {

/// A unit's results, by the number of the input.
using Results = std::vector<std::uint8_t>;

/// Requires formats of results of eight bits at most.
[[nodiscard]] Results results_of(const UnitModel& model);
/// The input of that number.
[[nodiscard]] DotInput input_at(const UnitModel& model, std::size_t number);

/// What the specification says itself, without any layer: slow.
[[nodiscard]] Pattern by_specification(const UnitModel& model, const DotInput& input);

/// How two units stand to each other.
struct Truth {
  bool equal = true;
  bool equal_but_for_zeros = true;
  std::optional<std::size_t> difference;  ///< the first input on which they differ
};
/// On the inputs of which `counts` says so; on all, where there is none.
[[nodiscard]] Truth compared(const UnitModel& model, const Results& x, const Results& y,
                             const std::function<bool(const DotInput&)>& counts = {});

}  // namespace mmaprint::toys
