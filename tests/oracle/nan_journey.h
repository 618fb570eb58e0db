// Which NaN comes out, by a rule: docs/semantics.md, "Which NaN", once more and by another hand. It asks from
// the root back to the operands, where the model's own goes the other way.
#pragma once

#include <string>
#include <vector>

#include "oracle/addend.h"

namespace mmaprint::oracle {

class NanJourney {
 public:
  /// What became of an input: kinds of its operands as the unit reads them, and which nodes gave NaN.
  struct Facts {
    std::vector<Kind> a, b;
    std::vector<bool> zero_factor;  ///< by product: one of its factors is a zero
    Kind c = Kind::finite;
    std::vector<bool> nan_results;
  };
  NanJourney(const UnitModel& model, const DotInput& input, const NanRule& rule, Facts facts)
      : model_(model), input_(input), rule_(rule), facts_(std::move(facts)) {}

  /// d. Requires a NaN result.
  [[nodiscard]] Pattern result() const;

 private:
  /// A NaN's sign and the digits of its fraction, '0' and '1'; nothing at all where the unit made it.
  struct Passenger {
    bool own = true, negative = false, signalling = false;
    std::string digits;
  };
  [[nodiscard]] Passenger outside(Format container, const OperandPath& path, Pattern pattern) const;
  [[nodiscard]] Passenger leaving(int node) const;
  [[nodiscard]] std::vector<Passenger> factor(bool is_a, int product) const;
  [[nodiscard]] bool is_running(const Node& node, const Leaf& leaf) const;
  [[nodiscard]] bool reaches_c(int node) const;

  const UnitModel& model_;
  const DotInput& input_;
  NanRule rule_;
  Facts facts_;
};

}  // namespace mmaprint::oracle
