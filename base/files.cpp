#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/descriptor.h"

namespace mmaprint {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;

[[noreturn]] void not_readable(const std::string& path, const std::string& reason) {
  throw BadInput(path + ": expected a readable file: " + reason);
}

[[noreturn]] void too_large(const std::string& path, std::size_t most) {
  throw BadInput(path + ": expected at most " + std::to_string(most) + " bytes");
}

/// Opens without waiting where only a regular file will do.
Descriptor open_to_read(const std::string& path, FileKind kind) {
  const int waiting = kind == FileKind::regular ? O_NONBLOCK | O_NOCTTY : 0;
  Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | waiting));
  if (!fd.open()) not_readable(path, error_text(errno));
  return fd;
}

}  // namespace

std::string error_text(int error) { return std::generic_category().message(error); }

std::string read_all(int fd, const std::string& path, std::size_t most) {
  std::string text;
  for (;;) {
    const std::size_t before = text.size();
    // One byte beyond the limit tells that there is more.
    const std::size_t wanted = std::min(std::max(kChunk, before / 4), most - before + 1);
    text.resize(before + wanted);
    const ssize_t n = ::read(fd, text.data() + before, wanted);
    const int error = errno;
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    if (n == 0) return text;
    if (n < 0 && error != EINTR) not_readable(path, error_text(error));
    if (text.size() > most) too_large(path, most);
  }
}

std::string read_file(const std::string& path, std::size_t most, FileKind kind) {
  const Descriptor fd = open_to_read(path, kind);
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) not_readable(path, error_text(errno));
  if (S_ISDIR(status.st_mode)) not_readable(path, "is a directory");
  const bool regular = S_ISREG(status.st_mode);
  if (kind == FileKind::regular && !regular) not_readable(path, "is no regular file");
  if (regular && std::cmp_greater(status.st_size, most)) too_large(path, most);
  return read_all(fd.get(), path, most);
}

std::ifstream open_for_reading(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) not_readable(path, "is a directory");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) not_readable(path, error_text(errno));
  return in;
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
