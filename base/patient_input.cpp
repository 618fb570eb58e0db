#include "base/patient_input.h"

#include <unistd.h>

#include <utility>

#include "base/files.h"

namespace mmaprint {

PatientInput::PatientInput(const std::optional<std::string>& path, Deadline deadline)
    : name_(path.value_or("standard input")),
      file_(path ? open_for_reading(*path) : Descriptor()),
      deadline_(std::move(deadline)) {}

PatientInput::int_type PatientInput::underflow() {
  if (deadline_.passed()) throw DeadlinePassed(std::string(deadline_.reason()));
  const std::size_t n = read_some(file_.open() ? file_.get() : STDIN_FILENO, name_, bytes_, deadline_);
  if (n == 0) return traits_type::eof();
  setg(bytes_.data(), bytes_.data(), bytes_.data() + n);
  return traits_type::to_int_type(*gptr());
}

}  // namespace mmaprint
