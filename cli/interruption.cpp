#include "cli/interruption.h"

#include <unistd.h>

#include <csignal>
#include <string_view>
#include <utility>

#include "cli/exit_code.h"

namespace mmaprint {
namespace {

constexpr int kEnough = SIGUSR1;  // ends the thread

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, kEnough}) sigaddset(&set, signal);
  return set;
}

}  // namespace

Interruption::Interruption(std::function<void()> before_end) : before_end_(std::move(before_end)) {
  const sigset_t set = watched_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);  // threads inherit it
  thread_ = std::thread([this] { wait(); });
}

Interruption::~Interruption() {
  pthread_kill(thread_.native_handle(), kEnough);
  thread_.join();
}

std::stop_token Interruption::token() {
  watched_ = true;
  return stop_.get_token();
}

void Interruption::end_at_once() const {
  before_end_();
  constexpr std::string_view kText = "mmaprint: interrupted\n";
  [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, kText.data(), kText.size());
  _exit(static_cast<int>(ExitCode::unknown));
}

void Interruption::wait() {
  const sigset_t set = watched_signals();
  for (;;) {
    int signal = 0;
    sigwait(&set, &signal);
    if (signal == kEnough) return;
    if (!watched_ || stop_.stop_requested()) end_at_once();
    stop_.request_stop();
  }
}

}  // namespace mmaprint
