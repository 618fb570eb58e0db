// The datapath that everything runs: the specification with all layers. Instances are the algebras (concrete
// words, evaluation by need, formulas).
#pragma once

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

/// The operands of one input, decoded from their patterns where the datapath asks for them.
template <class A, class L = Lowered>
class PatternOperands {
 public:
  PatternOperands(const A& algebra, const PlanWidths& plan, std::span<const typename A::Word> a,
                  std::span<const typename A::Word> b, typename A::Word c)
      : algebra_(&algebra), plan_(&plan), a_(a), b_(b), c_(std::move(c)) {}

  [[nodiscard]] Operand<A> a(std::size_t k) const {
    return Specification<L>::template read_operand<Parameter::input_subnormals>(*algebra_, plan_->from_a,
                                                                                plan_->a, a_[k]);
  }
  [[nodiscard]] Operand<A> b(std::size_t k) const {
    return Specification<L>::template read_operand<Parameter::input_subnormals>(*algebra_, plan_->from_b,
                                                                                plan_->b, b_[k]);
  }
  [[nodiscard]] Operand<A> c() const {
    return Specification<L>::template read_operand<Parameter::c_subnormals>(*algebra_, plan_->from_c,
                                                                            plan_->c, c_);
  }

 private:
  const A* algebra_;
  const PlanWidths* plan_;
  std::span<const typename A::Word> a_, b_;
  typename A::Word c_;
};

/// Evaluates a plan on bit patterns a[0..K), b[0..K) and c, given as words of the algebra.
template <class A, class L = Lowered>
DotResult<A> dot(const A& a, const Plan& plan, std::span<const typename A::Word> pa,
                 std::span<const typename A::Word> pb, const typename A::Word& pc) {
  return Specification<L>::dot(a, plan, PatternOperands<A, L>(a, plan, pa, pb, pc));
}

}  // namespace mmaprint
