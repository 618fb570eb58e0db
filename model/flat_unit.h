// A model as one block of memory without pointers, for device code.
#pragma once

#include <optional>

#include "model/fixed_parameters.h"
#include "model/plan.h"

namespace mmaprint {

struct FlatUnit {
  static constexpr int kMostNodes = 34;     ///< what a Row holds inside itself
  static constexpr int kMostOperands = 34;  ///< of one node
  static constexpr int kMostProducts = 256;
  static constexpr int kMostRuns = 136;
  static constexpr int kMostAdders = 4;
  static constexpr int kMostResults = 4;  ///< formats of results, D's first

  struct Run {
    OperandRun::Kind kind;
    std::uint16_t first;  ///< index of the first product's index; or the earlier node
    std::uint16_t count;
  };
  struct Node {
    std::uint8_t adder;
    std::uint8_t operands;
    std::uint8_t products;
    std::uint8_t result;  ///< the format of its result, in `results`
    std::uint16_t first_run, runs;
    OperandBits bits;
  };

  /// Of integers: products[first .. first + count), and which earlier sums join.
  struct Sum {
    std::uint16_t first, count;
    std::uint16_t first_sum, sums;
    bool c;
  };

  PlanWidths widths;
  Conventions conventions;
  Pattern nan;
  /// Results are compared as NaN, whatever the pattern: several that are not told apart, or as a rule says,
  /// which is not worked out here.
  bool several_nans;
  int node_count = 0;
  Adder adders[kMostAdders]{};
  FormatInfo results[kMostResults]{};
  Node nodes[kMostNodes]{};
  Run runs[kMostRuns]{};
  std::uint16_t products[kMostProducts]{};
  int sum_count = 0;  ///< of integers, which need no nodes
  Sum sums[kMostNodes]{};
  std::uint16_t earlier_sums[kMostNodes]{};
};

/// nullopt where the model has more of something than there is room for, or carries sums, or aligns some kind
/// of operands by rules of its own.
[[nodiscard]] std::optional<FlatUnit> flat_unit(const UnitModel& model);

/// A flat unit's parameters.
class FlatParameters : public KnownValues<FlatParameters> {
 public:
  constexpr explicit FlatParameters(const FlatUnit& unit) : unit_(&unit) {}
  template <Parameter P>
  constexpr auto value(int adder) const {
    return parameter_of<P>(unit_->adders[adder], unit_->conventions);
  }

 private:
  const FlatUnit* unit_;
};

}  // namespace mmaprint
