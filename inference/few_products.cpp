#include "inference/few_products.h"

#include <algorithm>
#include <array>
#include <climits>
#include <optional>
#include <utility>

#include "model/plan.h"
#include "model/sum_shape.h"

namespace mmaprint {
namespace {

bool is_operand(const Leaf& leaf) {
  return std::holds_alternative<NodeLeaf>(leaf) || std::holds_alternative<CLeaf>(leaf);
}

/// Do zeros count for nothing in every node but for signs, and may operands be added in any order? An operand
/// that is dropped is one more zero, whose sign those beside it have a say in.
bool zeros_may_move(const UnitModel& model) {
  const bool have_signs = has_negative_zeros(model);
  return std::ranges::all_of(model.adders, [&](const Adder& adder) {
    return adder.zero_addends.kind() == ZeroAddends::Kind::left_out &&
           !(have_signs && adder.c_dropped_below) && adder.normalisation == Normalisation::late &&
           adder.rounding != Rounding::down;
  });
}

class Reduction {
 public:
  Reduction(const UnitModel& model, const std::vector<bool>& products)
      : rest_(model),
        products_(products),
        plan_(model.formats, model.k, skeleton_of(model)),
        drops_zeros_(!has_negative_zeros(model)) {}

  UnitModel operator()() {
    std::vector<Node> nodes = std::exchange(rest_.tree.nodes, {});
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      put_in_place_of_earlier(nodes[n]);
      take_in_truncated_c(nodes[n]);
      drop_zeros(nodes[n]);
      if (n + 1 < nodes.size() && is_idle(nodes[n])) {
        instead_.push_back(std::move(nodes[n].operands));
        continue;
      }
      instead_.push_back({NodeLeaf{static_cast<int>(kept().size())}});
      kept().push_back(std::move(nodes[n]));
    }
    settle_root();
    forget_positive_zero();
    for (Node& node : kept()) {
      if (node.operands.empty()) node.operands.emplace_back(ZeroLeaf{});
      forget_carry(node);
      forget_alignment(node);
    }
    return std::move(rest_);
  }

 private:
  std::vector<Node>& kept() { return rest_.tree.nodes; }
  const Adder& adder_of(const Node& node) const { return rest_.adders[static_cast<std::size_t>(node.adder)]; }
  bool may_be_nonzero(const Leaf& leaf) const {
    const auto* product = std::get_if<ProductLeaf>(&leaf);
    return product != nullptr && products_[static_cast<std::size_t>(product->index)];
  }
  Format result_of(const Node& node) const { return node.result.value_or(rest_.formats.d); }

  void put_in_place_of_earlier(Node& node) const {
    std::vector<Leaf> operands;
    for (const Leaf& leaf : node.operands) {
      if (const auto* earlier = std::get_if<NodeLeaf>(&leaf)) {
        const auto& instead = instead_[static_cast<std::size_t>(earlier->node)];
        operands.insert(operands.end(), instead.begin(), instead.end());
      } else {
        operands.push_back(leaf);
      }
    }
    node.operands = std::move(operands);
  }

  /// The node before it only cuts off what its own alignment cuts off as well.
  void take_in_truncated_c(Node& node) {
    if (!drops_zeros_ || kept().empty()) return;
    const Node& before = kept().back();
    const auto place = std::ranges::find(node.operands, Leaf(NodeLeaf{static_cast<int>(kept().size()) - 1}));
    if (place == node.operands.end() || before.adder != node.adder || !only_truncates_c(before) ||
        (may_cut_off_all_of_c(before) && !has_products_above_subnormals_of_c(node, *place)))
      return;
    *place = CLeaf{};
    kept().pop_back();
  }
  bool only_truncates_c(const Node& node) const {
    const Adder& adder = adder_of(node);
    const bool truncates = adder.alignment_rounding == AlignmentRounding::truncate &&
                           adder.rounding == Rounding::toward_zero && !has_kinds_of_operands(adder);
    return truncates && !node.result.is_carried() && takes_c_as_it_is(node) &&
           std::ranges::equal(node.operands, std::array{Leaf(CLeaf{})}) &&
           adder.output_fraction_bits >= adder.alignment_fraction_bits.value_or(INT_MAX);
  }
  /// A subnormal c may fall below the last bit that is kept. It does not raise the next node's E then.
  bool may_cut_off_all_of_c(const Node& node) const {
    const Adder& adder = adder_of(node);
    return adder.alignment_fraction_bits.value_or(INT_MAX) < plan_.c.fraction_bits &&
           adder.minimum_alignment_exponent.value_or(INT_MIN) < plan_.c.emin();
  }
  /// Are all other operands products, which have no exponent below that of a subnormal c?
  bool has_products_above_subnormals_of_c(const Node& node, const Leaf& c) const {
    return product_digits(node).lowest >= plan_.c.emin() &&
           std::ranges::all_of(node.operands, [&](const Leaf& leaf) {
             return leaf == c || std::holds_alternative<ProductLeaf>(leaf);
           });
  }
  static bool has_kinds_of_operands(const Adder& adder) {
    return adder.c_fraction_bits || adder.c_dropped_below ||
           adder.c_alignment_rounding != OwnAlignmentRounding::as_others;
  }
  /// As a number of the node's result.
  bool takes_c_as_it_is(const Node& node) const {
    return rest_.formats.c == result_of(node) && !rest_.paths.c &&
           rest_.conventions.c_subnormals == Subnormals::kept &&
           rest_.conventions.output_subnormals == Subnormals::kept;
  }

  void drop_zeros(Node& node) const {
    const auto is_positive = [](const Leaf& leaf) { return std::holds_alternative<ZeroLeaf>(leaf); };
    const bool has_positive = std::ranges::any_of(node.operands, is_positive);
    if (!drops_zeros_ && !has_positive) return;
    std::erase_if(node.operands,
                  [&](const Leaf& leaf) { return !is_operand(leaf) && !may_be_nonzero(leaf); });
    if (!drops_zeros_ && has_positive) node.operands.emplace_back(ZeroLeaf{});
  }

  /// The only operand besides zeros, where there is one and the node gives it back.
  bool is_idle(const Node& node) const {
    if (node.result.is_carried() ||
        std::ranges::any_of(node.operands, [&](const Leaf& leaf) { return may_be_nonzero(leaf); }))
      return false;
    const auto count = std::ranges::count_if(node.operands, is_operand);
    if (count == 0) return true;
    if (count > 1) return false;
    const Leaf& only = *std::ranges::find_if(node.operands, is_operand);
    if (const auto* earlier = std::get_if<NodeLeaf>(&only)) {
      const Node& child = rest_.tree.nodes[static_cast<std::size_t>(earlier->node)];
      return !child.result.is_carried() && result_of(child) == result_of(node) &&
             keeps_all(adder_of(node), result_of(node), adder_of(child).output_fraction_bits);
    }
    return takes_c_as_it_is(node) &&
           keeps_all(adder_of(node), result_of(node), info(result_of(node)).fraction_bits);
  }
  /// Does it give back every number of the format that has so many fraction bits?
  static bool keeps_all(const Adder& adder, Format format, int fraction_bits) {
    const FormatInfo& f = info(format);
    if (f.is_integer()) return true;
    if (adder.output_fraction_bits < fraction_bits || adder.c_dropped_below) return false;
    if (!adder.alignment_fraction_bits) return !adder.c_fraction_bits;
    const int kept = std::min(*adder.alignment_fraction_bits,
                              adder.c_fraction_bits.value_or(*adder.alignment_fraction_bits));
    const auto clamp = adder.minimum_alignment_exponent;
    return kept >= fraction_bits && (!clamp || *clamp - kept <= f.emin() - f.fraction_bits);
  }

  /// A root with nothing to do is one that adds exactly; or the node before it is the root.
  void settle_root() {
    if (!is_idle(kept().back())) return;
    Node& root = kept().back();
    if (drops_zeros_ && root.operands.size() == 1 &&
        std::holds_alternative<NodeLeaf>(root.operands.front())) {
      kept().pop_back();
      kept().back().result = std::nullopt;
      return;
    }
    Adder exact = exact_adder(rest_.formats.d, Rounding::nearest_even);  // which rounds nothing
    exact.product = adder_of(root).product;
    root.adder = with(exact);
  }

  /// A single node that adds +0 gives +0 for zeros: that can be said by convention as well.
  void forget_positive_zero() {
    if (kept().size() != 1 || std::erase(kept().front().operands, Leaf(ZeroLeaf{})) == 0) return;
    rest_.conventions.zero_sign.all_zero = ZeroSign::positive;
  }

  void forget_carry(Node& node) {
    Adder adder = adder_of(node);
    const auto is_carried = [&](const Leaf& leaf) {
      const auto* earlier = std::get_if<NodeLeaf>(&leaf);
      return earlier != nullptr && kept()[static_cast<std::size_t>(earlier->node)].result.is_carried();
    };
    if (!adder.extra_carry_bits || !adder.alignment_fraction_bits || node.result.is_carried() ||
        std::ranges::any_of(node.operands, is_carried) ||
        adder.c_alignment_rounding != OwnAlignmentRounding::as_others)
      return;
    const auto count = [&](auto&& which) {
      return static_cast<int>(std::ranges::count_if(node.operands, which));
    };
    const SumShape shape{count([&](const Leaf& leaf) { return may_be_nonzero(leaf); }),
                         count(is_operand),
                         *adder.alignment_fraction_bits,
                         adder.product,
                         adder.alignment_rounding,
                         adder.normalisation,
                         plan_.product_bound()};
    if (carry_can_wrap(adder.extra_carry_bits, shape)) return;
    adder.extra_carry_bits.reset();
    node.adder = with(adder);
  }

  /// Fraction bits of a number, and its format's lowest bit.
  struct Digits {
    int fraction_bits, lowest;
    int more = 0;  ///< fraction bits of it when it is aligned, where it was normalised before
  };
  static Digits digits_of(const FormatInfo& f, int fraction_bits) {
    return {fraction_bits, f.emin() - f.fraction_bits};
  }
  /// Of a product that the node adds.
  [[nodiscard]] Digits product_digits(const Node& node) const {
    const Digits a = digits_of(plan_.a, plan_.a.fraction_bits), b = digits_of(plan_.b, plan_.b.fraction_bits);
    const bool is_normalised = adder_of(node).product == ProductKind::exact_normalised;  // 2 and more
    return {a.fraction_bits + b.fraction_bits, a.lowest + b.lowest, is_normalised ? 1 : 0};
  }
  /// Of the only operand that may be other than zero; nullopt if there are several, or it is carried.
  [[nodiscard]] std::optional<Digits> only_digits(const Node& node) const {
    std::optional<Digits> digits;
    for (const Leaf& leaf : node.operands) {
      if (!is_operand(leaf) && !may_be_nonzero(leaf)) continue;
      if (digits) return std::nullopt;
      if (const auto* earlier = std::get_if<NodeLeaf>(&leaf)) {
        const Node& child = rest_.tree.nodes[static_cast<std::size_t>(earlier->node)];
        if (child.result.is_carried()) return std::nullopt;
        digits = digits_of(info(result_of(child)), adder_of(child).output_fraction_bits);
      } else if (std::holds_alternative<CLeaf>(leaf)) {
        digits = digits_of(plan_.c, plan_.c.fraction_bits);
      } else {
        digits = product_digits(node);
      }
    }
    return digits;
  }
  void forget_alignment(Node& node) {
    Adder adder = adder_of(node);
    const auto digits = only_digits(node);
    if (!digits || !adder.alignment_fraction_bits || adder.extra_carry_bits || node.result.is_carried() ||
        has_kinds_of_operands(adder))
      return;
    const auto clamp = adder.minimum_alignment_exponent;
    const int kept = *adder.alignment_fraction_bits;
    if (kept < digits->fraction_bits + digits->more || (clamp && *clamp - kept > digits->lowest)) return;
    adder.alignment_fraction_bits = digits->fraction_bits;
    adder.minimum_alignment_exponent.reset();
    adder.alignment_rounding = AlignmentRounding::truncate;
    if (adder.product == ProductKind::exact_normalised) adder.product = ProductKind::exact_unnormalised;
    node.adder = with(adder);
  }

  /// The index of an adder like this one.
  int with(const Adder& adder) {
    const auto known = std::ranges::find(rest_.adders, adder);
    const auto index = static_cast<int>(known - rest_.adders.begin());
    if (known == rest_.adders.end()) rest_.adders.push_back(adder);
    return index;
  }

  UnitModel rest_;
  const std::vector<bool>& products_;
  Plan plan_;
  bool drops_zeros_;
  std::vector<std::vector<Leaf>> instead_;  ///< of each of the model's nodes: what stands for its result
};

}  // namespace

bool has_negative_zeros(const UnitModel& model) {
  const ZeroSigns& signs = model.conventions.zero_sign;
  constexpr auto kPositive = ZeroSign::positive;
  return !info(model.formats.d).is_integer() &&
         signs != ZeroSigns{kPositive, kPositive, kPositive, kPositive};
}

UnitModel with_few_products(const UnitModel& model, const std::vector<bool>& products) {
  // A scale that is NaN makes zeros NaN.
  if (model.formats.has_scales()) return model;
  return zeros_may_move(model) ? Reduction(model, products)() : model;
}

}  // namespace mmaprint
