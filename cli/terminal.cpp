#include "cli/terminal.h"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/null_sink.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "base/files.h"
#include "base/printable.h"
#include "cli/output.h"
#include "report/style.h"

namespace mmaprint {
namespace {

constexpr std::chrono::milliseconds kInterval{100};  // between two progress lines

class AboveProgress final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit AboveProgress(ProgressLine& progress) : progress_(progress) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::details::log_msg shown = message;
    const std::string line = printable({message.payload.data(), message.payload.size()});
    shown.payload = line;
    spdlog::memory_buf_t text;
    formatter_->format(shown, text);
    progress_.log(std::string(text.data(), text.size()));
  }
  void flush_() override {}

  ProgressLine& progress_;
};

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// The first `width` columns of a text.
std::string cut(const std::string& text, std::size_t width) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;
    if (columns++ == width) return text.substr(0, i);
  }
  return text;
}

spdlog::level::level_enum level_of(const CommonOptions& options) {
  if (options.quiet) return spdlog::level::err;
  if (options.verbosity == 0) return spdlog::level::warn;
  return options.verbosity == 1 ? spdlog::level::info : spdlog::level::debug;
}

}  // namespace

void ErrorStream::write(std::string_view text) {
  constexpr double kMoment = 0.3;
  if (!unread_) unread_ = write_all(STDERR_FILENO, text, Deadline(kMoment)).error == ETIMEDOUT;
}

ProgressLine::ProgressLine(bool shown) {
  if (shown) painter_ = std::jthread([this](const std::stop_token& stop) { paint_until_stopped(stop); });
}

ProgressLine::~ProgressLine() {
  if (painter_.joinable()) {
    painter_.request_stop();
    painter_.join();
  }
  clear();
}

void ProgressLine::paint_until_stopped(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (!text_.empty()) {
      error_.write("\r\x1b[2m" + cut(seconds_text(watch_.seconds()) + "  " + text_, terminal_width() - 1) +
                   "\x1b[0m\x1b[K");
      visible_ = true;
    }
    changed_.wait_for(lock, stop, kInterval, [] { return false; });
  }
}

void ProgressLine::show(const std::string& text) {
  if (!painter_.joinable()) return;
  const std::lock_guard lock(mutex_);
  text_ = printable(text);
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  text_.clear();
  erase();
}

void ProgressLine::log(const std::string& line) {
  const std::lock_guard lock(mutex_);
  erase();
  error_.write(line);
}

void ProgressLine::erase() {
  if (visible_) error_.write("\r\x1b[K");
  visible_ = false;
}

Terminal::Terminal(const CommonOptions& options)
    : progress_(!options.no_progress && !options.quiet && is_terminal(STDERR_FILENO)),
      log_(std::make_shared<spdlog::logger>("mmaprint", std::make_shared<AboveProgress>(progress_))) {
  log_->set_level(level_of(options));
  log_->set_pattern("mmaprint: %l: %v");
  spdlog::set_default_logger(log_);
}

// The sink must not outlive the progress line.
Terminal::~Terminal() {
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("mmaprint", std::make_shared<spdlog::sinks::null_sink_mt>()));
}

void log_warning(const std::string& text) { spdlog::warn("{}", text); }
void log_info(const std::string& text) { spdlog::info("{}", text); }
void log_debug(const std::string& text) { spdlog::debug("{}", text); }
void log_error(const std::string& text) { spdlog::error("{}", text); }

}  // namespace mmaprint
