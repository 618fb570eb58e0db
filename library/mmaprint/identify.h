// Which models explain a unit? The unit is a callable of yours.
#pragma once

#include <cstdint>
#include <functional>
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

/// Takes n inputs, gives n results: bit patterns, in the inputs' order. It is asked for some ten thousand
/// inputs in all, a few at first and more at a time while answers come fast, by one thread at a time. It has
/// to be a function: the same input, the same result, in whatever batch. What it throws comes out of
/// identify() unchanged.
using UnitUnderTest = std::function<std::vector<std::uint64_t>(const InputBatch&)>;

/// How far an identification has come.
struct IdentifyProgress {
  double hypotheses;  ///< that fit so far
  std::size_t observations;
  double seconds;  ///< since it began
  std::string_view doing;
};

struct IdentifySettings {
  std::string instruction = "unit";  ///< what the unit's instruction is called in models and documents
  std::uint64_t seed = 1;            ///< of everything random
  int threads = 0;                   ///< 0: one for each core
  std::optional<double> time_limit;  ///< seconds; what is established by then is the outcome
  std::optional<int> max_observations;
  std::optional<Model> assume;                                 ///< its features hold; all others are searched
  std::optional<ObservedBatch> known;                          ///< observations from before
  std::function<void(const IdentifyProgress&)> progress = {};  ///< called now and then; must not throw
  /// Ask it to stop from any thread: the outcome is what is established, within a second or so.
  std::stop_token stop = {};
};

/// `unique`: one hypothesis is left. `equivalent`: several are left, and are proved to agree on every input.
/// `none`: nothing that is searched explains the unit. `unknown`: see `reason`.
enum class IdentifyVerdict : std::uint8_t { unique, equivalent, none, unknown };
/// "unique", ...
[[nodiscard]] std::string_view word(IdentifyVerdict verdict);

struct IdentifyOutcome {
  IdentifyVerdict verdict;
  std::string reason;  ///< why it is unknown, or what is said besides of `none`
  /// What remains: one model that stands for all that are left. Of `none` the one that explains most, if
  /// there was time to look for it.
  std::optional<Model> model;
  ObservedBatch observed;             ///< the distinct inputs used as constraints, and the results
  std::vector<std::size_t> conflict;  ///< `none`: observations, from 0, that refute everything
  std::string document;               ///< `mmaprint/identification/1` (docs/commands.md), on one line
  std::string text;                   ///< what the command prints
};

/// Searches for what explains the unit (docs/algorithm.md). Requires a callable. Throws InputError for K
/// outside of 1..1024, formats that no unit of the space has, and what can't be assumed; DeviceError if the
/// unit's answer is not n patterns within d's format.
[[nodiscard]] IdentifyOutcome identify(const UnitUnderTest& unit, int k, const Formats& formats,
                                       const IdentifySettings& settings = {});
/// The same of recorded observations alone (those of `known` included): nobody can be asked.
[[nodiscard]] IdentifyOutcome identify_recorded(const ObservedBatch& recorded, int k, const Formats& formats,
                                                const IdentifySettings& settings = {});

}  // namespace api
}  // namespace mmaprint
