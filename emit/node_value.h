// A node's operands other than products, as its steps see them.
#pragma once

#include "emit/node_steps.h"

namespace mmaprint::emit {

struct Value {
  std::string name;
  NodeValue type;
  Expr it;
  Expr exponent;  ///< with which it takes part in E

  [[nodiscard]] bool is_carried() const { return std::holds_alternative<Carried>(type); }
  [[nodiscard]] Expr negative() const { return field(it, "negative", boolean()); }
  [[nodiscard]] int significand_bits() const {
    const auto* carried = std::get_if<Carried>(&type);
    return carried != nullptr ? carried->width : std::get<Number>(type).format.precision();
  }
  [[nodiscard]] int fraction_bits() const {
    const auto* carried = std::get_if<Carried>(&type);
    return carried != nullptr ? carried->fraction_bits : std::get<Number>(type).format.fraction_bits;
  }
  [[nodiscard]] Expr significand() const { return field(it, "significand", natural(significand_bits())); }
  [[nodiscard]] Expr is_zero() const { return emit::is_zero(significand()); }
  [[nodiscard]] Expr nan() const {
    return is_carried() ? field(it, "nan", boolean()) : NumberExpr{std::get<Number>(type), it}.nan();
  }
  [[nodiscard]] Expr infinite() const {
    const auto* carried = std::get_if<Carried>(&type);
    if (carried == nullptr) return NumberExpr{std::get<Number>(type), it}.infinite();
    return carried->has_infinity ? field(it, "infinite", boolean()) : truth(false);
  }
};

}  // namespace mmaprint::emit
