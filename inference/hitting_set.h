// A smallest set of observations that together refute all hypotheses of a collection.
//
// For each observation it is noted which hypotheses it refutes. Observations that refute the same ones do
// equally well, and one that refutes fewer than another is not needed, so that of a million only some dozen
// take part in the search: at each step one of the observations that refute a hypothesis still standing, the
// one with the fewest of them, has to be chosen.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/deadline.h"
#include "model/observation_table.h"

namespace mmaprint {

class Refutations {
 public:
  Refutations(const ObservationTable& observations, int threads)
      : observations_(observations), threads_(threads) {}

  /// Adds hypotheses to the collection; false if the deadline passed before it was known what refutes them.
  [[nodiscard]] bool add(const std::vector<UnitModel>& hypotheses, const Deadline& deadline);
  /// A smallest set that refutes all, of at most `most` observations (indices, ascending); nullopt if there
  /// is none, or none was found by trying `tries` observations, or before the deadline. To `tried` it adds
  /// how many were.
  [[nodiscard]] std::optional<std::vector<std::size_t>> smallest(std::size_t most, std::int64_t tries,
                                                                 std::int64_t& tried,
                                                                 const Deadline& deadline) const;

 private:
  using Words = std::vector<std::uint64_t>;
  struct Kind;  // observations that refute the same hypotheses
  class Search;
  [[nodiscard]] Words refuted_by(std::size_t observation) const;
  [[nodiscard]] std::vector<Kind> kinds() const;

  const ObservationTable& observations_;
  int threads_;
  std::size_t count_ = 0;      ///< of hypotheses
  std::vector<Words> blocks_;  ///< of 64 hypotheses each: a word for every observation
};

}  // namespace mmaprint
