// How much may be done: counted in what the work at hand is made of, so that it ends at the same place on any
// machine, busy or not. A deadline (deadline.h) is the limit from without.
#pragma once

#include <cstdint>

namespace mmaprint {

class Budget {
 public:
  explicit Budget(std::int64_t most) : left_(most) {}

  void spend(std::int64_t work) { left_ -= work; }
  /// Whoever finds it so begins nothing more. A piece of work that was begun may have spent more than there
  /// was.
  [[nodiscard]] bool is_spent() const { return left_ <= 0; }

 private:
  std::int64_t left_;
};

}  // namespace mmaprint
