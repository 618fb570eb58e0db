#include "solver/exponent_pairs.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "solver/node_rounding.h"

namespace mmaprint {
namespace {

/// An operand that is not zero, of one exponent: a multiple of 2^lsb, from low to high times that.
struct Part {
  int e;
  int lsb;
  std::uint64_t low, high;
  const OperandAlone* of;
  std::optional<FactorWidths> factors{};  ///< where it is a product of such

  [[nodiscard]] int leading(std::uint64_t significand) const {
    return static_cast<int>(std::bit_width(significand)) - 1 + lsb;
  }
};

/// Of an operand: where units of two are so far apart that 62 bits don't hold both, the finer one is far
/// below the other's last place.
constexpr int kMostBits = 30;
/// Of an operand. FP32's and BF16's products have fewer; FP64's are too many.
constexpr int kMostExponents = 4096;
constexpr int kAnyBinade = INT_MIN / 2;

/// In units of 2^lsb, no larger than its own; nullopt where 62 bits don't hold it.
std::optional<std::uint64_t> in_units_of(int lsb, std::uint64_t significand, int own_lsb) {
  const int shift = own_lsb - lsb;
  if (shift > 62 - static_cast<int>(std::bit_width(significand))) return std::nullopt;
  return significand << shift;
}

/// The binade of the largest sum of both.
int highest_binade(const Part& x, const Part& y) {
  const Part &coarse = x.lsb >= y.lsb ? x : y, &fine = x.lsb >= y.lsb ? y : x;
  if (const auto high = in_units_of(fine.lsb, coarse.high, coarse.lsb))
    return fine.leading(*high + fine.high);
  return coarse.leading(coarse.high);  // what the other adds is less than its last place
}
/// The binade of the smallest difference; kAnyBinade where they may cancel.
int lowest_binade(const Part& x, const Part& y) {
  const Part &coarse = x.lsb >= y.lsb ? x : y, &fine = x.lsb >= y.lsb ? y : x;
  const auto low = in_units_of(fine.lsb, coarse.low, coarse.lsb);
  if (!low) return coarse.leading(coarse.low) - 1;
  if (*low > fine.high) return fine.leading(*low - fine.high);
  const auto high = in_units_of(fine.lsb, coarse.high, coarse.lsb);
  return high && fine.low > *high ? fine.leading(fine.low - *high) : kAnyBinade;
}

class Pairs {
 public:
  Pairs(const PlannedNode& node, const Box& box, const NodeBounds& bounds, const PairAlignment& alignment,
        ProductsBeside& products)
      : node_(node),
        box_(box),
        bounds_(bounds),
        alignment_(alignment),
        products_(products),
        results_(node, box, bounds) {}

  [[nodiscard]] bool round_as_exact() const {
    std::vector<std::vector<Part>> all;
    for (const OperandAlone& x : bounds_.each) {
      all.push_back(parts_of(x));
      for (const Part& part : all.back())
        if (!rounds_alike(part, nullptr)) return false;
    }
    return all.size() < 2 || (round_alike(all[0], all[1]) && round_alike(all[1], all[0]));
  }

 private:
  // ---- Operands.

  [[nodiscard]] static std::vector<Part> parts_of(const OperandAlone& x) {
    std::vector<Part> parts;
    for (int e = x.lowest_e; e <= x.highest_e; ++e) {
      const bool may_be_subnormal = x.subnormal_e == e;
      const int low = may_be_subnormal ? x.smallest : std::max(e - x.least_below(e), x.smallest);
      const int above = e + x.leading_above_e + 1;
      if (above <= low) continue;
      const bool is_rounded = x.product && x.product->whole_from;
      const int whole_from = is_rounded ? std::clamp(*x.product->whole_from, low, above) : low;
      if (low < whole_from) append_part(x, e, {low, whole_from}, std::nullopt, parts);
      // Binade by binade, what is whole has few bits.
      const int step = is_rounded ? 1 : above - low;
      const auto factors = x.product ? std::optional(x.product->factors) : std::nullopt;
      for (int from = whole_from; from < above; from += step)
        append_part(x, e, {from, from + step}, factors, parts);
    }
    return parts;
  }
  /// From 2^first to 2^second, the latter excluded.
  static void append_part(const OperandAlone& x, int e, std::pair<int, int> between,
                          const std::optional<FactorWidths>& factors, std::vector<Part>& parts) {
    const auto [low, above] = between;
    const int lsb = std::max({x.lowest_bit, e - x.fraction_bits, low - x.below_leading});
    if (above <= lsb) return;
    const auto at = [&](int bit) { return std::uint64_t{1} << std::max(0, bit - lsb); };
    Part part{e, lsb, at(low), at(above) - 1, &x, factors};
    if (part.factors) part.high = std::min(part.high, largest_product(x, part));
    parts.push_back(part);
  }
  /// Of two factors. What is normalised is shifted up if it is small, and ends in a zero then; and the
  /// largest of all is less than a number of only ones.
  [[nodiscard]] static std::uint64_t largest_product(const OperandAlone& x, const Part& part) {
    const auto ones = [](int bits) { return (std::uint64_t{1} << bits) - 1; };
    if (x.leading_above_e == 0) {
      const bool has_all_bits = part.lsb == part.e - (part.factors->x + part.factors->y - 1);
      return has_all_bits ? part.high & ~std::uint64_t{1} : part.high;
    }
    const int shift = part.e - (part.factors->x + part.factors->y - 2) - part.lsb;
    return shift < 0 || shift > 1 ? part.high : ones(part.factors->x) * ones(part.factors->y) << shift;
  }

  /// In all pairs of which the first has an exponent no smaller? What holds of one that is far below all that
  /// is kept holds of those further below.
  [[nodiscard]] bool round_alike(const std::vector<Part>& xs, const std::vector<Part>& ys) const {
    for (const Part& x : xs) {
      const int e = std::max(x.e, alignment_.clamp.value_or(x.e));
      const int negligible = e - alignment_.fraction_bits - 8;
      auto y = std::ranges::upper_bound(ys, x.e, {}, &Part::e);
      while (y != ys.begin()) {
        --y;
        if (!rounds_alike(x, &*y)) return false;
        const bool is_last_of_e = y == ys.begin() || std::prev(y)->e != y->e;
        if (y->e < negligible && is_last_of_e) break;
      }
    }
    return true;
  }

  // ---- Results.

  /// Rounding changes at multiples of 2^this alone, of sums of that binade or larger ones.
  [[nodiscard]] int changes_at(int binade, int fraction_bits) const {
    const int emin = node_.result.emin();
    return std::max(binade, emin) - fraction_bits - (results_.has_ties() ? 1 : 0) -
           (binade < emin ? results_.finer_below_normal() : 0);
  }

  // ---- Sums.

  [[nodiscard]] bool rounds_alike(const Part& one, const Part* other) const {
    int e = std::max(one.e, other != nullptr ? other->e : one.e);
    e = std::max(e, alignment_.clamp.value_or(e));
    const int unit = e - alignment_.fraction_bits;
    const int binade = other != nullptr ? lowest_binade(one, *other) : one.leading(one.low);
    if (binade > node_.result.emax()) return true;  // all overflow
    if (!is_normalised_alike(one, other, e, unit)) return false;
    const bool loses = one.lsb < unit, other_loses = other != nullptr && other->lsb < unit;
    if (!loses && !other_loses) return true;
    if (loses && other_loses) return false;
    return loses ? is_harmless(one, other, unit, binade) : is_harmless(*other, &one, unit, binade);
  }

  /// Is nothing lost where a partial sum grows past E, or nothing that matters of the whole sum?
  [[nodiscard]] bool is_normalised_alike(const Part& one, const Part* other, int e, int unit) const {
    if (is_only_at(node_, box_, Parameter::normalisation, Normalisation::late)) return true;
    const auto loses = [&](int leading, int lowest_bit) {
      return leading > e && lowest_bit < leading - alignment_.fraction_bits;
    };
    // Beside a zero, an operand is a partial sum.
    const int lowest_of_one = std::max(one.lsb, unit);
    if (loses(one.leading(one.high), lowest_of_one)) return false;
    if (other == nullptr) return true;
    const int lowest_of_other = std::max(other->lsb, unit);
    if (loses(other->leading(other->high), lowest_of_other)) return false;
    const int highest = highest_binade(one, *other);
    if (!loses(highest, std::min(lowest_of_one, lowest_of_other)) || sums_are_rounded_alike_again())
      return true;
    for (int leading = e + 1; leading <= highest; ++leading)
      if (!is_cut_alike(one, *other, leading)) return false;
    return true;
  }
  /// Where the sum has grown to this binade: cutting x + y is cutting y, up or down.
  [[nodiscard]] bool is_cut_alike(const Part& one, const Part& other, int leading) const {
    const int unit = leading - alignment_.fraction_bits;
    const bool loses = one.lsb < unit, other_loses = other.lsb < unit;
    if (!loses && !other_loses) return true;
    if ((loses && other_loses) || changes_at(leading, results_.most_bits()) <= unit) return false;
    return loses ? is_harmless(one, &other, unit, leading, true)
                 : is_harmless(other, &one, unit, leading, true);
  }
  /// Where they are rounded to F bits, and then to the result's. Cut toward zero, what is no less than a tie
  /// stays so.
  [[nodiscard]] bool sums_are_rounded_alike_again() const {
    const int more_bits = alignment_.fraction_bits - results_.most_bits();
    switch (alignment_.rounding) {
      case AlignmentRounding::sticky:
        return results_.keeps_with_sticky(alignment_.fraction_bits);
      case AlignmentRounding::floor:
        return more_bits >= 0 && results_.is_only(Rounding::down) && !results_.may_flush(FlushTest::before);
      case AlignmentRounding::truncate:
        return (more_bits >= 0 && results_.is_only(Rounding::toward_zero)) ||
               (more_bits > results_.finer_below_normal() && results_.is_only(Rounding::nearest_away));
      default:
        return false;
    }
  }

  /// Does y lose bits, and x none, and their sum rounds as if y had not?
  [[nodiscard]] bool is_harmless(const Part& y, const Part* x, int unit, int binade,
                                 bool both_ways = false) const {
    const bool is_sticky = alignment_.rounding == AlignmentRounding::sticky;
    if (is_sticky && x != nullptr && x->lsb <= unit) return false;
    const int least = is_sticky && !results_.is_only(Rounding::odd) ? unit + 1 : unit;
    int t = changes_at(binade, results_.most_bits());
    if (t < least) {
      const int safe = least + results_.most_bits() + (results_.has_ties() ? 1 : 0);
      if (x == nullptr || !near_ones_round_alike(y, *x, unit, safe)) return false;
      t = changes_at(safe, results_.most_bits());
      binade = safe;
    }
    if (is_sticky) return true;
    if (alignment_.rounding == AlignmentRounding::floor && results_.is_only(Rounding::down))
      return is_rounded_down_twice(y, x, unit, binade);
    const bool may_vanish = y.leading(y.low) < unit;
    if (may_vanish && (x == nullptr || !is_left_alone(*x))) return false;
    const int places = x != nullptr ? std::min(t, x->lsb) : t;
    const bool may_grow = both_ways || alignment_.rounding != AlignmentRounding::truncate;
    if (lies_beside(Beside::above, y, unit, places)) return false;
    return !may_grow || !lies_beside(Beside::below, y, unit, places) ||
           (x != nullptr && all_but_power_of_two_are_far(y, *x, unit, t));
  }
  /// Is y less than 2^(t+1), and so the only tie that x - y may be made, a half below a power of two, one
  /// that is rounded to that power, as what lies above it is?
  [[nodiscard]] bool all_but_power_of_two_are_far(const Part& y, const Part& x, int unit, int t) const {
    const int of_x = x.leading(x.low), bits = results_.most_bits();
    return results_.is_to_nearest() && bits >= 1 && bits == results_.fewest_bits() &&
           std::has_single_bit(x.low) && x.leading(x.high) == of_x && of_x > node_.result.emin() &&
           t == changes_at(of_x - 1, bits) && x.lsb > t && y.leading(y.high) <= std::min(t, x.lsb - 1) &&
           !lies_beside(Beside::below, y, unit, t + 1);
  }

  // ---- Products so near to x that little is left of their difference: there are few, if any.

  /// Of all that leave less than 2^safe?
  [[nodiscard]] bool near_ones_round_alike(const Part& y, const Part& x, int unit, int safe) const {
    const auto lowest = in_units_of(y.lsb, x.low, x.lsb);
    if (!y.factors || !lowest || *lowest <= y.high || safe - y.lsb > kMostBits) return false;
    const std::uint64_t near = std::uint64_t{1} << (safe - y.lsb), step = std::uint64_t{1} << (x.lsb - y.lsb);
    std::uint64_t tried = 0;
    for (std::uint64_t of_x = *lowest; of_x - y.high < near; of_x += step)
      for (int shift = 0; shift <= y.of->fraction_bits; ++shift)
        if (!products_round_alike(of_x, y, of_x < near ? 1 : of_x - near + 1, shift, unit, tried))
          return false;
    return true;
  }
  /// Of those from `least` on that are two factors' product times 2^shift.
  [[nodiscard]] bool products_round_alike(std::uint64_t of_x, const Part& y, std::uint64_t least, int shift,
                                          int unit, std::uint64_t& tried) const {
    constexpr std::uint64_t kMostTried = 1 << 18;
    const std::uint64_t first = ((least - 1) >> shift) + 1, last = y.high >> shift;
    const std::uint64_t most_x = (std::uint64_t{1} << y.factors->x) - 1;
    const std::uint64_t most_y = (std::uint64_t{1} << y.factors->y) - 1;
    for (std::uint64_t i = std::max<std::uint64_t>(1, first / most_y); i <= std::min(most_x, last);
         ++i, ++tried)
      for (std::uint64_t j = (first + i - 1) / i; j <= std::min(most_y, last / i); ++j)
        if (++tried > kMostTried || !difference_rounds_alike(of_x, i * j << shift, unit - y.lsb, y.lsb))
          return false;
    return true;
  }
  /// Which multiples of 2^t, if sums are rounded to these, may a sum be to round as those beside it do?
  enum class Multiples : std::uint8_t { none, below, above };

  /// x - y, where y is rounded to a multiple of 2^places, or of any finer one; in units of 2^lsb. Rounded to
  /// these it lies between y and a neighbour of it among the coarser, unless a sticky bit makes it odd.
  [[nodiscard]] bool difference_rounds_alike(std::uint64_t x, std::uint64_t y, int places, int lsb) const {
    using enum Multiples;
    const auto cut = [y](int to) { return y >> to << to; };
    const auto up = [&](int to) { return cut(to) + (y > cut(to) ? std::uint64_t{1} << to : 0); };
    const Multiples multiples = results_.is_only(Rounding::toward_zero) ? below : none;
    const auto leaves = [&](std::uint64_t left, Multiples may_be) {
      return are_rounded_alike(x - y, x - left, may_be, lsb);
    };
    switch (alignment_.rounding) {
      case AlignmentRounding::truncate:
        return leaves(cut(places), multiples);
      case AlignmentRounding::sticky:
        for (int to = places; to > 0; --to)
          if (!leaves((cut(to) >> to & 1) != 0 ? cut(to) : up(to), multiples)) return false;
        return true;
      case AlignmentRounding::floor:
        // Where it is -y, and where it is y, beside -x.
        if (results_.is_only(Rounding::down) && !results_.may_flush(FlushTest::before))
          return leaves(up(places), below) && leaves(cut(places), above);
        [[fallthrough]];
      default:
        return leaves(cut(places), multiples) && leaves(up(places), multiples);
    }
  }
  /// Magnitudes, neither of which is zero.
  [[nodiscard]] bool are_rounded_alike(std::uint64_t exact, std::uint64_t other, Multiples may_be,
                                       int lsb) const {
    if (exact == other) return true;
    const int t = changes_at(static_cast<int>(std::bit_width(exact)) - 1 + lsb, results_.most_bits()) - lsb;
    if (other == 0 || t < 0) return false;
    const std::uint64_t low = std::min(exact, other), high = std::max(exact, other);
    if (may_be == Multiples::above) return (low - 1) >> t == (high - 1) >> t;
    return low >> t == high >> t && (may_be == Multiples::below || (low >> t) << t != low);
  }

  /// Is x, less or more a little, rounded as x is, and flushed where that is?
  [[nodiscard]] bool is_left_alone(const Part& x) const {
    const int emin = node_.result.emin();
    const bool may_be_smallest_normal = x.leading(x.low) <= emin && emin <= x.leading(x.high);
    return results_.is_to_nearest() && x.lsb > changes_at(x.leading(x.high), results_.fewest_bits()) &&
           !(results_.may_flush(FlushTest::before) && may_be_smallest_normal);
  }

  /// Rounding down to u before rounding down to coarser places comes to the same, but for zeros that were not
  /// zero, and for what is flushed before it is rounded.
  [[nodiscard]] bool is_rounded_down_twice(const Part& y, const Part* x, int unit, int binade) const {
    if (results_.may_flush(FlushTest::before) && binade < node_.result.emin()) return false;
    if (x == nullptr) return y.leading(y.low) >= unit;
    return binade >= unit || near_ones_round_alike(y, *x, unit, unit) ||
           !(lies_beside(Beside::above, y, unit, x->lsb) || lies_beside(Beside::below, y, unit, x->lsb));
  }

  /// May y lie less than 2^unit above or below a multiple of 2^places that is not zero?
  [[nodiscard]] bool lies_beside(Beside side, const Part& y, int unit, int places) const {
    if (side == Beside::below && places <= unit) return true;
    // Whatever it is, it lies below the first multiple, and far enough.
    if (y.leading(y.high) < (side == Beside::above ? places : places - 1)) return false;
    if (!y.factors || places <= unit) return true;
    const FactorKinds factors = box_[Parameter::input_subnormals].contains(static_cast<int>(Subnormals::kept))
                                    ? FactorKinds::any
                                    : FactorKinds::normal;
    for (int place = y.lsb; place < std::min(unit, y.e + 1); ++place)
      if (products_(side, *y.factors, unit - place, places - place, factors)) return true;
    return false;
  }

  const PlannedNode& node_;
  const Box& box_;
  const NodeBounds& bounds_;
  const PairAlignment& alignment_;
  ProductsBeside& products_;
  NodeRounding results_;
};

}  // namespace

bool ProductsBeside::operator()(Beside side, const FactorWidths& widths, int lost, int boundary,
                                FactorKinds factors) {
  const auto [known, is_new] = known_.try_emplace({side, widths.x, widths.y, lost, boundary, factors}, true);
  if (is_new) known->second = may_lie_beside(side, widths, lost, boundary, factors);
  return known->second;
}

bool has_few_exponent_pairs(const NodeBounds& bounds) {
  return bounds.is_plain && !bounds.each.empty() && bounds.each.size() <= 2 &&
         std::ranges::all_of(bounds.each, [](const OperandAlone& x) {
           return x.fraction_bits + std::max(0, x.leading_above_e) + 1 <= kMostBits &&
                  x.highest_e - x.lowest_e < kMostExponents &&
                  (!x.product || x.product->factors.x + x.product->factors.y <= kMostBitsOfFactors);
         });
}

bool pairs_round_as_exact(const PlannedNode& node, const Box& box, const NodeBounds& bounds,
                          const PairAlignment& alignment, ProductsBeside& products) {
  return Pairs(node, box, bounds, alignment, products).round_as_exact();
}

}  // namespace mmaprint
