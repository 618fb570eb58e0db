#include "cli/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/printable.h"

namespace mmaprint {
namespace {

[[noreturn]] void cannot_write(const std::string& name, int error) {
  throw BadInput(name + ": can't be written: " + error_text(error));
}

/// The standard stream that a name stands for (/dev/stdout, or the file that the shell made of it): opened
/// anew, it would lose what it holds already.
std::optional<int> standard_stream(const struct stat& named) {
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat open {};
    if (::fstat(fd, &open) == 0 && open.st_dev == named.st_dev && open.st_ino == named.st_ino) return fd;
  }
  return std::nullopt;
}

/// Copies what a file holds.
void copy(int from, int to) {
  std::array<char, 65536> chunk;
  off_t at = 0;
  for (;;) {
    const ssize_t n = ::pread(from, chunk.data(), chunk.size(), at);
    if (n <= 0 || write_all(to, {chunk.data(), static_cast<std::size_t>(n)}).error != 0) return;
    at += n;
  }
}

}  // namespace

Output::Output() : fd_(STDOUT_FILENO) {}

Output::Output(const std::optional<std::string>& file, Otherwise otherwise, Temporaries& temporaries)
    : fd_(STDOUT_FILENO) {
  if (!file) return;
  name_ = *file;
  otherwise_ = otherwise;
  struct stat status {};
  if (::stat(name_.c_str(), &status) != 0) {
    fd_ = file_.emplace(name_, temporaries).descriptor();
  } else if (const auto stream = standard_stream(status)) {
    fd_ = *stream;
  } else if (S_ISREG(status.st_mode)) {
    fd_ = file_.emplace(name_, temporaries).descriptor();
  } else {
    opened_ = Descriptor(::open(name_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (!opened_.open()) cannot_write(name_, errno);
    fd_ = opened_.get();
  }
}

void Output::write(std::string_view lines) {
  const std::string shown = printable_lines(lines, Colours::kept);
  std::string_view text = shown;
  if (error_ == 0) {
    const Written written = write_all(fd_, text);
    if (written.error == 0) return;
    text.remove_prefix(written.bytes);
    fail(written.error);
  }
  // It fails already; a second complaint would help nobody.
  if (otherwise_ == Otherwise::to_standard_output && error_ != EPIPE) (void)write_all(STDOUT_FILENO, text);
}

void Output::fail(int error) {
  error_ = error;
  if (otherwise_ == Otherwise::to_standard_output && file_) copy(fd_, STDOUT_FILENO);
}

void Output::finish() {
  if (error_ == 0 && file_) {
    if (const int error = file_->put_in_place(); error != 0) fail(error);
  } else if (error_ == 0 && opened_.open() && ::close(opened_.release()) != 0) {
    fail(errno);
  }
  file_.reset();
  if (error_ != 0 && error_ != EPIPE) cannot_write(name_, error_);
}

bool is_terminal(int fd) {
  const char* term = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe)
  return isatty(fd) == 1 && (term == nullptr || std::strcmp(term, "dumb") != 0);
}

}  // namespace mmaprint
