#include "inference/asking.h"

#include "base/stopwatch.h"

namespace mmaprint {

Ending ending_of(const Deadline& deadline) {
  if (deadline.stop().stop_requested()) return ending::Interrupted{};
  if (deadline.passed()) return ending::TimeUp{};
  return ending::NotConfirmed{};
}

std::variant<std::vector<Pattern>, Ending> Asking::operator()(std::span<const DotInput> inputs,
                                                              BatchSize* batch) {
  MatmulUnit& unit = std::get<std::reference_wrapper<MatmulUnit>>(subject_);
  const Stopwatch watch;
  RunResult answer = unit.run_until(deadline_, instruction_, inputs);
  const double took = watch.seconds();
  seconds_ += took;
  if (batch != nullptr) batch->took(took);
  ++calls_;
  if (const auto* failure = std::get_if<DeviceFailure>(&answer))
    return Ending(ending::DeviceFailed{failure->message});
  if (std::holds_alternative<DeviceInterrupted>(answer)) return ending_of(deadline_);
  return std::get<std::vector<Pattern>>(std::move(answer));
}

}  // namespace mmaprint
