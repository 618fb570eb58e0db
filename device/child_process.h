// A child process that answers one line for each line it gets. POSIX.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/descriptor.h"
#include "device/matmul_unit.h"

namespace mmaprint {

/// Started without a shell, in a process group of its own, so that Ctrl-C reaches only us; its standard error
/// is ours. The destructor closes its input, gives it a moment to exit, kills the group and reaps it.
class ChildProcess {
 public:
  using Line = std::variant<std::string, DeviceInterrupted, DeviceFailure>;
  using Started = std::variant<ChildProcess, DeviceFailure>;

  /// The longest answer that is read.
  static constexpr std::size_t kLongestAnswer = std::size_t{1} << 20;

  /// Requires at least one word. Messages begin with `name`.
  [[nodiscard]] static Started start(const std::vector<std::string>& words, std::string name);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  /// Sends a line (without its end) and waits for the answer's. After a failure the child is dead, and every
  /// further exchange fails. Where the deadline passes first it lives on: the next exchange sends what was
  /// left of the request, and drops its answer.
  [[nodiscard]] Line exchange(std::string_view request, std::chrono::duration<double> timeout,
                              const Deadline& deadline = {});
  /// Kills the child for what it did. The failure says so: "NAME: WHAT".
  DeviceFailure fail(const std::string& what);
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  ChildProcess(pid_t pid, Descriptor in, Descriptor out, std::string name)
      : pid_(pid), in_(std::move(in)), out_(std::move(out)), name_(std::move(name)) {}

  using Clock = std::chrono::steady_clock;
  enum class Io { done, again, ended };
  Io send_some();
  /// The answer, once it is in; answers to requests that were cut are dropped.
  std::optional<Line> received();
  Io receive_some();
  std::string how_it_ended();
  bool reap_within(std::chrono::milliseconds patience);
  void kill_group();

  pid_t pid_;  ///< 0 once reaped
  Descriptor in_, out_;
  std::string name_;
  std::string unsent_;  ///< of requests
  std::string buffer_;  ///< received and not yet returned
  int cut_ = 0;         ///< requests whose answers are still to come, and wanted no more
  int status_ = 0;      ///< of waitpid, once reaped
};

}  // namespace mmaprint
