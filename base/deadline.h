// When to stop: at a point in time, or when somebody asks.
//
// Work that may take long is handed a deadline and asks it as it goes; whoever finds it passed leaves things
// as they were and says so. A copy is as good as the original, and none of it is global.
#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string_view>

namespace mmaprint {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  /// Never.
  Deadline() = default;
  /// So many seconds from now (nullopt: never), and at once when a stop is requested.
  explicit Deadline(std::optional<double> seconds, std::stop_token stop = {});

  [[nodiscard]] bool passed() const { return stop_.stop_requested() || (end_ && Clock::now() >= *end_); }
  /// Throws DeadlinePassed if it has.
  void require() const;
  /// Nothing can make it pass.
  [[nodiscard]] bool is_never() const { return !end_ && !stop_.stop_possible(); }
  /// Seconds; 0 once it has passed, and more than anybody waits where there is none.
  [[nodiscard]] double remaining() const;
  /// The same, but no later than so many seconds from now.
  [[nodiscard]] Deadline within(double seconds) const;
  /// The same, but no earlier than so many seconds from now, a stop that was requested already included: for
  /// what is established and has to be put down when the time is up.
  [[nodiscard]] Deadline not_before(double seconds) const;
  [[nodiscard]] const std::stop_token& stop() const { return stop_; }
  /// Why it has passed, in words; empty if it has not.
  [[nodiscard]] std::string_view reason() const;

 private:
  std::optional<Clock::time_point> end_;
  std::stop_token stop_;
};

/// Asks a deadline at every n-th call, for steps that take less time than a look at the clock. Once passed it
/// stays so.
class Checkpoint {
 public:
  explicit Checkpoint(const Deadline& deadline, unsigned every = 32)
      : deadline_(deadline), every_(every), left_(every) {}
  [[nodiscard]] bool passed() {
    if (passed_ || --left_ != 0) return passed_;
    left_ = every_;
    return passed_now();
  }
  /// The same without waiting for its turn.
  [[nodiscard]] bool passed_now() { return passed_ = passed_ || deadline_.passed(); }
  /// Throws DeadlinePassed if it has.
  void require() {
    if (passed()) deadline_.require();
  }

 private:
  Deadline deadline_;
  unsigned every_, left_;
  bool passed_ = false;
};

/// A deadline passed where there is nothing to hand back. what() is the deadline's reason.
class DeadlinePassed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
}  // namespace mmaprint
