// Where results go: standard output, or the file of -o.
#pragma once

#include <functional>
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
/// output. Whoever is to read a pipe is waited for until the deadline, and a moment longer.
class Output {
 public:
  /// Asked for only where somebody has to be waited for.
  using DeadlineSource = std::function<Deadline()>;

  /// Standard output.
  explicit Output(DeadlineSource deadline = {});
  /// The file, if there is one. Throws BadInput if it can't be written, DeadlinePassed if it is a pipe that
  /// nobody opens to read.
  Output(const std::optional<std::string>& file, Otherwise otherwise, Temporaries& temporaries,
         DeadlineSource deadline);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() = default;

  /// Whole lines. Whatever they hold, only colours and what can be seen comes out (base/printable.h).
  void write(std::string_view lines);
  /// Throws BadInput if not all of it could be written there, DeadlinePassed if nobody read it in time.
  void finish();

 private:
  void fail(int error);
  [[nodiscard]] Written send(int fd, std::string_view text) const;

  DeadlineSource deadline_;
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
