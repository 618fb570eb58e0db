// How the survivors stand to the representative: told apart by some input, proved equal, or open.
//
// Cheap looks come first. Every neighbour of the representative, which differs in one parameter, is run
// beside it on random inputs, and the solver compares the two, briefly; then each set of survivors as a whole
// (inference/equivalence.h). What it leaves open is run on millions of inputs, and its neighbours are
// compared by the solver where inputs are small. The first input that separates two survivors is the answer:
// asked of the device, it refutes one of them at least.
//
// What proofs may cost is counted in steps (solver/limits.h): what is proved is the same on any machine, on
// one thread, and again on two or more (solver/race.h). The clock only ends what takes several times as long
// as any count let expect; that is logged.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/deadline.h"
#include "inference/compared_models.h"
#include "inference/derivation.h"
#include "inference/experiments.h"
#include "inference/rare_difference.h"
#include "solver/distinguish.h"

namespace spdlog {
class logger;
}

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
  std::string question{};                          ///< `open`: what was not decided
  std::shared_ptr<const Derivation> derivation{};  ///< `proved`: why, where that is kept
};

[[nodiscard]] bool all_proved(const std::vector<SurvivorClass>& survivors);
/// Their questions, each once, joined by commas.
[[nodiscard]] std::string open_questions(const std::vector<SurvivorClass>& survivors);

/// What a run's proofs cost unless told otherwise: about half a minute on one core.
inline constexpr std::int64_t kProofSteps = 960'000;

/// Do these compute alike?
struct Question {
  const UnitModel* x;
  const UnitModel* y;
};

class EquivalenceLedger {
 public:
  /// `proof_steps` are for all proofs together; the search for differences before them gets half as much.
  /// With a log of queries all are asked on one thread, so that their order is the same in each run.
  EquivalenceLedger(const Space& space, Solver solver, std::int64_t proof_steps, const RareSearch& rare,
                    spdlog::logger* log = nullptr, const CheckerOptions& wanted = {})
      : EquivalenceLedger(space, make_checker(solver, wanted), proof_steps, rare, log) {
    one_by_one_ = wanted.queries != nullptr;
    keeps_proofs_ = wanted.keeps_proofs && solver == Solver::cadical;
  }
  /// With any checker. What it says of single inputs is evaluated before anybody is told.
  EquivalenceLedger(const Space& space, std::unique_ptr<EquivalenceChecker> checker, std::int64_t proof_steps,
                    const RareSearch& rare, spdlog::logger* log = nullptr)
      : space_(space), checker_(std::move(checker)), proof_steps_(proof_steps), rare_(rare), log_(log) {}

  /// An input on which one of the representative's neighbours differs from it, if one is found.
  [[nodiscard]] std::optional<DotInput> among_neighbours(const UnitModel& model, const VersionSpace& sets,
                                                         Experiments& experiments, const Deadline& deadline);
  /// An input that separates two survivors, if one is found. On the way every set that is proved or given up
  /// on is noted.
  [[nodiscard]] std::optional<DotInput> prove(const UnitModel& model, const VersionSpace& sets,
                                              const Deadline& deadline);
  /// Do two models compute alike? By their plain forms, without a proof to keep, or each question within so
  /// many steps, node by node where they have one tree. Witnesses were replayed.
  [[nodiscard]] std::vector<Distinction> compare(const std::vector<Question>& questions, std::int64_t steps,
                                                 int threads, const Deadline& deadline);
  /// Of the steps for proofs, the search before them included.
  [[nodiscard]] std::int64_t steps_left() const {
    return std::max<std::int64_t>(0, proof_steps_ * 3 / 2 - steps_);
  }
  /// Forgets how sets stand that are no more.
  void keep(const VersionSpace& sets);
  /// Forgets all: there is another representative.
  void clear() { noted_.clear(); }
  /// As noted; open where it is not.
  [[nodiscard]] SurvivorClass of(const HypothesisSet& set) const;
  [[nodiscard]] bool is_noted(const HypothesisSet& set) const { return find(set) != nullptr; }
  /// That the solver took.
  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] std::int64_t steps() const { return steps_; }

 private:
  [[nodiscard]] const SurvivorClass* find(const HypothesisSet& set) const;
  [[nodiscard]] std::vector<const HypothesisSet*> in_order(const UnitModel& model,
                                                           const VersionSpace& sets) const;
  [[nodiscard]] std::optional<DotInput> difference(const UnitModel& x, const UnitModel& y);
  [[nodiscard]] std::optional<DotInput> by_set(const UnitModel& model, const HypothesisSet& set,
                                               std::int64_t steps);
  [[nodiscard]] std::optional<DotInput> among_undecided(const UnitModel& model);
  [[nodiscard]] std::optional<DotInput> among_small_inputs(const UnitModel& model);
  [[nodiscard]] Distinction by_nodes(const UnitModel& x, const UnitModel& y, std::int64_t steps);
  /// Asks the solver with so many steps, and notes what that took.
  template <class Ask>
  [[nodiscard]] auto counted(std::int64_t steps, Ask&& ask);

  const Space& space_;
  std::unique_ptr<EquivalenceChecker> checker_;
  std::int64_t proof_steps_;
  bool one_by_one_ = false;
  bool keeps_proofs_ = false;
  bool warned_ = false;  ///< that the clock ended a proof
  RareSearch rare_;
  spdlog::logger* log_;
  Deadline deadline_;  ///< of the search that goes on
  std::vector<SurvivorClass> noted_;
  VersionSpace undecided_;  ///< what is left of the sets given up on, with what was decided fixed
  std::vector<std::pair<UnitModel, UnitModel>> compared_;
  std::vector<std::pair<UnitModel, UnitModel>> tried_;  ///< on random inputs, with no difference
  ComparedModels compared_models_;
  double seconds_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace mmaprint
