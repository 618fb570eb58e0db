#include "solver/exact_rounding.h"

#include <algorithm>
#include <map>

#include "solver/exponent_pairs.h"
#include "solver/node_rounding.h"

namespace mmaprint {
namespace {

template <class Enum>
bool is_only(const ValueSet& set, Enum value) {
  return set == ValueSet::single(static_cast<int>(value));
}

/// A node of one operand or two, aligned with F bits.
class FewOperands {
 public:
  FewOperands(const PlannedNode& node, const Box& box, const NodeBounds& bounds, int f,
              AlignmentRounding mode)
      : node_(node),
        box_(box),
        bounds_(bounds),
        results_(node, box, bounds),
        f_(f),
        mode_(mode),
        most_bits_(results_.most_bits()) {}

  [[nodiscard]] int fraction_bits() const { return f_; }
  [[nodiscard]] AlignmentRounding rounding() const { return mode_; }

  /// Where an operand's exponent is E.
  [[nodiscard]] bool round_as_exact() const {
    const auto& all = bounds_.each;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (f_ < all[i].fraction_bits || (f_ == all[i].fraction_bits && !is_whole_and_rounded_down(all[i])))
        return false;
      if (all.size() == 1 ? kept(all[i]) <= all[i].fraction_bits : !is_harmless(all[i], all[1 - i]))
        return false;
    }
    return true;
  }

  /// Where a clamp is E: a sticky bit may stand for what one operand loses. A sum that is rounded down to
  /// zero would have another sign.
  [[nodiscard]] bool round_as_exact_with(int clamp) const {
    int losing = 0;
    bool others_are_even = true;
    for (const OperandAlone& x : bounds_.each) {
      if (x.lowest_e >= clamp) continue;  // a zero, where the clamp decides
      const int unit = clamp - (is_normalised_alike() ? f_ : kept(x));
      if (x.lowest_bit < unit)
        ++losing;
      else
        others_are_even = others_are_even && x.lowest_bit > unit;
    }
    return losing == 0 ||
           (losing == 1 && others_are_even && is_sticky() &&
            node_.result.emin() - most_bits_ - results_.finer_below_normal() - places_below() > clamp - f_) ||
           is_beside_no_tie(clamp);
  }

  /// Does any sum round alike before and after it is normalised? A sticky bit lies below what rounding
  /// decides by then.
  [[nodiscard]] bool is_normalised_alike() const {
    return is_only(set(Parameter::normalisation), Normalisation::late) ||
           (is_sticky() && results_.keeps_with_sticky(f_));
  }
  /// Is a sum that is normalised rounded as it is in the end, where no places are finer?
  [[nodiscard]] bool are_rounded_in_one_direction() const {
    if (f_ < most_bits_) return false;
    return (mode_ == AlignmentRounding::truncate && results_.is_only(Rounding::toward_zero)) ||
           (is_rounded_down() && is_flushed_alike());
  }
  /// Is nothing of a sum of two cut off that has grown past E? What is below 2^(E+1) and has the exponent E
  /// grows past it by no less than its own last place: an operand of so few bits is kept whole then.
  [[nodiscard]] bool keep_all_that_grow() const {
    const auto& all = bounds_.each;
    return std::ranges::all_of(all, [&](const OperandAlone& x) {
      return x.leading_above_e <= 0 && std::ranges::all_of(all, [&](const OperandAlone& y) {
               return &x == &y || f_ > x.fraction_bits + y.below_leading;
             });
    });
  }
  /// Is nothing of an operand cut off as a partial sum that has grown past E, as it may be beside a zero?
  [[nodiscard]] bool is_whole_alone(const OperandAlone& x) const {
    return f_ > x.fraction_bits + x.leading_above_e;
  }

 private:
  /// Where a clamp is E, and results may be what one operand is, does the other one, a product, leave
  /// rounding to nearest what it is, whatever is lost of it? Where no such product is on a half of results'
  /// finest places, or so near to one that what is left of it may be.
  [[nodiscard]] bool is_beside_no_tie(int clamp) const {
    const auto& all = bounds_.each;
    const auto y =
        std::ranges::find_if(all, [](const OperandAlone& one) { return one.factors() != nullptr; });
    if (all.size() != 2 || y == all.end() || !results_.is_to_nearest()) return false;
    const OperandAlone& x = all[y == all.begin() ? 1 : 0];
    const int unit = clamp - f_, half = node_.result.emin() - most_bits_ - 1 - results_.finer_below_normal();
    const bool x_may_be_result = x.factors() == nullptr && x.lowest_bit > half && x.leading_above_e == 0 &&
                                 set(Parameter::output_fraction_bits).is_single() &&
                                 most_bits_ == node_.result.fraction_bits;
    // So a product that loses anything lies below the clamp, and the sum is below twice that.
    const bool none_is_large = f_ > y->fraction_bits + y->leading_above_e;
    // Where y becomes zero, a sum just below the smallest normal number is that number.
    const bool something_is_left = is_sticky() || y->smallest >= unit;
    const bool sign_is_kept =
        something_is_left || (mode_ == AlignmentRounding::floor && !results_.may_flush(FlushTest::before));
    if (!x_may_be_result || !none_is_large || !sign_is_kept || unit > half) return false;
    return !may_become_multiple(*y, unit, half);
  }

  /// May a product of which bits below 2^unit are lost become a multiple of 2^boundary that is not zero, or
  /// be made one? By what is lost of it below one where it is rounded up, above one where it is rounded down.
  /// A sticky bit makes none.
  [[nodiscard]] bool may_become_multiple(const OperandAlone& product, int unit, int boundary) const {
    const bool up = !is_sticky() && mode_ != AlignmentRounding::truncate, down = !is_sticky();
    for (int place = product.lowest_bit; place < unit; ++place) {
      const auto lies = [&](Beside side) {
        return may_lie_beside(side, *product.factors(), unit - place, boundary - place);
      };
      if ((unit == boundary || up) && lies(Beside::below)) return true;
      if ((unit == boundary || down) && lies(Beside::above)) return true;
    }
    return false;
  }

  [[nodiscard]] const ValueSet& set(Parameter p) const { return values_at(node_, box_, p); }
  [[nodiscard]] bool is_sticky() const { return mode_ == AlignmentRounding::sticky; }
  /// Of F bits below x's exponent so many are kept in any sum, which may be normalised.
  [[nodiscard]] int kept(const OperandAlone& x) const {
    return is_only(set(Parameter::normalisation), Normalisation::late) ? f_ : f_ - x.leading_above_e - 1;
  }
  /// So many of y are, as far as that matters: sums may round alike before and after, or be no finite numbers
  /// of the result's format where y loses bits that it had after alignment, or stay below 2^(E+1) there, as
  /// such a y is less than what x lacks to that.
  [[nodiscard]] int kept_beside(const OperandAlone& x, const OperandAlone& y) const {
    const bool all_finite = node_.result.emax() - f_ <= y.lowest_bit;
    const bool never_grows = x.leading_above_e <= 0 && f_ > y.below_leading + x.fraction_bits;
    return is_whole_alone(x) && is_whole_alone(y) && (is_normalised_alike() || all_finite || never_grows)
               ? f_
               : kept(x);
  }

  /// May y lose bits beside x, whose exponent is E, and the sum rounds as if it had not?
  [[nodiscard]] bool is_harmless(const OperandAlone& x, const OperandAlone& y) const {
    const int bits = kept_beside(x, y);
    int lowest_e = y.lowest_bit + bits + 1;  // E where y loses anything
    if (is_sticky() && bits > x.fraction_bits) lowest_e = std::max(lowest_e, first_e_of_finer_places(bits));
    const int of_y = y.below_leading;
    const int highest_e = std::min(x.highest_e, first_e_of_overflow(x, bits, of_y) - 1);
    if (lowest_e > highest_e && bits > x.fraction_bits) return true;
    // A subnormal x may be anything below 2^E: where results have no places finer than those of E it may.
    const bool may_be_subnormal = x.subnormal_e && lowest_e <= *x.subnormal_e;
    if (may_be_subnormal && *x.subnormal_e > node_.result.emin()) return false;
    const int below_e = x.least_below(lowest_e);
    const int most_bits = most_bits_ + (may_be_subnormal ? results_.finer_below_normal() : 0);
    if (is_rounded_down_twice(x, y, lowest_e)) return true;
    // So y moves the leading bit by a place at most.
    if (f_ < below_e + of_y + 1) return false;
    if (is_sticky() && f_ >= below_e + most_bits + places_below() + 2) return true;
    if (bits <= x.fraction_bits) return false;
    const int decided_by = below_e + most_bits + std::max(0, places_below()) + 1;
    const bool sign_is_kept = is_sticky() || y.smallest >= highest_e - bits;
    if (sign_is_kept && bits > of_y + std::max(x.fraction_bits, decided_by)) return true;
    const int fewest = results_.fewest_bits();
    const bool may_be_result = x.fraction_bits + x.leading_above_e <= fewest &&
                               lowest_e - x.fraction_bits >= node_.result.emin() - fewest;
    return may_be_result && results_.is_to_nearest() && is_flushed_alike() && bits >= of_y + decided_by;
  }

  /// Are what is lost and sums rounded in one direction?
  [[nodiscard]] bool is_rounded_down() const {
    return mode_ == AlignmentRounding::floor && results_.is_only(Rounding::down);
  }
  /// With as many bits as x has nothing of it is lost, unless it is cut off as a partial sum that has grown
  /// past E: which it is beside a zero. Other roundings ask for more.
  [[nodiscard]] bool is_whole_and_rounded_down(const OperandAlone& x) const {
    return is_rounded_down() &&
           (x.leading_above_e <= 0 || is_only(set(Parameter::normalisation), Normalisation::late));
  }
  /// Is what y loses beside x, from that E on, rounded down as the sum is, whose places are no finer?
  [[nodiscard]] bool is_rounded_down_twice(const OperandAlone& x, const OperandAlone& y, int lowest_e) const {
    if (!is_rounded_down() || !is_flushed_alike()) return false;
    // Beside a subnormal x, results have the places of the smallest numbers at least, whatever is left of it.
    const bool may_be_subnormal = x.subnormal_e && lowest_e <= *x.subnormal_e;
    const int of_y = y.below_leading;
    if (may_be_subnormal && f_ <= of_y + x.fraction_bits && !never_cancels(x, y)) return false;
    const int below_e = x.least_below(may_be_subnormal ? *x.subnormal_e + 1 : lowest_e);
    if (f_ >= below_e + std::max(of_y, most_bits_) + 1) return true;
    // A product of n and m bits that is just below 2^E leaves 2^(E-n) and 2^(E-m) of it at least.
    return y.factors() != nullptr && f_ >= below_e + of_y &&
           f_ >= below_e + most_bits_ + std::min(y.factors()->x, y.factors()->y);
  }

  /// Does no product that loses anything beside a subnormal x become what x is but for its sign?
  [[nodiscard]] bool never_cancels(const OperandAlone& x, const OperandAlone& y) const {
    const int unit = *x.subnormal_e - f_;
    return y.factors() != nullptr && unit <= x.lowest_bit && !may_become_multiple(y, unit, x.lowest_bit);
  }

  /// Up to the E before it a sticky bit lies below all that results of the smallest numbers' places are
  /// rounded by, whatever is left of a sum.
  [[nodiscard]] int first_e_of_finer_places(int bits) const {
    return node_.result.emin() - most_bits_ - results_.finer_below_normal() - places_below() + bits;
  }
  /// From that E on, if it is not beyond x's, no sum is a finite number of the result's format, nor what it
  /// is made: y, which loses bits, is below 2^(E-bits+of_y), and what it is made below twice that.
  [[nodiscard]] int first_e_of_overflow(const OperandAlone& x, int bits, int of_y) const {
    const auto from = [&](int e) {
      const int first = e + x.least_below(e);
      return x.subnormal_e ? std::max(first, *x.subnormal_e + 1) : first;  // there it may be anything below
    };
    const auto is_small = [&](int e, int places) { return bits >= of_y + x.least_below(e) + places; };
    const int emax = node_.result.emax();
    // To nearest, what is just below 2^(emax+1) is rounded to that.
    if (results_.is_to_nearest() && is_small(emax + 1, most_bits_ + 4)) return from(emax + 1);
    return is_small(emax + 2, 2) ? from(emax + 2) : x.highest_e + 1;
  }

  /// Halves of the last place decide where rounding is to nearest. A sum that is odd in the last place is
  /// what an inexact one is rounded to odd.
  [[nodiscard]] int places_below() const {
    if (results_.has_ties()) return 1;
    return results_.is_only(Rounding::odd) ? -1 : 0;
  }
  /// Is what is flushed not decided by a sum that was not yet rounded to the result?
  [[nodiscard]] bool is_flushed_alike() const {
    return !results_.may_flush(FlushTest::before) && !results_.may_flush(FlushTest::after_unbounded);
  }

  const PlannedNode& node_;
  const Box& box_;
  const NodeBounds& bounds_;
  NodeRounding results_;
  int f_;
  AlignmentRounding mode_;
  int most_bits_;  ///< of results
};

}  // namespace

bool may_lose(const PlannedNode& node, const Box& box, const NodeBounds& bounds, std::optional<int> f) {
  const bool is_late = is_only(values_at(node, box, Parameter::normalisation), Normalisation::late);
  const int above_e = is_late ? 0 : std::max(0, bounds.sum.leading_above_e);
  return f && bounds.operands.bits_below_e + above_e > *f;
}

namespace {

/// Whichever clamps there are, by pairs of exponents.
class ByPairs {
 public:
  ByPairs(const PlannedNode& node, const Box& box, const NodeBounds& bounds, const ValueSet& clamps)
      : node_(node), box_(box), bounds_(bounds), are_few_(has_few_exponent_pairs(bounds)) {
    for (const int clamp : clamps.values())
      highest_clamp_ = std::max(highest_clamp_, ClampDomain::value(clamp));
  }
  /// What holds for some F holds for larger ones.
  bool operator()(int f, AlignmentRounding mode) {
    std::optional<int>& fewest = fewest_[mode];
    if (are_few_ && (!fewest || f < *fewest) &&
        pairs_round_as_exact(node_, box_, bounds_, {f, mode, highest_clamp_}, products_))
      fewest = f;
    return fewest && f >= *fewest;
  }

 private:
  const PlannedNode& node_;
  const Box& box_;
  const NodeBounds& bounds_;
  bool are_few_;
  std::optional<int> highest_clamp_;
  ProductsBeside products_;
  std::map<AlignmentRounding, std::optional<int>> fewest_;  ///< F, with which that holds
};

/// Whatever F bits that may lose anything there are, and however it is rounded.
bool is_always(const PlannedNode& node, const Box& box, const NodeBounds& bounds,
               const AlignmentValues& alignment, auto&& holds) {
  return std::ranges::all_of(alignment.fraction_bits.values(), [&](int index) {
    const auto f = AlignmentBitsDomain::value(index);
    return !may_lose(node, box, bounds, f) ||
           std::ranges::all_of(alignment.roundings.values(), [&](int rounding) {
             return holds(FewOperands(node, box, bounds, *f, static_cast<AlignmentRounding>(rounding)));
           });
  });
}

}  // namespace

bool is_normalised_alike(const PlannedNode& node, const Box& box, const NodeBounds& bounds,
                         const AlignmentValues& alignment) {
  return is_always(node, box, bounds, alignment,
                   [](const FewOperands& operands) { return operands.is_normalised_alike(); });
}

bool pairs_are_normalised_alike(const PlannedNode& node, const Box& box, const NodeBounds& bounds,
                                const AlignmentValues& alignment) {
  return bounds.each.size() <= 2 && is_always(node, box, bounds, alignment, [&](const FewOperands& operands) {
           // The first partial sum is that of two operands.
           return (operands.is_normalised_alike() || operands.keep_all_that_grow() ||
                   operands.are_rounded_in_one_direction()) &&
                  (node.operands <= 2 || std::ranges::all_of(bounds.each, [&](const OperandAlone& x) {
                     return operands.is_whole_alone(x);
                   }));
         });
}

bool rounds_as_exact(const PlannedNode& node, const Box& box, const NodeBounds& bounds,
                     const AlignmentValues& alignment) {
  ByPairs by_pairs(node, box, bounds, alignment.clamps);
  return is_always(node, box, bounds, alignment, [&](const FewOperands& operands) {
    const bool is_known = bounds.each.size() <= 2 && operands.round_as_exact() &&
                          std::ranges::all_of(alignment.clamps.values(), [&](int c) {
                            const auto clamp = ClampDomain::value(c);
                            return !clamp || operands.round_as_exact_with(*clamp);
                          });
    return is_known || by_pairs(operands.fraction_bits(), operands.rounding());
  });
}

}  // namespace mmaprint
