// Is a model consistent with what was observed? And if not: which few observations already say so?
//
// A full model is evaluated on every input, and one disagreement refutes it; the one that is easiest to
// follow by hand is shown. A partial model stands for all its completions; the smallest set of observations
// that refutes them all is found by inference/refutation.h. Two results for one input refute every model.
#pragma once

#include "base/deadline.h"
#include "inference/assumption.h"
#include "inference/checked_records.h"
#include "inference/input_size.h"
#include "inference/refutation.h"
#include "model/instruction.h"
#include "model/observation_json.h"

namespace mmaprint {

struct CheckOptions {
  int threads = 1;
  Deadline deadline{};
  std::uint64_t seed = 1;
  /// What may be spent, each time they are asked about, on units that carry sums on, in operands that nodes
  /// are run on: they are 10^28 and more, and some observations split them into very many sets.
  std::int64_t work_on_carried = 100'000'000;
  /// How long making the refutation small may take, which holds as it is.
  double seconds_for_smallest = kLongestConflict;
};

/// An observation that takes part in the refutation.
struct Refuting {
  ObservationRecord record;
  /// What the model gives instead; for a partial model its nearest completion first, then what other
  /// completions that were tried give (a few). Empty where no completion was evaluated.
  std::vector<Pattern> predicted;
};

struct CheckResult {
  enum class Verdict : std::uint8_t { consistent, inconsistent, unknown };
  Verdict verdict = Verdict::unknown;
  std::size_t observations = 0;    ///< distinct ones
  std::vector<Refuting> refuting;  ///< `inconsistent`: enough to refute the model, or all its completions
  bool smallest = false;           ///< no smaller set does (`contradictory`: refutes every model)
  bool contradictory = false;      ///< the two of `refuting` have the same input and different results
  std::size_t disagreeing = 0;     ///< observations that the model (partial: `completion`) does not give
  bool counted = true;             ///< `disagreeing` is of all, not of those that there was time for
  std::optional<UnitModel>
      completion;      ///< of a partial model: one that explains all; `inconsistent`: explains most
  std::string reason;  ///< `unknown`: why
  /// What the model, or `completion`, makes of pairs of factors; empty where there is neither.
  ProductKinds products;
};

/// K, formats and name of either kind of model.
[[nodiscard]] Instruction instruction_of(const AnyModel& model);

/// Requires records of the model's instruction. Throws BadInput for features that can't be assumed. Once the
/// deadline has passed what is known by then is the answer.
[[nodiscard]] CheckResult check(const AnyModel& model, const CheckedRecords& records,
                                const CheckOptions& options);
/// The same. Requires records with results, as read with `need_d`; throws BadInput (file and line) for one
/// whose K or formats are not the model's.
[[nodiscard]] CheckResult check(const AnyModel& model, const std::vector<ObservationRecord>& records,
                                const CheckOptions& options);

}  // namespace mmaprint
