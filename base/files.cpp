#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

namespace mmaprint {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;

[[noreturn]] void not_readable(const std::string& path, const std::string& reason) {
  throw BadInput(path + ": expected a readable file: " + reason);
}

[[noreturn]] void too_large(const std::string& path, std::size_t most) {
  throw BadInput(fmt::format("{}: expected at most {} bytes", path, most));
}

/// How often a wait looks whether it was asked to stop.
constexpr int kSliceMilliseconds = 50;

/// Can a descriptor do what it was asked for without waiting? `no`: not before the deadline. `failed` leaves
/// an errno in `errno`.
enum class Ready : std::uint8_t { yes, no, failed };

/// Waits for POLLIN or POLLOUT.
Ready wait_for(int fd, short events, const Deadline& deadline) {
  pollfd watched{fd, events, 0};
  for (int wait = 0;; wait = kSliceMilliseconds) {
    const int ready = ::poll(&watched, 1, wait);
    if (ready > 0) return Ready::yes;
    if (ready < 0 && errno != EINTR) return Ready::failed;
    if (deadline.passed()) return Ready::no;
  }
}

/// A terminal says that it can be written to while it has room for a few bytes only, and then blocks. Opened
/// once more it need not, which nobody notices who shares the other descriptor. None for other files.
Descriptor unblocked_terminal(int fd) {
  if (::isatty(fd) != 1) return Descriptor();
  const std::string name = fmt::format("/proc/self/fd/{}", fd);
  return Descriptor(::open(name.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

}  // namespace

std::string error_text(int error) { return std::generic_category().message(error); }

std::size_t read_some(int fd, const std::string& path, std::span<char> bytes, const Deadline& deadline) {
  for (;;) {
    const Ready ready = wait_for(fd, POLLIN, deadline);
    if (ready == Ready::no) throw DeadlinePassed(std::string(deadline.reason()));
    const ssize_t n = ready == Ready::failed ? -1 : ::read(fd, bytes.data(), bytes.size());
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EAGAIN && errno != EINTR) not_readable(path, error_text(errno));
  }
}

std::string read_all(int fd, const std::string& path, std::size_t most, const Deadline& deadline) {
  std::string text;
  for (;;) {
    const std::size_t before = text.size();
    // One byte beyond the limit tells that there is more.
    const std::size_t wanted = std::min(std::max(kChunk, before / 4), most - before + 1);
    text.resize(before + wanted);
    const std::size_t n = read_some(fd, path, {text.data() + before, wanted}, deadline);
    text.resize(before + n);
    if (n == 0) return text;
    if (text.size() > most) too_large(path, most);
  }
}

Descriptor open_for_reading(const std::string& path) {
  // Not blocking, or a pipe that nobody has opened to write would hold us here.
  Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd.open()) not_readable(path, error_text(errno));
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) not_readable(path, error_text(errno));
  if (S_ISDIR(status.st_mode)) not_readable(path, "is a directory");
  return fd;
}

std::string read_file(const std::string& path, std::size_t most, FileKind kind, const Deadline& deadline) {
  const Descriptor fd = open_for_reading(path);
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) not_readable(path, error_text(errno));
  const bool regular = S_ISREG(status.st_mode);
  if (kind == FileKind::regular && !regular) not_readable(path, "is no regular file");
  if (regular && std::cmp_greater(status.st_size, most)) too_large(path, most);
  return read_all(fd.get(), path, most, deadline);
}

Written write_all(int fd, std::string_view text) {
  Written written;
  while (written.bytes < text.size()) {
    const ssize_t n = ::write(fd, text.data() + written.bytes, text.size() - written.bytes);
    if (n > 0)
      written.bytes += static_cast<std::size_t>(n);
    else if (n < 0 && errno != EINTR)
      return {written.bytes, errno};
  }
  return written;
}

Written write_all(int fd, std::string_view text, const Deadline& deadline) {
  const Descriptor terminal = unblocked_terminal(fd);
  if (terminal.open()) fd = terminal.get();
  Written written;
  while (written.bytes < text.size()) {
    const Ready ready = wait_for(fd, POLLOUT, deadline);
    if (ready == Ready::no) return {written.bytes, ETIMEDOUT};
    if (ready == Ready::failed) return {written.bytes, errno};
    // A pipe that can be written to has room for so many bytes at least.
    const Written some = write_all(fd, text.substr(written.bytes, PIPE_BUF));
    written.bytes += some.bytes;
    if (some.error == EAGAIN)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    else if (some.error != 0)
      return {written.bytes, some.error};
  }
  return written;
}

int flush_to_disk(int fd) {
  while (::fdatasync(fd) != 0) {
    if (errno == EINTR) continue;
    // Where there is nothing to flush, or a file system that can't.
    return errno == EINVAL || errno == ENOSYS ? 0 : errno;
  }
  return 0;
}

void flush_folder_of(const std::string& path) {
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) folder = ".";
  const Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.open()) [[maybe_unused]]
    const int unheeded = ::fsync(fd.get());
}

std::string file_name_of(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyz0123456789_-.";
  if (text.empty()) return "%";
  std::string name;
  for (const char ch : text) {
    if (kPlain.find(ch) != std::string_view::npos && !(ch == '.' && name.empty())) {
      name += ch;
      continue;
    }
    const auto byte = static_cast<unsigned char>(ch);
    name += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
  }
  return name;
}

}  // namespace mmaprint
