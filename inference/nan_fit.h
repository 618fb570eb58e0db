// Which rule explains NaN results of several patterns?
//
// The numbers come first: a model of them says which results are NaN, and NaN results are not told apart
// until it is found. Then the rules that give every NaN result seen are kept (model/nan_rule.h), and inputs
// made for it (inference/nan_inputs.h) are asked until all that are left give the same on all of them. Where
// none is left nothing is said of NaN results.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/nan_rule.h"

namespace mmaprint {

class NanFit {
 public:
  /// Of a floating-point model, and what is known of it.
  NanFit(const UnitModel& model, std::span<const Observation> seen);

  /// Only rules that give this result are kept. Anything but a NaN of a NaN result says nothing.
  void see(const Observation& observation);
  /// An input, one of those made for it, on which rules that are left differ, or one that shows what invalid
  /// operations give; nullopt: there is none.
  [[nodiscard]] std::optional<DotInput> telling() const;
  /// The plainest that is left.
  [[nodiscard]] std::optional<NanRule> rule() const;

 private:
  struct Candidate {
    NanRule rule;
    bool generated_is_known = false;
  };
  struct Made {
    DotInput input;
    NanOperands operands;
  };
  [[nodiscard]] NanOperands operands_of(const DotInput& input) const;
  /// What the candidate gives; none: what is not known of it.
  [[nodiscard]] std::optional<Pattern> outcome(const Candidate& candidate, const NanOperands& operands) const;
  [[nodiscard]] std::size_t outcomes(const NanOperands& operands) const;

  UnitModel model_;
  Plan plan_;
  std::vector<Made> made_;
  std::vector<Candidate> candidates_;  ///< plainest first
};

/// The device's result, or none where it gave no answer.
using AskForNan = std::function<std::optional<Pattern>(const DotInput&)>;

struct FittedNans {
  std::optional<NanRule> rule{};
  /// False if a result that was to be NaN is none; nullopt if the device gave no answer.
  std::optional<bool> agreed = true;
};
/// The rule that explains what was seen, if NaN results have several patterns that the model does not tell
/// apart, and all that is asked then.
/// Without `ask` there is one only if nothing is left to be asked.
[[nodiscard]] FittedNans fitted_nan_rule(const UnitModel& model, std::span<const Observation> seen,
                                         const AskForNan& ask);

/// All rules, by what they do about operands; `generated` is the same in each.
[[nodiscard]] std::vector<NanRule> all_nan_rules(Pattern generated);

}  // namespace mmaprint
