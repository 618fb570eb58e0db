// One fixed model on many inputs at once, by the processor's vector unit where there is one that the model
// fits: a dot product in each lane (model/lanes/).
#pragma once

#include "model/elements.h"
#include "model/evaluator.h"
#include "model/flat_unit.h"
#include "model/heads.h"
#include "model/lanes/kernel.h"

namespace mmaprint {

/// The patterns of many inputs of K products each: of each role those of one input beside each other, input
/// after input. c is empty where a unit has none.
struct PatternRows {
  Elements a, b, c;
};

class BatchEvaluator {
 public:
  /// Requires a valid model (see `validate`).
  explicit BatchEvaluator(const UnitModel& model);
  /// By this kernel, if the model fits its lanes; null: by none.
  BatchEvaluator(const UnitModel& model, LaneKernel kernel);

  /// d of each input, as the Evaluator gives it. Requires as many results as inputs.
  void operator()(std::span<const DotInput> inputs, std::span<Pattern> results) const;
  [[nodiscard]] std::vector<Pattern> operator()(std::span<const DotInput> inputs) const;
  /// The same of inputs without scales.
  void operator()(const PatternRows& rows, std::span<Pattern> results) const;
  /// The place of the first input whose d is not that of `results`, as the Evaluator says too; nullopt if all
  /// are.
  [[nodiscard]] std::optional<std::size_t> first_difference(std::span<const DotInput> inputs,
                                                            std::span<const Pattern> results) const;
  /// For one input after the other.
  [[nodiscard]] const Evaluator& one() const { return one_; }
  [[nodiscard]] const UnitModel& model() const { return one_.model(); }
  /// Are there lanes that the model fits?
  [[nodiscard]] bool uses_lanes() const { return lanes_ != nullptr; }
  /// Their kernel, and what it takes, for chains of dot products; null, or 0, where there are none.
  [[nodiscard]] LaneKernel kernel() const { return lanes_ != nullptr ? kernel_ : nullptr; }
  [[nodiscard]] const FlatUnit* flat() const { return lanes_.get(); }
  [[nodiscard]] int block_width() const { return block_width_; }
  [[nodiscard]] const Heads* heads_a() const { return heads_a_; }
  [[nodiscard]] const Heads* heads_b() const { return heads_b_; }

 private:
  BatchEvaluator(const UnitModel& model, std::span<const LaneKernel> kernels);
  struct Bytes {
    int a, b;  ///< of a pattern
  };
  template <class Gather, class One>
  void evaluate(Bytes bytes, const Gather& gather, const One& one, std::span<Pattern> results) const;

  Evaluator one_;
  LaneKernel kernel_ = nullptr;
  int block_width_ = 0;
  bool prepares_ = false;                  ///< do factors have room in PreparedOperands?
  std::shared_ptr<const FlatUnit> lanes_;  ///< null where no vector unit is used
  const Heads* heads_a_ = nullptr;         ///< both or none
  const Heads* heads_b_ = nullptr;
};

}  // namespace mmaprint
