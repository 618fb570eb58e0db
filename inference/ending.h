// How an identification ends. The verdict and what documents say about it follow from the ending, here alone.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace mmaprint {

enum class IdentificationVerdict : std::uint8_t { unique, equivalent, none, unknown };
/// As documents write them, in the enumerators' order.
inline constexpr std::array<std::string_view, 4> kVerdictWords{"unique", "equivalent", "none", "unknown"};

namespace ending {

/// One hypothesis is left, and the unit agrees with it.
struct Unique {};
/// Several are left, all proved to be alike, and the unit agrees with them.
struct ProvedAlike {};

/// No hypothesis is left.
struct NothingExplains {
  /// The device failed when it was asked once more what it had said.
  std::optional<std::string> device_failure{};
  /// The mutants that explain what was observed, in words (inference/mutant.h); empty where there is none.
  std::string answers_like{};
};
/// Two results for one input: observations, counted from 0.
struct NotDeterministic {
  std::size_t first = 0, second = 0;
};

struct TimeUp {};
struct Interrupted {};
struct OutOfObservations {};
/// An observation that is concluded from leaves more sets of hypotheses than there is room for.
struct TooManySets {};
struct DeviceFailed {
  std::string message;
};
/// Not all inputs that were to confirm the model were answered, and nothing says why.
struct NotConfirmed {};
/// Of a recording: an input would tell survivors apart, and nobody can be asked.
struct NobodyToAsk {};
/// The device agrees with the model, but no NaN was among its results.
struct NanUnseen {};
/// It agrees with the model, but not all survivors are proved to be alike.
struct SomeOpen {
  std::string questions;  ///< what was not decided: parameters' names, joined by commas
  bool time_up = false;
};
/// Compared in bulk the device differs from every model that was found.
struct DiffersInBulk {};
/// What was observed could not be kept.
struct JournalFailed {
  bool confirmed = false;  ///< by then
};

}  // namespace ending

using Ending =
    std::variant<ending::Unique, ending::ProvedAlike, ending::NothingExplains, ending::NotDeterministic,
                 ending::TimeUp, ending::Interrupted, ending::OutOfObservations, ending::TooManySets,
                 ending::DeviceFailed, ending::NotConfirmed, ending::NobodyToAsk, ending::NanUnseen,
                 ending::SomeOpen, ending::DiffersInBulk, ending::JournalFailed>;

/// What documents say of NotDeterministic.
inline constexpr std::string_view kNotDeterministic = "not deterministic";

[[nodiscard]] IdentificationVerdict verdict_of(const Ending& end);
/// Why the verdict is not known, that a unit is not deterministic, or that a device failed; else empty.
[[nodiscard]] std::string reason_of(const Ending& end);
[[nodiscard]] bool device_failed(const Ending& end);
/// Did the device agree with the model on all inputs that were to confirm it?
[[nodiscard]] bool is_confirmed(const Ending& end);

}  // namespace mmaprint
