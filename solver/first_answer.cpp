#include "solver/first_answer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/parallel.h"

namespace mmaprint {

Distinction first_answer(std::span<const Way> ways, const Limits& limits) {
  struct Run {
    Distinction answer = Unknown{};
    std::int64_t steps = 0;
    [[nodiscard]] bool is_decided() const { return !std::holds_alternative<Unknown>(answer); }
  };
  Race race;
  std::vector<Run> runs(ways.size());
  in_parallel(ways.size(), static_cast<int>(ways.size()), [&](std::size_t i) {
    Limits own = limits;
    own.threads = 1;
    own.racing = {&race};
    own.spent = &runs[i].steps;
    runs[i].answer = ways[i](own);
    if (runs[i].is_decided()) race.decided(runs[i].steps);
  });
  const auto is_better = [](const Run& x, const Run& y) {
    return std::pair(!x.is_decided(), x.steps) < std::pair(!y.is_decided(), y.steps);
  };
  Run& first = *std::ranges::min_element(runs, is_better);
  const std::int64_t steps = first.is_decided() ? first.steps : std::ranges::max(runs, {}, &Run::steps).steps;
  if (limits.spent != nullptr) *limits.spent += steps;
  return std::move(first.answer);
}

}  // namespace mmaprint
