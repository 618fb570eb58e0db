#include "inference/plain_form.h"

#include <algorithm>
#include <utility>

#include "model/plan.h"

namespace mmaprint {
namespace {

const FormatInfo& result_of(const UnitModel& model, const Node& node) {
  return info(node.result.value_or(model.formats.d));
}

bool is_nearest(Rounding r) { return r == Rounding::nearest_even || r == Rounding::nearest_away; }
bool is_toward_zero(Rounding r) { return r == Rounding::toward_zero || r == Rounding::odd; }

class PlainForm {
 public:
  /// `inlines`: where a node rounds nothing its operands take its place.
  PlainForm(const UnitModel& model, bool inlines) : model_(model), inlines_(inlines) {
    give_every_node_a_class();
    drop_exact_conversions();
    const PlanWidths widths(model_.formats, model_.k, model_.paths);
    product_ = {.lossless = true,
                .exact = true,
                .may_overflow = widths.products_can_overflow(),
                .may_be_minus_zero = true,
                .lowest = widths.lowest_bit_of_product(),
                .top = widths.a.emax() + widths.b.emax() + 2,
                .bits = widths.a.fraction_bits + widths.b.fraction_bits + 2};
    c_ = {.lossless = true,
          .exact = true,
          .may_overflow = false,
          .may_be_minus_zero = true,
          .lowest = widths.lowest_bit_of_c(),
          .top = widths.c.emax() + 1,
          .bits = widths.c.fraction_bits + 1};
    for (std::size_t n = 0; n < model_.tree.nodes.size(); ++n) simplify(n);
    simplify_conventions();
  }

  [[nodiscard]] const std::vector<NodeFacts>& facts() const { return facts_; }
  [[nodiscard]] UnitModel model() && {
    drop_unused_nodes();
    return std::move(model_);
  }

 private:
  void give_every_node_a_class() {
    std::vector<Adder> adders;
    for (Node& node : model_.tree.nodes) {
      adders.push_back(model_.adders[static_cast<std::size_t>(node.adder)]);
      node.adder = static_cast<int>(adders.size()) - 1;
    }
    model_.adders = std::move(adders);
  }

  /// An exact conversion moves exponents of subnormals, which only alignment sees.
  void drop_exact_conversions() {
    const bool aligns = std::ranges::any_of(
        model_.adders, [](const Adder& a) { return a.alignment_fraction_bits || a.extra_carry_bits; });
    const Conventions& unit = model_.conventions;
    for (OperandPath* path : {&model_.paths.a, &model_.paths.b, &model_.paths.c})
      if (*path && (*path)->conversion == Conversion::exact && !aligns &&
          unit.input_subnormals == Subnormals::kept && unit.c_subnormals == Subnormals::kept)
        path->reset();
  }

  [[nodiscard]] NodeFacts facts_of(const Leaf& leaf) const {
    if (std::holds_alternative<ProductLeaf>(leaf)) return product_;
    if (std::holds_alternative<CLeaf>(leaf)) return c_;
    if (const auto* node = std::get_if<NodeLeaf>(&leaf)) return facts_[static_cast<std::size_t>(node->node)];
    return {.lossless = true,
            .exact = true,
            .may_overflow = false,
            .may_be_minus_zero = false,
            .lowest = c_.lowest,
            .top = c_.lowest,
            .bits = 0};
  }

  void simplify(std::size_t n) {
    Node& node = model_.tree.nodes[n];
    Adder& adder = model_.adders[n];
    const auto is_product = [](const Leaf& leaf) { return std::holds_alternative<ProductLeaf>(leaf); };
    if (std::ranges::none_of(node.operands, is_product)) {
      adder.product = ProductKind::exact_unnormalised;
      adder.product_overflow = ProductOverflow::exact;
    }
    if (!product_.may_overflow) adder.product_overflow = ProductOverflow::exact;
    if (never_wraps(node, adder)) adder.extra_carry_bits.reset();
    if (keeps_every_bit(node, adder)) adder.alignment_fraction_bits.reset();
    const bool lossless =
        treats_operands_alike(node, adder) && !adder.alignment_fraction_bits && !adder.extra_carry_bits;
    if (lossless) {
      if (adder.product != ProductKind::exclusive_or) adder.product = ProductKind::exact_unnormalised;
      adder.zero_addends = {};
      adder.minimum_alignment_exponent.reset();
      adder.alignment_rounding = AlignmentRounding::truncate;
      adder.normalisation = Normalisation::late;
      if (inlines_ && !orders_nans()) take_in_exact_nodes(node, adder);
    }
    facts_.push_back(summed(node, adder, lossless));
    if (facts_[n].exact) {
      if (adder.rounding != Rounding::down) adder.rounding = Rounding::nearest_even;
      adder.output_fraction_bits = result_of(model_, node).fraction_bits;
    }
    if (adder.normalisation == Normalisation::late && !orders_nans()) std::ranges::sort(node.operands);
  }

  /// Does a rule say which of several NaN operands goes on, by where they stand?
  [[nodiscard]] bool orders_nans() const { return std::holds_alternative<NanRule>(model_.nan); }

  /// Only of such nodes is anything said: no sum is carried from or to it, and no operand has an alignment of
  /// its own.
  [[nodiscard]] bool treats_operands_alike(const Node& node, const Adder& adder) const {
    const auto is_carried = [&](const Leaf& leaf) {
      const auto* of = std::get_if<NodeLeaf>(&leaf);
      return of != nullptr && model_.tree.nodes[static_cast<std::size_t>(of->node)].result.is_carried();
    };
    return !node.result.is_carried() && std::ranges::none_of(node.operands, is_carried) &&
           !adder.carried_fraction_bits && !adder.c_fraction_bits && !adder.c_dropped_below &&
           adder.carried_alignment_rounding == OwnAlignmentRounding::as_others &&
           adder.c_alignment_rounding == OwnAlignmentRounding::as_others;
  }

  /// Aligned by truncation, an operand is below 2^(E+1), a product that is not normalised below 2^(E+2).
  [[nodiscard]] bool never_wraps(const Node& node, const Adder& adder) const {
    if (!adder.extra_carry_bits) return true;
    if (!treats_operands_alike(node, adder)) return false;
    if (adder.alignment_fraction_bits && adder.alignment_rounding != AlignmentRounding::truncate)
      return false;
    int bound = 0;
    for (const Leaf& leaf : node.operands) {
      if (std::holds_alternative<ZeroLeaf>(leaf)) continue;
      const bool is_product = std::holds_alternative<ProductLeaf>(leaf);
      bound += is_product && adder.product != ProductKind::exact_normalised ? 4 : 2;
    }
    return bound <= 2 << *adder.extra_carry_bits;
  }

  /// Even with the largest E, the lowest bit of every operand is at least 2^(E-F).
  [[nodiscard]] bool keeps_every_bit(const Node& node, const Adder& adder) const {
    // Partial sums that grow past E would lose bits.
    if (!adder.alignment_fraction_bits || adder.zero_addends != ZeroAddends() ||
        adder.normalisation != Normalisation::late || !treats_operands_alike(node, adder))
      return false;
    int e = adder.minimum_alignment_exponent.value_or(kNoClamp);
    int lowest = -kNoClamp;
    for (const Leaf& leaf : node.operands) {
      if (std::holds_alternative<ZeroLeaf>(leaf)) continue;
      e = std::max(e, facts_of(leaf).top - 1);
      if (const auto* of = std::get_if<NodeLeaf>(&leaf))  // whose subnormals have its format's exponent
        e = std::max(e, result_of(model_, model_.tree.nodes[static_cast<std::size_t>(of->node)]).emin());
      lowest = std::min(lowest, facts_of(leaf).lowest);
    }
    return e - *adder.alignment_fraction_bits <= lowest;
  }

  /// Are results of this node the same wherever rounding and subnormals are decided?
  [[nodiscard]] bool passes_on(const Leaf& leaf, const Adder& to) const {
    const auto* of = std::get_if<NodeLeaf>(&leaf);
    if (of == nullptr) return false;
    const auto n = static_cast<std::size_t>(of->node);
    const Adder& from = model_.adders[n];
    const bool may_flush = model_.conventions.output_subnormals != Subnormals::kept &&
                           facts_[n].lowest < result_of(model_, model_.tree.nodes[n]).emin();
    return facts_[n].exact && !may_flush && from.rounding != Rounding::down &&
           to.rounding != Rounding::down && from.product == to.product &&
           from.product_overflow == to.product_overflow;
  }
  void take_in_exact_nodes(Node& node, Adder& adder) {
    std::vector<Leaf> operands;
    bool zero = false;
    for (const Leaf& leaf : node.operands) {
      if (!passes_on(leaf, adder)) {
        operands.push_back(leaf);
        continue;
      }
      const auto& inner = model_.tree.nodes[static_cast<std::size_t>(std::get<NodeLeaf>(leaf).node)].operands;
      operands.insert(operands.end(), inner.begin(), inner.end());
    }
    std::erase_if(operands, [&](const Leaf& leaf) {
      return std::holds_alternative<ZeroLeaf>(leaf) && std::exchange(zero, true);
    });
    node.operands = std::move(operands);
  }

  [[nodiscard]] NodeFacts summed(const Node& node, const Adder& adder, bool lossless) const {
    const FormatInfo& format = result_of(model_, node);
    NodeFacts sum{.lossless = lossless, .lowest = -kNoClamp, .top = kNoClamp};
    int operands = 0, most_bits = 0;
    bool all_minus = true, overflows_before = false;
    for (const Leaf& leaf : node.operands) {
      const NodeFacts x = facts_of(leaf);
      all_minus = all_minus && x.may_be_minus_zero;
      if (std::holds_alternative<ZeroLeaf>(leaf)) continue;
      ++operands;
      overflows_before = overflows_before || (std::holds_alternative<ProductLeaf>(leaf) &&
                                              adder.product_overflow != ProductOverflow::exact);
      sum.lowest = std::min(sum.lowest, x.lowest);
      sum.top = std::max(sum.top, x.top);
      most_bits = std::max(most_bits, x.bits);
    }
    // Rounding may bring a loss up to the next power of two, and a partial sum at each addition.
    sum.top += ceil_log2(std::max(operands, 1)) + (lossless ? 0 : 1);
    if (!lossless && adder.normalisation == Normalisation::immediate) sum.top += operands;
    sum.bits = operands == 1 && lossless ? most_bits : std::max(sum.top - sum.lowest, 0);
    const int f = adder.output_fraction_bits;
    const bool vanishes = sum.lowest < format.emin() - f;
    sum.exact =
        lossless && sum.bits <= f + 1 && !vanishes && sum.top <= format.emax() + 1 && !overflows_before;
    sum.may_overflow = overflows_before || (!sum.exact && sum.top > format.emax());
    const Conventions& unit = model_.conventions;
    const bool down = adder.rounding == Rounding::down;
    const bool flushes = unit.output_subnormals != Subnormals::kept && sum.lowest < format.emin();
    sum.may_be_minus_zero = vanishes || flushes || down || all_minus;
    if (node.result.is_carried()) {
      sum.may_overflow = overflows_before;
      sum.may_be_minus_zero = true;
    } else if (!sum.exact) {
      sum.lowest = std::max(sum.lowest, format.emin() - f);
      sum.top = std::min(sum.top + 1, format.emax() + 1);
      sum.bits = std::min(sum.bits, f + 1);
    }
    return sum;
  }

  void simplify_conventions() {
    Conventions& unit = model_.conventions;
    if (unit.output_subnormals == Subnormals::kept) unit.flush_test = FlushTest::after;
    if (std::ranges::none_of(facts_, &NodeFacts::may_overflow)) unit.overflow = Overflow::infinity;
    if (unit.overflow != Overflow::by_direction) return;
    bool nearest = true, toward_zero = true;
    for (std::size_t n = 0; n < facts_.size(); ++n) {
      if (!facts_[n].may_overflow) continue;
      nearest = nearest && is_nearest(model_.adders[n].rounding);
      toward_zero = toward_zero && is_toward_zero(model_.adders[n].rounding);
    }
    if (nearest) unit.overflow = Overflow::infinity;
    if (toward_zero) unit.overflow = Overflow::saturate;
  }

  /// Those whose operands were taken in; the root is the last node.
  void drop_unused_nodes() {
    auto& nodes = model_.tree.nodes;
    std::vector<bool> used(nodes.size(), false);
    used.back() = true;
    for (std::size_t n = nodes.size(); n-- > 0;)
      if (used[n])
        for (const Leaf& leaf : nodes[n].operands)
          if (const auto* of = std::get_if<NodeLeaf>(&leaf)) used[static_cast<std::size_t>(of->node)] = true;
    std::vector<int> now(nodes.size(), 0);
    std::vector<Node> kept;
    std::vector<Adder> adders;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (!used[n]) continue;
      now[n] = static_cast<int>(kept.size());
      for (Leaf& leaf : nodes[n].operands)
        if (auto* of = std::get_if<NodeLeaf>(&leaf)) of->node = now[static_cast<std::size_t>(of->node)];
      nodes[n].adder = now[n];
      adders.push_back(model_.adders[n]);
      kept.push_back(std::move(nodes[n]));
    }
    nodes = std::move(kept);
    model_.adders = std::move(adders);
  }

  UnitModel model_;
  bool inlines_;
  NodeFacts product_, c_;
  std::vector<NodeFacts> facts_;
};

}  // namespace

std::vector<NodeFacts> facts_of(const UnitModel& model) { return PlainForm(model, false).facts(); }

std::vector<bool> signs_of_zeros_show(const UnitModel& model) {
  const std::vector<NodeFacts> facts = facts_of(model);
  const auto& nodes = model.tree.nodes;
  std::vector<bool> show(nodes.size(), false);
  show.back() = true;
  for (std::size_t n = nodes.size(); n-- > 0;) {
    const auto may_be_minus = [&](const Leaf& leaf) {
      const auto* of = std::get_if<NodeLeaf>(&leaf);
      return of != nullptr
                 ? facts[static_cast<std::size_t>(of->node)].may_be_minus_zero
                 : !std::holds_alternative<ZeroLeaf>(leaf) && !std::holds_alternative<PaddingLeaf>(leaf);
    };
    const bool down = model.adders[static_cast<std::size_t>(nodes[n].adder)].rounding == Rounding::down;
    show[n] = show[n] && (down || std::ranges::all_of(nodes[n].operands, may_be_minus));
    for (const Leaf& leaf : nodes[n].operands)
      if (const auto* of = std::get_if<NodeLeaf>(&leaf)) show[static_cast<std::size_t>(of->node)] = show[n];
  }
  return show;
}

UnitModel plain_form(const UnitModel& model) { return PlainForm(model, true).model(); }

}  // namespace mmaprint
