// A model's mutants, put to the test: first by what was answered, then by inputs made for those that are
// left, at last by the solver.
#pragma once

#include <initializer_list>

#include "inference/confirmation.h"
#include "inference/equivalence_ledger.h"
#include "inference/mutation_analysis.h"

namespace mmaprint {

class MutantTrial {
 public:
  /// Asks the device. Did it answer as the model does? nullopt if not all was answered.
  using Ask = std::function<std::optional<bool>(const std::vector<DotInput>&)>;

  MutantTrial(Original original, const MutationOptions& options, EquivalenceLedger& ledger,
              const Deadline& deadline);

  /// `answered`: what was answered as the model does. Asks `most` inputs at most. False once the device
  /// answers otherwise; nullopt if the deadline passed, or not all was answered.
  [[nodiscard]] std::optional<bool> passed(std::initializer_list<std::span<const Observation>> answered,
                                           std::size_t most, const Ask& ask);
  /// By now.
  [[nodiscard]] MutantsTold told() const;

 private:
  using By = MutationAnalysis::By;
  [[nodiscard]] std::optional<bool> asked(std::vector<DotInput> inputs, By by, const Ask& ask);
  [[nodiscard]] std::vector<DotInput> proved();
  [[nodiscard]] std::vector<std::size_t> proved(std::span<const std::size_t> some, std::int64_t steps,
                                                std::vector<DotInput>& inputs);

  Evaluator model_;
  MutationOptions options_;
  MutationAnalysis analysis_;
  EquivalenceLedger& ledger_;
  Deadline deadline_;
  std::size_t most_ = 0;  ///< that may still be asked
};

/// That a device is asked in all, most of them for confirmation.
inline constexpr std::size_t kMostDeviceInputs = 10'000;

/// What became of a model's mutants. nullopt and false as in `passed`.
struct MutantsTried {
  std::optional<bool> agreed;
  MutantsTold told;
};
/// Tries them on what confirmed the model and on these observations, and then asks more; `asked`: inputs so
/// far.
[[nodiscard]] MutantsTried try_mutants(Original original, const MutationOptions& options,
                                       const Confirming& confirmed, std::span<const Observation> observations,
                                       std::size_t asked, EquivalenceLedger& ledger, const Deadline& deadline,
                                       const MutantTrial::Ask& ask);

/// The values that each parameter of the model may have: those of the set that holds it.
[[nodiscard]] Box values_known(const Space& space, const VersionSpace& sets, const UnitModel& model);

}  // namespace mmaprint
