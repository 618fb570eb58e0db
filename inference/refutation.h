// The smallest set of observations that no hypothesis explains.
//
// First whether there is one. Of the hypotheses that are left one is run on the observations; the first that
// it does not give is the next from which conclusions are drawn, as it narrows what is left for sure. So of a
// million observations some dozen are sifted through by evaluation by need, and the rest is evaluation of
// single models. Those few already refute everything; but fewer may do.
//
// Every hypothesis must be refuted by some observation of the set, so the set is a hitting set of "the
// observations that refute h", over all h. They are far too many to list. Instead hypotheses are collected as
// they are needed: a smallest hitting set of those collected so far is tried by evaluation by need; if some
// hypothesis explains it, that one is collected too. A set that refutes everything is then a smallest one, as
// no smaller set hits even the few. Where time ends before, the best set so far is the answer.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "base/deadline.h"
#include "model/hypotheses.h"
#include "model/observation_table.h"

namespace mmaprint {

struct Refuted {
  std::vector<std::size_t> observations;  ///< indices, ascending
  bool smallest = false;                  ///< proved: no smaller set refutes everything
};
/// A hypothesis that explains all observations.
struct Explained {
  UnitModel model;
};
/// Out of time, or the sets split into too many (kTooManySets).
struct Undecided {
  bool too_many_sets = false;
};
using Refutation = std::variant<Refuted, Explained, Undecided>;

/// Does a hypothesis of `start` explain the observations? A conflict is what was concluded from, which may be
/// more than it takes: `smallest` is not looked at.
[[nodiscard]] Refutation refute(const Space& space, const VersionSpace& start,
                                const ObservationTable& observations, int threads, const Deadline& deadline);

/// The same where each observation may split the hypotheses into very many sets: of those that a hypothesis
/// that is left does not give, the one is drawn conclusions from that tells most for what that costs. Once
/// `work` is done, in operands that nodes are run on, the answer is Undecided, "too many sets".
struct Frugality {
  std::int64_t work;
  std::uint64_t seed;
};
[[nodiscard]] Refutation refute_frugally(const Space& space, const VersionSpace& start,
                                         const ObservationTable& observations, const Frugality& frugality,
                                         int threads, const Deadline& deadline);

/// What a search for the smallest conflict may cost, in operands that nodes are run on (see `refine`), so
/// that it ends with the same answer on every machine: 0.2 microseconds each, on two cores. And the seconds
/// after which a clock ends it, several times what it takes.
inline constexpr std::int64_t kConflictWork = 100'000'000;
/// Operands of single models' evaluation that take as long as one of evaluation by need.
inline constexpr std::int64_t kOperandsOfWork = 16;
inline constexpr double kLongestConflict = 60;

/// The smallest conflict that is found with so much work, and in time, where `known` (indices, ascending) is
/// one already.
[[nodiscard]] Refuted smallest_conflict(const Space& space, const VersionSpace& start,
                                        const ObservationTable& observations, std::vector<std::size_t> known,
                                        int threads, std::int64_t work, const Deadline& deadline);

/// The model that explains most observations among those that a search from single observations meets. It
/// sifts by no further one when it has spent kConflictWork.
struct Nearest {
  UnitModel model;
  std::optional<std::size_t> explained;  ///< nullopt: there was no time to count
};
/// `likely` is where the search begins; it is the answer where there is no time for any.
[[nodiscard]] Nearest explains_most(const Space& space, const VersionSpace& start,
                                    const ObservationTable& observations, const UnitModel& likely,
                                    std::uint64_t seed, int threads, const Deadline& deadline);

}  // namespace mmaprint
