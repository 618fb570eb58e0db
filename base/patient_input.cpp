#include "base/patient_input.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/files.h"

namespace mmaprint {
namespace {

/// How often a wait looks whether it was asked to stop.
constexpr int kSliceMilliseconds = 50;

[[noreturn]] void cannot_read(const std::string& name, const std::string& why) {
  throw BadInput(name + ": expected a readable file: " + why);
}
[[noreturn]] void cannot_read(const std::string& name) {
  cannot_read(name, std::generic_category().message(errno));
}

}  // namespace

PatientInput::PatientInput(const std::optional<std::string>& path, Deadline deadline)
    : name_(path.value_or("standard input")), fd_(STDIN_FILENO), deadline_(std::move(deadline)) {
  // Not blocking, or a pipe that nobody has opened to write would hold us here.
  if (path) fd_ = open(path->c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd_ < 0) cannot_read(name_);
  struct stat status {};
  if (path && fstat(fd_, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(fd_);
    cannot_read(name_, "is a directory");
  }
}

PatientInput::~PatientInput() {
  if (fd_ != STDIN_FILENO) close(fd_);
}

void PatientInput::wait() const {
  pollfd watched{fd_, POLLIN, 0};
  for (;;) {
    if (deadline_.passed()) throw DeadlinePassed(std::string(deadline_.reason()));
    const int ready = poll(&watched, 1, kSliceMilliseconds);
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) cannot_read(name_);
  }
}

PatientInput::int_type PatientInput::underflow() {
  for (;;) {
    wait();
    const ssize_t n = ::read(fd_, bytes_.data(), bytes_.size());
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (n < 0) cannot_read(name_);
    if (n == 0) return traits_type::eof();
    setg(bytes_.data(), bytes_.data(), bytes_.data() + n);
    return traits_type::to_int_type(*gptr());
  }
}

}  // namespace mmaprint
