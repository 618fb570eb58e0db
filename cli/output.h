// Where results go: standard output, or the file of -o.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mmaprint {

/// A reader that closes its end early is no error: what is written then is dropped. A file is written beside
/// its place and moved there by finish(), so that no half of a result ever stands there; a file that can't be
/// written is found out at the start, before hours of work.
class Output {
 public:
  /// Throws BadInput if the file can't be written.
  explicit Output(const std::optional<std::string>& file);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  /// Whole lines. Whatever they hold, only colours and what can be seen comes out (base/printable.h).
  void write(std::string_view lines);
  /// Throws BadInput if not all of it could be written.
  void finish();

 private:
  std::string name_;
  std::string path_;    ///< of the file that is written; empty for standard output
  bool moved_ = false;  ///< `path_` is to be renamed `name_`
  int fd_;
  int error_ = 0;
};

/// Is standard output (or error) a terminal that understands control sequences?
[[nodiscard]] bool is_terminal(int fd);

}  // namespace mmaprint
