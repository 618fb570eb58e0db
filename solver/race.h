// Several ways to one answer, side by side: the one that needs the fewest steps is taken.
//
// Not the one that is first by the clock: on a busy machine that might be another one, and with it the proof,
// the witness and what is left of a budget. Who has needed more steps than a way that has ended can not win
// any more, and stops; who has needed fewer goes on to its end.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>

#include "solver/distinguish.h"

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

/// One way: an answer within limits.
using Way = std::function<Distinction(const Limits&)>;

/// The answer of the way that needs the fewest steps to one, of several the first; unknown where none has
/// one. Each is given a thread of its own and `limits`, except that only the longest's steps are counted.
[[nodiscard]] Distinction first_answer(std::span<const Way> ways, const Limits& limits);

}  // namespace mmaprint
