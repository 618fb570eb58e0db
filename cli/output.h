// Where results go: standard output, or the file of -o.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/new_file.h"

namespace mmaprint {

/// What becomes of a text that its file does not take.
enum class Otherwise : std::uint8_t { to_standard_output, dropped };

/// A reader that closes its end early is no error: what is written then is dropped. A regular file is written
/// beside its place and moved there by finish(), so that no half of a result ever stands there; what is none
/// (a pipe, /dev/null, /dev/stdout) is written in place. A file that can't be written is found out at the
/// start, before hours of work; one that can't later on, with a full disk, say, leaves its text to standard
/// output.
class Output {
 public:
  /// Standard output.
  Output();
  /// The file, if there is one. Throws BadInput if it can't be written.
  Output(const std::optional<std::string>& file, Otherwise otherwise, Temporaries& temporaries);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() = default;

  /// Whole lines. Whatever they hold, only colours and what can be seen comes out (base/printable.h).
  void write(std::string_view lines);
  /// Throws BadInput if not all of it could be written there.
  void finish();

 private:
  void fail(int error);

  std::string name_ = "standard output";
  Otherwise otherwise_ = Otherwise::dropped;
  std::optional<NewFile> file_;  ///< if one is to be moved to its place
  Descriptor opened_;            ///< if the file is written in place
  int fd_;
  int error_ = 0;
};

/// Is standard output (or error) a terminal that understands control sequences?
[[nodiscard]] bool is_terminal(int fd);

}  // namespace mmaprint
