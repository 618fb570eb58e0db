// What goes to standard error: log lines, and on a terminal one line of progress beneath them. Both are made
// printable here, whatever they quote.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "base/stopwatch.h"
#include "cli/arguments.h"

namespace spdlog {
class logger;
}

namespace mmaprint {

/// Standard error. Who reads it is waited for a moment; after that nothing more is written, so that a pipe
/// that nobody empties holds nobody up.
class ErrorStream {
 public:
  void write(std::string_view text);

 private:
  bool unread_ = false;
};

/// A line that is written over and over with the time that has passed, where standard error is a terminal;
/// else nothing.
class ProgressLine {
 public:
  explicit ProgressLine(bool shown);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// From now on; cut to the terminal's width.
  void show(const std::string& text);
  void clear();
  /// A whole line above the progress; printable.
  void log(const std::string& line);

 private:
  void erase();
  void paint_until_stopped(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  ErrorStream error_;
  std::string text_;      ///< empty: nothing to show
  bool visible_ = false;  ///< something stands on the line
  Stopwatch watch_;
  std::jthread painter_;
};

/// Standard error while a command runs.
class Terminal {
 public:
  /// Directs spdlog's messages here, as -v and -q ask.
  explicit Terminal(const CommonOptions& options);
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();
  [[nodiscard]] ProgressLine& progress() { return progress_; }
  /// For those who log what they do; as long as the terminal.
  [[nodiscard]] spdlog::logger& log() { return *log_; }

 private:
  ProgressLine progress_;
  std::shared_ptr<spdlog::logger> log_;
};

void log_warning(const std::string& text);
void log_info(const std::string& text);
void log_debug(const std::string& text);
void log_error(const std::string& text);

}  // namespace mmaprint
