#include "inference/scan.h"

#include <algorithm>
#include <atomic>

#include "base/parallel.h"

namespace mmaprint {

bool scan(std::size_t n, int threads, const Deadline& deadline,
          const std::function<void(std::size_t first, std::size_t last)>& look) {
  constexpr std::size_t kPart = 512;
  std::atomic<bool> complete = true;
  in_parallel((n + kPart - 1) / kPart, threads, [&](std::size_t part) {
    if (!complete || deadline.passed()) {
      complete = false;
      return;
    }
    look(part * kPart, std::min(n, (part + 1) * kPart));
  });
  return complete;
}

bool agrees(const Evaluator& evaluator, const Observation& seen) {
  return evaluator(seen.input) == as_modelled(evaluator.model(), seen.d);
}

std::optional<std::size_t> agreeing(const Evaluator& evaluator, const ObservationTable& observations,
                                    int threads, const Deadline& deadline) {
  std::atomic<std::size_t> count = 0;
  const bool complete =
      scan(observations.size(), threads, deadline, [&](std::size_t first, std::size_t last) {
        Observation seen;
        std::size_t mine = 0;
        for (std::size_t i = first; i < last; ++i) {
          observations.read(i, seen);
          mine += agrees(evaluator, seen) ? 1U : 0U;
        }
        count += mine;
      });
  return complete ? std::optional<std::size_t>(count) : std::nullopt;
}

std::optional<std::size_t> first_disagreement(const Evaluator& evaluator,
                                              const ObservationTable& observations, std::size_t from,
                                              int threads, const Deadline& deadline) {
  const std::size_t n = observations.size();
  std::atomic<std::size_t> nearest = n;  // steps from `from` on
  (void)scan(n, threads, deadline, [&](std::size_t first, std::size_t last) {
    Observation seen;
    for (std::size_t step = first; step < last && step < nearest; ++step) {
      observations.read((from + step) % n, seen);
      if (agrees(evaluator, seen)) continue;
      std::size_t known = nearest;
      while (step < known && !nearest.compare_exchange_weak(known, step)) {
      }
      return;
    }
  });
  if (nearest == n) return std::nullopt;
  return (from + nearest) % n;
}

}  // namespace mmaprint
