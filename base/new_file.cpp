#include "base/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <system_error>
#include <utility>

namespace mmaprint {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kReadWrite = 0666;
constexpr mode_t kAll = 0777;

[[noreturn]] void not_writable(const std::string& place, const std::string& reason) {
  throw BadInput(place + ": can't be written: " + reason);
}

fs::path fresh_name_beside(const fs::path& place) {
  std::random_device random;
  return place.parent_path() / fmt::format(".mmaprint-{:08x}{:08x}", random(), random());
}

/// A fresh name for which `make`, called with it, succeeds; it fails with EEXIST where something has that
/// name. An empty path, and errno, if it fails otherwise.
template <class Make>
fs::path make_fresh(const fs::path& place, Make&& make) {
  for (;;) {
    fs::path path = fresh_name_beside(place);
    if (make(path.c_str())) return path;
    if (errno != EEXIST) return {};
  }
}

/// The place itself, no link to it, as an absolute path.
fs::path without_links(const fs::path& place) {
  std::error_code error;
  const fs::path named = place.has_filename() ? place : place.parent_path();  // "DIR/"
  if (fs::exists(fs::symlink_status(named, error))) {
    fs::path real = fs::canonical(named, error);
    if (error) not_writable(place.string(), "is a symbolic link to nothing");
    return real;
  }
  fs::path absolute = fs::absolute(named, error);
  if (error) not_writable(place.string(), error.message());
  return absolute;
}

/// What stands at `path`; nullopt if nothing does.
std::optional<struct stat> status_of(const fs::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

/// Moves a folder to the place of another; the path where the latter is now. Empty, and errno, if it can't be
/// done; then both are where they were.
fs::path exchange(const fs::path& path, const fs::path& place) {
  if (::renameat2(AT_FDCWD, path.c_str(), AT_FDCWD, place.c_str(), RENAME_EXCHANGE) == 0) return path;
  // File systems that can't do this do it in two steps, between which nothing stands there.
  if (errno != EINVAL && errno != ENOSYS) return {};
  fs::path aside = make_fresh(place, [](const char* name) { return ::mkdir(name, kAll) == 0; });
  if (aside.empty()) return {};
  if (::rename(place.c_str(), aside.c_str()) == 0) {
    if (::rename(path.c_str(), place.c_str()) == 0) return aside;
    const int error = errno;
    if (::rename(aside.c_str(), place.c_str()) == 0) errno = error;
    return {};
  }
  const int error = errno;
  ::rmdir(aside.c_str());
  errno = error;
  return {};
}

}  // namespace

Temporaries::Lock Temporaries::remove_all() {
  Lock held = lock();
  for (const fs::path& path : paths_) {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  return held;
}

void Temporaries::forget(const fs::path& path) { std::erase(paths_, path); }

NewFile::NewFile(const std::string& place, Temporaries& temporaries)
    : temporaries_(temporaries), place_(without_links(place)) {
  const auto former = status_of(place_);
  if (former && !S_ISREG(former->st_mode)) not_writable(place, "is no regular file");
  if (former && ::access(place_.c_str(), W_OK) != 0) not_writable(place, error_text(errno));
  if (!former && !fs::path(place).has_filename()) not_writable(place, error_text(EISDIR));
  const auto lock = temporaries_.lock();
  path_ = make_fresh(place_, [&](const char* name) {
    // Nobody may read along who may not read what is replaced.
    fd_ = Descriptor(::open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                            former ? S_IRUSR | S_IWUSR : kReadWrite));
    return fd_.open();
  });
  if (path_.empty()) not_writable(place, error_text(errno));
  temporaries_.paths_.push_back(path_);
  if (!former) return;
  // Only a privileged user can give files away; for all others the owner is the same already, or is lost.
  if (::fchown(fd_.get(), former->st_uid, former->st_gid) != 0) errno = 0;
  if (::fchmod(fd_.get(), former->st_mode & kAll) != 0) errno = 0;
}

NewFile::~NewFile() {
  if (path_.empty()) return;
  const auto lock = temporaries_.lock();
  ::unlink(path_.c_str());
  temporaries_.forget(path_);
}

int NewFile::put_in_place() {
  if (const int error = flush_to_disk(fd_.get()); error != 0) return error;
  {
    const auto lock = temporaries_.lock();
    if (::rename(path_.c_str(), place_.c_str()) != 0) return errno;
    temporaries_.forget(std::exchange(path_, {}));
  }
  flush_folder_of(place_.string());
  return 0;
}

NewFolder::NewFolder(const fs::path& place, Temporaries& temporaries)
    : temporaries_(temporaries), place_(without_links(place)) {
  std::error_code error;
  fs::create_directories(place_.parent_path(), error);
  if (error) fail(error.message());
  const auto lock = temporaries_.lock();
  path_ = make_fresh(place_, [](const char* name) { return ::mkdir(name, kAll) == 0; });
  if (path_.empty()) fail(error_text(errno));
  temporaries_.paths_.push_back(path_);
}

NewFolder::~NewFolder() {
  if (path_.empty()) return;
  const auto lock = temporaries_.lock();
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  temporaries_.forget(path_);
}

void NewFolder::add_folder(const std::string& name) const {
  const auto lock = temporaries_.lock();
  if (::mkdir((path_ / name).c_str(), kAll) != 0) fail(name + ": " + error_text(errno));
}

void NewFolder::add_file(const std::string& name, std::string_view text) const {
  const auto lock = temporaries_.lock();
  Descriptor fd(
      ::open((path_ / name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kReadWrite));
  if (!fd.open()) fail(name + ": " + error_text(errno));
  int error = write_all(fd.get(), text).error;
  // Some file systems find out only now that there is no space.
  if (::close(fd.release()) != 0 && error == 0) error = errno;
  if (error != 0) fail(name + ": " + error_text(error));
}

std::optional<fs::path> NewFolder::put_in_place() {
  const auto lock = temporaries_.lock();
  const fs::path path = path_;
  if (::rename(path.c_str(), place_.c_str()) == 0) {
    temporaries_.forget(std::exchange(path_, {}));
    return std::nullopt;
  }
  if (errno != ENOTEMPTY && errno != EEXIST) fail(error_text(errno));
  const fs::path former = exchange(path, place_);
  if (former.empty()) fail("what stands there can't be replaced: " + error_text(errno));
  temporaries_.forget(std::exchange(path_, {}));
  return former;
}

void NewFolder::fail(const std::string& reason) const { not_writable(place_.string(), reason); }

}  // namespace mmaprint
