// What a run has seen, and what that leaves of the hypotheses.
//
// Each observation refutes by evaluation by need (inference/by_need.h) as it is taken. A conclusion that is
// cut short changes nothing: what was left before is more than what is left, never less. What comes after it
// is kept for another run. Where the sets would split into too many the observation is handed back.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/deadline.h"
#include "base/parallel.h"
#include "inference/contradictions.h"
#include "model/hypotheses.h"

namespace mmaprint {

class Evidence {
 public:
  /// No more sets than `most_sets` are kept at once. Works on `threads`, or as many as `shared` (if given)
  /// leaves it.
  Evidence(const Space& space, VersionSpace start, int threads, const SharedThreads* shared,
           std::size_t most_sets, const Deadline& deadline)
      : space_(space),
        start_(std::move(start)),
        sets_(start_),
        hypotheses_(count(sets_)),
        threads_(threads),
        shared_(shared),
        most_sets_(most_sets),
        deadline_(deadline) {}

  enum class Taken : std::uint8_t {
    concluded,      ///< it has been concluded from
    kept,           ///< and no more: nothing is left, or this conclusion or one before it was cut short
    too_many_sets,  ///< not even kept: the sets would split into more than may be
  };
  [[nodiscard]] Taken take(const Observation& observation);

  [[nodiscard]] const Space& space() const { return space_; }
  /// All hypotheses, and those that are left.
  [[nodiscard]] const VersionSpace& start() const { return start_; }
  [[nodiscard]] const VersionSpace& sets() const { return sets_; }
  /// How many are left.
  [[nodiscard]] const Count& hypotheses() const { return hypotheses_; }
  [[nodiscard]] const std::vector<Observation>& observations() const& { return observations_; }
  [[nodiscard]] std::vector<Observation> observations() && { return std::move(observations_); }
  [[nodiscard]] bool contains(const Observation& observation) const;
  /// Has a NaN settled the pattern, or is there nothing to settle?
  [[nodiscard]] bool nan_is_settled() const { return !sets_.empty() && sets_.front().nan.has_value(); }

  /// Two observations of one input with different results: no unit that is a function explains them.
  [[nodiscard]] const std::optional<std::pair<std::size_t, std::size_t>>& contradiction() const {
    return contradiction_;
  }
  /// Observations that ruled something out: together they rule out all that is ruled out.
  [[nodiscard]] const std::vector<std::size_t>& narrowing() const { return narrowing_; }
  /// Keeps what nothing is concluded from any more. (Where nothing is left, nothing has to be.)
  void set_aside(Observation observation);

  /// Operands that nodes were run on to conclude so far.
  [[nodiscard]] std::int64_t sifted() const { return sifted_; }
  /// One of the hypotheses that were the last to go; nullopt while there are any.
  [[nodiscard]] const std::optional<UnitModel>& last() const { return last_; }
  /// So many of the last observations are not concluded from.
  [[nodiscard]] std::size_t unused() const { return unused_; }

 private:
  void note_contradiction(const Observation& observation);
  void leave(VersionSpace sets);

  const Space& space_;
  VersionSpace start_, sets_;
  Count hypotheses_;
  int threads_;
  const SharedThreads* shared_;
  std::size_t most_sets_;
  Deadline deadline_;
  std::vector<Observation> observations_;
  Contradictions contradictions_;
  std::optional<std::pair<std::size_t, std::size_t>> contradiction_;
  std::vector<std::size_t> narrowing_;
  std::optional<UnitModel> last_;
  std::size_t unused_ = 0;
  std::int64_t sifted_ = 0;
};

/// Do NaN results have more than one pattern?
[[nodiscard]] bool several_nan_patterns(Format d, std::span<const Observation> observations);

}  // namespace mmaprint
