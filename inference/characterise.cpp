#include "inference/characterise.h"

#include <utility>

namespace mmaprint {
namespace {

/// Rounds of bulk comparison and search before a model that still differs is given up.
constexpr int kMostRounds = 6;

// The stages, and what comes after each.
//
//   identify ──▶ compare ──▶ done
//    ▲  │  ▲        │
//    │  ▼  └────────┘ an input on which they differ
//   widen, merge NaNs
struct Identify {};
/// Nothing explains what was observed: wider skeletons are searched, too.
struct Widen {};
/// NaN results have several patterns, and nothing explains that: from here on they are not told apart.
struct MergeNans {};
struct Compare {};
struct Done {};
using Stage = std::variant<Identify, Widen, MergeNans, Compare, Done>;

class Characterising {
 public:
  Characterising(Search search, Subject subject, const Instruction& instruction,
                 const CharacteriseOptions& options, const CharacteriseHooks& hooks)
      : subject_(subject),
        instruction_(instruction),
        options_(options),
        hooks_(hooks),
        deadline_(options.identify.seconds, hooks.identify.stop),
        found_{std::move(search), {}, {}} {}

  Characterisation operator()(std::vector<Observation> known) {
    known_ = std::move(known);
    for (Stage stage = Identify{}; !std::holds_alternative<Done>(stage);)
      stage = std::visit([this](auto s) { return this->after(s); }, stage);
    return std::move(found_);
  }

 private:
  Stage after(Identify /*stage*/) {
    IdentifyOptions options = options_.identify;
    options.seconds = seconds_left();
    auto wider = found_.search.wider();
    options.explain_nothing = !wider;
    found_.result = identify(found_.search.space, found_.search.start(), subject_, instruction_,
                             std::exchange(known_, {}), options, hooks_.identify);
    if (may_merge_nans()) return MergeNans{};
    // Without time to search more, what is known is that nothing of this space explains the unit.
    if (wider && !deadline_.passed() && std::holds_alternative<ending::NothingExplains>(found_.result.end))
      return Widen{};
    if (may_compare()) return Compare{};
    return Done{};
  }

  Stage after(Widen /*stage*/) {
    found_.search = *found_.search.wider();
    if (hooks_.changed) hooks_.changed(found_.search);
    known_ = std::move(found_.result.observations);
    return Identify{};
  }

  Stage after(MergeNans /*stage*/) {
    found_.search.space.nan_results = NanResults::several;
    if (hooks_.changed) hooks_.changed(found_.search);
    known_ = std::move(found_.result.observations);
    return Identify{};
  }

  Stage after(Compare /*stage*/) {
    ++rounds_;
    validate();
    if (found_.validation->verdict != Validation::Verdict::mismatch) return Done{};
    if (rounds_ == kMostRounds || found_.validation->examples.empty()) {
      found_.result.end = ending::DiffersInBulk{};
      return Done{};
    }
    known_ = std::move(found_.result.observations);
    for (const Mismatch& m : found_.validation->examples) {
      if (hooks_.identify.observed) hooks_.identify.observed(m.seen);
      known_.push_back(m.seen);
    }
    return Identify{};
  }

  static Stage after(Done stage) { return stage; }

  [[nodiscard]] bool may_merge_nans() const {
    const Space& space = found_.search.space;
    return std::holds_alternative<ending::NothingExplains>(found_.result.end) &&
           space.nan_results != NanResults::several &&
           several_nan_patterns(space.formats.d, found_.result.observations);
  }
  [[nodiscard]] bool may_compare() const {
    const Identification& result = found_.result;
    return options_.vectors != 0 && std::holds_alternative<std::reference_wrapper<MatmulUnit>>(subject_) &&
           result.model && result.verdict() != Identification::Verdict::none && !result.device_failed();
  }

  [[nodiscard]] std::optional<double> seconds_left() const {
    return options_.identify.seconds ? std::optional(deadline_.remaining()) : std::nullopt;
  }

  void validate() {
    const ValidateOptions options{options_.vectors, options_.identify.seed, options_.identify.threads,
                                  seconds_left(), hooks_.identify.stop};
    MatmulUnit& unit = std::get<std::reference_wrapper<MatmulUnit>>(subject_);
    found_.validation = validate_on(unit, instruction_, *found_.result.model, options, hooks_.validating);
  }

  Subject subject_;
  const Instruction& instruction_;
  const CharacteriseOptions& options_;
  const CharacteriseHooks& hooks_;
  Deadline deadline_;
  Characterisation found_;
  std::vector<Observation> known_;  ///< what the next identification begins with
  int rounds_ = 0;                  ///< of bulk comparison
};

}  // namespace

Characterisation characterise(Search search, Subject subject, const Instruction& instruction,
                              std::vector<Observation> known, const CharacteriseOptions& options,
                              const CharacteriseHooks& hooks) {
  return Characterising(std::move(search), subject, instruction, options, hooks)(std::move(known));
}

}  // namespace mmaprint
