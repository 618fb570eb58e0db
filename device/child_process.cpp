// One exchange is a loop over poll(): write what the pipe takes, read what has come, until the request is out
// and a line is in, or the time is up. Our ends of the pipes are non-blocking, so neither a child that
// doesn't read nor one that writes half a line can hold us.
#include "device/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <system_error>
#include <thread>
#include <utility>

// The environment of the process; POSIX leaves its declaration to the program.
extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace mmaprint {
namespace {

using std::chrono::milliseconds;

/// How long a child may take to exit once its input has ended, and to be reaped once its output has.
constexpr milliseconds kPatience{500};
/// How often a wait looks whether it was asked to stop.
constexpr milliseconds kSlice{50};

std::string reason(int error) { return std::generic_category().message(error); }

/// While it lives, writing to a pipe that nobody reads raises no SIGPIPE in this thread.
class SigpipeBlocked {
 public:
  SigpipeBlocked() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  SigpipeBlocked(const SigpipeBlocked&) = delete;
  SigpipeBlocked& operator=(const SigpipeBlocked&) = delete;
  ~SigpipeBlocked() {
    // A signal that we raised must not be delivered when it is unblocked again.
    constexpr timespec kNow{};
    if (!was_pending_)
      while (sigtimedwait(&pipe_, nullptr, &kNow) < 0 && errno == EINTR) {
      }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

struct Pipe {
  Descriptor read, write;
};

/// Descriptors above the standard ones, so that redirecting those in the child can't overwrite a pipe's end.
Descriptor above_standard(int fd) {
  Descriptor low(fd);
  if (fd > STDERR_FILENO) return low;
  return Descriptor(fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

/// Ends are closed in children unless redirected. An end is not open() if there are no descriptors left.
Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {Descriptor(), Descriptor()};
  return {above_standard(ends[0]), above_standard(ends[1])};
}

bool set_non_blocking(const Descriptor& fd) {
  const int flags = fcntl(fd.get(), F_GETFL);
  return flags >= 0 && fcntl(fd.get(), F_SETFL, flags | O_NONBLOCK) == 0;
}

/// posix_spawn's two bags of settings, with the calls' errors collected.
class SpawnSettings {
 public:
  SpawnSettings() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  void redirect(const Descriptor& from, int to) {
    note(posix_spawn_file_actions_adddup2(&actions_, from.get(), to));
  }
  /// A group of its own, and signals as a fresh process has them whatever we do with ours.
  void isolate() {
    sigset_t none;
    sigemptyset(&none);
    sigset_t defaults;
    sigemptyset(&defaults);
    for (const int signal : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP, SIGQUIT})
      sigaddset(&defaults, signal);
    note(posix_spawnattr_setpgroup(&attributes_, 0));
    note(posix_spawnattr_setsigmask(&attributes_, &none));
    note(posix_spawnattr_setsigdefault(&attributes_, &defaults));
    note(posix_spawnattr_setflags(&attributes_,
                                  POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  }
  /// 0, or an error number.
  int spawn(pid_t& pid, const std::vector<std::string>& words) {
    if (error_ != 0) return error_;
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    return posix_spawnp(&pid, arguments[0], &actions_, &attributes_, arguments.data(), environ);
  }

 private:
  void note(int error) {
    if (error_ == 0) error_ = error;
  }
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
  int error_ = 0;
};

std::string seconds_text(std::chrono::duration<double> time) { return fmt::format("{:g} s", time.count()); }

}  // namespace

ChildProcess::Started ChildProcess::start(const std::vector<std::string>& words, std::string name) {
  Pipe to_child = make_pipe();
  Pipe from_child = make_pipe();
  if (!to_child.read.open() || !to_child.write.open() || !from_child.read.open() || !from_child.write.open())
    return DeviceFailure{name + ": no pipe: " + reason(errno)};
  if (!set_non_blocking(to_child.write) || !set_non_blocking(from_child.read))
    return DeviceFailure{name + ": no non-blocking pipe: " + reason(errno)};

  SpawnSettings settings;
  settings.redirect(to_child.read, STDIN_FILENO);
  settings.redirect(from_child.write, STDOUT_FILENO);
  settings.isolate();
  pid_t pid = 0;
  if (const int error = settings.spawn(pid, words); error != 0)
    return DeviceFailure{name + ": cannot be started: " + reason(error)};
  return ChildProcess(pid, std::move(to_child.write), std::move(from_child.read), std::move(name));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      in_(std::move(other.in_)),
      out_(std::move(other.out_)),
      name_(std::move(other.name_)),
      unsent_(std::move(other.unsent_)),
      buffer_(std::move(other.buffer_)),
      cut_(other.cut_),
      status_(other.status_) {}

ChildProcess::~ChildProcess() {
  in_.reset();
  // Its output stays open for that moment, so that a last word doesn't kill it. One that still owes an answer
  // is not waited for.
  if (pid_ != 0 && (cut_ > 0 || !reap_within(kPatience))) kill_group();
}

ChildProcess::Line ChildProcess::exchange(std::string_view request, std::chrono::duration<double> timeout,
                                          const Deadline& deadline) {
  if (!in_.open()) return DeviceFailure{name_ + ": has failed before"};
  if (deadline.passed()) return DeviceInterrupted{};
  // Beyond a year is forever; the clock's own range must not be left.
  const auto patience = std::chrono::duration<double>(std::fmin(timeout.count(), 3.0e7));
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(patience);

  if (cut_ == 0 && (receive_some() == Io::done || !buffer_.empty()))
    return fail("sent text that nobody asked for");
  unsent_.append(request).append("\n");
  const SigpipeBlocked no_sigpipe;
  while (true) {
    if (auto line = received()) return *std::move(line);
    if (buffer_.size() > kLongestAnswer)
      return fail(fmt::format("sent a line longer than {} bytes", kLongestAnswer));
    if (deadline.passed()) {
      ++cut_;
      return DeviceInterrupted{};
    }
    const auto left = std::chrono::ceil<milliseconds>(end - Clock::now());
    if (left.count() <= 0) return fail("gave no answer within " + seconds_text(timeout));
    const auto slice = std::min(
        {left, kSlice, std::chrono::ceil<milliseconds>(std::chrono::duration<double>(deadline.remaining()))});
    std::array<pollfd, 2> watched{{{out_.get(), POLLIN, 0}, {unsent_.empty() ? -1 : in_.get(), POLLOUT, 0}}};
    const int ready = poll(watched.data(), watched.size(), static_cast<int>(slice.count()));
    if (ready < 0 && errno != EINTR) return fail("cannot be waited for: " + reason(errno));
    if (ready <= 0) continue;

    if (watched[1].revents != 0 && send_some() == Io::ended) return fail(how_it_ended());
    if (watched[0].revents != 0 && receive_some() == Io::ended) return fail(how_it_ended());
  }
}

std::optional<ChildProcess::Line> ChildProcess::received() {
  std::size_t end = buffer_.find('\n');
  for (; end != std::string::npos && cut_ > 0; end = buffer_.find('\n')) {
    buffer_.erase(0, end + 1);
    --cut_;
  }
  if (end == std::string::npos || !unsent_.empty()) return std::nullopt;
  if (end + 1 != buffer_.size()) return fail("sent more than one line for one request");
  std::string answer = buffer_.substr(0, end);
  buffer_.clear();
  return answer;
}

ChildProcess::Io ChildProcess::send_some() {
  const ssize_t sent = ::write(in_.get(), unsent_.data(), unsent_.size());
  if (sent < 0) return errno == EAGAIN || errno == EINTR ? Io::again : Io::ended;
  unsent_.erase(0, static_cast<std::size_t>(sent));
  return Io::done;
}

ChildProcess::Io ChildProcess::receive_some() {
  std::array<char, 65536> chunk;
  const ssize_t received = ::read(out_.get(), chunk.data(), chunk.size());
  if (received < 0) return errno == EAGAIN || errno == EINTR ? Io::again : Io::ended;
  if (received == 0) return Io::ended;
  buffer_.append(chunk.data(), static_cast<std::size_t>(received));
  return Io::done;
}

DeviceFailure ChildProcess::fail(const std::string& what) {
  in_.reset();
  if (pid_ != 0) kill_group();
  return DeviceFailure{name_ + ": " + what};
}

std::string ChildProcess::how_it_ended() {
  if (!reap_within(kPatience)) return "closed its input or output while it runs on";
  if (WIFSIGNALED(status_)) return fmt::format("was ended by signal {}", WTERMSIG(status_));
  return fmt::format("exited with status {} before it answered", WEXITSTATUS(status_));
}

bool ChildProcess::reap_within(milliseconds patience) {
  const auto deadline = Clock::now() + patience;
  while (true) {
    siginfo_t ended{};
    // Looked at first and reaped by kill_group(): until then nobody else can get the group's number.
    if (waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        ended.si_pid == pid_) {
      kill_group();
      return true;
    }
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(milliseconds(2));
  }
}

void ChildProcess::kill_group() {
  ::kill(-pid_, SIGKILL);
  while (waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
}

}  // namespace mmaprint
