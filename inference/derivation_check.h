// Does a derivation hold? No solver is asked.
//
// Every question of a step is posed again from the sides that the step is about: its formula has to be the
// one that was stored, to the byte, or to vanish; and the stored proof has to refute it
// (solver/unsat_proof.h). Bounds and arguments are worked out again. Trusted are the program's own rules that
// make formulas and bounds (ARCHITECTURE.md lists their claims), and the check of proofs by unit propagation.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <variant>

#include "base/deadline.h"
#include "inference/derivation.h"
#include "model/hypotheses.h"

namespace mmaprint {

/// How many of what was checked.
struct CheckedSteps {
  std::size_t refutations = 0;  ///< proofs that were checked
  std::size_t vanished = 0;     ///< questions whose formulas are false as they are built
  std::size_t theorems = 0;     ///< steps by bounds
};
/// Which step does not hold, and why.
struct StepFails {
  std::size_t step;  ///< from 1
  std::string why;
};
struct CheckCutShort {};
using DerivationCheck = std::variant<CheckedSteps, StepFails, CheckCutShort>;

/// A second opinion on a proof that holds: why it does not, by another checker; empty if it does. Throws
/// DeadlinePassed.
using OtherChecker = std::function<std::string(const RefutedFormula&, const Deadline&)>;

class DerivationChecker {
 public:
  /// Both outlive it. `other` may be empty.
  DerivationChecker(const Space& space, const UnitModel& model, OtherChecker other = {})
      : space_(space), model_(model), other_(std::move(other)) {}

  /// Do the steps show that every hypothesis of the set computes as the model does?
  [[nodiscard]] DerivationCheck check(HypothesisSet set, const Derivation& derivation,
                                      const Deadline& deadline);

 private:
  struct Run;
  const Space& space_;
  const UnitModel& model_;
  OtherChecker other_;
  std::set<const RefutedFormula*> known_;  ///< whose proofs were seen to hold
};

}  // namespace mmaprint
