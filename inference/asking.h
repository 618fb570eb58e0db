// Asks a unit, and counts what that takes.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "inference/identify.h"

namespace mmaprint {

class Asking {
 public:
  Asking(Subject subject, const Instruction& instruction, const Deadline& deadline)
      : subject_(subject), instruction_(instruction), deadline_(deadline) {}

  /// The unit's results for all inputs, or why there are none. `batch` is told how long they took. Requires a
  /// unit to ask.
  [[nodiscard]] std::variant<std::vector<Pattern>, Ending> operator()(std::span<const DotInput> inputs,
                                                                      BatchSize* batch);
  [[nodiscard]] std::size_t calls() const { return calls_; }
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  Subject subject_;
  const Instruction& instruction_;
  Deadline deadline_;
  std::size_t calls_ = 0;
  double seconds_ = 0;
};

/// Of a deadline that has passed; what a device that answers nothing in time leaves, if it has not.
[[nodiscard]] Ending ending_of(const Deadline& deadline);

}  // namespace mmaprint
