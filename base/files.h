// Files, read with limits and written with every error noticed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/bad_input.h"
#include "base/deadline.h"
#include "base/descriptor.h"

namespace mmaprint {

/// What may be read: anything that can be (a pipe, say), or regular files alone. What is none is refused
/// unread then; nobody waits for a FIFO's writer.
enum class FileKind : std::uint8_t { any, regular };

inline constexpr std::size_t kLargestText = std::size_t{64} << 20;

/// A whole file. Throws BadInput if it can't be read, is not of that kind or has more than `most` bytes; no
/// more than that is ever held. Nobody is waited for longer than until the deadline, be it a pipe's writer:
/// then it throws DeadlinePassed.
[[nodiscard]] std::string read_file(const std::string& path, std::size_t most = kLargestText,
                                    FileKind kind = FileKind::any, const Deadline& deadline = {});
/// All that a descriptor still gives; `path` is its name in messages. Throws as above.
[[nodiscard]] std::string read_all(int fd, const std::string& path, std::size_t most,
                                   const Deadline& deadline = {});
/// A file to be read as it comes, opened without waiting for anybody. Throws BadInput if it is a directory or
/// can't be opened for reading.
[[nodiscard]] Descriptor open_for_reading(const std::string& path);
/// How many bytes came, 0 at the end. Throws as read_file().
[[nodiscard]] std::size_t read_some(int fd, const std::string& path, std::span<char> bytes,
                                    const Deadline& deadline);

/// How far writing came.
struct Written {
  std::size_t bytes = 0;
  int error = 0;  ///< an errno; 0: all of it
};
[[nodiscard]] Written write_all(int fd, std::string_view text);
/// The same, but whoever does not read is waited for only until the deadline: ETIMEDOUT then. The
/// descriptor may block.
[[nodiscard]] Written write_all(int fd, std::string_view text, const Deadline& deadline);
/// What is written is on the disk when this returns, the file's length included. An errno, or 0.
[[nodiscard]] int flush_to_disk(int fd);
/// As far as the system allows: the names in a file's folder are on the disk.
void flush_folder_of(const std::string& path);

/// "No space left on device"
[[nodiscard]] std::string error_text(int error);

/// A name for a file or folder, one to one with the text, also where upper and lower case are not told apart:
/// lower-case letters, digits, `_`, `-` and dots that are not the first character stay, other bytes become %
/// and two digits. "%" for an empty text.
[[nodiscard]] std::string file_name_of(std::string_view text);

}  // namespace mmaprint
