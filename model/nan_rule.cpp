#include "model/nan_rule.h"

#include <algorithm>
#include <tuple>

#include "model/concrete.h"
#include "model/datapath.h"
#include "model/fixed_parameters.h"
#include "model/pattern.h"

namespace mmaprint {
namespace {

using Words = Concrete<Word128, FixedParameters>;
using Word = Words::Word;

constexpr int kPayloadBits = 64;

/// Of a pattern that the unit reads as a NaN.
TravellingNan travelling(const FormatInfo& container, const FormatInfo& computed, Pattern p) {
  const int cut = std::max(0, container.fraction_bits - computed.fraction_bits);
  const Pattern fraction =
      (p >> container.ignored_low_bits & ((Pattern{1} << container.fraction_bits) - 1)) >> cut << cut;
  const std::uint64_t payload = fraction << (kPayloadBits - container.fraction_bits);
  const bool quiet = container.specials != Specials::ieee || payload >> (kPayloadBits - 1) != 0;
  return {(p & sign_pattern(container)) != 0, !quiet, payload};
}

/// As the result of a node.
TravellingNan quieted(TravellingNan nan, const FormatInfo& to) {
  const int cut = kPayloadBits - to.fraction_bits;
  nan.payload = (nan.payload | std::uint64_t{1} << (kPayloadBits - 1)) >> cut << cut;
  nan.signalling = false;
  return nan;
}

Pattern pattern_of(const TravellingNan& nan, const FormatInfo& d) {
  const Pattern fraction = nan.payload >> (kPayloadBits - d.fraction_bits);
  return infinity_pattern(d) | fraction << d.ignored_low_bits | (nan.negative ? sign_pattern(d) : 0);
}

/// Earlier nodes under which c stands.
std::vector<bool> holding_c(const Tree& tree) {
  std::vector<bool> holds(tree.nodes.size(), false);
  for (std::size_t n = 0; n < tree.nodes.size(); ++n)
    holds[n] = std::ranges::any_of(tree.nodes[n].operands, [&](const Leaf& leaf) {
      const auto* earlier = std::get_if<NodeLeaf>(&leaf);
      return std::holds_alternative<CLeaf>(leaf) ||
             (earlier != nullptr && holds[static_cast<std::size_t>(earlier->node)]);
    });
  return holds;
}

/// One input, and what became of it at each node.
class Evaluation {
 public:
  Evaluation(const UnitModel& model, const Plan& plan, std::span<const Pattern> a, std::span<const Pattern> b,
             Pattern c)
      : model_(model), plan_(plan), patterns_a_(a), patterns_b_(b), pattern_c_(c), source_(model) {
    const auto words = [](std::span<const Pattern> patterns) {
      std::vector<Word> all;
      for (const Pattern p : patterns) all.push_back({Word128(p)});
      return all;
    };
    const auto in_a = words(a), in_b = words(b);
    const PatternOperands<Words> in(algebra_, plan, in_a, in_b, {Word128(c)});
    Row<Operand<Words>> results(plan.nodes.size());
    for (const PlannedNode& node : plan.nodes) {
      if (node.is_carried) {  // the node that it joins adds it, and looks at no result of it
        is_nan_.push_back(Datapath::carried_sum(algebra_, plan, node, in, results).nan.value);
        results.push_back(Datapath::zero(algebra_, plan.d, algebra_.truth(false)));
        continue;
      }
      results.push_back(Datapath::node_result(algebra_, plan, node, in, results));
      is_nan_.push_back(results[results.size() - 1].nan.value);
    }
  }

  NanOperands operator()() const {
    const std::vector<bool> holds_c = holding_c(model_.tree);
    NanOperands all(model_.tree.nodes.size());
    for (std::size_t n = 0; n < all.size(); ++n) {
      if (!is_nan_[n]) continue;
      const auto& leaves = model_.tree.nodes[n].operands;
      const bool has_products = std::ranges::any_of(
          leaves, [](const Leaf& leaf) { return std::holds_alternative<ProductLeaf>(leaf); });
      for (std::size_t i = 0; i < leaves.size(); ++i) {
        const int place = static_cast<int>(i);
        if (const auto* product = std::get_if<ProductLeaf>(&leaves[i]))
          add_product(place, static_cast<std::size_t>(product->index), all[n]);
        else if (std::holds_alternative<CLeaf>(leaves[i]))
          add_c(place, all[n]);
        else if (const auto* earlier = std::get_if<NodeLeaf>(&leaves[i]))
          if (const auto index = static_cast<std::size_t>(earlier->node); is_nan_[index])
            all[n].push_back(
                {NanOperand::Kind::node, place, has_products || holds_c[index], earlier->node, {}});
      }
    }
    return all;
  }

 private:
  template <Parameter P>
  [[nodiscard]] Operand<Words> read(const Container& from, const FormatInfo& f, Pattern p) const {
    return Datapath::read_operand<P>(algebra_, from, f, {Word128(p)});
  }
  void add_product(int place, std::size_t k, std::vector<NanOperand>& all) const {
    const auto a = read<Parameter::input_subnormals>(plan_.from_a, plan_.a, patterns_a_[k]);
    const auto b = read<Parameter::input_subnormals>(plan_.from_b, plan_.b, patterns_b_[k]);
    if (a.nan.value)
      all.push_back(
          {NanOperand::Kind::a, place, false, 0, travelling(plan_.from_a.format, plan_.a, patterns_a_[k])});
    if (b.nan.value)
      all.push_back(
          {NanOperand::Kind::b, place, false, 0, travelling(plan_.from_b.format, plan_.b, patterns_b_[k])});
    if (a.nan.value || b.nan.value) return;
    const auto zero = [](const Operand<Words>& x) { return !x.infinite.value && x.significand.value == 0; };
    if ((a.infinite.value && zero(b)) || (b.infinite.value && zero(a)))
      all.push_back({NanOperand::Kind::zero_times_infinity, place, false, 0, {}});
  }
  void add_c(int place, std::vector<NanOperand>& all) const {
    if (read<Parameter::c_subnormals>(plan_.from_c, plan_.c, pattern_c_).nan.value)
      all.push_back(
          {NanOperand::Kind::c, place, true, 0, travelling(plan_.from_c.format, plan_.c, pattern_c_)});
  }

  const UnitModel& model_;
  const Plan& plan_;
  std::span<const Pattern> patterns_a_, patterns_b_;
  Pattern pattern_c_;
  FixedParameters source_;
  Words algebra_{source_};
  std::vector<bool> is_nan_;
};

/// Smaller goes first.
std::tuple<int, bool, int, int, bool> rank(const NanOperand& x, bool signalling, const NanRule& rule) {
  const bool invalid = x.kind == NanOperand::Kind::zero_times_infinity;
  const bool behind_all = invalid && rule.invalid == NanRule::Invalid::last;
  const bool behind_signalling = rule.signalling == NanRule::Signalling::first && !signalling;
  const bool behind_invalid = !invalid || rule.invalid != NanRule::Invalid::first;
  const int place = rule.products == NanRule::Products::ascending ? x.place : -x.place;
  const bool a_first = rule.factors == NanRule::Factors::a_first;
  const bool second_factor = x.kind == (a_first ? NanOperand::Kind::b : NanOperand::Kind::a);
  const int part = rule.sum == NanRule::Sum::first  ? (x.sum ? 0 : 1)
                   : rule.sum == NanRule::Sum::last ? (x.sum ? 1 : 0)
                   : x.sum                          ? 1
                   : second_factor                  ? 2
                                                    : 0;
  return {behind_all ? 2 : behind_signalling ? 1 : 0, behind_invalid, part, place, second_factor};
}

}  // namespace

NanOperands nan_operands(const UnitModel& model, const Plan& plan, std::span<const Pattern> a,
                         std::span<const Pattern> b, Pattern c) {
  return Evaluation(model, plan, a, b, c)();
}

std::optional<Pattern> let_through(const NanOperands& operands, const NanRule& rule, const Plan& plan) {
  std::vector<std::optional<TravellingNan>> results(operands.size());  // none: the unit's own
  for (std::size_t n = 0; n < operands.size(); ++n) {
    const auto of = [&](const NanOperand& x) -> std::optional<TravellingNan> {
      if (x.kind == NanOperand::Kind::node) return results[static_cast<std::size_t>(x.node)];
      if (x.kind == NanOperand::Kind::zero_times_infinity) return std::nullopt;
      return x.nan;
    };
    const auto key = [&](const NanOperand& x) {
      const auto nan = of(x);
      return rank(x, nan && nan->signalling, rule);
    };
    const auto first = std::ranges::min_element(operands[n], {}, key);
    const auto nan = first == operands[n].end() ? std::nullopt : of(*first);
    const PlannedNode& node = plan.nodes[n];
    if (nan) results[n] = quieted(*nan, node.is_carried ? plan.d : node.result);
  }
  const auto& root = results.back();
  return root ? std::optional(pattern_of(*root, plan.d)) : std::nullopt;
}

Pattern nan_by_rule(const UnitModel& model, const Plan& plan, const NanRule& rule, std::span<const Pattern> a,
                    std::span<const Pattern> b, Pattern c) {
  return let_through(nan_operands(model, plan, a, b, c), rule, plan).value_or(rule.generated);
}

}  // namespace mmaprint
