#include "solver/zero_signs.h"

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
           (vanishes && follows(Parameter::zero_rounded)) ||
           (is_subnormal && may_be(Parameter::output_subnormals, Subnormals::flushed) &&
            follows(Parameter::zero_flushed));
  }

 private:
  template <class Enum>
  [[nodiscard]] bool may_be(Parameter parameter, Enum value) const {
    return values_at(node_, box_, parameter).contains(static_cast<int>(value));
  }
  [[nodiscard]] bool follows(Parameter rule) const { return may_be(rule, ZeroSign::follow); }
  [[nodiscard]] bool is_down() const { return may_be(Parameter::block_rounding, Rounding::down); }

  /// Zeros alone give -0 where all of them are, or any where sums are rounded down.
  [[nodiscard]] bool of_zeros(const std::vector<bool>& earlier) const {
    bool all = true, any = false;
    const auto operand = [&](bool may_be_negative) {
      all = all && may_be_negative;
      any = any || may_be_negative;
    };
    node_.visit(
        plan_, [&](const auto& /*products*/) { operand(true); },
        [&](std::size_t node, const FormatInfo& /*format*/) { operand(earlier[node]); },
        [&](std::size_t, const PlannedNode& /*carried*/) { operand(true); }, [&] { operand(true); },
        [&](ZeroOperand) { operand(false); });
    return follows(Parameter::zero_all_zero) && (is_down() ? any : all);
  }

  const Plan& plan_;
  const PlannedNode& node_;
  const Box& box_;
};

}  // namespace

std::vector<bool> may_be_negative_zero(const Side& side) {
  const Plan plan = plan_of(side);
  const auto box = box_of(side);
  if (!box) return std::vector<bool>(plan.nodes.size(), true);
  const auto bounds = node_bounds(plan, *box);
  std::vector<bool> all;
  all.reserve(plan.nodes.size());
  for (const PlannedNode& node : plan.nodes)
    all.push_back(ZerosAtNode(plan, node, *box)(all, bounds ? &(*bounds)[all.size()] : nullptr));
  return all;
}

}  // namespace mmaprint
