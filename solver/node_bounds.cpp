#include "solver/node_bounds.h"

#include <algorithm>
#include <array>

#include "model/count.h"

namespace mmaprint {
namespace {

/// A magnitude in units of 2^unit of the plan at hand.
using Magnitude = Count;

/// The next multiple of 2^bits that is not below x.
Magnitude rounded_up(const Magnitude& x, int bits) {
  if (bits <= 0) return x;
  return ((x + (Magnitude(1) << bits) - 1) >> bits) << bits;
}

int finest(const FormatInfo& f) { return f.emin() - f.fraction_bits; }

/// What is known of operands of one kind.
struct OperandRange {
  Magnitude largest;
  int largest_exponent;  ///< with which one takes part in E
  int lowest_exponent;   ///< the same, of those that are not zero
  int lowest_bit;        ///< all are multiples of 2^this
};

/// What is known of a node's sum.
struct SumRange {
  Magnitude largest;
  int lowest_bit;
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
      append(node, sum_of(node));
    }
    return std::move(all_);
  }

 private:
  [[nodiscard]] const ValueSet& set(const PlannedNode& node, Parameter p) const {
    return box_[ParameterKey{p, info(p).scope == Scope::adder ? node.adder : 0}];
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
  /// What comes from a container and is computed in the format f.
  [[nodiscard]] OperandRange operand(const Container& from, const FormatInfo& f) const {
    OperandRange range{largest_of(f), f.emax(), f.emin(), finest(f)};
    if (from.conversion != Conversion::exact) return range;
    // What is subnormal in the container may be a normal number here.
    range.largest = std::min(range.largest, largest_of(from.format));
    range.largest_exponent = std::min(range.largest_exponent, from.format.emax());
    range.lowest_exponent = std::max(range.lowest_exponent, finest(from.format));
    range.lowest_bit = std::max(range.lowest_bit, finest(from.format));
    return range;
  }
  [[nodiscard]] OperandRange product(const PlannedNode& node) const {
    const OperandRange a = operand(plan_.from_a, plan_.a);
    const OperandRange b = operand(plan_.from_b, plan_.b);
    const int lowest_bit = a.lowest_bit + b.lowest_bit;
    const Magnitude exact = a.largest * b.largest;  // in units of 2^(2 unit)
    return {unit_ < 0 ? Magnitude(exact >> -unit_) : Magnitude(exact << unit_),
            a.largest_exponent + b.largest_exponent + 1,
            is_only(node, Parameter::product, ProductKind::exact_unnormalised)
                ? a.lowest_exponent + b.lowest_exponent
                : lowest_bit,
            lowest_bit};
  }
  [[nodiscard]] OperandRange result(std::size_t node) const {
    const NodeBounds& x = all_[node];
    return {largest_[node], x.largest_exponent, std::max(plan_.nodes[node].result.emin(), x.lowest_bit),
            x.lowest_bit};
  }
  [[nodiscard]] std::vector<OperandRange> operands_of(const PlannedNode& node) const {
    std::vector<OperandRange> all;
    node.visit(
        plan_, [&](const auto& products) { all.insert(all.end(), products.size(), product(node)); },
        [&](std::size_t earlier, const FormatInfo&) { all.push_back(result(earlier)); },
        [](std::size_t, const PlannedNode&) {}, [&] { all.push_back(operand(plan_.from_c, plan_.c)); },
        [](ZeroOperand) {});
    return all;
  }

  // ---- Alignment, and sum.

  [[nodiscard]] SumRange sum_of(const PlannedNode& node) const {
    const std::vector<OperandRange> operands = operands_of(node);
    if (operands.empty()) return {1, plan_.d.emax()};
    OperandRange all = operands.front();
    for (const OperandRange& x : operands) {
      all.largest_exponent = std::max(all.largest_exponent, x.largest_exponent);
      all.lowest_exponent = std::min(all.lowest_exponent, x.lowest_exponent);
      all.lowest_bit = std::min(all.lowest_bit, x.lowest_bit);
    }
    const ValueSet& clamps = set(node, Parameter::minimum_alignment_exponent);
    const auto lowest_clamp = ClampDomain::value(clamps.first());
    const auto highest_clamp = ClampDomain::value(clamps.last());
    if (lowest_clamp) all.lowest_exponent = std::max(all.lowest_exponent, *lowest_clamp);
    if (highest_clamp) all.largest_exponent = std::max(all.largest_exponent, *highest_clamp);
    const ValueSet& kept = set(node, Parameter::alignment_fraction_bits);
    if (const auto most = AlignmentBitsDomain::value(kept.last()))
      all.lowest_bit = std::max(all.lowest_bit, all.lowest_exponent - *most);
    return {largest_sum(node, operands, all.largest_exponent), all.lowest_bit};
  }

  /// A sum that wraps is no larger than it was; alignment and normalisation make magnitudes larger where they
  /// round away from zero.
  [[nodiscard]] Magnitude largest_sum(const PlannedNode& node, const std::vector<OperandRange>& operands,
                                      int largest_exponent) const {
    const auto least = AlignmentBitsDomain::value(set(node, Parameter::alignment_fraction_bits).first());
    const bool grows = least && !is_only(node, Parameter::alignment_rounding, AlignmentRounding::truncate);
    const bool immediate = !is_only(node, Parameter::normalisation, Normalisation::late);
    Magnitude sum = 0;
    for (const OperandRange& x : operands) {
      sum += grows ? rounded_up(x.largest, largest_exponent - *least - unit_) : x.largest;
      if (grows && immediate) sum = rounded_up(sum, leading(sum) - *least - unit_);
    }
    return sum;
  }
  /// The exponent of the leading bit.
  [[nodiscard]] int leading(const Magnitude& x) const {
    return x == 0 ? unit_ : static_cast<int>(boost::multiprecision::msb(x)) + unit_;
  }

  // ---- Rounding.

  void append(const PlannedNode& node, const SumRange& sum) {
    const FormatInfo& d = node.result;
    const int coarsest = std::min(set(node, Parameter::output_fraction_bits).first(), d.fraction_bits);
    NodeBounds bounds{std::max(sum.lowest_bit, finest(d)), 0, overflows(node, sum.largest),
                      sum.lowest_bit < d.emin(), sum.lowest_bit < d.emin() - coarsest};
    // The largest number may be what a sum is saturated to.
    if (bounds.overflows) bounds.lowest_bit = std::min(bounds.lowest_bit, d.emax() - d.fraction_bits);
    const int last_place = std::max(leading(sum.largest), d.emin()) - coarsest;
    const Magnitude rounded = rounded_up(sum.largest, last_place - unit_);
    largest_.push_back(std::min(rounded, largest_of(d)));
    bounds.largest_exponent = leading(largest_.back());
    all_.push_back(bounds);
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
  std::vector<Magnitude> largest_;
};

}  // namespace

std::optional<std::vector<NodeBounds>> node_bounds(const Plan& plan, const Box& box) {
  return Interpreter(plan, box)();
}

bool never_matters(const Plan& plan, const Box& box, const ParameterKey& key) {
  const auto nowhere = [&](bool NodeBounds::*event) {
    const auto bounds = node_bounds(plan, box);
    return bounds && std::ranges::none_of(*bounds, event);
  };
  switch (key.parameter) {
    case Parameter::overflow:
      return nowhere(&NodeBounds::overflows);
    case Parameter::output_subnormals:
    case Parameter::flush_test:
    case Parameter::zero_flushed:
      return nowhere(&NodeBounds::is_subnormal);
    case Parameter::zero_rounded:
      return nowhere(&NodeBounds::vanishes);
    default:
      return false;
  }
}

}  // namespace mmaprint
