// The loop: hypotheses, experiments, verdict.
//
// While inputs drawn at random still split the hypotheses, the one that tells most about a sample of them is
// asked. When none does any more, the solver looks for an input on which a survivor differs from the
// representative; its answer is asked too, and what survives a proof that there is none is equivalent. Each
// result refutes by evaluation by need (inference/by_need.h), so nothing is ruled out but by an observation,
// and nothing is merged but by a proof. In the end the device is asked some thousand inputs that need not
// tell hypotheses apart (inference/confirmation.h): a unit outside the space would otherwise be taken for the
// last that is left in it. The states that a run goes through are in inference/flow.h.
//
// What a run may spend within is counted in steps, the same on any machine, so that a seed and whether there
// is more than one thread tell what is found; time is the limit from without.
#pragma once

#include <functional>
#include <limits>
#include <stop_token>

#include "base/parallel.h"
#include "device/matmul_unit.h"
#include "inference/by_need.h"
#include "inference/common_trait.h"
#include "inference/confirmation.h"
#include "inference/ending.h"
#include "inference/equivalence_ledger.h"
#include "inference/refutation.h"
#include "model/hypotheses.h"
#include "solver/distinguish.h"

namespace spdlog {
class logger;
}

namespace mmaprint {

struct IdentifyOptions {
  std::uint64_t seed = 1;
  int threads = 1;
  const SharedThreads* shared = nullptr;  ///< from which sifting takes what others leave
  std::optional<double> seconds;          ///< of the whole run
  std::optional<int> most_observations;   ///< journalled ones included
  /// For all equivalence proofs together, and half as much again for the search for differences before them
  /// (solver/limits.h); what is not decided by then is left open.
  std::int64_t proof_steps = kProofSteps;
  /// Sets of hypotheses that are kept at once (inference/by_need.h). An observation that would leave more
  /// waits; where that doesn't help the run ends.
  std::size_t most_sets = kMostSets;
  /// Operands that nodes may be run on to conclude from observations, and to choose inputs for that.
  std::int64_t most_sifting = std::numeric_limits<std::int64_t>::max();
  /// Observations from before wait until few hypotheses are left, or are taken in an order that costs little:
  /// they were made for another space, or are all there will be.
  bool known_wait = false;
  /// Where nothing is left: is a smallest conflict looked for, and the model that explains most?
  bool explain_nothing = true;
  /// For the smallest conflict of a unit that nothing explains (inference/refutation.h).
  std::int64_t conflict_work = kConflictWork;
  /// Inputs on which the device has to agree with the model before it is reported; some 250 of these and of
  /// the observations are asked twice. 0 is for tests of what comes before: nothing is confirmed then, and
  /// models are reported all the same.
  std::size_t confirming_inputs = 9750;
  /// Models that the unit was taken for before, in another space: of a unit that nothing explains it is told
  /// whether one of their mutants does.
  std::vector<UnitModel> suspects{};
  Solver solver = Solver::cadical;
  /// Proofs that survivors are equal are kept, for a certificate; not Z3's.
  bool keeps_proofs = false;
};

/// What a person watching wants to know.
struct Progress {
  Count hypotheses;  ///< that fit so far, NaN patterns aside
  std::size_t observations;
  double seconds;
  std::string_view doing;
};

/// Called as it goes, on the calling thread.
struct IdentifyHooks {
  std::function<void(const Observation&)>
      observed;  ///< a new observation, before anything is concluded from it
  std::function<void(const Progress&)> progress;
  std::stop_token stop;
  /// Told what the loop does, state by state; nullptr: nobody is.
  spdlog::logger* log = nullptr;
  /// Told of every formula that the solver is given (solver/query_log.h). Not with Z3.
  QueryLog* queries = nullptr;
};

/// A recording: observations from before are all there is, and nobody can be asked.
struct Recorded {
  bool whole = true;  ///< all of it is among the observations that are known
};
/// Who answers.
using Subject = std::variant<std::reference_wrapper<MatmulUnit>, Recorded>;

struct Identification {
  using Verdict = IdentificationVerdict;

  Ending end = ending::NotConfirmed{};
  std::optional<UnitModel> model;  ///< the representative; for `none` the model that explains most
  std::vector<SurvivorClass> survivors;
  std::vector<Observation> observations;
  std::vector<std::size_t>
      conflict;  ///< `none`: indices of a smallest set of observations that refutes everything
  bool conflict_is_smallest = false;
  std::optional<std::size_t> explained{};  ///< `none`: observations that `model` gives, if they were counted
  std::optional<CommonTrait> in_common{};  ///< `none`: to inputs on which the unit is not as `model`
  /// Nothing is concluded from so many of the last observations, which came when the time was up, or would
  /// have split the hypotheses into too many sets.
  std::size_t unused = 0;
  std::size_t device_calls = 0;
  Confirmation confirmation;
  std::vector<UnitModel> suspects{};  ///< `none`: models that the unit was taken for
  double seconds = 0, solver_seconds = 0, device_seconds = 0;

  [[nodiscard]] Verdict verdict() const { return verdict_of(end); }
  /// Why the verdict is not known, that the unit is not deterministic, or that the device failed.
  [[nodiscard]] std::string reason() const { return reason_of(end); }
  [[nodiscard]] bool device_failed() const { return mmaprint::device_failed(end); }
  /// The device agreed with `model` on all inputs that were to confirm it.
  [[nodiscard]] bool confirmed() const { return is_confirmed(end); }
  /// Two observations of one input with different results; then the conflict is these.
  [[nodiscard]] bool contradicts_itself() const {
    return std::holds_alternative<ending::NotDeterministic>(end);
  }
};

/// Finds the hypotheses of the space that explain the unit. `known` are observations from before (a journal,
/// a recording); `start` restricts the space (all of it: space.whole()).
[[nodiscard]] Identification identify(const Space& space, VersionSpace start, Subject subject,
                                      const Instruction& instruction, std::vector<Observation> known,
                                      const IdentifyOptions& options, const IdentifyHooks& hooks);

}  // namespace mmaprint
