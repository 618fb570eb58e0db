// Files and folders that appear complete or not at all.
//
// They are written beside their place under a fresh name (".mmaprint-", 16 hexadecimal digits) that is
// created exclusively, so that nothing of anyone else's is opened, followed or removed, and then moved there
// in one step. A symbolic link to the place is followed once, at the start: what it points to is replaced and
// the link stays.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/files.h"

namespace mmaprint {

/// What is being written under fresh names, so that whoever ends the process early can remove it.
class Temporaries {
 public:
  /// Under it alone names are made, moved and removed.
  using Lock = std::unique_lock<std::mutex>;
  /// Removes all of it. Nobody makes more while the lock is held.
  [[nodiscard]] Lock remove_all();

 private:
  friend class NewFile;
  friend class NewFolder;
  [[nodiscard]] Lock lock() { return Lock(mutex_); }
  void forget(const std::filesystem::path& path);

  std::mutex mutex_;
  std::vector<std::filesystem::path> paths_;
};

/// A regular file to be. The destructor removes what was not moved to its place.
class NewFile {
 public:
  /// A regular file that stands at `place` will be replaced, its owner and permissions kept as far as the
  /// system lets us. Throws BadInput if something else stands there, if that file may not be written, or if
  /// none can be made beside it. `temporaries` outlives it.
  NewFile(const std::string& place, Temporaries& temporaries);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  [[nodiscard]] int descriptor() const { return fd_.get(); }
  /// Flushes the file to the disk and moves it to its place. An errno, or 0; then nothing can be done with it
  /// any more.
  [[nodiscard]] int put_in_place();

 private:
  Temporaries& temporaries_;
  std::filesystem::path place_;
  std::filesystem::path path_;  ///< empty once it was moved
  Descriptor fd_;
};

/// A folder to be; files are added one by one. The destructor removes what was not moved to its place.
class NewFolder {
 public:
  /// Makes the folders above it, too. Throws BadInput if it can't be made. `temporaries` outlives it.
  NewFolder(const std::filesystem::path& place, Temporaries& temporaries);
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  ~NewFolder();

  /// Names are relative, their folders made before. Throw BadInput.
  void add_folder(const std::string& name) const;
  void add_file(const std::string& name, std::string_view text) const;
  /// Moves it to its place, where nothing, an empty folder, or a folder that the caller gives up may stand.
  /// The latter is now at the path returned. Throws BadInput.
  [[nodiscard]] std::optional<std::filesystem::path> put_in_place();

 private:
  [[noreturn]] void fail(const std::string& reason) const;

  Temporaries& temporaries_;
  std::filesystem::path place_;
  std::filesystem::path path_;  ///< empty once it was moved
};

}  // namespace mmaprint
