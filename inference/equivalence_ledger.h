// How the survivors stand to the representative: told apart by some input, proved equal, or open.
//
// Cheap looks come first. Every neighbour of the representative, which differs in one parameter, is run
// beside it on random inputs; then the solver compares the two, where inputs are small, and then each set
// of survivors as a whole (inference/equivalence.h). What it leaves open is run on millions of inputs. The
// first input that separates two survivors is the answer: asked of the device, it refutes one of them at
// least.
#pragma once

#include <memory>
#include <string>

#include "base/deadline.h"
#include "inference/experiments.h"
#include "inference/rare_difference.h"
#include "solver/distinguish.h"

namespace mmaprint {

/// Survivors that share a proof: a set and how it stands to the representative.
struct SurvivorClass {
  enum class Standing : std::uint8_t {
    proved,     ///< every hypothesis of the set gives the representative's result on every input
    open,       ///< no proof and no difference within the limits
    undecided,  ///< they differ on `witness`, and the device can't answer it
  };
  HypothesisSet set;
  Standing standing = Standing::open;
  std::int64_t clauses = 0;  ///< of the refuted formulas; 0 where they vanished while they were built
  double seconds = 0;
  std::optional<DotInput> witness{};
  std::string question{};  ///< `open`: what was not decided
};

class EquivalenceLedger {
 public:
  /// `proof_seconds` are for all proofs together; the search for differences before them gets half as much.
  EquivalenceLedger(const Space& space, Solver solver, double proof_seconds, const RareSearch& rare)
      : space_(space), checker_(make_checker(solver)), proof_seconds_(proof_seconds), rare_(rare) {}

  /// An input that separates two survivors, if one is found in time. On the way every set that is
  /// proved or given up on is noted.
  [[nodiscard]] std::optional<DotInput> separate(const UnitModel& model,
                                                 const std::vector<HypothesisSet>& sets,
                                                 Experiments& experiments, const Deadline& deadline);
  /// Forgets the ledger of sets that are no more.
  void keep(const std::vector<HypothesisSet>& sets);
  /// Forgets all: there is another representative.
  void clear() { noted_.clear(); }
  /// As noted; open where it is not.
  [[nodiscard]] SurvivorClass of(const HypothesisSet& set) const;
  [[nodiscard]] bool is_noted(const HypothesisSet& set) const { return find(set) != nullptr; }
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  [[nodiscard]] const SurvivorClass* find(const HypothesisSet& set) const;
  [[nodiscard]] Limits limits(double seconds) const;
  [[nodiscard]] std::optional<DotInput> by_neighbours(const UnitModel& model,
                                                      const std::vector<HypothesisSet>& sets,
                                                      Experiments& experiments);
  [[nodiscard]] std::optional<DotInput> difference(const UnitModel& x, const UnitModel& y);
  [[nodiscard]] std::optional<DotInput> by_set(const UnitModel& model, const HypothesisSet& set,
                                               double seconds);
  [[nodiscard]] std::optional<DotInput> among_undecided(const UnitModel& model);
  template <class Ask>
  [[nodiscard]] auto timed(Ask&& ask);

  const Space& space_;
  std::unique_ptr<EquivalenceChecker> checker_;
  double proof_seconds_;
  RareSearch rare_;
  Deadline deadline_;  ///< of the search that goes on
  std::vector<SurvivorClass> noted_;
  std::vector<HypothesisSet>
      undecided_;  ///< what is left of the sets given up on, with what was decided fixed
  std::vector<std::pair<UnitModel, UnitModel>> compared_;
  double seconds_ = 0;
};

}  // namespace mmaprint
