// What a user can mend.
#pragma once

#include <stdexcept>

namespace mmaprint {

/// Input that a user can mend. what() is one line: file, line, field, what was expected.
class BadInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace mmaprint
