// Operands and products: patterns are read, converted and flushed, and multiplied (docs/semantics.md, operand
// paths and step 1).
#pragma once

#include "emit/scale_steps.h"

namespace mmaprint::emit {

/// What a pattern stands for, before its record is made.
struct OperandParts {
  Expr negative, exponent, significand, nan, infinite;
};
/// Of a format with a fraction.
[[nodiscard]] OperandParts decoded(Body& body, const FormatInfo& f, const Expr& pattern);

/// A function from patterns to numbers.
struct Reading {
  Callee function;
  Number number;
};
struct Readings {
  Reading a, b, c;  ///< c's is void where there is none
};
[[nodiscard]] Readings reading_functions(Context& context);

/// Products of an adder: sign, the exponent with which each takes part in E, significand, and what is no
/// number.
struct Products {
  Callee function;
  int fraction_bits = 0, significand_bits = 0;
  bool has_nan = false, has_infinity = false;
};
struct ProductExpr {
  const Products& of;
  Expr value;
  [[nodiscard]] Expr negative() const { return field(value, "negative", boolean()); }
  [[nodiscard]] Expr exponent() const { return field(value, "exponent", exponent_type()); }
  [[nodiscard]] Expr significand() const { return field(value, "significand", natural(of.significand_bits)); }
  [[nodiscard]] Expr nan() const { return of.has_nan ? field(value, "nan", boolean()) : truth(false); }
  [[nodiscard]] Expr infinite() const {
    return of.has_infinity ? field(value, "infinite", boolean()) : truth(false);
  }
};
/// A function (a, b), or (a, b, scale) of products that are `scaled` one by one, by powers of two.
/// `as_it_is`: no rule needs products in [1, 2), as all sums round as exact ones.
[[nodiscard]] Products product_function(Context& context, const std::string& name, const Adder& adder,
                                        bool as_it_is, const Number& a, const Number& b, const Scale* scaled);

/// The exponent with which an operand takes part in E: a zero one as the adder's rule says.
[[nodiscard]] Expr exponent_in_alignment(const Context& context, const Adder& adder, const Expr& zero,
                                         const Expr& exponent);
/// A product is zero times infinity.
[[nodiscard]] Expr is_invalid(const NumberExpr& a, const NumberExpr& b);
/// D's pattern of a number, NaN aside.
[[nodiscard]] Callee writing_function(Context& context, const Number& number);

}  // namespace mmaprint::emit
