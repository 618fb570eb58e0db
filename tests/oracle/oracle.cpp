#include "oracle/oracle.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <stdexcept>

#include "oracle/integers.h"
#include "oracle/nan_journey.h"
#include "oracle/outer_operand.h"

namespace mmaprint::oracle {
namespace {

Rounding as_rounding(AlignmentRounding rounding) {
  switch (rounding) {
    case AlignmentRounding::truncate:
      return Rounding::toward_zero;
    case AlignmentRounding::floor:
      return Rounding::down;
    case AlignmentRounding::nearest_even:
      return Rounding::nearest_even;
    case AlignmentRounding::sticky:
      return Rounding::odd;  // an OR into the last kept bit
  }
  throw std::invalid_argument("oracle: unknown alignment rounding");
}

// What a zero factor has for an exponent, where that matters.
long factor_exponent(const Addend& x, ZeroAddends zeros) {
  return x.is_zero() && zeros.kind() == ZeroAddends::Kind::factor_exponent ? zeros.exponent() : x.exponent;
}

Addend product(const Addend& a, const Addend& b, const Adder& adder, const FormatInfo& d) {
  const bool negative = a.negative != b.negative;
  if (a.kind == Kind::nan || b.kind == Kind::nan) return special(Kind::nan, false);
  if (a.kind == Kind::infinite || b.kind == Kind::infinite)
    return special(a.is_zero() || b.is_zero() ? Kind::nan : Kind::infinite, negative);
  Addend result;
  result.negative = negative;
  result.units = a.units * b.units;
  result.unit = a.unit + b.unit;
  result.exponent = factor_exponent(a, adder.zero_addends) + factor_exponent(b, adder.zero_addends);
  if (result.units == 0) return result;
  const long leading = result.unit + leading_exponent(result.units);
  if (adder.product == ProductKind::exact_normalised) result.exponent = leading;
  if (adder.product_overflow == ProductOverflow::infinity && leading > d.emax())
    return special(Kind::infinite, negative);
  return result;
}

// IEEE 754-2019, 7.4: which overflows go to an infinity.
bool overflows_to_infinity(Overflow overflow, Rounding rounding, bool negative) {
  if (overflow != Overflow::by_direction) return overflow == Overflow::infinity;
  if (rounding == Rounding::up) return !negative;
  if (rounding == Rounding::down) return negative;
  return rounding == Rounding::nearest_even || rounding == Rounding::nearest_away;
}

bool follows(ZeroSign rule, bool sign) { return rule == ZeroSign::follow && sign; }

// One node of one evaluation.
class NodeSum {
 public:
  NodeSum(const UnitModel& model, const Deviation& deviation, int node)
      : tree_(model.tree),
        carries_(model.tree.nodes[static_cast<std::size_t>(node)].result.is_carried()),
        d_(info(model.tree.nodes[static_cast<std::size_t>(node)].result.value_or(model.formats.d))),
        at_(deviation),
        node_(node),
        adder_(
            model.adders[static_cast<std::size_t>(model.tree.nodes[static_cast<std::size_t>(node)].adder)]),
        conventions_(model.conventions) {
    if (at_.parameters) at_.parameters(node, adder_, conventions_);
  }

  [[nodiscard]] const Adder& adder() const { return adder_; }

  [[nodiscard]] Addend of(const Addends& addends) const {
    Addend result = by_definition(addends);
    if (at_.result) at_.result(node_, addends, result);
    return result;
  }

 private:
  [[nodiscard]] Addend by_definition(const Addends& addends) const {
    bool infinities[2] = {false, false};
    bool all_zero = true, all_negative = true, any_negative = false;
    for (const Addend& addend : addends) {
      if (addend.kind == Kind::nan) return special(Kind::nan, false);
      if (addend.kind == Kind::infinite) infinities[addend.negative ? 1 : 0] = true;
      all_zero = all_zero && addend.is_zero();
      all_negative = all_negative && addend.negative;
      any_negative = any_negative || addend.negative;
    }
    if (infinities[0] && infinities[1]) return special(Kind::nan, false);
    if (infinities[0] || infinities[1]) return special(Kind::infinite, infinities[1]);
    const bool down = adder_.rounding == Rounding::down && !carries_;
    const Addend of_zeros =
        zero(follows(conventions_.zero_sign.all_zero, down ? any_negative : all_negative));
    if (all_zero) return of_zeros;

    const Grid grid = grid_of(addends);
    const mpz_class sum = sum_on(grid, addends);
    const auto nothing = [&](const Addend& x) { return x.is_zero() || is_dropped(x, grid.exponent); };
    if (std::ranges::all_of(addends, nothing)) return of_zeros;
    Addend result = sum == 0    ? zero(follows(conventions_.zero_sign.cancelled, down))
                    : !carries_ ? result_of_sum(sum, grid.unit)
                                : Addend{Kind::finite, sum < 0, sum, grid.unit, 0, ZeroLeaf{}, false};
    if (carries_) {
      result.exponent = grid.exponent;
      result.carried = true;
    }
    return result;
  }

  // ---- Kinds of operands: products, carried sums, and the rest.

  [[nodiscard]] bool is_product(const Addend& x) const {
    return std::holds_alternative<ProductLeaf>(x.from) || std::holds_alternative<PaddingLeaf>(x.from);
  }
  [[nodiscard]] bool is_carried(const Addend& x) const {
    const auto* node = std::get_if<NodeLeaf>(&x.from);
    return node != nullptr && tree_.nodes[static_cast<std::size_t>(node->node)].result.is_carried();
  }
  [[nodiscard]] std::optional<int> fraction_bits(const Addend& x) const {
    const auto own = is_product(x)   ? std::nullopt
                     : is_carried(x) ? adder_.carried_fraction_bits
                                     : adder_.c_fraction_bits;
    return own ? own : adder_.alignment_fraction_bits;
  }
  [[nodiscard]] Rounding alignment_rounding(const Addend& x) const {
    const auto own = is_product(x)   ? OwnAlignmentRounding::as_others
                     : is_carried(x) ? adder_.carried_alignment_rounding
                                     : adder_.c_alignment_rounding;
    if (own == OwnAlignmentRounding::as_others) return as_rounding(adder_.alignment_rounding);
    return as_rounding(static_cast<AlignmentRounding>(static_cast<int>(own) - 1));
  }
  [[nodiscard]] bool is_dropped(const Addend& x, long exponent) const {
    return adder_.c_dropped_below && !is_product(x) && !is_carried(x) &&
           x.exponent < exponent - *adder_.c_dropped_below;
  }

  // The alignment exponent E, and the unit in which the aligned addends are integers.
  [[nodiscard]] Grid grid_of(const Addends& addends) const {
    Grid grid{adder_.minimum_alignment_exponent.value_or(INT_MIN), LONG_MAX,
              as_rounding(adder_.alignment_rounding)};
    for (const Addend& addend : addends) {
      if (addend.is_zero() && !addend.carried) {
        if (const auto z = exponent_of_zero(addend)) grid.exponent = std::max(grid.exponent, *z);
        continue;
      }
      grid.exponent = std::max(grid.exponent, addend.exponent);
      if (addend.units != 0) grid.unit = std::min(grid.unit, addend.unit);
    }
    if (grid.unit == LONG_MAX) grid.unit = grid.exponent;  // all carried, and all cancelled
    if (at_.alignment_exponent) at_.alignment_exponent(node_, addends, grid.exponent);
    std::optional<int> most = -1;  // of the kinds that are there
    for (const Addend& addend : addends) {
      const auto f = fraction_bits(addend);
      most = most && f ? std::optional(std::max(*most, *f)) : std::nullopt;
    }
    if (most) grid.unit = grid.exponent - *most;
    return grid;
  }

  // The exponent with which a zero takes part, if it does.
  [[nodiscard]] std::optional<long> exponent_of_zero(const Addend& x) const {
    const ZeroAddends zeros = adder_.zero_addends;
    if (zeros.kind() == ZeroAddends::Kind::as_exponent) return zeros.exponent();
    return zeros.kind() == ZeroAddends::Kind::factor_exponent && is_product(x) ? std::optional(x.exponent)
                                                                               : std::nullopt;
  }

  [[nodiscard]] mpz_class sum_on(const Grid& grid, const Addends& addends) const {
    const auto wrap = [&](mpz_class& x) {
      if (adder_.extra_carry_bits) x = wrapped(x, grid.exponent + 2 + *adder_.extra_carry_bits - grid.unit);
    };
    // Partial sums keep F bits below their own leading one; below E nothing is left to drop.
    const auto drop = [&](mpz_class& x) {
      if (!adder_.alignment_fraction_bits || x == 0) return;
      const long surplus = grid.unit + leading_exponent(x) - grid.exponent;
      if (surplus > 0) x = scaled_up(rounded(x, surplus, grid.rounding), surplus);
    };
    mpz_class sum;
    bool first = true;
    for (const Addend& addend : addends) {
      if (!addend.is_zero() && !is_dropped(addend, grid.exponent)) sum += aligned(addend, grid);
      if (adder_.normalisation == Normalisation::immediate && !first) {
        wrap(sum);
        drop(sum);
      }
      first = false;
    }
    if (adder_.normalisation == Normalisation::late || addends.size() == 1) wrap(sum);
    return sum;
  }

  [[nodiscard]] mpz_class aligned(const Addend& addend, const Grid& grid) const {
    const auto f = fraction_bits(addend);
    const long last = f ? std::max(grid.exponent - *f, grid.unit) : grid.unit;
    mpz_class result =
        scaled_up(rounded(addend.units, last - addend.unit, alignment_rounding(addend)), last - grid.unit);
    if (at_.aligned) at_.aligned(node_, addend, grid, result);
    return result;
  }

  // A nonzero sum, units·2^unit, as a number of the node's format.
  [[nodiscard]] Addend result_of_sum(const mpz_class& units, long unit) const {
    const bool negative = units < 0;
    const long f = adder_.output_fraction_bits;
    const long leading = unit + leading_exponent(units);
    const bool flushes = conventions_.output_subnormals == Subnormals::flushed;
    if (flushes && conventions_.flush_test == FlushTest::before && leading < d_.emin())
      return zero(follows(conventions_.zero_sign.flushed, negative));
    if (flushes && conventions_.flush_test == FlushTest::after_unbounded && leading < d_.emin()) {
      const mpz_class own = rounded(units, leading - f - unit, adder_.rounding);
      if (leading - f + leading_exponent(own) < d_.emin())
        return zero(follows(conventions_.zero_sign.flushed, negative));
    }
    Addend result;
    result.negative = negative;
    result.unit = std::max(leading, static_cast<long>(d_.emin())) - f;
    const long shift = result.unit - unit;
    result.units = at_.rounded && shift > 0 ? at_.rounded(node_, units, shift, adder_.rounding)
                                            : rounded(units, shift, adder_.rounding);
    if (result.units == 0) return zero(follows(conventions_.zero_sign.rounded, negative));

    result.exponent = std::max(result.unit + leading_exponent(result.units), static_cast<long>(d_.emin()));
    const Addend largest = largest_finite(d_, f, negative);
    const bool overflows =
        result.exponent > d_.emax() ||
        (result.exponent == d_.emax() &&
         abs(result.units) > scaled_up(abs(largest.units), std::max(0L, largest.unit - result.unit)));
    if (overflows) return overflowed(largest, leading);
    const bool below_normal = result.unit + leading_exponent(result.units) < d_.emin();
    if (below_normal && flushes) return zero(follows(conventions_.zero_sign.flushed, negative));
    return result;
  }

  [[nodiscard]] Addend overflowed(const Addend& largest, long leading) const {
    Overflow overflow = conventions_.overflow;
    if (at_.overflow) at_.overflow(node_, leading, largest.negative, overflow);
    if (!overflows_to_infinity(overflow, adder_.rounding, largest.negative)) return largest;
    if (!d_.has_infinity()) throw std::invalid_argument("oracle: D's format has no infinity");
    return special(Kind::infinite, largest.negative);
  }

  const Tree& tree_;
  bool carries_;
  const FormatInfo& d_;
  const Deviation& at_;
  int node_;
  Adder adder_;
  Conventions conventions_;
};

class Evaluation {
 public:
  Evaluation(const UnitModel& model, const DotInput& input, const Deviation& deviation)
      : model_(model), input_(input), at_(deviation) {}

  Pattern operator()() {
    for (std::size_t n = 0; n < model_.tree.nodes.size(); ++n) {
      const NodeSum sum(model_, at_, static_cast<int>(n));
      Addends addends;
      addends.reserve(model_.tree.nodes[n].operands.size());
      for (const Leaf& leaf : model_.tree.nodes[n].operands) {
        addends.push_back(addend(leaf, sum.adder()));
        addends.back().from = leaf;
      }
      if (at_.addends) at_.addends(static_cast<int>(n), addends);
      results_.push_back(sum.of(addends));
      if (model_.tree.nodes[n].result.is_scaled()) scale_sum(model_.tree.nodes[n], results_.back());
    }
    return pattern(results_.back());
  }

 private:
  [[nodiscard]] Addend outer(Role role, int index) const {
    const auto i = static_cast<std::size_t>(index);
    const Conventions& how = model_.conventions;
    Addend x = role == Role::a
                   ? outer_operand(model_.formats.a, model_.paths.a, input_.a[i], how.input_subnormals)
               : role == Role::b
                   ? outer_operand(model_.formats.b, model_.paths.b, input_.b[i], how.input_subnormals)
                   : outer_operand(model_.formats.c.value(), model_.paths.c, input_.c, how.c_subnormals);
    if (at_.operand) at_.operand(role, index, x);
    return x;
  }

  // The scales of a product, multiplied: NaN if either is.
  [[nodiscard]] Addend scale_of(int product) const {
    Addend all;
    all.units = 1;
    const auto take = [&](const std::optional<Scales>& role, const std::vector<Pattern>& patterns) {
      if (!role || patterns.empty()) return;
      const Addend x = scale(role->format, patterns[static_cast<std::size_t>(product / role->per)]);
      if (x.kind == Kind::nan) all.kind = Kind::nan;
      all.units *= x.units;
      all.unit += x.unit;
      all.exponent += x.exponent;
    };
    take(model_.formats.sa, input_.sa);
    take(model_.formats.sb, input_.sb);
    return all;
  }

  // docs/semantics.md, scales: the exact sum of a group, multiplied, with the scales' exponents.
  void scale_sum(const Node& node, Addend& sum) const {
    const Addend by = scale_of(std::get<ProductLeaf>(node.operands.front()).index);
    if (sum.kind == Kind::nan || by.kind == Kind::nan) {
      sum = special(Kind::nan, false);
      return;
    }
    if (by.units == 0) {
      sum = zero(sum.negative);
      return;
    }
    sum.units *= by.units;
    sum.unit += by.unit;
    sum.exponent = by.exponent;
  }

  [[nodiscard]] Addend addend(const Leaf& leaf, const Adder& adder) const {
    if (const auto* before = std::get_if<NodeLeaf>(&leaf))
      return results_[static_cast<std::size_t>(before->node)];
    if (std::holds_alternative<CLeaf>(leaf)) return outer(Role::c, 0);
    const auto* factor = std::get_if<ProductLeaf>(&leaf);
    if (std::holds_alternative<PaddingLeaf>(leaf))
      return product(zero(false), zero(false), adder, info(model_.formats.d));
    if (factor == nullptr) return zero(false);
    const Addend a = outer(Role::a, factor->index);
    const Addend b = outer(Role::b, factor->index);
    Addend result = product(a, b, adder, info(model_.formats.d));
    result.from = leaf;
    if (at_.product) at_.product(a, b, result);
    if (!model_.formats.has_scales() || is_scaled_later(factor->index)) return result;
    const Addend by = scale_of(factor->index);
    if (by.kind == Kind::nan) return special(Kind::nan, false);
    result.unit += by.unit;
    result.exponent += by.exponent;
    return result;
  }

  // With the sum that it is added to?
  [[nodiscard]] bool is_scaled_later(int product) const {
    return std::ranges::any_of(model_.tree.nodes, [&](const Node& node) {
      return node.result.is_scaled() && std::ranges::count(node.operands, Leaf(ProductLeaf{product})) > 0;
    });
  }

  [[nodiscard]] Pattern pattern(const Addend& d) const {
    const FormatInfo& f = info(model_.formats.d);
    const Pattern sign = d.negative ? Pattern{1} << f.sign_bit() : 0;
    if (d.kind == Kind::nan) return nan() ^ sign;
    if (d.kind == Kind::finite) return encoded(model_.formats.d, d);
    const Pattern exponents = ((Pattern{1} << f.exponent_bits) - 1) << f.fraction_bits;
    return sign | exponents << f.ignored_low_bits;
  }

  [[nodiscard]] Pattern nan() const {
    if (const auto constant = constant_nan(model_.nan)) return *constant;
    const auto* rule = std::get_if<NanRule>(&model_.nan);
    if (rule == nullptr) return canonical_nan(model_.formats.d);
    NanJourney::Facts facts;
    for (const Addend& result : results_) facts.nan_results.push_back(result.kind == Kind::nan);
    for (int k = 0; k < model_.k; ++k) {
      facts.a.push_back(outer(Role::a, k).kind);
      facts.b.push_back(outer(Role::b, k).kind);
      facts.zero_factor.push_back(outer(Role::a, k).is_zero() || outer(Role::b, k).is_zero());
    }
    facts.c = model_.formats.c ? outer(Role::c, 0).kind : Kind::finite;
    return NanJourney(model_, input_, *rule, std::move(facts)).result();
  }

  const UnitModel& model_;
  const DotInput& input_;
  const Deviation& at_;
  Addends results_;
};

}  // namespace

Number decode(Format format, Pattern pattern) {
  const Addend x = operand(format, pattern);
  mpq_class value(x.units);
  if (x.unit >= 0)
    mpq_mul_2exp(value.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(x.unit));
  else
    mpq_div_2exp(value.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(-x.unit));
  return {x.kind, x.negative, value, static_cast<int>(x.exponent)};
}

Pattern pattern_of(Format format, double value) {
  if (!std::isfinite(value)) throw std::invalid_argument("oracle: pattern_of takes a finite value");
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  Addend x;
  x.negative = std::signbit(value);
  x.units = static_cast<long>(std::ldexp(fraction, 53));
  x.unit = exponent - 53;
  return encoded(format, x);
}

Pattern evaluate(const UnitModel& model, const DotInput& input, const Deviation& deviation) {
  return info(model.formats.d).is_integer() ? evaluate_integer(model, input, deviation)
                                            : Evaluation(model, input, deviation)();
}

Pattern evaluate(const UnitModel& model, const DotInput& input) { return evaluate(model, input, {}); }

}  // namespace mmaprint::oracle
