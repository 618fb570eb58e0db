#include "inference/flow_log.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "model/structure_text.h"

namespace mmaprint {

namespace {

/// ", 3 observations"; nothing where there are none.
std::string counted(std::size_t n, std::string_view noun) {
  return n == 0 ? std::string() : fmt::format(", {} {}{}", n, noun, n == 1 ? "" : "s");
}

std::string left(const Spent& now) {
  return fmt::format("{:.4g} hypotheses in {} set{}", approximate(now.hypotheses), now.sets,
                     now.sets == 1 ? "" : "s");
}

}  // namespace

void FlowLog::leave(const Spent& now) {
  if (state_.empty()) return;
  // Another model is confirmed from the beginning.
  const std::size_t inputs =
      now.confirming_inputs - std::min(now.confirming_inputs, before_.confirming_inputs);
  log_->info("{}: {} took {:.2f} s{}{}{}{}", name_, state_, now.seconds - before_.seconds,
             counted(now.observations - before_.observations, "observation"),
             counted(inputs, "confirming input"),
             counted(now.device_calls - before_.device_calls, "device call"),
             counted(static_cast<std::size_t>(now.proof_steps - before_.proof_steps), "proof step"));
}

void FlowLog::enter(const flow::State& state, const std::function<Spent()>& spent) {
  if (log_ == nullptr) return;
  const Spent now = spent();
  const std::string_view name = flow::name_of(state);
  log_->debug("{}: {}: {} observations, {}", name_, name, now.observations, left(now));
  if (name == state_) return;
  leave(now);
  log_->info("{}: {}: {} left", name_, name, left(now));
  state_ = name;
  before_ = now;
}

void FlowLog::end(const std::function<Spent()>& spent, const Ending& end) {
  if (log_ == nullptr) return;
  leave(spent());
  const std::string reason = reason_of(end);
  const std::string_view verdict = kVerdictWords[static_cast<std::size_t>(verdict_of(end))];
  log_->info("{}: {}{}{}", name_, verdict, reason.empty() ? "" : ": ", reason);
}

void log_structure(spdlog::logger* log, const std::string& name, const std::optional<Joining>& structure) {
  if (log == nullptr) return;
  log->info("{}: nothing of what was searched explains it; {}", name,
            structure ? "what joins where: " + structure_text(tree_of(*structure))
                      : "what joins where can't be measured");
}

void log_tried(spdlog::logger* log, const std::string& name, const Count& hypotheses) {
  if (log != nullptr) log->info("{}: trying {:.2g} hypotheses", name, approximate(hypotheses));
}

void log_open_mutants(spdlog::logger* log, const std::string& name, const std::vector<std::string>& open) {
  if (log == nullptr || open.empty()) return;
  log->info("{}: {} open mutants", name, open.size());
  for (const std::string& mutant : open) log->debug("{}: open mutant: {}", name, mutant);
}

}  // namespace mmaprint
