// How long something took.
#pragma once

#include <chrono>

namespace mmaprint {

class Stopwatch {
 public:
  using Clock = std::chrono::steady_clock;

  /// Since it was made.
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - began_).count();
  }

 private:
  Clock::time_point began_ = Clock::now();
};

}  // namespace mmaprint
