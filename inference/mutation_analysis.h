// Which mutants of a model are told from it, and by what.
//
// What the device has answered already, as the model does, kills most of them. For the others inputs are made
// that aim at what they do (inference/mutant_inputs.h); few inputs kill many, and these few are what the
// device is asked next. What is spent is counted in evaluations, the same on any machine, and mutants are
// independent of each other, so that threads don't matter.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "base/deadline.h"
#include "inference/mutant.h"

namespace mmaprint {

/// How a model's mutants stand.
struct MutantCounts {
  std::size_t mutants = 0;
  std::size_t killed = 0;  ///< the device answered as the model does where they don't
  /// Of these, by what had been asked before, by inputs made for them, by the solver's.
  std::array<std::size_t, 3> killed_by{};
  std::size_t equal = 0;  ///< proved to compute as the model does
  [[nodiscard]] std::size_t open() const { return mutants - killed - equal; }
  friend bool operator==(const MutantCounts&, const MutantCounts&) = default;
};

struct MutantsTold {
  MutantCounts counts;
  std::vector<std::string> open{};  ///< those that are neither told from the model nor proved equal, in words
};

struct MutationOptions {
  std::uint64_t seed = 1;
  int threads = 1;
  std::size_t most_mutants = kMostMutants;
  std::size_t inputs_each = 1000;  ///< tried for each mutant that is left
};

class MutationAnalysis {
 public:
  MutationAnalysis(Original original, const MutationOptions& options);

  /// Who found the inputs that kill.
  enum class By : std::uint8_t { others, aim, solver };
  /// The device gives the model's results on these. False if the deadline passed before all were looked at.
  bool kill(std::span<const Observation> answered, By by, const Deadline& deadline);
  /// Inputs, `most` of them at most, on which mutants that are left differ from the model: one for each that
  /// none before it tells from the model.
  [[nodiscard]] std::vector<DotInput> telling(std::size_t most, const Deadline& deadline);

  /// Those that are neither killed nor proved equal, by index.
  [[nodiscard]] std::vector<std::size_t> open() const;
  [[nodiscard]] const Mutant& operator[](std::size_t index) const { return mutants_[index]; }
  void note_equal(std::size_t index) { standing_[index] = Standing::equal; }

  [[nodiscard]] MutantCounts counts() const;

 private:
  enum class Standing : std::uint8_t { open, killed, equal };
  [[nodiscard]] std::optional<DotInput> input_telling(std::size_t index, const Deadline& deadline) const;

  Original original_;
  MutationOptions options_;
  Mutants mutants_;
  std::vector<Standing> standing_;
  std::array<std::size_t, 3> killed_by_{};
};

/// What the search for mutants that explain a unit may cost, in operands of their evaluation.
inline constexpr std::int64_t kExplainingWork = 100'000'000;

/// Those of these mutants that give all these results; none once the deadline has passed or the budget, in
/// operands, is spent.
[[nodiscard]] Mutants that_explain(Mutants mutants, const Original& original,
                                   std::span<const Observation> observations, Budget& budget,
                                   const Deadline& deadline);

}  // namespace mmaprint
