// Which input tells most? Candidates are judged by how evenly they split a sample of the surviving
// hypotheses (of a known answer by how few of these give it); where there are very many, also by what it
// costs to sift by them. Inputs that tell about the same can differ in cost by a factor of a thousand: that
// of few bits far apart asks few parameters.
#pragma once

#include <deque>
#include <map>
#include <span>

#include "base/deadline.h"
#include "inference/inputs.h"
#include "inference/node_inputs.h"
#include "model/batch_evaluator.h"
#include "model/hypotheses.h"

namespace mmaprint {

/// Draws single hypotheses from sets: half of them by the sets' sizes, half by structure first.
class Sampler {
 public:
  Sampler(const Space& space, std::uint64_t seed) : space_(&space), random_(seed) {}
  [[nodiscard]] UnitModel one(const VersionSpace& sets) { return some(sets, 1).front(); }
  [[nodiscard]] std::vector<UnitModel> some(const VersionSpace& sets, int count);
  /// That of any set.
  [[nodiscard]] const Skeleton& structure(const VersionSpace& sets);
  /// Up to so many of the sets.
  [[nodiscard]] VersionSpace some_sets(const VersionSpace& sets, std::size_t count);

 private:
  /// How sets share in the draws.
  struct Shares {
    std::vector<double> sums;  ///< of their sizes, up to each
    std::map<int, std::vector<std::size_t>> by_skeleton;
  };
  [[nodiscard]] static Shares shares_of(const VersionSpace& sets);
  [[nodiscard]] std::size_t pick(const Shares& shares);

  const Space* space_;
  std::mt19937_64 random_;
};

/// So many inputs are drawn, and those that split a sample of the survivors best are proposed.
struct Look {
  /// Where do an input's operands come together? At one node of a survivor's structure:
  /// inference/node_inputs.h.
  enum class Meet : std::uint8_t { anywhere, at_one_node };
  InputFamily family;
  int inputs;
  int sample;                 ///< hypotheses
  double least_bits = 0.001;  ///< that the answer has to tell
  Meet meet = Meet::anywhere;
};

class Experiments {
 public:
  /// Once the deadline has passed nothing is found any more. What is found does not depend on `threads`.
  Experiments(const Space& space, std::uint64_t seed, const Deadline& deadline = {}, int threads = 1)
      : space_(&space),
        sampler_(space, seed),
        inputs_(space.k, space.formats, seed ^ 0x9E3779B97F4A7C15ULL),
        at_nodes_(space.k, space.formats, seed ^ 0x2545F4914F6CDD1DULL),
        deadline_(deadline),
        threads_(threads) {}

  /// What the first look finds that finds something; nullopt if none does.
  [[nodiscard]] std::optional<DotInput> best(const VersionSpace& sets, std::span<const Look> looks);
  /// The same; with the first look alone where the last time none found anything.
  [[nodiscard]] std::optional<DotInput> best_again(const VersionSpace& sets, std::span<const Look> looks);
  /// Another search's inputs are known. What that found nothing with has little left to find.
  void follow_another() { nothing_told_ = true; }
  /// Of what the looks find what tells most for what it costs to sift by it, whatever the answer.
  [[nodiscard]] std::optional<DotInput> most_for_its_cost(const VersionSpace& sets,
                                                          std::span<const Look> looks);
  /// How much it may cost to sift by an input.
  enum class Patience : std::uint8_t { little, much };
  /// The index of one that was asked already, chosen like this; nullopt if none tells anything, or all that
  /// do cost too much.
  [[nodiscard]] std::optional<std::size_t> most_for_its_cost(const VersionSpace& sets,
                                                             std::span<const Observation> known, int sample,
                                                             Patience patience);
  /// Operands that nodes were run on to see what sifting costs.
  [[nodiscard]] std::int64_t tried() const { return static_cast<std::int64_t>(tried_); }
  /// Random inputs of every kind, whether they split anything or not.
  [[nodiscard]] std::vector<DotInput> various(std::size_t count);
  /// An input, one of some ten thousand, on which one of the others differs from the model.
  [[nodiscard]] std::optional<DotInput> separating(const UnitModel& model,
                                                   const std::vector<UnitModel>& others);
  /// An input worth varying: one that was asked, or that the solver found.
  void remember(const DotInput& input);
  [[nodiscard]] DotInput with_nan() { return inputs_.with_nan(); }

 private:
  struct Rank {
    double bits;  ///< that the input's answer tells
    std::size_t input;
  };
  [[nodiscard]] std::vector<DotInput> drawn(const VersionSpace& sets, const Look& look);
  /// Those that tell `least` bits, the best first. `known`: their answers; nothing where none was asked.
  [[nodiscard]] std::vector<Rank> ranked(const VersionSpace& sets, std::span<const DotInput> inputs,
                                         std::span<const Pattern> known, int sample, double least);
  /// In operands that nodes are run on.
  struct Affordable {
    double most;   ///< to sift all sets
    double until;  ///< as `tried_` counts
  };
  struct Choice {
    std::size_t input;
    double worth;  ///< bits an operand
  };
  [[nodiscard]] std::optional<Choice> frugal(const VersionSpace& sets, std::span<const DotInput> inputs,
                                             const std::vector<Rank>& ranks, const Affordable& what,
                                             std::optional<Choice> chosen = std::nullopt);

  const Space* space_;
  Sampler sampler_;
  InputGenerator inputs_;
  InputsAtNodes at_nodes_;
  Deadline deadline_;
  int threads_;
  bool nothing_told_ = false;  ///< when looked for again last time
  std::deque<DotInput> interesting_;
  double tried_ = 0;  ///< operands that nodes were run on to see what sifting costs
  std::size_t turn_ = 0;
  std::size_t various_ = 0;
};

}  // namespace mmaprint
