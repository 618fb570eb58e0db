#include "solver/node_bounds.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "solver/beside_scale.h"
#include "solver/operand_ranges.h"
#include "solver/sum_growth.h"

namespace mmaprint {
namespace {

class Interpreter {
 public:
  Interpreter(const Plan& plan, const Box& box)
      : plan_(plan), box_(box), ranges_(plan, box), growth_(box), unit_(ranges_.unit()) {}

  /// nullopt where a node is not plain, unless it `may_be_any`.
  std::optional<std::vector<NodeBounds>> operator()(bool may_be_any) {
    if (plan_.d.is_integer()) return std::nullopt;
    for (const PlannedNode& node : plan_.nodes) {
      if (!is_plain(node) && !may_be_any) return std::nullopt;
      if (node.is_scaled)
        append_scaled(node);
      else
        append(node);
    }
    return std::move(all_);
  }
  [[nodiscard]] int lowest_exponent_of_products(const PlannedNode& node) const {
    return ranges_.product(node).lowest_exponent;
  }

 private:
  [[nodiscard]] const ValueSet& set(const PlannedNode& node, Parameter p) const {
    return values_at(node, box_, p);
  }
  template <class Enum>
  [[nodiscard]] bool is_only(const PlannedNode& node, Parameter p, Enum value) const {
    return is_only_at(node, box_, p, value);
  }
  [[nodiscard]] bool is_plain(const PlannedNode& node) const {
    using enum Parameter;
    constexpr std::array kDefaults{zero_addends,    carried_fraction_bits, carried_alignment_rounding,
                                   c_fraction_bits, c_alignment_rounding,  c_dropped_below};
    return !node.is_carried && node.carried.count == 0 &&
           std::ranges::all_of(kDefaults, [&](Parameter p) { return is_default_at(node, box_, p); });
  }

  // ---- Operands.

  [[nodiscard]] OperandRange result(std::size_t node) const {
    const NodeBounds& x = all_[node];
    const FormatInfo& f = plan_.nodes[node].result;
    OperandRange range{largest_[node],
                       std::max(f.emin(), x.largest_exponent),
                       std::max(f.emin(), x.smallest),
                       x.lowest_bit,
                       x.smallest,
                       fraction_bits_[node],
                       OperandRanges::below_two(fraction_bits_[node])};
    if (x.smallest < f.emin()) range.subnormal_e = f.emin();
    range.below_leading = below_leading_[node];
    range.product = products_[node];
    range.beside_scale = beside_scale_[node];
    return range;
  }
  /// It is a multiple of 2^(its E - this); nullopt where that is not so for any number.
  [[nodiscard]] std::optional<int> bits_of_carried(const PlannedNode& node) const {
    if (!is_default_at(node, box_, Parameter::carried_fraction_bits) ||
        !is_default_at(node, box_, Parameter::c_fraction_bits))
      return std::nullopt;
    return AlignmentBitsDomain::value(set(node, Parameter::alignment_fraction_bits).last());
  }
  /// A sum that is carried on takes part with its E.
  [[nodiscard]] OperandRange carried(std::size_t node) const {
    if (plan_.nodes[node].is_scaled) return ranges_.scaled_sum(plan_.nodes[node]);
    const NodeBounds& x = all_[node];
    return {largest_[node],
            x.operands.highest_e,
            x.operands.lowest_e,
            x.lowest_bit,
            x.smallest,
            std::max(0, std::max(x.largest_exponent, x.operands.highest_e) - x.lowest_bit),
            sums_of_e_[node],
            std::nullopt,
            0,
            0,
            0,
            bits_of_carried(plan_.nodes[node]),
            std::nullopt,
            std::nullopt,
            std::nullopt,
            OperandKind::carried};
  }
  [[nodiscard]] std::vector<OperandRange> operands_of(const PlannedNode& node) const {
    std::vector<OperandRange> all;
    node.visit(
        plan_, [&](const auto& products) { all.insert(all.end(), products.size(), ranges_.product(node)); },
        [&](std::size_t earlier, const FormatInfo&) { all.push_back(result(earlier)); },
        [&](std::size_t i, const PlannedNode&) { all.push_back(carried(i)); },
        [&] { all.push_back(ranges_.c()); }, [](ZeroOperand) {});
    return all;
  }

  // ---- Alignment, and sum.

  [[nodiscard]] OperandBounds together(const PlannedNode& node, std::span<const OperandRange> operands,
                                       const std::optional<SumBesideScale>& sum) const {
    OperandBounds all{operands[0].lowest_bit, operands[0].lowest_exponent, operands[0].largest_exponent, 0};
    for (const OperandRange& x : operands) {
      all.highest_e = std::max(all.highest_e, x.largest_exponent);
      all.lowest_e = std::min(all.lowest_e, x.lowest_exponent);
      all.lowest_bit = std::min(all.lowest_bit, x.lowest_bit);
    }
    const auto highest_clamp = ClampDomain::value(set(node, Parameter::minimum_alignment_exponent).last());
    all.highest_e =
        std::max({all.highest_e, highest_clamp.value_or(all.highest_e), highest_e_of_zeros(node)});
    all.bits_below_e = all.highest_e - all.lowest_bit;
    // Where operands decide E: one that is alone, or those that have one scale.
    const auto of_operands = [&]() -> std::optional<int> {
      if (operands.size() == 1) return operands[0].bits_below_e.value_or(operands[0].fraction_bits);
      return sum ? std::optional(sum->highest_e + sum->fraction_bits) : std::nullopt;
    }();
    const int others = highest_e_of_no_operand(plan_, box_, node) - all.lowest_bit;
    if (of_operands) all.bits_below_e = std::min(all.bits_below_e, std::max(*of_operands, others));
    return all;
  }

  /// With which exponent a zero takes part in E, at most.
  [[nodiscard]] int highest_e_of_zeros(const PlannedNode& node) const {
    int highest = kNoClamp;
    for (const int value : set(node, Parameter::zero_addends).values())
      highest = std::max(highest, highest_exponent_of_zeros(plan_, ZeroAddendsDomain::value(value)));
    return highest;
  }

  [[nodiscard]] static std::vector<OperandAlone> each_alone(std::span<const OperandRange> operands) {
    std::vector<OperandAlone> all;
    all.reserve(operands.size());
    for (const OperandRange& x : operands) {
      const int above_e = leading_bit(x.largest_of_e) - kBelowE;
      const int fraction_bits = x.bits_below_e.value_or(x.fraction_bits);
      all.push_back({x.lowest_bit, x.lowest_exponent, above_e, x.largest_exponent, x.smallest, fraction_bits,
                     std::min(fraction_bits + above_e, x.below_leading.value_or(fraction_bits + above_e)),
                     x.subnormal_e, x.below_e, x.below_e_of_one, x.highest_e_of_subnormal, x.product,
                     x.kind});
    }
    return all;
  }
  [[nodiscard]] SumBounds sum_of(const PlannedNode& node, const OperandBounds& all,
                                 std::span<const OperandRange> operands) const {
    const auto clamp = ClampDomain::value(set(node, Parameter::minimum_alignment_exponent).first());
    // Of each operand what is left lies no lower than E, which is its own exponent at least, lets it.
    const auto lowest_of = [&](const OperandRange& x) {
      const int e = std::max(x.lowest_exponent, clamp.value_or(x.lowest_exponent));
      const auto most = most_alignment_bits(node, box_, x.kind);
      return most ? std::max(x.lowest_bit, e - *most) : x.lowest_bit;
    };
    int lowest_bit = lowest_of(operands[0]);
    for (const OperandRange& x : operands) lowest_bit = std::min(lowest_bit, lowest_of(x));
    const int smallest = is_plain(node) ? std::max(lowest_bit, smallest_sum(node, operands)) : lowest_bit;
    const int largest = leading(largest_sum(node, operands, all));
    return {leading_bit(largest_of_e(node, operands)) - kBelowE, lowest_bit, smallest, largest,
            std::max(0, largest - lowest_bit)};
  }
  [[nodiscard]] Magnitude largest_of_e(const PlannedNode& node,
                                       std::span<const OperandRange> operands) const {
    return growth_.largest_sum(
        node, operands, [](const OperandRange& x) -> const Magnitude& { return x.largest_of_e; }, 0,
        -kBelowE);
  }
  [[nodiscard]] Magnitude largest_sum(const PlannedNode& node, std::span<const OperandRange> operands,
                                      const OperandBounds& all) const {
    return growth_.largest_sum(
        node, operands, [](const OperandRange& x) -> const Magnitude& { return x.largest; }, all.highest_e,
        unit_);
  }

  /// The exponent of the leading bit.
  [[nodiscard]] int leading(const Magnitude& x) const { return leading_bit(x) + unit_; }

  /// No sum that is not zero is below 2^this. One operand may be finer than all others together, as c often
  /// is, which are multiples of 2^l. If they add up to zero it is the sum, wrapped where it is a product of
  /// 2^(E+1) or more that no carry bit holds. If not, they add up to 2^l at least, and what leaves less than
  /// 2^(l-1) of that was no smaller than 2^(l-2), and so no finer than its fraction bits below that, whatever
  /// alignment and normalisation round. A sum of several wraps by multiples of 2^l.
  [[nodiscard]] int smallest_sum(const PlannedNode& node, std::span<const OperandRange> operands) const {
    const auto finest = std::ranges::min_element(operands, {}, &OperandRange::lowest_bit);
    const auto carry = CarryDomain::value(set(node, Parameter::extra_carry_bits).first());
    const bool wraps_alone = carry && leading_bit(finest->largest_of_e) - kBelowE > *carry;
    int smallest = wraps_alone ? finest->lowest_bit : finest->smallest;
    for (const OperandRange& x : operands)
      if (&x != &*finest) smallest = std::min(smallest, x.lowest_bit - 2 - finest->fraction_bits);
    return smallest;
  }

  // ---- Rounding.

  void append(const PlannedNode& node) {
    const std::vector<OperandRange> operands = operands_of(node);
    const FormatInfo& d = node.result;
    if (operands.empty()) return append_zero(d);
    sums_of_e_.push_back(largest_of_e(node, operands));
    products_.emplace_back();
    const auto beside_scale = sum_beside_scale(plan_, node, box_, operands);
    beside_scale_.emplace_back();
    const OperandBounds together = this->together(node, operands, beside_scale);
    SumBounds sum = sum_of(node, together, operands);
    if (const auto bits = beside_scale ? beside_scale->below_leading() : std::nullopt)
      sum.below_leading = std::min(sum.below_leading, *bits);
    const Magnitude largest = largest_sum(node, operands, together);
    if (node.is_carried) return append_carried(together, operands, sum, largest);
    const ValueSet& bits = set(node, Parameter::output_fraction_bits);
    const int coarsest = std::min(bits.first(), d.fraction_bits);
    const bool flushed = ranges_.is_flushed(Parameter::output_subnormals);
    const int most_bits = std::min(bits.last(), d.fraction_bits);
    const int finest = d.emin() - most_bits;
    NodeBounds bounds{together,
                      each_alone(operands),
                      sum,
                      std::max(sum.lowest_bit, finest),
                      std::max(sum.smallest, flushed ? d.emin() : finest),
                      0,
                      overflows(node, largest),
                      sum.smallest < d.emin(),
                      sum.smallest < d.emin() - coarsest,
                      is_plain(node)};
    const int last_place = std::max(leading(largest), d.emin()) - coarsest;
    largest_.push_back(std::min(rounded_up(largest, last_place - unit_), ranges_.largest_of(d, most_bits)));
    bounds.largest_exponent = leading(largest_.back());
    below_leading_.push_back(bits_below_leading(bounds, operands, most_bits));
    bounds.lowest_bit = std::max(bounds.lowest_bit, bounds.smallest - below_leading_.back());
    // The largest number may be what a sum is saturated to, of so many bits, too.
    if (bounds.overflows && may_saturate(node)) {
      bounds.lowest_bit = std::min(bounds.lowest_bit, d.emax() - most_bits);
      below_leading_.back() = most_bits;
    }
    // Subnormal results have the lowest exponent, which may be far above their leading bits.
    fraction_bits_.push_back(flushed || !bounds.is_subnormal ? below_leading_.back() : most_bits);
    all_.push_back(bounds);
    if (beside_scale && !(bounds.overflows && may_saturate(node)))
      beside_scale_.back() = result_beside_scale(node, box_, *beside_scale, bounds);
    if (operands.size() == 1 && leaves_whole(node, operands[0], bounds, coarsest))
      products_.back() = product_left_by(node, operands[0], bounds, coarsest);
  }
  /// What such results are of a product: all of it, or all but small ones, which are rounded.
  [[nodiscard]] std::optional<ProductOf> product_left_by(const PlannedNode& node, const OperandRange& x,
                                                         const NodeBounds& bounds, int coarsest) const {
    const int last_place = node.result.emin() - coarsest;
    if (ranges_.is_flushed(Parameter::output_subnormals) || bounds.sum.lowest_bit >= last_place)
      return x.product;
    if (!x.product || x.product->whole_from) return std::nullopt;
    return ProductOf{x.product->factors, last_place + bounds.each[0].below_leading};
  }
  /// Are the results of one operand, where they are normal numbers, what it is, and so products if that is
  /// one? The smallest normal number is, too, which a smaller sum may be rounded to before it is flushed. All
  /// bits that products may have are then below the leading one (solver/exact_rounding.h relies on that).
  [[nodiscard]] bool leaves_whole(const PlannedNode& node, const OperandRange& x, const NodeBounds& bounds,
                                  int coarsest) const {
    using enum Parameter;
    const int bits = x.fraction_bits + std::max(0, bounds.sum.leading_above_e);
    const auto carry = CarryDomain::value(set(node, extra_carry_bits).first());
    const auto fewest = fewest_alignment_bits(node, box_, x.kind);
    const bool is_aligned_whole =
        !fewest || (*fewest >= bits && is_default_at(node, box_, minimum_alignment_exponent));
    return bounds.is_plain && is_aligned_whole && bits <= coarsest && !(carry && bounds.sum.wraps(*carry)) &&
           !(bounds.overflows && may_saturate(node));
  }
  /// May sums that overflow become the largest number? By IEEE 754's rule not where they are rounded to
  /// nearest.
  [[nodiscard]] bool may_saturate(const PlannedNode& node) const {
    using enum Parameter;
    const bool goes_by_direction =
        !is_among_at(node, box_, block_rounding, {Rounding::nearest_even, Rounding::nearest_away});
    const auto has = [&](Overflow rule) { return set(node, overflow).contains(static_cast<int>(rule)); };
    return has(Overflow::saturate) || (has(Overflow::by_direction) && goes_by_direction);
  }
  /// One operand has no more bits after it was aligned and rounded.
  [[nodiscard]] static int bits_below_leading(const NodeBounds& bounds,
                                              std::span<const OperandRange> operands, int most_bits) {
    const int bits = std::min(most_bits, std::max(0, bounds.largest_exponent - bounds.lowest_bit));
    return operands.size() == 1 ? std::min(bits, operands[0].fraction_bits) : bits;
  }
  /// Nothing is rounded.
  void append_carried(const OperandBounds& together, std::span<const OperandRange> operands,
                      const SumBounds& sum, const Magnitude& largest) {
    all_.push_back({together, each_alone(operands), sum, sum.lowest_bit, sum.smallest, leading(largest),
                    false, false, false, false});
    fraction_bits_.push_back(0);
    below_leading_.push_back(0);
    largest_.push_back(largest);
  }
  /// Nothing is aligned, either.
  void append_scaled(const PlannedNode& node) {
    const OperandRange x = ranges_.scaled_sum(node);
    const int largest_exponent = leading(x.largest);
    const int bits = x.fraction_bits;
    all_.push_back({{x.lowest_bit, x.lowest_exponent, x.largest_exponent, bits},
                    {},
                    {leading_bit(x.largest_of_e) - kBelowE, x.lowest_bit, x.smallest, largest_exponent, bits},
                    x.lowest_bit,
                    x.smallest,
                    largest_exponent,
                    false,
                    false,
                    false,
                    false});
    fraction_bits_.push_back(0);
    below_leading_.push_back(0);
    largest_.push_back(x.largest);
    products_.emplace_back();
    beside_scale_.emplace_back();
    sums_of_e_.push_back(x.largest_of_e);
  }
  /// A node of zeros alone.
  void append_zero(const FormatInfo& d) {
    const int e = d.emax();
    all_.push_back({{e, e, e, 0}, {}, {0, e, e, e, 0}, e, e, e, false, false, false});
    fraction_bits_.push_back(0);
    below_leading_.push_back(0);
    largest_.emplace_back(0);
    products_.emplace_back();
    beside_scale_.emplace_back();
    sums_of_e_.emplace_back(0);
  }

  /// May a sum as large as that be rounded to more than the largest number, with any number of bits and in
  /// any direction of the set's?
  [[nodiscard]] bool overflows(const PlannedNode& node, const Magnitude& sum) const {
    const FormatInfo& d = node.result;
    for (const int f : set(node, Parameter::output_fraction_bits).values()) {
      const int dropped = std::max(0, d.fraction_bits - f);
      const std::uint64_t largest = d.largest_significand() >> dropped << dropped;
      const std::uint64_t place = std::uint64_t{1} << dropped;
      const auto at = [&](std::uint64_t halves) {
        return ranges_.scaled(halves, d.emax() - d.fraction_bits - 1);
      };
      for (const int mode : set(node, Parameter::block_rounding).values()) switch (Rounding(mode)) {
          case Rounding::toward_zero:
          case Rounding::odd:
            if (sum >= at(2 * (largest + place))) return true;
            break;
          case Rounding::nearest_even:
          case Rounding::nearest_away:
            if (sum >= at(2 * largest + place)) return true;
            break;
          case Rounding::up:
          case Rounding::down:
            if (sum > at(2 * largest)) return true;
            break;
        }
    }
    return false;
  }

  const Plan& plan_;
  const Box& box_;
  OperandRanges ranges_;
  SumGrowth growth_;
  int unit_;
  std::vector<NodeBounds> all_;
  // Of the results; and of sums, before they are rounded, in units of 2^(E - kBelowE).
  std::vector<Magnitude> largest_, sums_of_e_;
  std::vector<int> fraction_bits_, below_leading_;
  std::vector<std::optional<ProductOf>> products_;        // where the results are such
  std::vector<std::optional<BesideScale>> beside_scale_;  // the same, where that is known
};

}  // namespace

std::optional<std::vector<NodeBounds>> node_bounds(const Plan& plan, const Box& box) {
  return Interpreter(plan, box)(false);
}

std::optional<std::vector<NodeBounds>> bounds_of_any_nodes(const Plan& plan, const Box& box) {
  return Interpreter(plan, box)(true);
}

bool all_sums_fit(const PlannedNode& node, const NodeBounds& bounds, int fraction_bits) {
  const int bits = std::min(fraction_bits, node.result.fraction_bits);
  return bounds.sum.lowest_bit >= node.result.emin() - bits && bounds.sum.below_leading <= bits;
}

int lowest_exponent_of_products(const Plan& plan, const Box& box, const PlannedNode& node) {
  return Interpreter(plan, box).lowest_exponent_of_products(node);
}

}  // namespace mmaprint
