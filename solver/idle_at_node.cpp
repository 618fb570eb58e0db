#include "solver/idle_at_node.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "model/policies.h"
#include "solver/below_clamp.h"
#include "solver/dropped_c.h"
#include "solver/exact_rounding.h"
#include "solver/flushed_results.h"
#include "solver/joins.h"
#include "solver/next_node.h"
#include "solver/operand_ranges.h"
#include "solver/overflow_alike.h"
#include "solver/rounded_to_odd.h"

namespace mmaprint {
namespace {

/// One node of a set's hypotheses.
class AtNode {
 public:
  explicit AtNode(const NodeOfSet& x)
      : plan_(x.plan), node_(x.plan.nodes[x.n]), box_(x.box), bounds_(x.bounds), sign_(x.sign) {}

  /// Has a value of this parameter no effect here?
  [[nodiscard]] bool is_idle(Parameter parameter, int value) const {
    if (parameter == Parameter::output_fraction_bits && is_rounded_to_odd_first(plan_, node_, box_, value))
      return true;
    if (is_left_to_next_node(parameter, value)) return true;
    if (!bounds_.is_plain) return is_idle_however_aligned(parameter, value);
    switch (parameter) {
      case Parameter::product:
        return node_.products == 0 || (!wraps() && !loses()) || is_exact_above_clamps();
      case Parameter::minimum_alignment_exponent:
        return is_idle_clamp(ClampDomain::value(value)) || rounds_as_exact(parameter, value);
      case Parameter::alignment_fraction_bits:
        return !loses_with(AlignmentBitsDomain::value(value)) || rounds_as_exact(parameter, value);
      case Parameter::alignment_rounding:
        return !loses() || rounds_as_exact(parameter, value);
      case Parameter::normalisation:
        // Wrapping partial sums comes to the same as wrapping the sum, if they lose nothing; and they do not
        // where they are wrapped below 2^(E+1).
        return !loses() || CarryDomain::value(set(Parameter::extra_carry_bits).last()) == 0 ||
               is_exact_however_clamped() ||
               (!wraps() && (pairs_are_normalised_alike(node_, box_, bounds_, alignment()) ||
                             mmaprint::rounds_as_exact(node_, box_, bounds_, alignment())));
      case Parameter::extra_carry_bits:
        return !wraps_with(CarryDomain::value(value));
      case Parameter::block_rounding:
        return is_idle_rounding(static_cast<Rounding>(value));
      case Parameter::output_fraction_bits:
        return !may_become_largest(node_, box_, bounds_) && is_exact_with(value);
      case Parameter::overflow:
        return !bounds_.overflows || overflows_alike(plan_, node_, box_).contains(value);
      case Parameter::output_subnormals:
        return !bounds_.is_subnormal || are_small_results_negligible();
      case Parameter::flush_test:
        return !may_flush() || are_small_results_negligible() ||
               flushed().is_idle(static_cast<FlushTest>(value));
      case Parameter::zero_flushed:
        return !may_flush() || !sign_.shows;
      case Parameter::zero_rounded:
        return !vanishes_negative() || !sign_.shows;
      case Parameter::zero_cancelled:
        return !has(Parameter::block_rounding, Rounding::down) || !sign_.shows;
      case Parameter::zero_all_zero:
        return !sign_.is_of_zeros || !sign_.shows;
      default:
        return false;
    }
  }

  /// The same of a node that is not plain: what E is and how large sums are is known of it, and whether
  /// anything is lost at all. What is carried on is not rounded, and what is scaled is not aligned, either.
  [[nodiscard]] bool is_idle_however_aligned(Parameter parameter, int value) const {
    if (node_.is_scaled)
      return parameter == Parameter::zero_all_zero ? !sign_.shows : parameter != Parameter::input_subnormals;
    switch (parameter) {
      case Parameter::zero_addends: {
        const int e = highest_exponent_of_zeros(plan_, ZeroAddendsDomain::value(value));
        return is_clamped_above(e, node_, box_) || is_idle_clamp_however_aligned(e);
      }
      case Parameter::minimum_alignment_exponent: {
        const auto clamp = ClampDomain::value(value);
        return !clamp || is_never_below(*clamp, node_, box_, bounds_) ||
               is_idle_clamp_however_aligned(*clamp);
      }
      case Parameter::alignment_fraction_bits:
        return keeps_all_with(AlignmentBitsDomain::value(value)) ||
               joins_as_exact(ValueSet::single(value), set(Parameter::alignment_rounding));
      case Parameter::alignment_rounding:
        // Of c, too, where it has no rounding of its own.
        return keeps_all_of_each_kind() ||
               (!set(Parameter::c_alignment_rounding)
                     .contains(static_cast<int>(OwnAlignmentRounding::as_others)) &&
                joins_as_exact(set(Parameter::alignment_fraction_bits), ValueSet::single(value)));
      case Parameter::c_fraction_bits:
      case Parameter::carried_fraction_bits:
        return is_late() && (!adds(kind_of(parameter)) || is_as_others(OwnBitsDomain::value(value)));
      case Parameter::c_alignment_rounding:
      case Parameter::carried_alignment_rounding:
        return is_late() &&
               (!adds(kind_of(parameter)) || is_as_others(static_cast<OwnAlignmentRounding>(value)));
      case Parameter::c_dropped_below: {
        const auto t = OwnBitsDomain::value(value);
        return !t || drops_in_vain(plan_, node_, box_, bounds_, *t);
      }
      case Parameter::extra_carry_bits:
        return !wraps_with(CarryDomain::value(value));
      case Parameter::block_rounding:
        return node_.is_carried ||
               (all_sums_fit(node_, bounds_, set(Parameter::output_fraction_bits).first()) &&
                is_idle_rounding_of_exact(static_cast<Rounding>(value)));
      case Parameter::output_fraction_bits:
        return node_.is_carried ||
               (!may_become_largest(node_, box_, bounds_) && all_sums_fit(node_, bounds_, value));
      case Parameter::overflow:
        return !bounds_.overflows || overflows_alike(plan_, node_, box_).contains(value);
      case Parameter::output_subnormals:
        return !bounds_.is_subnormal;
      case Parameter::flush_test:
      case Parameter::zero_flushed:
        return !may_flush() || (parameter == Parameter::zero_flushed && !sign_.shows);
      case Parameter::zero_rounded:
        return !vanishes_negative() || !sign_.shows;
      case Parameter::zero_cancelled:
        return node_.is_carried || !has(Parameter::block_rounding, Rounding::down) || !sign_.shows;
      case Parameter::zero_all_zero:
        return !sign_.is_of_zeros || !sign_.shows;
      default:
        return false;
    }
  }
  [[nodiscard]] bool is_late() const { return is_only(Parameter::normalisation, Normalisation::late); }
  /// With so many bits F of all operands.
  [[nodiscard]] bool keeps_all_with(std::optional<int> f) const { return is_late() && !loses_with(f); }
  [[nodiscard]] bool keeps_all_of_each_kind() const {
    return is_late() && std::ranges::all_of(bounds_.each, [&](const OperandAlone& x) {
             const auto f = fewest_alignment_bits(node_, box_, x.kind);
             return !f || bounds_.operands.highest_e - *f <= x.lowest_bit || !loses_with(f);
           });
  }
  [[nodiscard]] bool adds(OperandKind kind) const {
    return std::ranges::find(bounds_.each, kind, &OperandAlone::kind) != bounds_.each.end();
  }
  /// Is what one kind has of its own what the others have?
  [[nodiscard]] bool is_as_others(std::optional<int> own_bits) const {
    const ValueSet& others = set(Parameter::alignment_fraction_bits);
    return others.is_single() && (!own_bits || AlignmentBitsDomain::value(others.first()) == own_bits);
  }
  [[nodiscard]] bool is_as_others(OwnAlignmentRounding own) const {
    const ValueSet& others = set(Parameter::alignment_rounding);
    return others.is_single() &&
           policy::alignment_rounding(own, static_cast<AlignmentRounding>(others.first())) ==
               static_cast<AlignmentRounding>(others.first());
  }
  [[nodiscard]] bool joins_as_exact(const ValueSet& fraction_bits, const ValueSet& roundings) const {
    return !wraps() && std::ranges::all_of(fraction_bits.values(), [&](int f) {
      return std::ranges::all_of(roundings.values(), [&](int rounding) {
        return mmaprint::joins_as_exact(plan_, node_, box_, bounds_, AlignmentBitsDomain::value(f),
                                        static_cast<AlignmentRounding>(rounding));
      });
    });
  }
  /// Where that is E, is nothing lost of c, and a carried sum rounded down as if nothing were of it, either?
  [[nodiscard]] bool joins_beside(int clamp) const {
    const auto of_c = fewest_alignment_bits(node_, box_, OperandKind::c);
    return std::ranges::all_of(bounds_.each,
                               [&](const OperandAlone& x) {
                                 return x.kind == OperandKind::carried || !of_c ||
                                        clamp - *of_c <= x.lowest_bit;
                               }) &&
           joins_as_exact(set(Parameter::alignment_fraction_bits), set(Parameter::alignment_rounding));
  }
  /// A higher E shows in nothing but what is lost, or wraps: of a sum that is carried on where E is no less
  /// than that where it joins.
  [[nodiscard]] bool is_idle_clamp_however_aligned(int clamp) const {
    if (clamp <= bounds_.operands.lowest_e) return true;
    const auto is_kept = [&](const OperandAlone& x) {
      const auto f = fewest_alignment_bits(node_, box_, x.kind);
      return !f || clamp - *f <= x.lowest_bit;
    };
    // What is dropped is a zero by another rule.
    if (!is_late() || may_drop_below(clamp, node_, box_, bounds_)) return false;
    const OperandsBelow below(bounds_, clamp);
    if (!node_.is_carried && vanishes(below, clamp)) return true;
    if (wraps()) return false;
    if (!node_.is_carried && (is_kept_or_vanishes(below, clamp) || joins_beside(clamp))) return true;
    return (!node_.is_carried || clamp <= highest_clamp_before_join(plan_, node_, box_, bounds_)) &&
           std::ranges::all_of(below.all(), is_kept);
  }
  /// Of sums with one scale, which have one exponent: is nothing lost, or all as small as zeros?
  [[nodiscard]] bool is_kept_or_vanishes(const OperandsBelow& below, int clamp) const {
    const auto f = fewest_alignment_bits(node_, box_, OperandKind::carried);
    const auto is_scaled = [](const OperandAlone& x) { return x.kind == OperandKind::carried; };
    if (!f || !have_one_scale(plan_, node_) || !std::ranges::all_of(below.all(), is_scaled)) return false;
    const int bits = std::ranges::max(below.all(), {}, &OperandAlone::fraction_bits).fraction_bits;
    return bits > 0 && *f >= bits && vanishes(below, clamp - *f + bits);
  }

  /// Do sums round as exact ones where an operand decides what E is? Where a clamp does, a product's exponent
  /// decides nothing.
  [[nodiscard]] bool is_exact_above_clamps() const {
    return !wraps() && mmaprint::rounds_as_exact(node_, box_, bounds_, above_clamps());
  }
  /// And nothing but the last place that it leaves matters about a clamp.
  [[nodiscard]] bool is_exact_however_clamped() const {
    return is_exact_above_clamps() && is_normalised_alike(node_, box_, bounds_, above_clamps());
  }

 private:
  [[nodiscard]] const ValueSet& set(Parameter p) const { return values_at(node_, box_, p); }
  template <class Enum>
  [[nodiscard]] bool has(Parameter p, Enum value) const {
    return set(p).contains(static_cast<int>(value));
  }
  template <class Enum>
  [[nodiscard]] bool is_only(Parameter p, Enum value) const {
    return is_only_at(node_, box_, p, value);
  }

  /// Does the next node's alignment lose what this value is about?
  [[nodiscard]] bool is_left_to_next_node(Parameter parameter, int value) const {
    const auto is_rounded = [&](int mode, int bits) {
      return is_rounded_by_next(plan_, node_, box_, bounds_, small_results(), static_cast<Rounding>(mode),
                                bits);
    };
    if (parameter == Parameter::output_fraction_bits)
      return std::ranges::all_of(set(Parameter::block_rounding).values(),
                                 [&](int mode) { return is_rounded(mode, value); });
    return parameter == Parameter::block_rounding &&
           std::ranges::all_of(set(Parameter::output_fraction_bits).values(),
                               [&](int bits) { return is_rounded(value, bits); });
  }
  /// Is every zero positive that a sum of other numbers becomes?
  [[nodiscard]] bool is_positive_zero() const {
    using enum Parameter;
    return (is_only(zero_rounded, ZeroSign::positive) || !vanishes_negative()) &&
           (is_only(zero_flushed, ZeroSign::positive) || !may_flush()) &&
           (is_only(zero_cancelled, ZeroSign::positive) || !has(block_rounding, Rounding::down));
  }
  [[nodiscard]] SmallResults small_results() const {
    return is_positive_zero() ? SmallResults::never_negative_zeros : SmallResults::zeros_of_any_sign;
  }
  /// Are all results below 2^this zeros for the next node?
  [[nodiscard]] int negligible_below() const {
    return mmaprint::negligible_below(plan_, node_, box_, small_results()).value_or(kNoClamp);
  }
  [[nodiscard]] bool are_small_results_negligible() const { return node_.result.emin() < negligible_below(); }
  [[nodiscard]] FlushedResults flushed() const { return {node_, box_, bounds_, sign_.shows}; }
  [[nodiscard]] bool may_flush() const { return flushed().may_occur(); }
  /// May a sum below zero round to zero?
  [[nodiscard]] bool vanishes_negative() const {
    return bounds_.vanishes && may_round_to_negative_zero(node_, box_);
  }
  [[nodiscard]] AlignmentValues alignment() const {
    using enum Parameter;
    return {set(alignment_fraction_bits), set(alignment_rounding), set(minimum_alignment_exponent)};
  }
  [[nodiscard]] AlignmentValues above_clamps() const {
    AlignmentValues values = alignment();
    values.clamps = {};
    return values;
  }
  [[nodiscard]] bool rounds_as_exact(Parameter fixed, int value) const {
    AlignmentValues values = alignment();
    const ValueSet only = ValueSet::single(value);
    if (fixed == Parameter::alignment_fraction_bits) values.fraction_bits = only;
    if (fixed == Parameter::alignment_rounding) values.roundings = only;
    if (fixed == Parameter::minimum_alignment_exponent) values.clamps = only;
    return !wraps() && mmaprint::rounds_as_exact(node_, box_, bounds_, values);
  }
  [[nodiscard]] bool loses_with(std::optional<int> f) const { return may_lose(node_, box_, bounds_, f); }
  [[nodiscard]] bool loses() const {
    return loses_with(AlignmentBitsDomain::value(set(Parameter::alignment_fraction_bits).first()));
  }
  [[nodiscard]] bool wraps_with(std::optional<int> carry) const { return carry && bounds_.sum.wraps(*carry); }
  [[nodiscard]] bool wraps() const {
    return wraps_with(CarryDomain::value(set(Parameter::extra_carry_bits).first()));
  }

  /// As none would: it raises no E, or nothing depends on a raised one.
  [[nodiscard]] bool is_idle_clamp(std::optional<int> clamp) const {
    if (!clamp || *clamp <= bounds_.operands.lowest_e) return true;
    const auto f = AlignmentBitsDomain::value(set(Parameter::alignment_fraction_bits).first());
    const auto keeps = [&](const OperandAlone& x) { return !f || *clamp - *f <= x.lowest_bit; };
    const OperandsBelow below(bounds_, *clamp);
    return (std::ranges::all_of(below.all(), keeps) && !wraps(below)) || vanishes(below, *clamp) ||
           is_cut_by_rounding(below, *clamp);
  }
  /// May a sum of these wrap, where others may?
  [[nodiscard]] bool wraps(const OperandsBelow& operands) const {
    const auto carry = CarryDomain::value(set(Parameter::extra_carry_bits).first());
    return wraps() && operands.wrap(carry.value());
  }
  /// Are all sums of these zeros, or as good as zeros, where a clamp raises E, whatever is lost?
  [[nodiscard]] bool vanishes(const OperandsBelow& operands, int clamp) const {
    using enum Parameter;
    const int place = std::max(place_of_alike_zeros(), place_of_negligible());
    if (place == kNoClamp) return false;
    const auto f = AlignmentBitsDomain::value(set(alignment_fraction_bits).first());
    const bool rounds_up = !is_only(alignment_rounding, AlignmentRounding::truncate) &&
                           !is_only(normalisation, Normalisation::late);
    Magnitude sum = operands.largest_sum(rounds_up ? f : std::nullopt);
    const auto carry = CarryDomain::value(set(extra_carry_bits).last());
    const bool may_wrap = carry && Magnitude(2) << *carry < sum;
    if (may_wrap) sum = Magnitude(2) << *carry;
    // No sum is above the next power of two, nor does one reach it where what is lost is cut off, or leaves a
    // sticky bit: then a result that is cut off doesn't, either.
    return sum == 0 || clamp + leading_bit(2 * sum - 1) <
                           place + (!may_wrap && stay_below_powers_of_two(node_, box_) ? 1 : 0);
  }
  /// Is it one operand alone, the others being zeros, where a clamp raises E, and does the clamp cut off
  /// nothing but what rounding does, too?
  [[nodiscard]] bool is_cut_by_rounding(const OperandsBelow& operands, int clamp) const {
    using enum Parameter;
    const auto f = AlignmentBitsDomain::value(set(alignment_fraction_bits).first());
    const bool cuts_off = (is_only(alignment_rounding, AlignmentRounding::truncate) &&
                           is_only(block_rounding, Rounding::toward_zero)) ||
                          (is_only(alignment_rounding, AlignmentRounding::floor) &&
                           is_only(block_rounding, Rounding::down) && !may_flush());
    if (operands.all().size() != 1 || !f || !cuts_off || wraps(operands)) return false;
    const FormatInfo& d = node_.result;
    const int finest = d.emin() - std::min(set(output_fraction_bits).last(), d.fraction_bits);
    // Of less than a last place nothing is left, or something: then its sign is that of another zero.
    return clamp - *f <= finest &&
           (clamp - *f <= operands.all().front().smallest || is_positive_zero() || !sign_.shows);
  }
  /// A sum of half of 2^this or less becomes a zero whose sign doesn't show, or is always positive.
  [[nodiscard]] int place_of_alike_zeros() const {
    return is_positive_zero() || !sign_.shows ? place_of_least_result(node_, box_).value_or(kNoClamp)
                                              : kNoClamp;
  }
  /// A sum of half of 2^this or less becomes a result that is a zero for the next node: it may be rounded up
  /// to the smallest one.
  [[nodiscard]] int place_of_negligible() const {
    const FormatInfo& d = node_.result;
    const int coarsest = std::min(set(Parameter::output_fraction_bits).first(), d.fraction_bits);
    const int negligible = negligible_below();
    return d.emin() - coarsest < negligible ? negligible : kNoClamp;
  }
  /// Is every sum a multiple of the last place of its result with f bits?
  [[nodiscard]] bool is_exact_with(int f) const {
    const FormatInfo& d = node_.result;
    const int bits = std::min(f, d.fraction_bits);
    // What is smaller than a normal number is rounded to no more than the smallest of them.
    if (bounds_.sum.lowest_bit < d.emin() - bits && !are_small_results_negligible()) return false;
    if (bounds_.sum.below_leading <= bits) return true;
    const bool is_one = node_.operands == 1 && bounds_.each.size() == 1;
    if (is_one && bounds_.each[0].below_leading <= bits && !loses() && !wraps()) return true;
    const auto most = AlignmentBitsDomain::value(set(Parameter::alignment_fraction_bits).last());
    return most && most_above_e() + *most <= bits;
  }
  /// Sums that were wrapped are below 2^(E + this + 1), or that power of two.
  [[nodiscard]] int most_above_e() const {
    const auto carry = CarryDomain::value(set(Parameter::extra_carry_bits).last());
    return std::min(bounds_.sum.leading_above_e, carry.value_or(bounds_.sum.leading_above_e));
  }
  /// Nothing is rounded; rounding down has another sign for zeros of several operands, and of one of which
  /// nothing is left.
  [[nodiscard]] bool is_idle_rounding(Rounding mode) const {
    return (is_exact_with(set(Parameter::output_fraction_bits).first()) ||
            flushed().are_all_that_is_rounded()) &&
           (is_idle_rounding_of_exact(mode) ||
            (node_.operands == 1 && !loses() && !may_follow_direction(node_, box_, bounds_)));
  }
  [[nodiscard]] bool is_idle_rounding_of_exact(Rounding mode) const {
    using enum Parameter;
    const bool has_one_zero =
        is_only(zero_all_zero, ZeroSign::positive) && is_only(zero_cancelled, ZeroSign::positive);
    return !may_follow_direction(node_, box_, bounds_) && (mode != Rounding::down || has_one_zero);
  }

  const Plan& plan_;
  const PlannedNode& node_;
  const Box& box_;
  const NodeBounds& bounds_;
  SignOfZero sign_;
};

}  // namespace

bool is_idle_at_node(const NodeOfSet& node, Parameter parameter, int value) {
  return AtNode(node).is_idle(parameter, value);
}

bool is_exact_however_clamped(const NodeOfSet& node) { return AtNode(node).is_exact_however_clamped(); }

}  // namespace mmaprint
