// Scales of blocks of products: patterns are read, and those of a's and of b's blocks multiplied
// (docs/semantics.md, scales).
#pragma once

#include <optional>

#include "emit/context.h"

namespace mmaprint::emit {

/// Scales as a record: significand·2^(exponent - fraction_bits), or NaN. Powers of two have no significand.
struct Scale {
  Type type;
  int fraction_bits = 0, significand_bits = 0;

  [[nodiscard]] bool is_power() const { return significand_bits == 0; }
};
struct ScaleExpr {
  Scale of;
  Expr value;

  [[nodiscard]] Expr exponent() const { return field(value, "exponent", exponent_type()); }
  [[nodiscard]] Expr significand() const { return field(value, "significand", natural(of.significand_bits)); }
  [[nodiscard]] Expr nan() const { return field(value, "nan", boolean()); }
  /// Powers of two are none.
  [[nodiscard]] Expr is_zero() const { return of.is_power() ? truth(false) : emit::is_zero(significand()); }
};

/// The scales of a unit's products as its function has them: one for all, or an array with one for each
/// block of `per` neighbours.
struct UnitScales {
  Scale scale;
  int per = 0;
  Expr blocks;

  [[nodiscard]] bool is_one() const { return !blocks->type.is_array(); }
  /// That of the block of a product.
  [[nodiscard]] Expr of(const Expr& index) const {
    return is_one() ? blocks : element(blocks, quotient(index, per));
  }
  [[nodiscard]] int block_of(int product) const { return is_one() ? 0 : product / per; }
};
/// Reads the parameters sa and sb of the unit's function; none: the unit has no scales.
[[nodiscard]] std::optional<UnitScales> unit_scales(Context& context, Body& body);

/// The scales of a node's products as its function takes them: one for all, or an array with one for each.
struct NodeScales {
  Scale scale;
  bool each = false;
};

}  // namespace mmaprint::emit
