#include "solver/node_bounds.h"

#include <algorithm>
#include <array>
#include <span>

#include "model/count.h"

namespace mmaprint {
namespace {

/// A magnitude in units of 2^unit of the plan at hand.
using Magnitude = Count;

/// The next multiple of 2^bits that is not below x.
Magnitude rounded_up(const Magnitude& x, int bits) {
  if (bits <= 0 || x == 0) return x;
  Magnitude rounded = x;
  --rounded;
  rounded >>= bits;
  ++rounded;
  rounded <<= bits;
  return rounded;
}

int finest(const FormatInfo& f) { return f.emin() - f.fraction_bits; }

/// Magnitudes relative to an exponent e are in units of 2^(e - this).
constexpr int kBelowE = 256;

/// What is known of operands of one kind, where they are not zero.
struct OperandRange {
  Magnitude largest;
  int largest_exponent;              ///< with which one takes part in E
  int lowest_exponent;               ///< the same
  int lowest_bit;                    ///< all are multiples of 2^this
  int smallest;                      ///< none is below 2^this
  int fraction_bits;                 ///< one of 2^e or more is a multiple of 2^(e - this)
  Magnitude largest_of_e;            ///< none exceeds this multiple of 2^(its exponent - kBelowE)
  std::optional<int> subnormal_e{};  ///< as in OperandAlone
  int below_e = 0, below_e_of_one = 0, highest_e_of_subnormal = 0;
  std::optional<int> bits_below_e{};   ///< one is a multiple of 2^(its exponent - this); or fraction_bits
  std::optional<int> below_leading{};  ///< as in OperandAlone; or what lies below its exponent
  std::optional<FactorWidths> factors{};
};

class Interpreter {
 public:
  Interpreter(const Plan& plan, const Box& box)
      : plan_(plan),
        box_(box),
        // One bit more, for what lies in the middle between two results.
        unit_(std::min({plan.lowest_bit(), finest(plan.a), finest(plan.b), finest(plan.d)}) - 1) {}

  std::optional<std::vector<NodeBounds>> operator()() {
    if (plan_.d.is_integer()) return std::nullopt;
    for (const PlannedNode& node : plan_.nodes) {
      if (!is_followed(node)) return std::nullopt;
      append(node);
    }
    return std::move(all_);
  }
  [[nodiscard]] int lowest_exponent_of_products(const PlannedNode& node) const {
    return product(node).lowest_exponent;
  }

 private:
  [[nodiscard]] const ValueSet& set(const PlannedNode& node, Parameter p) const {
    return values_at(node, box_, p);
  }
  template <class Enum>
  [[nodiscard]] bool is_only(const PlannedNode& node, Parameter p, Enum value) const {
    return set(node, p) == ValueSet::single(static_cast<int>(value));
  }
  [[nodiscard]] bool is_followed(const PlannedNode& node) const {
    using enum Parameter;
    constexpr std::array kDefaults{zero_addends,    carried_fraction_bits, carried_alignment_rounding,
                                   c_fraction_bits, c_alignment_rounding,  c_dropped_below};
    return !node.is_carried && node.carried.count == 0 && std::ranges::all_of(kDefaults, [&](Parameter p) {
      return set(node, p) == ValueSet::single(default_index(info(p)));
    });
  }

  // ---- Operands.

  [[nodiscard]] Magnitude scaled(std::uint64_t significand, int exponent) const {
    return Magnitude(significand) << (exponent - unit_);
  }
  [[nodiscard]] Magnitude largest_of(const FormatInfo& f) const {
    return scaled(f.largest_significand(), f.emax() - f.fraction_bits);
  }
  [[nodiscard]] bool is_flushed(Parameter subnormals) const {
    return !box_[subnormals].contains(static_cast<int>(Subnormals::kept));
  }
  /// Significands below 2 with so many fraction bits.
  [[nodiscard]] static Magnitude below_two(int fraction_bits) {
    return ((Magnitude(2) << fraction_bits) - 1) << (kBelowE - fraction_bits);
  }
  /// What comes from a container and is computed in the format f.
  [[nodiscard]] OperandRange operand(const Container& from, const FormatInfo& f, Parameter subnormals) const {
    const bool flushed = is_flushed(subnormals);
    OperandRange range{largest_of(f),
                       f.emax(),
                       f.emin(),
                       finest(f),
                       flushed ? f.emin() : finest(f),
                       f.fraction_bits,
                       below_two(f.fraction_bits),
                       flushed ? std::nullopt : std::optional(f.emin())};
    if (from.conversion != Conversion::exact) return range;
    // What is subnormal in the container may be a normal number here. The largest number is the container's:
    // f has only the bits that its numbers need.
    range.largest = largest_of(from.format);
    range.largest_exponent = std::min(range.largest_exponent, from.format.emax());
    range.lowest_exponent = std::max(range.lowest_exponent, finest(from.format));
    range.lowest_bit = std::max(range.lowest_bit, finest(from.format));
    range.smallest = std::max(range.smallest, finest(from.format));
    return range;
  }
  [[nodiscard]] OperandRange product(const PlannedNode& node) const {
    const OperandRange a = operand(plan_.from_a, plan_.a, Parameter::input_subnormals);
    const OperandRange b = operand(plan_.from_b, plan_.b, Parameter::input_subnormals);
    const Magnitude exact = a.largest * b.largest;  // in units of 2^(2 unit)
    const int smallest = a.smallest + b.smallest;
    const bool unnormalised = is_only(node, Parameter::product, ProductKind::exact_unnormalised);
    const bool normalised = is_only(node, Parameter::product, ProductKind::exact_normalised);
    // A normalised product of 2 or more has its exponent one up.
    const int one_up = unnormalised ? 0 : 1;
    const int fraction_bits = a.fraction_bits + b.fraction_bits + 1;
    const Magnitude largest = (a.largest_of_e * b.largest_of_e) >> kBelowE;
    OperandRange range{unit_ < 0 ? Magnitude(exact >> -unit_) : Magnitude(exact << unit_),
                       a.largest_exponent + b.largest_exponent + one_up,
                       unnormalised ? a.lowest_exponent + b.lowest_exponent : smallest,
                       a.lowest_bit + b.lowest_bit,
                       smallest,
                       fraction_bits,
                       normalised ? below_two(fraction_bits) : largest};
    range.bits_below_e = fraction_bits - 1 + one_up;
    range.factors = {plan_.a.fraction_bits + 1, plan_.b.fraction_bits + 1};
    if (plan_.scales_products()) {  // by powers of two
      const int low = plan_.scales.lowest(), high = plan_.scales.highest();
      range.largest <<= high;
      range.largest_exponent += high;
      range.lowest_exponent += low;
      range.lowest_bit += low;
      range.smallest += low;
    }
    if (normalised || is_flushed(Parameter::input_subnormals)) return range;
    range.below_e = plan_.a.fraction_bits + plan_.b.fraction_bits;
    // Otherwise it isn't known below which exponent both are subnormal.
    range.below_e_of_one =
        unnormalised ? std::max(plan_.a.fraction_bits, plan_.b.fraction_bits) : range.below_e;
    range.highest_e_of_subnormal =
        std::max(plan_.a.emin() + b.largest_exponent, a.largest_exponent + plan_.b.emin()) +
        (plan_.scales_products() ? plan_.scales.highest() : 0);
    return range;
  }
  [[nodiscard]] OperandRange result(std::size_t node) const {
    const NodeBounds& x = all_[node];
    const FormatInfo& f = plan_.nodes[node].result;
    return {largest_[node],
            x.largest_exponent,
            std::max(f.emin(), x.smallest),
            x.lowest_bit,
            x.smallest,
            fraction_bits_[node],
            below_two(fraction_bits_[node]),
            x.smallest < f.emin() ? std::optional(f.emin()) : std::nullopt,
            0,
            0,
            0,
            std::nullopt,
            below_leading_[node]};
  }
  [[nodiscard]] std::vector<OperandRange> operands_of(const PlannedNode& node) const {
    std::vector<OperandRange> all;
    node.visit(
        plan_, [&](const auto& products) { all.insert(all.end(), products.size(), product(node)); },
        [&](std::size_t earlier, const FormatInfo&) { all.push_back(result(earlier)); },
        [](std::size_t, const PlannedNode&) {},
        [&] { all.push_back(operand(plan_.from_c, plan_.c, Parameter::c_subnormals)); }, [](ZeroOperand) {});
    return all;
  }

  // ---- Alignment, and sum.

  [[nodiscard]] OperandBounds together(const PlannedNode& node,
                                       std::span<const OperandRange> operands) const {
    OperandBounds all{operands[0].lowest_bit, operands[0].lowest_exponent, operands[0].largest_exponent};
    for (const OperandRange& x : operands) {
      all.highest_e = std::max(all.highest_e, x.largest_exponent);
      all.lowest_e = std::min(all.lowest_e, x.lowest_exponent);
      all.lowest_bit = std::min(all.lowest_bit, x.lowest_bit);
    }
    const auto highest_clamp = ClampDomain::value(set(node, Parameter::minimum_alignment_exponent).last());
    all.highest_e = std::max(all.highest_e, highest_clamp.value_or(all.highest_e));
    return all;
  }

  [[nodiscard]] static std::vector<OperandAlone> each_alone(std::span<const OperandRange> operands) {
    std::vector<OperandAlone> all;
    all.reserve(operands.size());
    for (const OperandRange& x : operands) {
      const int above_e = leading_bit(x.largest_of_e) - kBelowE;
      const int fraction_bits = x.bits_below_e.value_or(x.fraction_bits);
      all.push_back({x.lowest_bit, x.lowest_exponent, above_e, x.largest_exponent, x.smallest, fraction_bits,
                     std::min(fraction_bits + above_e, x.below_leading.value_or(fraction_bits + above_e)),
                     x.subnormal_e, x.below_e, x.below_e_of_one, x.highest_e_of_subnormal, x.factors});
    }
    return all;
  }
  [[nodiscard]] static std::vector<Magnitude> each_of(std::span<const OperandRange> operands,
                                                      Magnitude OperandRange::*member) {
    std::vector<Magnitude> all;
    all.reserve(operands.size());
    for (const OperandRange& x : operands) all.push_back(x.*member);
    return all;
  }

  [[nodiscard]] SumBounds sum_of(const PlannedNode& node, const OperandBounds& all,
                                 std::span<const OperandRange> operands) const {
    const auto clamp = ClampDomain::value(set(node, Parameter::minimum_alignment_exponent).first());
    const auto most = AlignmentBitsDomain::value(set(node, Parameter::alignment_fraction_bits).last());
    // Of each operand what is left lies no lower than E, which is its own exponent at least, lets it.
    const auto lowest_of = [&](const OperandRange& x) {
      const int e = std::max(x.lowest_exponent, clamp.value_or(x.lowest_exponent));
      return most ? std::max(x.lowest_bit, e - *most) : x.lowest_bit;
    };
    int lowest_bit = lowest_of(operands[0]);
    for (const OperandRange& x : operands) lowest_bit = std::min(lowest_bit, lowest_of(x));
    const auto of_e = each_of(operands, &OperandRange::largest_of_e);
    const auto addends = each_of(operands, &OperandRange::largest);
    return {leading_bit(largest_sum(node, of_e, 0, -kBelowE)) - kBelowE, lowest_bit,
            std::max(lowest_bit, smallest_sum(node, operands)),
            leading(largest_sum(node, addends, all.highest_e, unit_))};
  }

  /// A sum that wraps is no larger than it was; alignment and normalisation make magnitudes larger where they
  /// round away from zero. Of magnitudes in units of 2^unit that are aligned to no more than 2^e.
  [[nodiscard]] Magnitude largest_sum(const PlannedNode& node, std::span<const Magnitude> addends, int e,
                                      int unit) const {
    const auto least = AlignmentBitsDomain::value(set(node, Parameter::alignment_fraction_bits).first());
    const bool grows = least && !is_only(node, Parameter::alignment_rounding, AlignmentRounding::truncate);
    const bool immediate = !is_only(node, Parameter::normalisation, Normalisation::late);
    Magnitude sum = 0;
    for (const Magnitude& x : addends) {
      sum += grows ? rounded_up(x, e - *least - unit) : x;
      if (grows && immediate) sum = rounded_up(sum, leading_bit(sum) - *least);
    }
    return sum;
  }
  [[nodiscard]] static int leading_bit(const Magnitude& x) {
    return x == 0 ? 0 : static_cast<int>(boost::multiprecision::msb(x));
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
    const OperandBounds together = this->together(node, operands);
    const SumBounds sum = sum_of(node, together, operands);
    const auto addends = each_of(operands, &OperandRange::largest);
    const Magnitude largest = largest_sum(node, addends, together.highest_e, unit_);
    const ValueSet& bits = set(node, Parameter::output_fraction_bits);
    const int coarsest = std::min(bits.first(), d.fraction_bits);
    const bool flushed = is_flushed(Parameter::output_subnormals);
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
                      sum.smallest < d.emin() - coarsest};
    // The largest number may be what a sum is saturated to: of so many bits, too.
    const bool saturates = bounds.overflows && !is_only(node, Parameter::overflow, Overflow::infinity);
    if (saturates) bounds.lowest_bit = std::min(bounds.lowest_bit, d.emax() - most_bits);
    const int last_place = std::max(leading(largest), d.emin()) - coarsest;
    largest_.push_back(std::min(rounded_up(largest, last_place - unit_), largest_of(d)));
    bounds.largest_exponent = leading(largest_.back());
    below_leading_.push_back(saturates ? most_bits : bits_below_leading(bounds, operands, most_bits));
    if (!saturates) bounds.lowest_bit = std::max(bounds.lowest_bit, bounds.smallest - below_leading_.back());
    // Subnormal results have the lowest exponent, which may be far above their leading bits.
    fraction_bits_.push_back(flushed || !bounds.is_subnormal ? below_leading_.back() : most_bits);
    all_.push_back(bounds);
  }
  /// One operand has no more bits after it was aligned and rounded.
  [[nodiscard]] static int bits_below_leading(const NodeBounds& bounds,
                                              std::span<const OperandRange> operands, int most_bits) {
    const int bits = std::min(most_bits, std::max(0, bounds.largest_exponent - bounds.lowest_bit));
    return operands.size() == 1 ? std::min(bits, operands[0].fraction_bits) : bits;
  }
  /// A node of zeros alone.
  void append_zero(const FormatInfo& d) {
    const int e = d.emax();
    all_.push_back({{e, e, e}, {}, {0, e, e, e}, e, e, e, false, false, false});
    fraction_bits_.push_back(0);
    below_leading_.push_back(0);
    largest_.emplace_back(0);
  }

  /// May a sum as large as that be rounded to more than the largest number, with any number of bits and in
  /// any direction of the set's?
  [[nodiscard]] bool overflows(const PlannedNode& node, const Magnitude& sum) const {
    const FormatInfo& d = node.result;
    for (const int f : set(node, Parameter::output_fraction_bits).values()) {
      const int dropped = std::max(0, d.fraction_bits - f);
      const std::uint64_t largest = d.largest_significand() >> dropped << dropped;
      const std::uint64_t place = std::uint64_t{1} << dropped;
      const auto at = [&](std::uint64_t halves) { return scaled(halves, d.emax() - d.fraction_bits - 1); };
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
  int unit_;
  std::vector<NodeBounds> all_;
  // Of the results.
  std::vector<Magnitude> largest_;
  std::vector<int> fraction_bits_, below_leading_;
};

}  // namespace

std::optional<std::vector<NodeBounds>> node_bounds(const Plan& plan, const Box& box) {
  return Interpreter(plan, box)();
}

int lowest_exponent_of_products(const Plan& plan, const Box& box, const PlannedNode& node) {
  return Interpreter(plan, box).lowest_exponent_of_products(node);
}

const ValueSet& values_at(const PlannedNode& node, const Box& box, Parameter parameter) {
  return box[ParameterKey{parameter, info(parameter).scope == Scope::adder ? node.adder : 0}];
}

}  // namespace mmaprint
