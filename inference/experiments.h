// Which input tells most? Candidates are judged by how evenly they split a sample of the surviving
// hypotheses.
#pragma once

#include <deque>
#include <map>

#include "base/deadline.h"
#include "inference/inputs.h"
#include "model/evaluator.h"
#include "model/hypotheses.h"

namespace mmaprint {

/// Draws single hypotheses from sets: half of them by the sets' sizes, half by structure first.
class Sampler {
 public:
  Sampler(const Space& space, std::uint64_t seed) : space_(&space), random_(seed) {}
  [[nodiscard]] UnitModel one(const VersionSpace& sets) { return some(sets, 1).front(); }
  [[nodiscard]] std::vector<UnitModel> some(const VersionSpace& sets, int count);

 private:
  /// How sets share in the draws.
  struct Shares {
    std::vector<double> sums;  ///< of their sizes, up to each
    std::map<int, std::vector<std::size_t>> by_skeleton;
  };
  [[nodiscard]] std::size_t pick(const Shares& shares);

  const Space* space_;
  std::mt19937_64 random_;
};

class Experiments {
 public:
  /// Once the deadline has passed nothing is found any more.
  Experiments(const Space& space, std::uint64_t seed, const Deadline& deadline = {})
      : sampler_(space, seed),
        inputs_(space.k, space.formats, seed ^ 0x9E3779B97F4A7C15ULL),
        deadline_(deadline) {}

  /// The best of `candidates` inputs against `sample` hypotheses; nullopt if none tells `least` bits or more.
  [[nodiscard]] std::optional<DotInput> best(const VersionSpace& sets, InputFamily family, int candidates,
                                             int sample, double least = 0.001);
  /// Random inputs of every kind, whether they split anything or not.
  [[nodiscard]] std::vector<DotInput> various(std::size_t count);
  /// An input, one of some ten thousand, on which one of the others differs from the model.
  [[nodiscard]] std::optional<DotInput> separating(const UnitModel& model,
                                                   const std::vector<UnitModel>& others);
  /// An input worth varying: one that was asked, or that the solver found.
  void remember(const DotInput& input);
  [[nodiscard]] DotInput with_nan() { return inputs_.with_nan(); }

 private:
  Sampler sampler_;
  InputGenerator inputs_;
  Deadline deadline_;
  std::deque<DotInput> interesting_;
  std::size_t turn_ = 0;
  std::size_t various_ = 0;
};

}  // namespace mmaprint
