// Ctrl-C and termination, turned into a stop token.
#pragma once

#include <atomic>
#include <functional>
#include <stop_token>
#include <thread>

namespace mmaprint {

/// From its construction on SIGINT and SIGTERM go to a thread of its own, which may do what a signal handler
/// may not. Make one before any other thread. While nobody has asked for the token, and at the second signal,
/// the process ends at once with the exit code for "unknown".
class Interruption {
 public:
  /// `before_end` is called before the process is ended at once.
  explicit Interruption(std::function<void()> before_end);
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  /// From now on the first signal only requests a stop.
  [[nodiscard]] std::stop_token token();

 private:
  void wait();
  [[noreturn]] void end_at_once() const;

  std::function<void()> before_end_;
  std::stop_source stop_;
  std::atomic<bool> watched_ = false;
  std::thread thread_;
};

}  // namespace mmaprint
