#include "inference/plain_form.h"

#include <algorithm>
#include <utility>

#include "inference/idle_zero.h"
#include "inference/integer_form.h"
#include "inference/plain_conventions.h"
#include "inference/rounded_again.h"
#include "inference/scaled_form.h"
#include "inference/used_nodes.h"
#include "model/alike_nodes.h"
#include "model/plan.h"
#include "solver/node_bounds.h"

namespace mmaprint {
namespace {

constexpr int kAnyE = -kNoClamp;

/// Of a model's nodes; nullopt where they are of more classes than boxes have.
std::optional<std::vector<NodeBounds>> bounds_of(const UnitModel& model) {
  const auto few = with_fewest_classes(model);
  if (!few) return std::nullopt;
  return node_bounds(Plan(few->formats, few->k, skeleton_of(*few)), Box(values_of(*few)));
}

class PlainForm {
 public:
  /// `inlines`: where a node rounds nothing its operands take its place.
  PlainForm(const UnitModel& model, bool inlines) : model_(model), inlines_(inlines) {
    give_every_node_a_class(model_);
    bounds_ = bounds_of(model_);
    const Plan plan(model_.formats, model_.k, skeleton_of(model_));
    const ComputedOperand a(plan.from_a, plan.a), b(plan.from_b, plan.b), c(plan.from_c, plan.c);
    product_ = {.lossless = true,
                .exact = true,
                .may_overflow = plan.products_can_overflow(),
                .may_be_minus_zero = true,
                .lowest = a.lowest_bit + b.lowest_bit,
                .top = a.largest_exponent + b.largest_exponent + 2,
                .bits = plan.a.fraction_bits + plan.b.fraction_bits + 2};
    c_ = {.lossless = true,
          .exact = true,
          .may_overflow = false,
          .may_be_minus_zero = true,
          .lowest = c.lowest_bit,
          .top = c.largest_exponent + 1,
          .bits = plan.c.fraction_bits + 1};
    bits_of_factors_ = plan.a.fraction_bits + plan.b.fraction_bits;
    lowest_e_of_products_ = a.lowest_exponent + b.lowest_exponent;
    lowest_e_of_c_ = c.lowest_exponent;
    largest_factor_exponent_ = std::max(a.largest_exponent, b.largest_exponent);
    for (std::size_t n = 0; n < model_.tree.nodes.size(); ++n) simplify(n);
    simplify_conventions(model_, facts_);
    simplify_paths(model_, facts_);
  }

  [[nodiscard]] const std::vector<NodeFacts>& facts() const { return facts_; }
  [[nodiscard]] UnitModel model() && {
    keep_nodes_that_matter();
    return std::move(model_);
  }

 private:
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
    for (Leaf& leaf : node.operands)
      if (auto* of = std::get_if<NodeLeaf>(&leaf)) of->node = same_as_[static_cast<std::size_t>(of->node)];
    same_as_.push_back(static_cast<int>(n));
    const auto is_product = [](const Leaf& leaf) { return std::holds_alternative<ProductLeaf>(leaf); };
    if (std::ranges::none_of(node.operands, is_product)) {
      adder.product = ProductKind::exact_unnormalised;
      adder.product_overflow = ProductOverflow::exact;
    }
    if (is_as_good_as_d(node, adder)) node.result = std::nullopt;
    if (!product_.may_overflow) adder.product_overflow = ProductOverflow::exact;
    if (never_wraps(node, adder)) adder.extra_carry_bits.reset();
    const int harmless = harmless_e(node, adder);
    if (highest_e_of_zeros(adder) <= harmless) adder.zero_addends = {};
    if (const auto clamp = adder.minimum_alignment_exponent;
        clamp && (*clamp <= harmless || *clamp <= lowest_e(node, adder)))
      adder.minimum_alignment_exponent.reset();
    if (adder.product == ProductKind::exact_normalised && product_.top - 1 <= harmless)
      adder.product = ProductKind::exact_unnormalised;
    if (keeps_every_bit(node, adder)) adder.alignment_fraction_bits.reset();
    leave_out_idle_zero(node, adder);
    const bool lossless =
        treats_operands_alike(node, adder) && !adder.alignment_fraction_bits && !adder.extra_carry_bits;
    if (lossless) {
      align_by_default(adder);
      if (inlines_ && !orders_nans()) take_in_exact_nodes(node, adder);
    }
    facts_.push_back(summed(n, lossless));
    facts_[n].harmless_e = harmless_e(node, adder);
    if (facts_[n].exact) {
      if (adder.rounding != Rounding::down) adder.rounding = Rounding::nearest_even;
      adder.output_fraction_bits = result_of(model_, node).fraction_bits;
    }
    if (inlines_) pass_on(n);
  }

  /// A +0 that changes no sum of the others, nor a zero's sign, is left out.
  void leave_out_idle_zero(Node& node, const Adder& adder) const {
    const auto zero = std::ranges::find(node.operands, Leaf(ZeroLeaf{}));
    if (zero == node.operands.end() || node.operands.size() == 1 || orders_nans() ||
        !treats_operands_alike(node, adder) || adder.zero_addends != ZeroAddends() ||
        model_.conventions.zero_sign.all_zero != ZeroSign::positive)
      return;
    const bool is_first = zero == node.operands.begin();
    if (adder.normalisation == Normalisation::late ||
        (is_first && is_kept_alone(node.operands[1], adder, bits_of_factors_)))
      node.operands.erase(zero);
  }

  /// Does a node lose nothing of its only operand as it is aligned, the sign of a zero included?
  [[nodiscard]] bool keeps_its_operand(const Node& node, const Adder& adder) const {
    const NodeLeaf* only = only_operand(node);
    if (only == nullptr || orders_nans() || !treats_operands_alike(node, adder) || adder.extra_carry_bits)
      return false;
    const auto m = static_cast<std::size_t>(only->node);
    if (const auto f = adder.alignment_fraction_bits) {
      if (*f < model_.adders[m].output_fraction_bits || adder.zero_addends != ZeroAddends()) return false;
      const auto clamp = adder.minimum_alignment_exponent;
      if (clamp && *clamp - *f > facts_[m].lowest) return false;
    }
    const bool follows = model_.conventions.zero_sign.all_zero == ZeroSign::follow;
    const bool keeps_sign = follows && node.operands.size() == 1;
    // Where sums of zeros are positive a later node takes -0 as +0.
    const bool is_root = &node == &model_.tree.nodes.back();
    return keeps_sign || !facts_[m].may_be_minus_zero || (!follows && !is_root);
  }
  /// The node's only operand takes its place where it comes to that, and rounds as it does.
  void pass_on(std::size_t n) {
    const Node& node = model_.tree.nodes[n];
    const Adder& adder = model_.adders[n];
    if (!keeps_its_operand(node, adder)) return;
    const int m = only_operand(node)->node;
    const auto from = static_cast<std::size_t>(m);
    if (rounds_at_once(model_, n, from)) {
      model_.tree.nodes[from].result = node.result;
      model_.adders[from].rounding = adder.rounding;
      model_.adders[from].output_fraction_bits = adder.output_fraction_bits;
      if (bounds_) (*bounds_)[from].overflows = (*bounds_)[from].overflows || (*bounds_)[n].overflows;
      const int harmless = facts_[from].harmless_e;
      facts_[from] = summed(from, facts_[from].lossless);
      facts_[from].harmless_e = harmless;
    } else if (!rounds_nothing(model_, n, from)) {
      return;
    }
    same_as_[n] = m;
  }

  /// Has a stated format of results D's exponents, and either of them room for all bits that results have?
  /// (Not for all bits of a NaN that goes on.)
  [[nodiscard]] bool is_as_good_as_d(const Node& node, const Adder& adder) const {
    if (!node.result.format()) return false;
    const FormatInfo& own = result_of(model_, node);
    const FormatInfo& d = info(model_.formats.d);
    return own.is_floating() && d.is_floating() && own.emin() == d.emin() && own.emax() == d.emax() &&
           own.specials == d.specials && (own.fraction_bits == d.fraction_bits || !orders_nans()) &&
           adder.output_fraction_bits <= std::min(own.fraction_bits, d.fraction_bits);
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
           aligns_kinds_alike(adder);
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

  /// Up to which E the lowest bit of every operand is at least 2^(E-F), so that it makes no difference
  /// whether E is that or less. A partial sum loses nothing either while it stays below 2^(E+1).
  [[nodiscard]] int harmless_e(const Node& node, const Adder& adder) const {
    if (!treats_operands_alike(node, adder) || adder.extra_carry_bits) return kNoClamp;
    return adder.alignment_fraction_bits ? lowest_bit_of_operands(node) + *adder.alignment_fraction_bits
                                         : kAnyE;
  }
  [[nodiscard]] int lowest_bit_of_operands(const Node& node) const {
    int lowest = kAnyE;
    for (const Leaf& leaf : node.operands)
      if (!std::holds_alternative<ZeroLeaf>(leaf)) lowest = std::min(lowest, facts_of(leaf).lowest);
    return lowest;
  }
  /// No zero takes part in E with a larger exponent.
  [[nodiscard]] int highest_e_of_zeros(const Adder& adder) const {
    const ZeroAddends& zeros = adder.zero_addends;
    if (zeros.kind() == ZeroAddends::Kind::left_out) return kNoClamp;
    if (zeros.kind() == ZeroAddends::Kind::as_exponent) return zeros.exponent();
    return zeros.exponent() + std::max(zeros.exponent(), largest_factor_exponent_);
  }
  /// No operand that is not zero takes part in E with a lower exponent.
  [[nodiscard]] int lowest_e(const Node& node, const Adder& adder) const {
    if (!treats_operands_alike(node, adder)) return kNoClamp;
    int lowest = kAnyE;
    for (const Leaf& leaf : node.operands) {
      if (std::holds_alternative<ProductLeaf>(leaf))
        lowest = std::min(
            lowest, adder.product == ProductKind::exact_normalised ? product_.lowest : lowest_e_of_products_);
      if (std::holds_alternative<CLeaf>(leaf)) lowest = std::min(lowest, lowest_e_of_c_);
      if (const auto* of = std::get_if<NodeLeaf>(&leaf))
        lowest =
            std::min(lowest, result_of(model_, model_.tree.nodes[static_cast<std::size_t>(of->node)]).emin());
    }
    return lowest;
  }

  /// Even with the largest E, the lowest bit of every operand is at least 2^(E-F).
  [[nodiscard]] bool keeps_every_bit(const Node& node, const Adder& adder) const {
    // Partial sums that grow past E would lose bits.
    if (!adder.alignment_fraction_bits || adder.zero_addends != ZeroAddends() ||
        adder.normalisation != Normalisation::late || !treats_operands_alike(node, adder))
      return false;
    int e = adder.minimum_alignment_exponent.value_or(kNoClamp);
    for (const Leaf& leaf : node.operands) {
      if (std::holds_alternative<ZeroLeaf>(leaf)) continue;
      e = std::max(e, facts_of(leaf).top - 1);
      if (const auto* of = std::get_if<NodeLeaf>(&leaf))  // whose subnormals have its format's exponent
        e = std::max(e, result_of(model_, model_.tree.nodes[static_cast<std::size_t>(of->node)]).emin());
    }
    return e - *adder.alignment_fraction_bits <= lowest_bit_of_operands(node);
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

  [[nodiscard]] NodeFacts summed(std::size_t n, bool lossless) const {
    const Node& node = model_.tree.nodes[n];
    const Adder& adder = model_.adders[n];
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
    sum.vanishes = sum.lowest < format.emin() - f;
    sum.may_be_subnormal = sum.lowest < format.emin();
    sum.exact =
        lossless && sum.bits <= f + 1 && !sum.vanishes && sum.top <= format.emax() + 1 && !overflows_before;
    const bool within = bounds_ && !(*bounds_)[n].overflows;
    sum.may_overflow = overflows_before || (!sum.exact && sum.top > format.emax() && !within);
    const ZeroSigns& signs = model_.conventions.zero_sign;
    const auto follows = [](ZeroSign sign) { return sign == ZeroSign::follow; };
    const bool flushes = model_.conventions.output_subnormals != Subnormals::kept && sum.may_be_subnormal;
    const bool down = adder.rounding == Rounding::down;
    sum.may_be_minus_zero = (sum.vanishes && follows(signs.rounded)) || (flushes && follows(signs.flushed)) ||
                            (down && (follows(signs.cancelled) || follows(signs.all_zero))) ||
                            ((all_minus || adder.c_dropped_below) && follows(signs.all_zero));
    if (node.result.is_carried()) {
      sum.may_overflow = overflows_before;
      sum.may_be_minus_zero = true;
    } else if (!sum.exact) {
      // The largest number may be what a sum is saturated to, and has all bits.
      sum.lowest = std::min(std::max(sum.lowest, format.emin() - f), format.emax() - f);
      sum.top = std::min(sum.top + 1, format.emax() + 1);
      const bool saturates = sum.may_overflow && model_.conventions.overflow != Overflow::infinity;
      sum.bits = saturates ? f + 1 : std::min(sum.bits, f + 1);
    }
    return sum;
  }

  /// Those whose operands were taken in, and those that only pass on; the root is the last node.
  void keep_nodes_that_matter() {
    auto& nodes = model_.tree.nodes;
    while (same_as_.back() != std::ssize(same_as_) - 1) {
      nodes.resize(static_cast<std::size_t>(same_as_.back()) + 1);
      same_as_.resize(nodes.size());
    }
    drop_unused_nodes(model_.tree);
    if (!orders_nans()) order_by_products(model_);
    give_every_node_a_class(model_);
  }

  UnitModel model_;
  bool inlines_;
  NodeFacts product_, c_;
  std::optional<std::vector<NodeBounds>> bounds_;
  int bits_of_factors_ = 0;  ///< fraction bits of both together
  int lowest_e_of_products_ = 0, lowest_e_of_c_ = 0, largest_factor_exponent_ = 0;
  std::vector<NodeFacts> facts_;
  std::vector<int> same_as_;  ///< by the node: itself, or an earlier one whose results its own are
};

}  // namespace

std::vector<NodeFacts> facts_of(const UnitModel& model) { return PlainForm(model, false).facts(); }

UnitModel plain_form(const UnitModel& model) {
  // What the first leaves out makes bounds of the second known.
  return PlainForm(PlainForm(model, false).model(), true).model();
}

namespace {
/// The plain form that has no other: what one pass leaves out may make more known.
std::optional<UnitModel> plainest(const UnitModel& model) {
  if (info(model.formats.d).is_integer()) return integer_form(model);
  if (model.formats.has_scales()) return scaled_form(model);
  constexpr int kPasses = 3;
  UnitModel plain = plain_form(model);
  for (int pass = 0; pass < kPasses; ++pass) {
    UnitModel further = plain_form(plain);
    if (further == plain) return plain;
    plain = std::move(further);
  }
  return std::nullopt;
}
}  // namespace

bool have_the_same_plain_form(const UnitModel& x, const UnitModel& y) {
  const auto one = plainest(x);
  return one && one == plainest(y);
}

std::optional<UnitModel> plain_unit(const UnitModel& model) {
  const auto plain = plainest(model);
  return plain && is_legal(*plain) ? with_fewest_classes(*plain) : std::nullopt;
}

}  // namespace mmaprint
