// The datapath that everything runs: the specification with all layers. Instances are the algebras (concrete
// words, evaluation by need, formulas).
#pragma once

#include <span>
#include <type_traits>
#include <utility>

#include "model/lowering/accumulator.h"
#include "model/lowering/early_exits.h"
#include "model/lowering/exact_rounding.h"
#include "model/lowering/integer_sums.h"
#include "model/lowering/keys.h"
#include "model/lowering/leading_bits.h"
#include "model/lowering/raised_exponent.h"
#include "model/lowering/words.h"
#include "model/plain_lowering.h"

namespace mmaprint {

/// Every layer, from what is above to what is below; ARCHITECTURE.md lists their claims.
using Lowered = ExactRounding<RaisedExponent<FractionBitsByNeed<
    FittingWords<LeadingBits<RelativeAccumulator<EarlyExits<IntegerSums<PlainLowering>>>>>>>>;
using Datapath = Specification<Lowered>;

/// The operands of one input, read from their patterns where the datapath asks for them. `Patterns` has them
/// by index: as words of the algebra or, where these are machine words, as they are.
template <class A, class L = Lowered, class Patterns = std::span<const typename A::Word>>
class PatternOperands {
 public:
  using OnePattern = std::remove_cvref_t<decltype(std::declval<const Patterns&>()[0])>;

  constexpr PatternOperands(const A& algebra, const PlanWidths& plan, Patterns a, Patterns b, OnePattern c)
      : algebra_(&algebra), plan_(&plan), a_(a), b_(b), c_(std::move(c)) {}

  [[nodiscard]] constexpr Operand<A> a(std::size_t k) const {
    return read<Parameter::input_subnormals>(plan_->from_a, plan_->a, a_[k]);
  }
  [[nodiscard]] constexpr Operand<A> b(std::size_t k) const {
    return read<Parameter::input_subnormals>(plan_->from_b, plan_->b, b_[k]);
  }
  [[nodiscard]] constexpr Operand<A> c() const {
    return read<Parameter::c_subnormals>(plan_->from_c, plan_->c, c_);
  }
  [[nodiscard]] constexpr const OnePattern& pattern_a(std::size_t k) const { return a_[k]; }
  [[nodiscard]] constexpr const OnePattern& pattern_b(std::size_t k) const { return b_[k]; }
  [[nodiscard]] constexpr const OnePattern& pattern_c() const { return c_; }

 private:
  template <Parameter P>
  [[nodiscard]] constexpr Operand<A> read(const Container& from, const FormatInfo& f,
                                          const OnePattern& pattern) const {
    if constexpr (std::is_same_v<OnePattern, typename A::Word>)
      return Specification<L>::template read_operand<P>(*algebra_, from, f, pattern);
    else
      return Specification<L>::template read_operand<P>(*algebra_, from, f,
                                                        typename A::Word{decltype(A::Word::value)(pattern)});
  }

  const A* algebra_;
  const PlanWidths* plan_;
  Patterns a_, b_;
  OnePattern c_;
};
/// Of machine words.
template <class A>
using MachineOperands = PatternOperands<A, Lowered, const Pattern*>;

/// The same of an input with scales. `Base` has the operands, `Patterns` the scales of blocks; where there
/// are none, all scales of that role are ones.
template <class A, class Base, class Patterns>
class ScaledOperands : public Base {
 public:
  constexpr ScaledOperands(const Base& operands, const A& algebra, const PlanWidths& plan, Patterns sa,
                           Patterns sb)
      : Base(operands), of_(&algebra), scales_(plan.scales), sa_(sa), sb_(sb) {}

  [[nodiscard]] constexpr Scale<A> scales(std::size_t k) const {
    auto scale = ScaleSteps::no_scale(*of_);
    multiply_by(scales_.a, sa_, k, scale);
    multiply_by(scales_.b, sb_, k, scale);
    return scale;
  }

 private:
  constexpr void multiply_by(const std::optional<PlannedScales>& role, const Patterns& patterns,
                             std::size_t k, Scale<A>& scale) const {
    if (!role) return;
    if (patterns.empty()) {
      const auto one = of_->word(role->format.container_bits, one_of_scales(role->format.id));
      return ScaleSteps::multiply_by(*of_, role->format, one, scale);
    }
    const auto& pattern = patterns[k / static_cast<std::size_t>(role->per)];
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(pattern)>, typename A::Word>)
      ScaleSteps::multiply_by(*of_, role->format, pattern, scale);
    else
      ScaleSteps::multiply_by(*of_, role->format, typename A::Word{decltype(A::Word::value)(pattern)}, scale);
  }

  const A* of_;
  ScaleWidths scales_;
  Patterns sa_, sb_;
};

/// Gives look(operands), with scales where the plan has some.
template <class A, class Base, class Patterns, class Look>
constexpr auto with_scales(const A& a, const PlanWidths& plan, const Base& operands, Patterns sa, Patterns sb,
                           Look&& look) {
  return plan.scales.any() ? look(ScaledOperands<A, Base, Patterns>(operands, a, plan, sa, sb))
                           : look(operands);
}

/// Evaluates a plan on bit patterns a[0..K), b[0..K) and c, given as words of the algebra.
template <class A, class L = Lowered>
DotResult<A> dot(const A& a, const Plan& plan, std::span<const typename A::Word> pa,
                 std::span<const typename A::Word> pb, const typename A::Word& pc) {
  return Specification<L>::dot(a, plan, PatternOperands<A, L>(a, plan, pa, pb, pc));
}

}  // namespace mmaprint
