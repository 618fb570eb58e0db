#include "inference/plain_conventions.h"

#include <algorithm>

#include "model/conversion.h"
#include "model/plan_widths.h"

namespace mmaprint {
namespace {

bool is_nearest(Rounding r) { return r == Rounding::nearest_even || r == Rounding::nearest_away; }
bool is_toward_zero(Rounding r) { return r == Rounding::toward_zero || r == Rounding::odd; }

int finest(const FormatInfo& f) { return f.emin() - f.fraction_bits; }

/// What signs of zeros come to at each node.
struct ShownSigns {
  std::vector<bool> own;       ///< does the sign of a zero that it gives show in d?
  std::vector<bool> operands;  ///< of one that is its operand, by IEEE 754's rule for sums of zeros?

  ShownSigns(const UnitModel& model, std::span<const NodeFacts> facts)
      : own(facts.size(), false), operands(facts.size(), false) {
    const auto& nodes = model.tree.nodes;
    own[nodes.size() - 1] = true;
    for (std::size_t n = nodes.size(); n-- > 0;) {
      operands[n] = own[n] && may_follow_operands(model, facts, n);
      const bool follows = model.conventions.zero_sign.all_zero == ZeroSign::follow;
      // Nodes that nothing uses any more have operands still, which others have, too.
      for (const Leaf& leaf : nodes[n].operands)
        if (const auto* of = std::get_if<NodeLeaf>(&leaf); of != nullptr && operands[n] && follows)
          own[static_cast<std::size_t>(of->node)] = true;
    }
  }

 private:
  /// Where every addend is a zero the result is negative if all are, or rounding down if any is.
  static bool may_follow_operands(const UnitModel& model, std::span<const NodeFacts> facts, std::size_t n) {
    const Node& node = model.tree.nodes[n];
    const Adder& adder = model.adders[static_cast<std::size_t>(node.adder)];
    if (adder.rounding == Rounding::down || adder.c_dropped_below) return true;
    return std::ranges::all_of(node.operands, [&](const Leaf& leaf) {
      const auto* of = std::get_if<NodeLeaf>(&leaf);
      if (of != nullptr) return facts[static_cast<std::size_t>(of->node)].may_be_minus_zero;
      return !std::holds_alternative<ZeroLeaf>(leaf) && !std::holds_alternative<PaddingLeaf>(leaf);
    });
  }
};

class SimplerConventions {
 public:
  SimplerConventions(UnitModel& model, std::span<const NodeFacts> facts)
      : model_(model), unit_(model.conventions), facts_(facts) {}

  void operator()() {
    if (none(&NodeFacts::may_be_subnormal)) unit_.output_subnormals = Subnormals::kept;
    if (unit_.output_subnormals == Subnormals::kept) unit_.flush_test = FlushTest::after;
    simplify_overflow();
    simplify_signs();
    simplify_subnormals();
  }

 private:
  [[nodiscard]] bool none(bool NodeFacts::*fact) const { return std::ranges::none_of(facts_, fact); }
  [[nodiscard]] const Adder& adder(std::size_t n) const {
    return model_.adders[static_cast<std::size_t>(model_.tree.nodes[n].adder)];
  }

  void simplify_overflow() {
    if (none(&NodeFacts::may_overflow)) unit_.overflow = Overflow::infinity;
    if (unit_.overflow != Overflow::by_direction) return;
    bool nearest = true, toward_zero = true;
    for (std::size_t n = 0; n < facts_.size(); ++n) {
      if (!facts_[n].may_overflow) continue;
      nearest = nearest && is_nearest(adder(n).rounding);
      toward_zero = toward_zero && is_toward_zero(adder(n).rounding);
    }
    if (nearest) unit_.overflow = Overflow::infinity;
    if (toward_zero) unit_.overflow = Overflow::saturate;
  }

  /// Each with what the one before has left: where signs show no more, more rules mean nothing.
  void simplify_signs() {
    const auto shows_where = [&](auto&& may_happen) {
      const ShownSigns shown(model_, facts_);
      for (std::size_t n = 0; n < facts_.size(); ++n)
        if (shown.own[n] && may_happen(n, shown)) return true;
      return false;
    };
    const auto is_down = [&](std::size_t n) { return adder(n).rounding == Rounding::down; };
    ZeroSigns& signs = unit_.zero_sign;
    if (!shows_where([&](std::size_t n, const ShownSigns& shown) { return bool(shown.operands[n]); }))
      signs.all_zero = ZeroSign::positive;
    if (!shows_where([&](std::size_t n, const ShownSigns&) { return is_down(n); }))
      signs.cancelled = ZeroSign::positive;
    if (!shows_where([&](std::size_t n, const ShownSigns&) { return facts_[n].vanishes; }))
      signs.rounded = ZeroSign::positive;
    if (unit_.output_subnormals == Subnormals::kept ||
        !shows_where([&](std::size_t n, const ShownSigns&) { return facts_[n].may_be_subnormal; }))
      signs.flushed = ZeroSign::positive;
  }

  void simplify_subnormals() {
    const PlanWidths widths(model_.formats, model_.k, model_.paths);
    const auto may_be = [](const Container& from, const FormatInfo& as) {
      return ComputedOperand(from, as).may_be_subnormal;
    };
    const ShownSigns shown(model_, facts_);
    const auto signs_show = [&](auto&& is_leaf) {
      if (unit_.zero_sign.all_zero == ZeroSign::positive) return false;
      for (std::size_t n = 0; n < facts_.size(); ++n)
        if (shown.operands[n] && std::ranges::any_of(model_.tree.nodes[n].operands, is_leaf)) return true;
      return false;
    };
    const auto simplify = [&](Subnormals& rule, bool any, auto&& is_leaf) {
      if (rule == Subnormals::flushed_positive && !signs_show(is_leaf)) rule = Subnormals::flushed;
      if (!any && rule == Subnormals::flushed) rule = Subnormals::kept;
    };
    simplify(unit_.input_subnormals, may_be(widths.from_a, widths.a) || may_be(widths.from_b, widths.b),
             [](const Leaf& leaf) { return std::holds_alternative<ProductLeaf>(leaf); });
    simplify(unit_.c_subnormals, model_.formats.c && may_be(widths.from_c, widths.c),
             [](const Leaf& leaf) { return std::holds_alternative<CLeaf>(leaf); });
  }

  UnitModel& model_;
  Conventions& unit_;
  std::span<const NodeFacts> facts_;
};

/// Exact conversions move exponents of numbers that are subnormal in one of the formats, and nothing else.
class SimplerPaths {
 public:
  SimplerPaths(UnitModel& model, std::span<const NodeFacts> facts)
      : model_(model), facts_(facts), widths_(model.formats, model.k, model.paths) {}

  void operator()() {
    const auto is_product = [](const Leaf& leaf) { return std::holds_alternative<ProductLeaf>(leaf); };
    const auto is_c = [](const Leaf& leaf) { return std::holds_alternative<CLeaf>(leaf); };
    const int most_a = ComputedOperand(widths_.from_a, widths_.a).largest_exponent;
    const int most_b = ComputedOperand(widths_.from_b, widths_.b).largest_exponent;
    OperandPaths& paths = model_.paths;
    const Conventions& unit = model_.conventions;
    simplify(paths.a, model_.formats.a, most_b, unit.input_subnormals, is_product);
    simplify(paths.b, model_.formats.b, most_a, unit.input_subnormals, is_product);
    simplify(paths.c, room_for_c(model_.formats), 0, unit.c_subnormals, is_c);
  }

 private:
  /// `other`: the largest exponent of a product's other factor.
  template <class IsLeaf>
  void simplify(OperandPath& path, Format container, int other, Subnormals subnormals,
                const IsLeaf& is_leaf) const {
    if (!path || path->conversion != Conversion::exact) return;
    const FormatInfo& from = info(container);
    const int emin = info(path->compute).emin();
    const bool moves_nothing = emin == from.emin();
    // What is a normal number may be subnormal there.
    const int highest = std::max(from.emin(), emin) + other;
    if (moves_nothing || (subnormals == Subnormals::kept && is_harmless(highest, is_leaf))) {
      path.reset();
    } else if (const Converted plain{Format::fp32}; emin <= finest(from) &&
                                                    info(Format::fp32).emin() <= finest(from) &&
                                                    !not_convertible(container, plain)) {
      path = plain;  // there are no subnormals in either
    }
  }

  /// Does no node tell exponents up to this from lower ones, of operands that are such leaves?
  template <class IsLeaf>
  [[nodiscard]] bool is_harmless(int exponent, const IsLeaf& is_leaf) const {
    for (std::size_t n = 0; n < facts_.size(); ++n) {
      const Node& node = model_.tree.nodes[n];
      if (std::ranges::none_of(node.operands, is_leaf)) continue;
      const Adder& adder = model_.adders[static_cast<std::size_t>(node.adder)];
      if (exponent > facts_[n].harmless_e || adder.zero_addends.kind() == ZeroAddends::Kind::factor_exponent)
        return false;
    }
    return true;
  }

  UnitModel& model_;
  std::span<const NodeFacts> facts_;
  PlanWidths widths_;
};

}  // namespace

ComputedOperand::ComputedOperand(const Container& from, const FormatInfo& as)
    : lowest_bit(finest(as)),
      lowest_exponent(as.emin()),
      largest_exponent(as.emax()),
      may_be_subnormal(true) {
  if (from.conversion != Conversion::exact) return;
  lowest_bit = std::max(finest(from.format), lowest_bit);
  lowest_exponent = std::max(finest(from.format), lowest_exponent);
  largest_exponent = std::min(from.format.emax(), largest_exponent);
  may_be_subnormal = finest(from.format) < as.emin();
}

bool aligns_kinds_alike(const Adder& adder) {
  return !adder.carried_fraction_bits && !adder.c_fraction_bits && !adder.c_dropped_below &&
         adder.carried_alignment_rounding == OwnAlignmentRounding::as_others &&
         adder.c_alignment_rounding == OwnAlignmentRounding::as_others;
}

void align_by_default(Adder& adder) {
  if (adder.product != ProductKind::exclusive_or) adder.product = ProductKind::exact_unnormalised;
  adder.zero_addends = {};
  adder.minimum_alignment_exponent.reset();
  adder.alignment_fraction_bits.reset();
  adder.alignment_rounding = AlignmentRounding::truncate;
  adder.normalisation = Normalisation::late;
  adder.extra_carry_bits.reset();
}

void simplify_conventions(UnitModel& model, std::span<const NodeFacts> facts) {
  SimplerConventions(model, facts)();
}
void simplify_paths(UnitModel& model, std::span<const NodeFacts> facts) { SimplerPaths(model, facts)(); }

void give_every_node_a_class(UnitModel& model) {
  std::vector<Adder> adders;
  for (Node& node : model.tree.nodes) {
    adders.push_back(model.adders[static_cast<std::size_t>(node.adder)]);
    node.adder = static_cast<int>(adders.size()) - 1;
  }
  model.adders = std::move(adders);
}

std::vector<bool> signs_of_zeros_show(const UnitModel& model) {
  UnitModel ieee = model;
  ieee.conventions.zero_sign.all_zero = ZeroSign::follow;
  give_every_node_a_class(ieee);
  return ShownSigns(ieee, facts_of(ieee)).operands;
}

std::vector<bool> nodes_showing(const UnitModel& model, Parameter convention) {
  UnitModel split = model;
  give_every_node_a_class(split);
  const std::vector<NodeFacts> facts = facts_of(split);
  const ShownSigns signs(split, facts);
  const bool flushes = model.conventions.output_subnormals != Subnormals::kept;
  const auto shows = [&](std::size_t n) {
    switch (convention) {
      case Parameter::overflow:
        return facts[n].may_overflow;
      case Parameter::output_subnormals:
        return facts[n].may_be_subnormal;
      case Parameter::flush_test:
        return facts[n].may_be_subnormal && flushes;
      case Parameter::zero_all_zero:
        return signs.own[n] && signs.operands[n];
      case Parameter::zero_cancelled:
        return signs.own[n] && split.adders[n].rounding == Rounding::down;
      case Parameter::zero_rounded:
        return signs.own[n] && facts[n].vanishes;
      case Parameter::zero_flushed:
        return signs.own[n] && facts[n].may_be_subnormal && flushes;
      default:
        return false;
    }
  };
  std::vector<bool> all(facts.size());
  for (std::size_t n = 0; n < all.size(); ++n) all[n] = shows(n) && !split.tree.nodes[n].result.is_carried();
  return all;
}

}  // namespace mmaprint
