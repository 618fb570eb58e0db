// Is a model consistent with what was observed?
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "mmaprint/batch.h"
#include "mmaprint/error.h"
#include "mmaprint/model.h"

namespace mmaprint {
inline namespace api {

struct CheckSettings {
  std::uint64_t seed = 1;
  int threads = 0;                   ///< 0: one for each core
  std::optional<double> time_limit;  ///< seconds
  std::stop_token stop = {};
};

enum class CheckVerdict : std::uint8_t { consistent, inconsistent, unknown };
/// "consistent", ...
[[nodiscard]] std::string_view word(CheckVerdict verdict);

/// An observation that takes part in a refutation.
struct RefutingObservation {
  std::size_t index;  ///< among those that were checked, from 0
  /// What the model gives; of a partial one what its nearest completion does, if one was evaluated.
  std::optional<std::uint64_t> predicted;
};

struct CheckOutcome {
  CheckVerdict verdict;
  std::string reason;  ///< why it is unknown
  /// `inconsistent`: enough to refute the model, or all completions of a partial one.
  std::vector<RefutingObservation> refuting;
  bool smallest;            ///< no fewer observations do
  bool contradictory;       ///< the two of `refuting` have one input and different results
  std::size_t disagreeing;  ///< observations that the model (or `completion`) does not give
  /// Of a partial model: one that explains all; of an inconsistent one that which explains most.
  std::optional<Model> completion;
  std::string document;  ///< `mmaprint/check/1` (docs/commands.md); `line` counts observations from 1
  std::string text;      ///< what the command prints
};

/// A full model is evaluated on every observation; a partial one stands for all its completions. Throws
/// InputError for observations that do not have the model's shape, and features that no unit has.
[[nodiscard]] CheckOutcome check(const Model& model, const ObservedBatch& observed,
                                 const CheckSettings& settings = {});

}  // namespace api
}  // namespace mmaprint
