#include "inference/scaled_form.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "inference/plain_conventions.h"
#include "inference/used_nodes.h"
#include "model/alike_nodes.h"
#include "model/pattern.h"
#include "model/plan.h"
#include "solver/beside_scale.h"
#include "solver/exact_rounding.h"
#include "solver/node_bounds.h"

namespace mmaprint {
namespace {

bool is_product_leaf(const Leaf& leaf) { return std::holds_alternative<ProductLeaf>(leaf); }
bool is_zero_leaf(const Leaf& leaf) { return std::holds_alternative<ZeroLeaf>(leaf); }

/// One pass over a model whose nodes have a class each.
class ScaledForm {
 public:
  explicit ScaledForm(const UnitModel& model) : model_(model), nodes_(model_.tree.nodes) {
    give_every_node_a_class(model_);
    // Bounds are those of sets, which have few classes.
    const auto few = with_fewest_classes(model_);
    if (!few) return;
    plan_.emplace(few->formats, few->k, skeleton_of(*few));
    const Box box(values_of(*few));
    const auto bounds = bounds_of_any_nodes(*plan_, box);
    if (!bounds) return;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const bool lossless = loses_nothing(n, box, (*bounds)[n]);
      if (lossless) align_by_default(model_.adders[n]);
      lossless_.push_back(lossless);
      exact_.push_back(lossless && is_exact(n, (*bounds)[n]));
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n) simplify(n, model_.adders[n]);
  }
  [[nodiscard]] UnitModel model() && {
    drop_unused_nodes(model_.tree);
    order_by_products(model_);
    give_every_node_a_class(model_);
    return std::move(model_);
  }

 private:
  /// Does the node add what it is given, whatever that is?
  [[nodiscard]] bool loses_nothing(std::size_t n, const Box& box, const NodeBounds& bounds) const {
    const Adder& adder = model_.adders[n];
    const bool is_plain =
        !nodes_[n].result.is_carried() && aligns_kinds_alike(adder) &&
        adder.product_overflow == ProductOverflow::exact &&
        (adder.product == ProductKind::exact_unnormalised || adder.product == ProductKind::exact_normalised);
    return is_plain && !may_lose(plan_->nodes[n], box, bounds, adder.alignment_fraction_bits) &&
           !(adder.extra_carry_bits && bounds.sum.wraps(*adder.extra_carry_bits));
  }
  /// Is every sum of a node that loses nothing a number of its result's format?
  [[nodiscard]] bool is_exact(std::size_t n, const NodeBounds& bounds) const {
    const bool keeps_subnormals = model_.conventions.output_subnormals == Subnormals::kept ||
                                  bounds.sum.smallest >= plan_->nodes[n].result.emin();
    return !bounds.overflows && keeps_subnormals &&
           all_sums_fit(plan_->nodes[n], bounds, model_.adders[n].output_fraction_bits);
  }

  /// Rounded down, zeros have other signs where they are added at once.
  void simplify(std::size_t n, Adder& adder) {
    if (!lossless_[n] || adder.rounding == Rounding::down) return;
    std::vector<Leaf> operands;
    for (const Leaf& leaf : nodes_[n].operands) take_in(leaf, operands);
    if (std::ranges::any_of(operands, is_zero_leaf) || signs_of_groups_are_lost()) unite_groups(operands);
    leave_out_zeros(operands);
    nodes_[n].operands = std::move(operands);
    if (!exact_[n]) return;
    adder.rounding = Rounding::nearest_even;
    adder.output_fraction_bits = plan_->nodes[n].result.fraction_bits;
  }
  void take_in(const Leaf& leaf, std::vector<Leaf>& operands) {
    const auto* of = std::get_if<NodeLeaf>(&leaf);
    if (of == nullptr) return operands.push_back(leaf);
    const auto m = static_cast<std::size_t>(of->node);
    if (exact_[m] && model_.adders[m].rounding != Rounding::down) {
      for (const Leaf& inner : std::vector(nodes_[m].operands)) take_in(inner, operands);
    } else {
      operands.push_back(leaf);
    }
  }
  /// A scale that is zero makes zeros of groups, with the signs of their sums: is there none, or are sums of
  /// zeros +0 however signed?
  [[nodiscard]] bool signs_of_groups_are_lost() const {
    const auto may_be_zero = [](const std::optional<Scales>& scales) {
      return scales && is_zero(info(scales->format), 0);
    };
    return model_.conventions.zero_sign.all_zero == ZeroSign::positive ||
           !(may_be_zero(model_.formats.sa) || may_be_zero(model_.formats.sb));
  }
  /// Adds each group to an earlier one that has its scales, if there is one.
  void unite_groups(std::vector<Leaf>& operands) {
    std::vector<Leaf> united;
    for (const Leaf& leaf : operands)
      if (!is_added_to_another(leaf, united)) united.push_back(leaf);
    operands = std::move(united);
  }
  [[nodiscard]] bool is_added_to_another(const Leaf& leaf, const std::vector<Leaf>& operands) {
    const auto group = group_of(leaf);
    if (!group) return false;
    const auto another = std::ranges::find_if(operands, [&](const Leaf& earlier) {
      const auto its = group_of(earlier);
      return its && share_scales(*plan_, product_of(*its), product_of(*group));
    });
    if (another == operands.end()) return false;
    auto& whole = nodes_[*group_of(*another)].operands;
    whole.insert(whole.end(), nodes_[*group].operands.begin(), nodes_[*group].operands.end());
    std::ranges::sort(whole);
    return true;
  }
  /// The node, where it is a group of products alone.
  [[nodiscard]] std::optional<std::size_t> group_of(const Leaf& leaf) const {
    const auto* of = std::get_if<NodeLeaf>(&leaf);
    if (of == nullptr) return std::nullopt;
    const auto n = static_cast<std::size_t>(of->node);
    const bool is_group =
        nodes_[n].result.is_scaled() && std::ranges::all_of(nodes_[n].operands, is_product_leaf);
    return is_group ? std::optional(n) : std::nullopt;
  }
  [[nodiscard]] std::size_t product_of(std::size_t group) const {
    return static_cast<std::size_t>(std::get<ProductLeaf>(nodes_[group].operands.front()).index);
  }
  /// One +0 is as good as several, and none where all sums of zeros are +0.
  void leave_out_zeros(std::vector<Leaf>& operands) const {
    bool has_one = model_.conventions.zero_sign.all_zero == ZeroSign::positive &&
                   !std::ranges::all_of(operands, is_zero_leaf);
    std::erase_if(operands,
                  [&](const Leaf& leaf) { return is_zero_leaf(leaf) && std::exchange(has_one, true); });
  }

  UnitModel model_;
  std::vector<Node>& nodes_;
  std::optional<Plan> plan_;
  std::vector<bool> lossless_, exact_;  ///< by the node
};

}  // namespace

UnitModel scaled_form(const UnitModel& model) {
  UnitModel form = ScaledForm(model).model();
  // What is left out makes more known of the rest. A form that has a plainer one is a form all the same.
  constexpr int kPasses = 8;
  for (int pass = 0; pass < kPasses; ++pass) {
    UnitModel further = ScaledForm(form).model();
    if (further == form) break;
    form = std::move(further);
  }
  return form;
}

}  // namespace mmaprint
