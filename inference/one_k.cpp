#include "inference/one_k.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/chained.h"

namespace mmaprint {
namespace {

std::string shape_of(const UnitModel& m) { return fmt::format("{}, K = {}", formats_text(m.formats), m.k); }

/// So many steps, each one's d the next one's c, as one unit.
UnitModel in_steps(const UnitModel& step, int times, const std::string& name) {
  if (const auto why = not_chainable(step, times))
    throw BadInput(fmt::format("{}: expected a unit of which {} steps can be compared, found {}: {}", name,
                               times, shape_of(step), *why));
  return chained(step, times);
}

}  // namespace

OfOneK of_one_k(const UnitModel& first, const UnitModel& second, const std::array<std::string, 2>& names) {
  const int k = std::max(first.k, second.k);
  if (first.formats != second.formats || k % first.k != 0 || k % second.k != 0)
    throw BadInput(
        fmt::format("{}: expected the first model's formats and K, or one K a multiple of the "
                    "other, {}; found {}",
                    names[1], shape_of(first), shape_of(second)));
  const std::array steps{k / first.k, k / second.k};
  return {in_steps(first, steps[0], names[0]), in_steps(second, steps[1], names[1]), steps};
}

}  // namespace mmaprint
