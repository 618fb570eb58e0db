// The loop: hypotheses, experiments, verdict.
//
// While inputs drawn at random still split the hypotheses, the one that tells most about a sample of them is
// asked. When none does any more, the solver looks for an input on which a survivor differs from the
// representative; its answer is asked too, and what survives a proof that there is none is equivalent. Each
// result refutes by evaluation by need (inference/by_need.h), so nothing is ruled out but by an observation,
// and nothing is merged but by a proof. In the end the device is asked some thousand inputs that need not
// tell hypotheses apart (inference/confirmation.h): a unit outside the space would otherwise be taken for the
// last that is left in it.
#pragma once

#include <array>
#include <functional>
#include <stop_token>

#include "device/matmul_unit.h"
#include "inference/confirmation.h"
#include "inference/equivalence_ledger.h"
#include "model/hypotheses.h"
#include "solver/distinguish.h"

namespace mmaprint {

struct IdentifyOptions {
  std::uint64_t seed = 1;
  int threads = 1;
  std::optional<double> seconds;         ///< of the whole run
  std::optional<int> most_observations;  ///< journalled ones included
  /// For all equivalence proofs together, and half as much again for the search for differences before them;
  /// what is not decided by then is left open.
  double proof_seconds = 14;
  /// Inputs on which the device has to agree with the model before it is reported; some 250 of these and of
  /// the observations are asked twice. 0 is for tests of what comes before: nothing is confirmed then, and
  /// models are reported all the same.
  std::size_t confirming_inputs = 9750;
  Solver solver = Solver::cadical;
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
};

/// Why nothing explains a unit that gave two results for one input, which are then the conflict.
inline constexpr std::string_view kNotDeterministic = "not deterministic";

struct Identification {
  enum class Verdict : std::uint8_t { unique, equivalent, none, unknown };
  /// As documents write them, in the enumerators' order.
  static constexpr std::array<std::string_view, 4> kVerdictWords{"unique", "equivalent", "none", "unknown"};
  Verdict verdict = Verdict::unknown;
  std::optional<UnitModel> model;  ///< the representative; for `none` the model that explains most
  std::vector<SurvivorClass> survivors;
  std::vector<Observation> observations;
  std::vector<std::size_t>
      conflict;  ///< `none`: indices of a smallest set of observations that refutes everything
  bool conflict_is_smallest = false;
  std::optional<std::size_t> explained{};  ///< `none`: observations that `model` gives, if they were counted
  /// So many of the last observations came when the time was up: nothing is concluded from them.
  std::size_t unused = 0;
  std::string reason;  ///< why the verdict is not known, or that the device failed
  bool device_failed = false;
  bool confirmed = false;  ///< the device agreed with `model` on all inputs that were to confirm it
  std::size_t device_calls = 0;
  Confirmation confirmation;
  /// `none`: two observations of one input with different results; then the conflict is these.
  std::optional<std::pair<std::size_t, std::size_t>> contradiction;
  double seconds = 0, solver_seconds = 0, device_seconds = 0;
};

/// Do NaN results have more than one pattern?
[[nodiscard]] bool several_nan_patterns(Format d, const std::vector<Observation>& observations);

/// Finds the hypotheses of the space that explain the unit. `known` are observations from before (a journal,
/// a recording); `start` restricts the space (all of it: space.whole()).
[[nodiscard]] Identification identify(const Space& space, std::vector<HypothesisSet> start, MatmulUnit& unit,
                                      const Instruction& instruction, std::vector<Observation> known,
                                      const IdentifyOptions& options, const IdentifyHooks& hooks);

}  // namespace mmaprint
