#include "inference/characterise.h"

#include <utility>

namespace mmaprint {
namespace {

/// Rounds of bulk comparison and search before a model that still differs is given up.
constexpr int kMostRounds = 6;

bool can_be_validated(const Identification& result) {
  return result.model && result.verdict != Identification::Verdict::none && !result.device_failed;
}

class Characterising {
 public:
  Characterising(Search search, MatmulUnit& unit, const Instruction& instruction,
                 const CharacteriseOptions& options, const CharacteriseHooks& hooks)
      : unit_(unit),
        instruction_(instruction),
        options_(options),
        hooks_(hooks),
        deadline_(options.identify.seconds, hooks.identify.stop),
        found_{std::move(search), {}, {}} {}

  Characterisation operator()(std::vector<Observation> known) {
    search_from(std::move(known));
    if (options_.vectors == 0 || unit_.recorded(instruction_.name) != nullptr) return std::move(found_);
    for (int round = 1; can_be_validated(found_.result); ++round) {
      validate();
      if (found_.validation->verdict != Validation::Verdict::mismatch) break;
      if (round == kMostRounds || found_.validation->examples.empty()) {
        found_.result.verdict = Identification::Verdict::unknown;
        found_.result.reason = "the device still differs from the model in bulk";
        found_.result.confirmed = false;
        break;
      }
      auto observations = std::move(found_.result.observations);
      for (const Mismatch& m : found_.validation->examples) {
        if (hooks_.identify.observed) hooks_.identify.observed(m.seen);
        observations.push_back(m.seen);
      }
      search_from(std::move(observations));
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::optional<double> seconds_left() const {
    return options_.identify.seconds ? std::optional(deadline_.remaining()) : std::nullopt;
  }

  void search_from(std::vector<Observation> known) {
    const auto search = [&](std::vector<Observation> from) {
      IdentifyOptions options = options_.identify;
      options.seconds = seconds_left();
      found_.result = identify(found_.search.space, found_.search.start(), unit_, instruction_,
                               std::move(from), options, hooks_.identify);
    };
    search(std::move(known));
    Space& space = found_.search.space;
    if (found_.result.verdict != Identification::Verdict::none || found_.result.contradiction ||
        space.nan_results == NanResults::several ||
        !several_nan_patterns(space.formats.d, found_.result.observations))
      return;
    space.nan_results = NanResults::several;
    if (hooks_.changed) hooks_.changed(found_.search);
    search(std::move(found_.result.observations));
  }

  void validate() {
    const ValidateOptions options{options_.vectors, options_.identify.seed, options_.identify.threads,
                                  seconds_left(), hooks_.identify.stop};
    found_.validation = validate_on(unit_, instruction_, *found_.result.model, options, hooks_.validating);
  }

  MatmulUnit& unit_;
  const Instruction& instruction_;
  const CharacteriseOptions& options_;
  const CharacteriseHooks& hooks_;
  Deadline deadline_;
  Characterisation found_;
};

}  // namespace

Characterisation characterise(Search search, MatmulUnit& unit, const Instruction& instruction,
                              std::vector<Observation> known, const CharacteriseOptions& options,
                              const CharacteriseHooks& hooks) {
  return Characterising(std::move(search), unit, instruction, options, hooks)(std::move(known));
}

}  // namespace mmaprint
