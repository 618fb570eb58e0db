// What a run did, state by state: a line as it enters one, with what the one before has spent and left.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "inference/ending.h"
#include "inference/flow.h"
#include "model/count.h"
#include "model/joining.h"

namespace spdlog {
class logger;
}

namespace mmaprint {

/// All that a run has spent so far, and what is left.
struct Spent {
  std::size_t observations = 0;
  std::size_t confirming_inputs = 0;
  std::size_t device_calls = 0;
  std::int64_t proof_steps = 0;
  double seconds = 0;
  Count hypotheses;
  std::size_t sets = 0;
};

class FlowLog {
 public:
  /// `log` may be nullptr: then nothing is said.
  FlowLog(spdlog::logger* log, std::string name) : log_(log), name_(std::move(name)) {}

  /// At every step. Said where the state changes, and in details at every step. What was spent is asked for
  /// only where somebody reads it: counting hypotheses takes a while.
  void enter(const flow::State& state, const std::function<Spent()>& spent);
  void end(const std::function<Spent()>& spent, const Ending& end);

 private:
  void leave(const Spent& now);

  spdlog::logger* log_;
  std::string name_;
  std::string_view state_;  ///< empty before the first
  Spent before_;            ///< when it was entered
};

/// The structure that was measured, if one was. `log` may be nullptr.
void log_structure(spdlog::logger* log, const std::string& name, const std::optional<Joining>& structure);
/// That so many other hypotheses are tried. `log` may be nullptr.
void log_tried(spdlog::logger* log, const std::string& name, const Count& hypotheses);

/// How many mutants are open, and in details which. `log` may be nullptr.
void log_open_mutants(spdlog::logger* log, const std::string& name, const std::vector<std::string>& open);

}  // namespace mmaprint
