// The concrete instance of the datapath for one fixed model.
#pragma once

#include <memory>
#include <span>

#include "model/finite_blocks.h"
#include "model/plan.h"

namespace mmaprint {

/// Evaluates one model on many inputs; prepares once what does not depend on them.
class Evaluator {
 public:
  /// Requires a valid model (see `validate`).
  explicit Evaluator(UnitModel model);

  /// d for a[0..K), b[0..K), c: bit patterns within their formats' widths. Where the unit has scales, all of
  /// them are ones.
  [[nodiscard]] Pattern operator()(std::span<const Pattern> a, std::span<const Pattern> b, Pattern c) const;
  [[nodiscard]] Pattern operator()(const DotInput& input) const;
  [[nodiscard]] const UnitModel& model() const { return model_; }

 private:
  UnitModel model_;
  Plan plan_;
  std::shared_ptr<const FiniteBlocks> blocks_;
};

}  // namespace mmaprint
