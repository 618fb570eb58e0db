// What a check may cost and what it may answer.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

namespace mmaprint {

/// `unknown` means that a limit was reached; it says nothing about satisfiability.
enum class Verdict : std::uint8_t { satisfiable, unsatisfiable, unknown };

/// Without limits a check runs until it knows.
struct Limits {
  std::optional<std::int64_t> conflicts;
  std::optional<double> seconds;
  std::stop_token stop;
};

}  // namespace mmaprint
