// A model as one block of memory without pointers, for device code.
#pragma once

#include <optional>

#include "model/fixed_parameters.h"
#include "model/nan_behaviour.h"
#include "model/plan.h"

namespace mmaprint {

struct FlatUnit {
  static constexpr int kMostNodes = 34;     ///< what a Row holds inside itself
  static constexpr int kMostOperands = 34;  ///< of one node
  static constexpr int kMostProducts = 256;
  static constexpr int kMostRuns = 136;
  static constexpr int kMostAdders = 8;
  static constexpr int kMostResults = 4;  ///< formats of results, D's first

  struct Run {
    OperandRun::Kind kind;
    std::uint8_t count;
    std::uint16_t first;  ///< index of the first product's index; or the earlier node
  };
  struct Node {
    std::uint8_t adder;
    std::uint8_t operands;
    std::uint8_t products;
    std::uint8_t result;  ///< the format of its result, in `results`; void where that is carried
    bool is_carried;
    std::uint16_t first_run, runs;
    OperandBits bits;
    /// CarriedOperands, in less room.
    std::uint16_t carried, carried_bounds, largest_carried;
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
  bool several_nans;       ///< results are compared as NaN, whatever the pattern
  bool by_rule = false;    ///< which NaN a result is, `rule` says
  bool has_kinds = false;  ///< some nodes' sums are carried on, or some kinds of operands are aligned apart
  NanRule rule{};
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

/// nullopt where the model has more of something than there is room for.
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
