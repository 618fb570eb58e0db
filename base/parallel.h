// Independent jobs side by side.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <stop_token>

namespace mmaprint {

/// Threads of jobs that run side by side. Where fewer jobs than threads are left, each may take several.
class SharedThreads {
 public:
  explicit SharedThreads(int threads) : threads_(threads), working_(threads) {}
  /// At this time; at least 1.
  [[nodiscard]] int of_each() const { return std::max(1, threads_ / std::max(1, working_.load())); }
  /// One thread finds no job any more.
  void leave_one() { --working_; }

 private:
  int threads_;
  std::atomic<int> working_;
};

/// Calls job(0), job(1), ... job(count - 1), each once, on up to `threads` threads. After a job has thrown,
/// no further one begins, `failed` (if given) is asked to stop those that run, and the first exception is
/// thrown here. `shared` (if given), of as many threads, is told of those that jobs may take in the end.
void in_parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& job,
                 std::stop_source* failed = nullptr, SharedThreads* shared = nullptr);

}  // namespace mmaprint
