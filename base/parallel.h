// Independent jobs side by side.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

namespace mmaprint {

/// Calls job(0), job(1), ... job(count - 1), each once, on up to `threads` threads. After a job has thrown,
/// no further one begins, `failed` (if given) is asked to stop those that run, and the first exception is
/// thrown here.
void in_parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& job,
                 std::stop_source* failed = nullptr);

}  // namespace mmaprint
