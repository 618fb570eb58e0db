#include "base/deadline.h"

#include <algorithm>
#include <string>
#include <utility>

namespace mmaprint {
namespace {

constexpr double kForever = 1e9;  // seconds; well within the clock's range

Deadline::Clock::time_point after(double seconds) {
  const std::chrono::duration<double> time(std::clamp(seconds, 0.0, kForever));
  return Deadline::Clock::now() + std::chrono::duration_cast<Deadline::Clock::duration>(time);
}

}  // namespace

Deadline::Deadline(std::optional<double> seconds, std::stop_token stop) : stop_(std::move(stop)) {
  if (seconds) end_ = after(*seconds);
}

double Deadline::remaining() const {
  if (stop_.stop_requested()) return 0;
  if (!end_) return kForever;
  return std::max(0.0, std::chrono::duration<double>(*end_ - Clock::now()).count());
}

Deadline Deadline::within(double seconds) const {
  Deadline sooner = *this;
  const auto end = after(seconds);
  sooner.end_ = end_ ? std::min(*end_, end) : end;
  return sooner;
}

Deadline Deadline::not_before(double seconds) const {
  if (stop_.stop_requested()) return Deadline(seconds);
  Deadline later = *this;
  if (end_) later.end_ = std::max(*end_, after(seconds));
  return later;
}

void Deadline::require() const {
  if (passed()) throw DeadlinePassed(std::string(reason()));
}

std::string_view Deadline::reason() const {
  if (stop_.stop_requested()) return "interrupted";
  return passed() ? "time limit reached" : "";
}

}  // namespace mmaprint
