#include "model/deviating_evaluator.h"

#include <utility>
#include <vector>

#include "model/concrete.h"
#include "model/datapath.h"
#include "model/fixed_parameters.h"
#include "model/nan_rule.h"
#include "model/value.h"

namespace mmaprint {
namespace {

namespace dev = deviation;

/// What is known of a product's factors.
struct FactorFacts {
  int exponent = 0;  ///< their exponents' sum
  bool a_subnormal = false, b_subnormal = false;
};

/// A model's parameters, one of which has another value while the deviation is active.
class DeviatingParameters : public KnownValues<DeviatingParameters> {
 public:
  DeviatingParameters(const UnitModel& model, const Deviation& deviation)
      : model_(model), deviation_(&deviation) {
    if (const auto* sums = std::get_if<dev::OfSums>(&deviation.what))
      other_ = {sums->parameter, sums->index};
    else if (const auto* aligned = of_operand<dev::AlignedBy>())
      other_ = {Parameter::alignment_rounding, static_cast<int>(aligned->rounding)};
  }

  template <Parameter P>
  [[nodiscard]] auto value(int adder) const {
    if constexpr (P == Parameter::block_rounding)
      if (truncates_) return Rounding::toward_zero;
    if ((active_ || deviates_for(dev::Sums::all)) && adder == deviation_->of_class && other_ &&
        other_->first == P)
      return typed_value<P>(other_->second);
    return model_.template value<P>(adder);
  }
  [[nodiscard]] const dev::OfOperand* operand_at(int adder) const {
    return adder == deviation_->of_class ? std::get_if<dev::OfOperand>(&deviation_->what) : nullptr;
  }
  template <class How>
  [[nodiscard]] const How* of_operand() const {
    const auto* operand = std::get_if<dev::OfOperand>(&deviation_->what);
    return operand != nullptr ? std::get_if<How>(&operand->how) : nullptr;
  }
  [[nodiscard]] bool deviates_for(dev::Sums which) const {
    const auto* sums = std::get_if<dev::OfSums>(&deviation_->what);
    return sums != nullptr && sums->which == which;
  }
  [[nodiscard]] const FactorFacts& factors() const { return factors_; }
  void know(const FactorFacts& factors) { factors_ = factors; }
  void activate(bool active) { active_ = active; }
  /// All sums are rounded toward zero.
  void truncate(bool all) { truncates_ = all; }

 private:
  FixedParameters model_;
  const Deviation* deviation_;
  std::optional<std::pair<Parameter, int>> other_;
  FactorFacts factors_;
  bool active_ = false, truncates_ = false;
};

/// A row for one.
template <class Word>
struct OneWord {
  Word value{};
  template <class Make>
  void append(std::size_t /*count*/, Make&& make) {
    value = make(0);
  }
  [[nodiscard]] std::span<const Word> all() const { return {&value, 1}; }
};

/// Where the leading bit of a nonzero addend is.
template <class A>
int leading_exponent(const A& a, const PlanWidths& plan, const Addend<A>& x) {
  const int integer_bits = plan.addend_width() - plan.addend_fraction_bits();
  return a.value(x.exponent) + integer_bits - 1 -
         a.value(a.normalise(x.significand, plan.addend_width()).second);
}

/// The exponent with which the operand takes part in E and is aligned.
template <class A>
int other_exponent(const A& a, const PlanWidths& plan, const Addend<A>& x) {
  using What = dev::MovedWhereSubnormal::What;
  const auto& source = a.source();
  const int own = a.value(x.exponent);
  if (a.value(x.zero)) return own;
  if (const auto* as = source.template of_operand<dev::ProductAs>())
    return as->kind == ProductKind::exact_normalised ? leading_exponent(a, plan, x)
                                                     : source.factors().exponent;
  const auto* moved = source.template of_operand<dev::MovedWhereSubnormal>();
  if (moved == nullptr) return own;
  const bool subnormal = moved->what == What::itself     ? leading_exponent(a, plan, x) < own
                         : moved->what == What::factor_a ? source.factors().a_subnormal
                                                         : source.factors().b_subnormal;
  return subnormal ? own + moved->by : own;
}

/// The same value with an exponent that is not above this one. Requires that it stays below 2^(exponent + 2).
template <class A>
Addend<A> lowered(const A& a, Addend<A> x, int exponent) {
  const int by = a.value(x.exponent) - exponent;
  if (by <= 0) return x;
  return {x.negative, x.zero, a.integer(exponent), a.shift_left(x.significand, by)};
}

/// The steps that see the deviation. `Below` keeps every bit that a deviation may lose.
template <class Below>
struct Deviating : Below {
  template <class Spec, class A, std::size_t N, class To, class OnCancelled, class OnSum>
  static constexpr auto add(const A& a, const PlanWidths& plan, const NodeShape& node,
                            std::span<const Addend<A>, N> addends, const To& to, OnCancelled&& on_cancelled,
                            OnSum&& on_sum) {
    const dev::OfOperand* at = a.source().operand_at(node.adder);
    if (at == nullptr) return Below::template add<Spec>(a, plan, node, addends, to, on_cancelled, on_sum);
    const Addend<A>& own = addends[at->operand];
    if (const auto* infinite = std::get_if<dev::InfiniteFrom>(&at->how);
        infinite != nullptr && !a.value(own.zero) && leading_exponent(a, plan, own) >= infinite->exponent) {
      const FormatInfo& f = node.result;
      if constexpr (std::is_same_v<decltype(on_cancelled(to)), Operand<A>>)
        return Operand<A>{own.negative, a.truth(false), a.truth(true), a.integer(f.emax()),
                          a.word(f.precision(), 1ULL << f.fraction_bits)};
    }
    const int exponent = other_exponent(a, plan, own);
    Row<Addend<A>> others(addends.size());
    others.append(addends.size(),
                  [&](std::size_t i) { return i == at->operand ? lowered(a, own, exponent) : addends[i]; });
    To other_to = to;
    other_to.exponent =
        other_alignment(a, plan, node, addends, others.all(), to.exponent, a.integer(exponent));
    return Below::template add<Spec>(a, plan, node, others.all(), other_to, on_cancelled, on_sum);
  }

  template <class A, std::size_t N, class To, class Aligned>
  static constexpr void align(const A& a, const PlanWidths& plan, const NodeShape& node,
                              std::span<const Addend<A>, N> addends, const To& to, Aligned& aligned) {
    const dev::OfOperand* at = a.source().operand_at(node.adder);
    if (at == nullptr) return Below::align(a, plan, node, addends, to, aligned);
    const auto* fewer = std::get_if<dev::FewerBits>(&at->how);
    const auto* dropped = std::get_if<dev::DroppedBelow>(&at->how);
    const std::span<const Addend<A>> all = addends;
    const auto one = [&](std::size_t i, const To& like) {
      OneWord<typename A::Word> word;
      NodeShape alone = node;
      if (alone.kinds != nullptr) alone.kinds += i;
      Below::align(a, plan, alone, all.subspan(i, 1), like, word);
      return word.value;
    };
    aligned.append(all.size(), [&](std::size_t i) {
      if (i != at->operand) return one(i, to);
      if (dropped != nullptr && a.value(all[i].exponent) < a.value(to.exponent) - dropped->exponents)
        return a.word(1, 0);
      const int bits = fewer != nullptr ? fewer->bits : 0;
      To less = to;
      less.shape.kept -= bits;
      if (less.by_kind)
        for (auto* own : {&less.by_kind->product, &less.by_kind->carried, &less.by_kind->c})
          if (*own) *own = std::max(0, **own - bits);
      a.source().activate(true);
      auto word = a.shift_left(one(i, less), bits);
      a.source().activate(false);
      return word;
    });
  }

  template <class A, class Sum>
  static constexpr Rounded<A> rounded(const A& a, const FormatInfo& d, int adder, const Sum& sum) {
    auto& source = a.source();
    source.activate(false);
    if (source.deviates_for(dev::Sums::negative)) source.activate(a.value(sum.negative));
    if (source.deviates_for(dev::Sums::carried_over)) {
      const bool beyond = a.value(policy::overflows(a, d, Below::rounded(a, d, adder, sum)));
      source.truncate(true);
      const bool was_beyond = a.value(policy::overflows(a, d, Below::rounded(a, d, adder, sum)));
      source.truncate(false);
      source.activate(beyond && !was_beyond);
    }
    return Below::rounded(a, d, adder, sum);
  }

  /// E with an operand of another exponent. Where zeros decide E, they go on to.
  template <class A>
  static typename A::Int other_alignment(const A& a, const PlanWidths& plan, const NodeShape& node,
                                         std::span<const Addend<A>> before,
                                         std::span<const Addend<A>> addends, const typename A::Int& e,
                                         const typename A::Int& exponent) {
    const auto largest_of = [&](std::span<const Addend<A>> all) {
      auto largest = policy::lowest_exponent(a, plan);
      for (const Addend<A>& x : all) largest = a.maximum(largest, x.exponent);
      return largest;
    };
    const auto clamped = [&](const typename A::Int& largest) {
      return a.template select_exponent<Parameter::minimum_alignment_exponent>(
          node.adder, [&](const typename A::Int& clamp) { return a.maximum(largest, clamp); });
    };
    if (a.value(e) > a.value(clamped(largest_of(before)))) return a.maximum(e, exponent);
    const auto largest = a.maximum(exponent, largest_of(addends));
    const bool is_largest = a.value(exponent) == a.value(largest);
    const auto* own = a.source().template of_operand<dev::ClampedAt>();
    if (own == nullptr || !is_largest) return clamped(largest);
    return own->exponent ? a.maximum(largest, a.integer(*own->exponent)) : largest;
  }
};
using KeepingAllBits =
    Deviating<FittingWords<LeadingBits<RelativeAccumulator<EarlyExits<IntegerSums<PlainLowering>>>>>>;
/// Where all sums of a class have another value of a parameter, all layers may know it.
using OfAllSums = Deviating<Lowered>;

/// A factor is subnormal as it comes in, whatever it is converted to.
template <class Operands>
FactorFacts facts(const Operands& in, const UnitModel& model, const DotInput& input, std::size_t k) {
  const auto is_subnormal = [](Format f, Pattern p) { return classify(info(f), p) == ValueClass::subnormal; };
  return {in.a(k).exponent.value + in.b(k).exponent.value, is_subnormal(model.formats.a, input.a[k]),
          is_subnormal(model.formats.b, input.b[k])};
}

template <class W, class L>
Pattern run(const UnitModel& model, const Deviation& deviation, const Plan& plan,
            std::optional<std::size_t> product, const DotInput& input) {
  using Words = Concrete<W, DeviatingParameters>;
  DeviatingParameters source(model, deviation);
  const Words algebra(source);
  const auto words = [](const std::vector<Pattern>& patterns) {
    std::vector<typename Words::Word> all;
    all.reserve(patterns.size());
    for (const Pattern p : patterns) all.push_back({W(p)});
    return all;
  };
  const auto a = words(input.a), b = words(input.b);
  const typename Words::Word c{W(input.c)};
  const PatternOperands<Words, L> in(algebra, plan, a, b, c);
  if (product) source.know(facts(in, model, input, *product));
  using Patterns = std::span<const Pattern>;
  const auto result =
      with_scales(algebra, plan, in, Patterns(input.sa), Patterns(input.sb),
                  [&](const auto& operands) { return Specification<L>::dot(algebra, plan, operands); });
  if (result.nan.value) {
    if (const auto* rule = std::get_if<NanRule>(&model.nan))
      return nan_by_rule(model, plan, *rule, input.a, input.b, input.c);
    return constant_nan(model.nan).value_or(canonical_nan(model.formats.d));
  }
  return static_cast<Pattern>(result.pattern.value);
}

template <class L>
Pattern run(const UnitModel& model, const Deviation& deviation, const Plan& plan,
            std::optional<std::size_t> product, const DotInput& input) {
  return plan.addend_width() > 64 ? run<Word128, L>(model, deviation, plan, product, input)
                                  : run<std::uint64_t, L>(model, deviation, plan, product, input);
}

/// The operand's index, where it is a product.
std::optional<std::size_t> product_of(const UnitModel& model, const Deviation& deviation) {
  const auto* at = std::get_if<dev::OfOperand>(&deviation.what);
  if (at == nullptr) return std::nullopt;
  for (const Node& node : model.tree.nodes)
    if (node.adder == deviation.of_class)
      if (const auto* leaf = std::get_if<ProductLeaf>(&node.operands[at->operand]))
        return static_cast<std::size_t>(leaf->index);
  return std::nullopt;
}

}  // namespace

DeviatingEvaluator::DeviatingEvaluator(UnitModel model, const Deviation& deviation)
    : model_(std::move(model)),
      deviation_(deviation),
      plan_(model_.formats, model_.k, skeleton_of(model_)),
      product_(product_of(model_, deviation_)) {}

Pattern DeviatingEvaluator::operator()(const DotInput& input) const {
  const auto* sums = std::get_if<dev::OfSums>(&deviation_.what);
  return sums != nullptr && sums->which == dev::Sums::all
             ? run<OfAllSums>(model_, deviation_, plan_, product_, input)
             : run<KeepingAllBits>(model_, deviation_, plan_, product_, input);
}

}  // namespace mmaprint
