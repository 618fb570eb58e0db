// Layer: chains of equal blocks without NaN and infinities among their factors.
//
// Replaces: the evaluator's plan and its operands. CLAIM: the same d, where it says one at all. Blocks are
// walked by a BlockEvaluator (model/flat_evaluator.h), whose operands are decoded by a table of heads: the
// bits of a pattern from its exponent up. What a head stands for is plain if that is so of all patterns that
// begin with it: their fractions are the significands' low bits, and all else of them is alike. Where some
// factor is not plain nothing is said.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "model/unit_model.h"

namespace mmaprint {

class FiniteBlocks {
 public:
  /// nullptr for units that are no such chains (block_width), and for those whose NaN results differ.
  [[nodiscard]] static std::shared_ptr<const FiniteBlocks> of(const UnitModel& model);

  FiniteBlocks() = default;
  FiniteBlocks(const FiniteBlocks&) = delete;
  FiniteBlocks& operator=(const FiniteBlocks&) = delete;
  virtual ~FiniteBlocks() = default;
  /// d; nullopt where some a or b is not plain.
  [[nodiscard]] virtual std::optional<Pattern> operator()(std::span<const Pattern> a,
                                                          std::span<const Pattern> b, Pattern c) const = 0;
};

}  // namespace mmaprint
