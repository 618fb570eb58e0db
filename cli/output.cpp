#include "cli/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "base/printable.h"

namespace mmaprint {
namespace {

/// Seconds, for what is established when the time is up.
constexpr double kMomentToWrite = 0.5;

[[noreturn]] void cannot_write(const std::string& name, int error) {
  if (error == ETIMEDOUT) throw DeadlinePassed(name + ": nobody read it in time");
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

/// A pipe has to have a reader first.
Descriptor open_in_place(const std::string& name, const Output::DeadlineSource& deadline) {
  std::optional<Deadline> until;
  for (;;) {
    Descriptor fd(::open(name.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    if (fd.open()) {
      // Nobody else has this descriptor. It may block: each write waits until it can be done.
      [[maybe_unused]] const int unheeded = ::fcntl(fd.get(), F_SETFL, 0);
      return fd;
    }
    if (errno != ENXIO && errno != EINTR) cannot_write(name, errno);
    if (!until) until = deadline ? deadline() : Deadline();
    if (until->passed()) cannot_write(name, ETIMEDOUT);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace

Output::Output(DeadlineSource deadline) : deadline_(std::move(deadline)), fd_(STDOUT_FILENO) {}

Output::Output(const std::optional<std::string>& file, Otherwise otherwise, Temporaries& temporaries,
               DeadlineSource deadline)
    : deadline_(std::move(deadline)), fd_(STDOUT_FILENO) {
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
    opened_ = open_in_place(name_, deadline_);
    fd_ = opened_.get();
  }
}

void Output::write(std::string_view lines) {
  const std::string shown = printable_lines(lines, Colours::kept);
  std::string_view text = shown;
  if (error_ == 0) {
    const Written written = send(fd_, text);
    if (written.error == 0) return;
    text.remove_prefix(written.bytes);
    fail(written.error);
  }
  // It fails already; a second complaint would help nobody.
  if (otherwise_ == Otherwise::to_standard_output && error_ != EPIPE) (void)send(STDOUT_FILENO, text);
}

Written Output::send(int fd, std::string_view text) const {
  Written first = write_all(fd, text, Deadline(0));
  if (first.error != ETIMEDOUT) return first;
  const Deadline until = deadline_ ? deadline_().not_before(kMomentToWrite) : Deadline();
  const Written rest = write_all(fd, text.substr(first.bytes), until);
  return {first.bytes + rest.bytes, rest.error};
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
