#include "solver/zero_signs.h"

#include <algorithm>
#include <optional>

#include "solver/node_bounds.h"
#include "solver/node_range.h"

namespace mmaprint {
namespace {

class ZerosAtNode {
 public:
  ZerosAtNode(const Plan& plan, const PlannedNode& node, const Box& box)
      : plan_(plan), node_(node), box_(box) {}

  /// `earlier`: may those nodes' results be -0? Without bounds everything that is rounded may vanish.
  [[nodiscard]] bool operator()(const std::vector<bool>& earlier, const NodeBounds* bounds) const {
    const bool vanishes = bounds == nullptr || bounds->vanishes;
    const bool is_subnormal = bounds == nullptr || bounds->is_subnormal;
    return node_.is_carried || of_zeros(earlier) || (is_down() && follows(Parameter::zero_cancelled)) ||
           (vanishes && may_round_to_negative_zero(node_, box_) && follows(Parameter::zero_rounded)) ||
           (is_subnormal && may_be(Parameter::output_subnormals, Subnormals::flushed) &&
            follows(Parameter::zero_flushed));
  }

  /// Zeros alone give -0 where all of them are, or any where sums are rounded down.
  [[nodiscard]] bool of_zeros(const std::vector<bool>& earlier) const {
    const auto [all, any] = negative_operands(earlier);
    return follows(Parameter::zero_all_zero) && (is_down() ? any : all);
  }
  /// Does the sign of a zero that is its operand decide that of its own?
  [[nodiscard]] bool hands_on(const std::vector<bool>& earlier) const {
    return follows(Parameter::zero_all_zero) &&
           (node_.is_carried || is_down() || negative_operands(earlier).all);
  }

 private:
  template <class Enum>
  [[nodiscard]] bool may_be(Parameter parameter, Enum value) const {
    return values_at(node_, box_, parameter).contains(static_cast<int>(value));
  }
  [[nodiscard]] bool follows(Parameter rule) const { return may_be(rule, ZeroSign::follow); }
  [[nodiscard]] bool is_down() const { return may_be(Parameter::block_rounding, Rounding::down); }

  /// May all operands be -0, or any? What is dropped counts as a zero of its sign, whatever it was.
  struct Negative {
    bool all = true, any = false;
  };
  [[nodiscard]] Negative negative_operands(const std::vector<bool>& earlier) const {
    if (!is_default_at(node_, box_, Parameter::c_dropped_below)) return {true, true};
    Negative negative;
    const auto operand = [&](bool may_be_negative) {
      negative.all = negative.all && may_be_negative;
      negative.any = negative.any || may_be_negative;
    };
    node_.visit(
        plan_, [&](const auto& /*products*/) { operand(true); },
        [&](std::size_t node, const FormatInfo& /*format*/) { operand(earlier[node]); },
        [&](std::size_t, const PlannedNode& /*carried*/) { operand(true); },
        [&] { operand(may_c_be_negative_zero()); }, [&](ZeroOperand) { operand(false); });
    return negative;
  }

  /// Flushed to +0 it is +0 wherever it is a zero.
  [[nodiscard]] bool may_c_be_negative_zero() const {
    const ValueSet& treatment = values_at(node_, box_, Parameter::c_subnormals);
    return treatment != ValueSet::single(static_cast<int>(Subnormals::flushed_positive));
  }

  const Plan& plan_;
  const PlannedNode& node_;
  const Box& box_;
};

std::vector<bool> may_be_negative(const Plan& plan, const Box& box, const std::vector<NodeBounds>* bounds) {
  std::vector<bool> all;
  all.reserve(plan.nodes.size());
  for (const PlannedNode& node : plan.nodes)
    all.push_back(ZerosAtNode(plan, node, box)(all, bounds != nullptr ? &(*bounds)[all.size()] : nullptr));
  return all;
}

}  // namespace

bool may_round_to_negative_zero(const PlannedNode& node, const Box& box) {
  const ValueSet& modes = values_at(node, box, Parameter::block_rounding);
  return std::ranges::any_of(modes.values(), [](int mode) {
    return mode != static_cast<int>(Rounding::down) && mode != static_cast<int>(Rounding::odd);
  });
}

std::vector<bool> may_be_negative_zero(const Side& side) {
  const Plan plan = plan_of(side);
  const auto box = box_of(side);
  if (!box) return std::vector<bool>(plan.nodes.size(), true);
  const auto bounds = node_bounds(plan, *box);
  return may_be_negative(plan, *box, bounds ? &*bounds : nullptr);
}

std::vector<SignOfZero> signs_of_zeros(const Plan& plan, const Box& box,
                                       const std::vector<NodeBounds>& bounds) {
  const std::vector<bool> negative = may_be_negative(plan, box, &bounds);
  std::vector<SignOfZero> signs(plan.nodes.size(), {false, false});
  signs.back().shows = true;
  for (std::size_t n = plan.nodes.size(); n-- > 0;) {
    const PlannedNode& node = plan.nodes[n];
    const ZerosAtNode zeros(plan, node, box);
    signs[n].is_of_zeros = node.is_carried || zeros.of_zeros(negative);
    signs[n].shows_an_operands = signs[n].shows && zeros.hands_on(negative);
    if (!signs[n].shows_an_operands) continue;
    for (const OperandRun& run : node.runs)
      if (run.kind == OperandRun::Kind::node || run.kind == OperandRun::Kind::carried)
        signs[run.node].shows = true;
  }
  return signs;
}

}  // namespace mmaprint
