// What a check may cost and what it may answer.
//
// Work is counted in steps, which are the same for the same question on any machine, busy or not: a step is a
// conflict of the search, or so many gates that were built. A conflict costs more where there are more
// clauses, and counts for more. Measured on formulas of 5 to 130 thousand clauses, a step takes 30 to 50
// microseconds; multipliers take several times as long as chains of equal blocks, which is what no count
// tells beforehand. So whoever counts steps sets a clock too, far beyond what is usual.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string_view>

#include "base/deadline.h"
#include "solver/race.h"

namespace mmaprint {

/// `unknown` means that a limit was reached; it says nothing about satisfiability.
enum class Verdict : std::uint8_t { satisfiable, unsatisfiable, unknown };
/// As SMT-LIB has it.
[[nodiscard]] constexpr std::string_view word(Verdict verdict) {
  return verdict == Verdict::satisfiable ? "sat" : verdict == Verdict::unsatisfiable ? "unsat" : "unknown";
}

/// Without limits a check runs until it knows.
struct Limits {
  std::optional<std::int64_t> conflicts;  ///< of one search
  std::optional<std::int64_t> steps;      ///< of building formulas and searching, together
  std::optional<double> seconds;
  std::stop_token stop;
  std::int64_t* spent = nullptr;  ///< where given, steps that were taken are added to it
  int threads = 1;                ///< that may work on one question
  RacingSearch racing{};          ///< beside other ways to the same answer
};

/// Seconds for each step after which the clock ends a check: several times what the slowest of questions take
/// on a machine that has more to do.
inline constexpr double kLongestStep = 1e-3;
/// So many steps. The clock ends them only where they take far longer than steps do, or at the deadline.
[[nodiscard]] inline Limits in_steps(std::int64_t steps, const Deadline& deadline) {
  const double longest = kLongestStep * static_cast<double>(steps);
  return {std::nullopt, steps, std::min(deadline.remaining(), longest), deadline.stop()};
}

/// Gates asked for while a formula is built, existing ones included.
inline constexpr std::int64_t kGatesOfAStep = 128;
[[nodiscard]] constexpr std::int64_t steps_of_conflict(std::int64_t clauses) { return 1 + clauses / 32'768; }

/// A formula would take more steps than are left.
class StepsSpent : public std::runtime_error {
 public:
  StepsSpent() : std::runtime_error("no steps left") {}
};

/// Limits that several questions share.
class Allowance {
 public:
  explicit Allowance(const Limits& limits) : limits_(limits), deadline_(limits.seconds, limits.stop) {}
  Allowance(const Allowance&) = delete;
  Allowance& operator=(const Allowance&) = delete;
  ~Allowance() {
    if (limits_.spent != nullptr) *limits_.spent += spent_;
  }

  /// For the next question: what is left, but so many steps at most.
  [[nodiscard]] Limits rest(std::optional<std::int64_t> most = std::nullopt) {
    Limits rest = limits_;
    if (limits_.steps) rest.steps = std::max<std::int64_t>(0, *limits_.steps - spent_);
    if (most) rest.steps = std::clamp<std::int64_t>(*most, 0, rest.steps.value_or(*most));
    if (limits_.seconds) rest.seconds = deadline_.remaining();
    rest.spent = &spent_;
    rest.racing.before += spent_;
    return rest;
  }
  [[nodiscard]] bool used_up() const {
    return deadline_.passed() || (limits_.steps && spent_ >= *limits_.steps);
  }
  [[nodiscard]] std::int64_t spent() const { return spent_; }
  [[nodiscard]] const Deadline& deadline() const { return deadline_; }

 private:
  Limits limits_;
  Deadline deadline_;
  std::int64_t spent_ = 0;
};

}  // namespace mmaprint
