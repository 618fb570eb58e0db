// Files and pipes that are read until the time is up, as a stream.
#pragma once

#include <array>
#include <optional>
#include <streambuf>
#include <string>

#include "base/deadline.h"
#include "base/descriptor.h"

namespace mmaprint {

/// Waits for bytes no longer than until the deadline, and then throws DeadlinePassed.
class PatientInput final : public std::streambuf {
 public:
  /// A file, or standard input. Throws BadInput if it can't be opened.
  PatientInput(const std::optional<std::string>& path, Deadline deadline);

 protected:
  /// Throws BadInput if it can't be read.
  int_type underflow() override;

 private:
  std::string name_;
  Descriptor file_;  ///< none for standard input
  Deadline deadline_;
  std::array<char, 65536> bytes_;
};

}  // namespace mmaprint
