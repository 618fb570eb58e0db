#include "cli/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/printable.h"
#include "model/text.h"

namespace mmaprint {
namespace {

[[noreturn]] void cannot_write(const std::string& name, int error) {
  throw BadInput(name + ": can't be written: " + std::generic_category().message(error));
}

}  // namespace

Output::Output(const std::optional<std::string>& file) : fd_(STDOUT_FILENO) {
  if (!file) return;
  name_ = path_ = *file;
  struct stat status {};
  // What is no regular file (a pipe, /dev/null) is written in place.
  moved_ = stat(name_.c_str(), &status) != 0 || S_ISREG(status.st_mode);
  if (moved_) {
    path_ = name_ + ".part";
    if (access(name_.c_str(), F_OK) == 0 && access(name_.c_str(), W_OK) != 0) cannot_write(name_, errno);
  }
  fd_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) cannot_write(name_, errno);
}

Output::~Output() {
  if (fd_ < 0 || path_.empty()) return;
  close(fd_);
  if (moved_) unlink(path_.c_str());
}

void Output::write(std::string_view lines) {
  const std::string shown = printable_lines(lines, Colours::kept);
  std::string_view text = shown;
  while (!text.empty() && error_ == 0) {
    const ssize_t n = ::write(fd_, text.data(), text.size());
    if (n > 0)
      text.remove_prefix(static_cast<std::size_t>(n));
    else if (n < 0 && errno != EINTR)
      error_ = errno;
  }
}

void Output::finish() {
  if (!path_.empty()) {
    if (close(fd_) != 0 && error_ == 0) error_ = errno;
    fd_ = -1;
    if (error_ == 0 && moved_ && std::rename(path_.c_str(), name_.c_str()) != 0) error_ = errno;
    if (error_ != 0 && moved_) unlink(path_.c_str());
  }
  if (error_ != 0 && error_ != EPIPE) cannot_write(path_.empty() ? "standard output" : name_, error_);
}

bool is_terminal(int fd) {
  const char* term = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe)
  return isatty(fd) == 1 && (term == nullptr || std::strcmp(term, "dumb") != 0);
}

}  // namespace mmaprint
