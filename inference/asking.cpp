#include "inference/asking.h"

#include <chrono>

namespace mmaprint {

Ending ending_of(const Deadline& deadline) {
  if (deadline.stop().stop_requested()) return ending::Interrupted{};
  if (deadline.passed()) return ending::TimeUp{};
  return ending::NotConfirmed{};
}

std::variant<std::vector<Pattern>, Ending> Asking::operator()(std::span<const DotInput> inputs,
                                                              BatchSize* batch) {
  using Clock = std::chrono::steady_clock;
  MatmulUnit& unit = std::get<std::reference_wrapper<MatmulUnit>>(subject_);
  const auto at = Clock::now();
  RunResult answer = unit.run_until(deadline_, instruction_, inputs);
  const double took = std::chrono::duration<double>(Clock::now() - at).count();
  seconds_ += took;
  if (batch != nullptr) batch->took(took);
  ++calls_;
  if (const auto* failure = std::get_if<DeviceFailure>(&answer))
    return Ending(ending::DeviceFailed{failure->message});
  if (std::holds_alternative<DeviceInterrupted>(answer)) return ending_of(deadline_);
  return std::get<std::vector<Pattern>>(std::move(answer));
}

}  // namespace mmaprint
