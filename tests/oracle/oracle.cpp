#include "oracle/oracle.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <stdexcept>

#include "oracle/integers.h"

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

// A finite operand as the nearest value of another format: docs/semantics.md, operand paths.
Addend rounded_to(const FormatInfo& to, const Addend& x, Rounding rounding) {
  if (x.units == 0) return zero(x.negative);
  const long emin = to.emin();
  Addend result;
  result.negative = x.negative;
  result.unit = std::max(x.unit + leading_exponent(x.units), emin) - to.fraction_bits;
  result.units = rounded(x.units, result.unit - x.unit, rounding);
  if (result.units == 0) return zero(x.negative);
  result.exponent = std::max(result.unit + leading_exponent(result.units), emin);
  const Addend largest = largest_finite(to, to.fraction_bits, x.negative);
  const bool beyond = result.exponent > to.emax() ||
                      (result.exponent == to.emax() &&
                       abs(result.units) > scaled_up(abs(largest.units), largest.unit - result.unit));
  if (!beyond) return result;
  return to.has_infinity() ? special(Kind::infinite, x.negative) : largest;
}

// Of a container's pattern, converted.
Addend converted_operand(Format container, const Converted& path, Pattern pattern) {
  const FormatInfo& from = info(container);
  const FormatInfo& to = info(path.compute);
  Addend x = operand(container, pattern);
  if (path.conversion != Conversion::chop) {
    const bool away = path.conversion == Conversion::nearest_away;
    return x.kind == Kind::finite ? rounded_to(to, x, away ? Rounding::nearest_away : Rounding::nearest_even)
                                  : x;
  }
  const int lost = from.fraction_bits - to.fraction_bits;
  if (x.kind == Kind::nan && pattern % (Pattern{1} << from.fraction_bits) >> lost == 0)
    return special(Kind::infinite, (pattern >> from.sign_bit() & 1U) != 0);
  if (x.kind == Kind::finite) x.units = scaled_up(rounded(x.units, lost, Rounding::toward_zero), lost);
  return x;
}

// An operand that comes from outside, after conversion and its format's flushing.
Addend outer_operand(Format format, const OperandPath& path, Pattern pattern, Subnormals subnormals) {
  Addend result = path ? converted_operand(format, *path, pattern) : operand(format, pattern);
  const FormatInfo& computed = info(path ? path->compute : format);
  if (subnormals == Subnormals::flushed && result.kind == Kind::finite && result.units != 0 &&
      result.unit + leading_exponent(result.units) < computed.emin())
    result.units = 0;
  return result;
}

Addend product(const Addend& a, const Addend& b, ProductKind kind) {
  const bool negative = a.negative != b.negative;
  if (a.kind == Kind::nan || b.kind == Kind::nan) return special(Kind::nan, false);
  if (a.kind == Kind::infinite || b.kind == Kind::infinite)
    return special(a.is_zero() || b.is_zero() ? Kind::nan : Kind::infinite, negative);
  Addend result;
  result.negative = negative;
  result.units = a.units * b.units;
  result.unit = a.unit + b.unit;
  result.exponent = a.exponent + b.exponent;
  if (kind == ProductKind::exact_normalised && result.units != 0)
    result.exponent = result.unit + leading_exponent(result.units);
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
      : d_(info(model.tree.nodes[static_cast<std::size_t>(node)].result.value_or(model.formats.d))),
        at_(deviation),
        node_(node),
        adder_(
            model.adders[static_cast<std::size_t>(model.tree.nodes[static_cast<std::size_t>(node)].adder)]),
        conventions_(model.conventions) {
    if (at_.parameters) at_.parameters(node, adder_, conventions_);
  }

  [[nodiscard]] ProductKind product_kind() const { return adder_.product; }

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
    const bool down = adder_.rounding == Rounding::down;
    if (all_zero) return zero(follows(conventions_.zero_sign.all_zero, down ? any_negative : all_negative));

    const Grid grid = grid_of(addends);
    const mpz_class sum = sum_on(grid, addends);
    if (sum == 0) return zero(follows(conventions_.zero_sign.cancelled, down));
    return result_of_sum(sum, grid.unit);
  }

  // The alignment exponent E, and the unit in which the aligned addends are integers.
  [[nodiscard]] Grid grid_of(const Addends& addends) const {
    Grid grid{adder_.minimum_alignment_exponent.value_or(INT_MIN), LONG_MAX,
              as_rounding(adder_.alignment_rounding)};
    for (const Addend& addend : addends) {
      if (addend.is_zero()) continue;
      grid.exponent = std::max(grid.exponent, addend.exponent);
      grid.unit = std::min(grid.unit, addend.unit);
    }
    if (at_.alignment_exponent) at_.alignment_exponent(node_, addends, grid.exponent);
    if (adder_.alignment_fraction_bits) grid.unit = grid.exponent - *adder_.alignment_fraction_bits;
    return grid;
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
      if (!addend.is_zero()) sum += aligned(addend, grid);
      if (adder_.normalisation == Normalisation::immediate && !first) {
        wrap(sum);
        drop(sum);
      }
      first = false;
    }
    if (adder_.normalisation == Normalisation::late) wrap(sum);
    return sum;
  }

  [[nodiscard]] mpz_class aligned(const Addend& addend, const Grid& grid) const {
    mpz_class result = rounded(addend.units, grid.unit - addend.unit, grid.rounding);
    if (at_.aligned) at_.aligned(node_, addend, grid, result);
    return result;
  }

  // A nonzero sum, units·2^unit, as a number of the node's format.
  [[nodiscard]] Addend result_of_sum(const mpz_class& units, long unit) const {
    const bool negative = units < 0;
    const long f = adder_.output_fraction_bits;
    const long leading = unit + leading_exponent(units);
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
    if (below_normal && conventions_.output_subnormals == Subnormals::flushed)
      return zero(follows(conventions_.zero_sign.flushed, negative));
    return result;
  }

  [[nodiscard]] Addend overflowed(const Addend& largest, long leading) const {
    Overflow overflow = conventions_.overflow;
    if (at_.overflow) at_.overflow(node_, leading, largest.negative, overflow);
    if (!overflows_to_infinity(overflow, adder_.rounding, largest.negative)) return largest;
    if (!d_.has_infinity()) throw std::invalid_argument("oracle: D's format has no infinity");
    return special(Kind::infinite, largest.negative);
  }

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
        addends.push_back(addend(leaf, sum.product_kind()));
        addends.back().from = leaf;
      }
      if (at_.addends) at_.addends(static_cast<int>(n), addends);
      results_.push_back(sum.of(addends));
    }
    return pattern(results_.back());
  }

 private:
  [[nodiscard]] Addend outer(Role role, int index) const {
    const auto i = static_cast<std::size_t>(index);
    const Conventions& how = model_.conventions;
    Addend x =
        role == Role::a   ? outer_operand(model_.formats.a, model_.paths.a, input_.a[i], how.input_subnormals)
        : role == Role::b ? outer_operand(model_.formats.b, model_.paths.b, input_.b[i], how.input_subnormals)
                          : outer_operand(model_.formats.c, model_.paths.c, input_.c, how.c_subnormals);
    if (at_.operand) at_.operand(role, index, x);
    return x;
  }

  [[nodiscard]] Addend addend(const Leaf& leaf, ProductKind kind) const {
    if (const auto* before = std::get_if<NodeLeaf>(&leaf))
      return results_[static_cast<std::size_t>(before->node)];
    if (std::holds_alternative<CLeaf>(leaf)) return outer(Role::c, 0);
    const auto* factor = std::get_if<ProductLeaf>(&leaf);
    if (factor == nullptr) return zero(false);
    const Addend a = outer(Role::a, factor->index);
    const Addend b = outer(Role::b, factor->index);
    Addend result = product(a, b, kind);
    result.from = leaf;
    if (at_.product) at_.product(a, b, result);
    return result;
  }

  [[nodiscard]] Pattern pattern(const Addend& d) const {
    const FormatInfo& f = info(model_.formats.d);
    const Pattern sign = d.negative ? Pattern{1} << f.sign_bit() : 0;
    if (d.kind == Kind::nan) return model_.nan.value_or(canonical_nan(model_.formats.d)) ^ sign;
    if (d.kind == Kind::finite) return encoded(model_.formats.d, d);
    const Pattern exponents = ((Pattern{1} << f.exponent_bits) - 1) << f.fraction_bits;
    return sign | exponents << f.ignored_low_bits;
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
