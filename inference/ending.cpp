#include "inference/ending.h"

#include "inference/by_need.h"

namespace mmaprint {
namespace {

/// What documents and people are told of an ending.
struct Told {
  IdentificationVerdict verdict;
  std::string reason;
  bool confirmed = false;
  bool device_failed = false;
};

Told told(const ending::Unique& /*end*/) { return {IdentificationVerdict::unique, {}, true}; }
Told told(const ending::ProvedAlike& /*end*/) { return {IdentificationVerdict::equivalent, {}, true}; }
Told told(const ending::NothingExplains& end) {
  const std::string like = end.answers_like.empty() ? "" : "answers like: " + end.answers_like;
  return {IdentificationVerdict::none, end.device_failure.value_or(like), false,
          end.device_failure.has_value()};
}
Told told(const ending::NotDeterministic& /*end*/) {
  return {IdentificationVerdict::none, std::string(kNotDeterministic)};
}
Told told(const ending::TimeUp& /*end*/) { return {IdentificationVerdict::unknown, "time limit reached"}; }
Told told(const ending::Interrupted& /*end*/) { return {IdentificationVerdict::unknown, "interrupted"}; }
Told told(const ending::OutOfObservations& /*end*/) {
  return {IdentificationVerdict::unknown, "observation limit reached"};
}
Told told(const ending::TooManySets& /*end*/) {
  return {IdentificationVerdict::unknown, std::string(kTooManySets)};
}
Told told(const ending::DeviceFailed& end) {
  return {IdentificationVerdict::unknown, end.message, false, true};
}
Told told(const ending::NotConfirmed& /*end*/) {
  return {IdentificationVerdict::unknown, "the device was not asked enough to confirm the model"};
}
Told told(const ending::NobodyToAsk& /*end*/) {
  return {IdentificationVerdict::unknown, "the device can answer nothing more", true};
}
Told told(const ending::NanUnseen& /*end*/) {
  return {IdentificationVerdict::unknown, "no NaN result was observed, so its pattern is open", true};
}
Told told(const ending::SomeOpen& end) {
  return {IdentificationVerdict::unknown,
          (end.time_up ? "time limit reached: " : "") +
              std::string("some survivors are neither proved equal nor told apart") +
              (end.questions.empty() ? "" : " in " + end.questions),
          true};
}
Told told(const ending::DiffersInBulk& /*end*/) {
  return {IdentificationVerdict::unknown, "the device still differs from the model in bulk"};
}
Told told(const ending::JournalFailed& end) {
  return {IdentificationVerdict::unknown, "the journal can't be written", end.confirmed};
}

Told told(const Ending& end) {
  return std::visit([](const auto& e) { return told(e); }, end);
}

}  // namespace

IdentificationVerdict verdict_of(const Ending& end) { return told(end).verdict; }
std::string reason_of(const Ending& end) { return told(end).reason; }
bool device_failed(const Ending& end) { return told(end).device_failed; }
bool is_confirmed(const Ending& end) { return told(end).confirmed; }

}  // namespace mmaprint
