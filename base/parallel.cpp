#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace mmaprint {

void in_parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& job,
                 std::stop_source* failed, SharedThreads* shared) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr problem;
  std::mutex reporting;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        job(i);
      } catch (...) {
        next = count;
        const std::lock_guard lock(reporting);
        if (!problem) problem = std::current_exception();
        if (failed != nullptr) failed->request_stop();
      }
    }
    if (shared != nullptr) shared->leave_one();
  };
  {
    std::vector<std::jthread> helpers;
    const auto all = static_cast<std::size_t>(std::max(threads, 1)), useful = std::min(count, all);
    for (std::size_t t = useful; shared != nullptr && t < all; ++t) shared->leave_one();
    for (std::size_t t = 1; t < useful; ++t) helpers.emplace_back(work);
    work();
  }
  if (problem) std::rethrow_exception(problem);
}

}  // namespace mmaprint
