// What all commands share: options, where results go, how they look, and being told to stop.
#pragma once

#include <functional>

#include "base/deadline.h"
#include "base/json_source.h"
#include "base/stopwatch.h"
#include "cli/arguments.h"
#include "cli/interruption.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "report/style.h"

namespace mmaprint {

class Session {
 public:
  /// Throws BadInput if the file of -o can't be written, DeadlinePassed if it is a pipe that nobody opens.
  explicit Session(const CommonOptions& options);

  [[nodiscard]] const CommonOptions& options() const { return options_; }
  /// Prints a result: its document with --json or to a file *.json, its text otherwise; the text to standard
  /// output and the document to the file where that is *.json and --json was not given. Throws BadInput if
  /// not all could be written; the result is on standard output then unless that was what failed.
  void print(const std::function<std::string(const Style&)>& text, const std::function<Json()>& document);
  /// Standard output or the file, for what is written as it comes.
  [[nodiscard]] Output& output() { return output_; }
  [[nodiscard]] ProgressLine& progress() { return terminal_.progress(); }
  [[nodiscard]] spdlog::logger& log() { return terminal_.log(); }
  /// Of whatever writes files besides; they are removed if the process is ended.
  [[nodiscard]] Temporaries& temporaries() { return temporaries_; }
  /// Stop, and print what is established.
  [[nodiscard]] std::stop_token stop() { return interruption_.token(); }
  /// When to stop: at the end of --time-limit, which began with the session, or when told to.
  [[nodiscard]] Deadline deadline();

 private:
  Stopwatch watch_;
  Temporaries temporaries_;
  Interruption interruption_;
  CommonOptions options_;
  Terminal terminal_;
  bool document_in_file_;
  Output output_;
};

}  // namespace mmaprint
