// What a unit is asked before its model is reported.
//
// Experiments only ask what splits the hypotheses, so a unit outside the space could be taken for the last
// one that is left in it. Therefore it is asked some thousand inputs more that need not tell hypotheses
// apart: mostly dense ones, as a wrong bit of one significand shows nowhere else; infinities, NaN and zeros
// at every place; both sides of every edge; and some of what experiments are made of. At last a part is asked
// again, in another order and other batches: a model says nothing about a unit that answers one input in two
// ways.
#pragma once

#include <functional>
#include <random>

#include "device/tile_inputs.h"
#include "inference/experiments.h"

namespace mmaprint {

/// What was asked for confirmation, and was answered as the model does.
struct Confirmation {
  std::size_t inputs = 0;    ///< none of them an observation
  std::size_t repeated = 0;  ///< of these and of the observations, answered as before
};

/// The inputs, made as they are needed; kinds are mixed, so that what differs often shows early.
class ConfirmingInputs {
 public:
  /// `count` inputs, all kinds in fixed shares. The same seed gives the same tiles; `experiments` has gone
  /// on.
  ConfirmingInputs(const UnitModel& model, std::size_t count, std::uint64_t seed, Experiments& experiments);

  [[nodiscard]] std::size_t left() const { return order_.size() - next_; }
  /// The next `count` of them, or those that are left.
  [[nodiscard]] std::vector<DotInput> some(std::size_t count);

 private:
  /// One input: the first place of a tile; or an experiment's.
  struct Source {
    static constexpr int kExperiment = -1;
    std::int16_t kind;
    std::uint32_t turn;
  };
  [[nodiscard]] DotInput made(const Source& source);

  PlanWidths widths_;
  TileEdges edges_;
  std::uint64_t seed_;
  Experiments* experiments_;
  std::vector<Source> order_;
  std::size_t next_ = 0;
};

/// How many inputs to ask at once: few at first, more while answers come fast. A slow device stays within its
/// time, and a person sees that it goes on.
class BatchSize {
 public:
  /// Inputs have K products.
  explicit BatchSize(int k);
  [[nodiscard]] std::size_t get() const { return size_; }
  void took(double seconds);

 private:
  std::size_t most_, size_;
};

/// Answers of which some are asked again later.
class Repeats {
 public:
  /// At most `most` are kept, drawn evenly by `seed`.
  Repeats(std::size_t most, std::uint64_t seed) : most_(most), random_(seed) {}
  void add(const Observation& answer);
  /// All that are kept, in an order of their own.
  [[nodiscard]] std::vector<Observation> shuffled();

 private:
  std::size_t most_, seen_ = 0;
  std::mt19937_64 random_;
  std::vector<Observation> kept_;
};

}  // namespace mmaprint
