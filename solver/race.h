// Several ways to one answer, side by side: the one that needs the fewest steps is taken
// (solver/first_answer.h).
//
// Not the one that is first by the clock: on a busy machine that might be another one, and with it the proof,
// the witness and what is left of a budget. Who has needed more steps than a way that has ended can not win
// any more, and stops; who has needed fewer goes on to its end.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

namespace mmaprint {

class Race {
 public:
  /// A way ended with an answer.
  void decided(std::int64_t steps) {
    std::int64_t best = best_.load();
    while (steps < best && !best_.compare_exchange_weak(best, steps)) {
    }
  }
  [[nodiscard]] bool is_lost(std::int64_t steps) const { return steps > best_.load(); }

 private:
  std::atomic<std::int64_t> best_ = std::numeric_limits<std::int64_t>::max();
};

/// A search that may be a part of a way.
struct RacingSearch {
  const Race* race = nullptr;    ///< none: it runs alone
  std::int64_t before = 0;       ///< steps that its way took before it
  std::int64_t of_conflict = 1;  ///< steps for each of its conflicts, at least

  /// After so many conflicts. Steps are never taken for more than they are, or the clock would have a say.
  [[nodiscard]] bool has_lost(std::int64_t conflicts) const {
    return race != nullptr && race->is_lost(before + conflicts * of_conflict);
  }
};

}  // namespace mmaprint
