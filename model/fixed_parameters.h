// What `select` and `branch` do when the model is known: pass the parameter's value.
#pragma once

#include "model/unit_model.h"

namespace mmaprint {

/// Does each adder have its own value of this parameter? The rest are conventions of the whole unit.
[[nodiscard]] constexpr bool is_of_adder(Parameter p) {
  using enum Parameter;
  return p == product || p == minimum_alignment_exponent || p == alignment_fraction_bits ||
         p == alignment_rounding || p == normalisation || p == extra_carry_bits || p == block_rounding ||
         p == output_fraction_bits;
}

/// Parameter P of a model, at one of its adders.
template <Parameter P>
[[nodiscard]] constexpr auto parameter_of(const Adder& adder, const Conventions& unit) {
  using enum Parameter;
  if constexpr (P == input_subnormals)
    return unit.input_subnormals;
  else if constexpr (P == c_subnormals)
    return unit.c_subnormals;
  else if constexpr (P == output_subnormals)
    return unit.output_subnormals;
  else if constexpr (P == product)
    return adder.product;
  else if constexpr (P == minimum_alignment_exponent)
    return adder.minimum_alignment_exponent;
  else if constexpr (P == alignment_fraction_bits)
    return adder.alignment_fraction_bits;
  else if constexpr (P == alignment_rounding)
    return adder.alignment_rounding;
  else if constexpr (P == normalisation)
    return adder.normalisation;
  else if constexpr (P == extra_carry_bits)
    return adder.extra_carry_bits;
  else if constexpr (P == block_rounding || P == final_rounding)
    return adder.rounding;
  else if constexpr (P == output_fraction_bits)
    return adder.output_fraction_bits;
  else if constexpr (P == overflow)
    return unit.overflow;
  else if constexpr (P == zero_all_zero)
    return unit.zero_sign.all_zero;
  else if constexpr (P == zero_cancelled)
    return unit.zero_sign.cancelled;
  else if constexpr (P == zero_rounded)
    return unit.zero_sign.rounded;
  else
    return unit.zero_sign.flushed;
}

class FixedParameters {
 public:
  constexpr explicit FixedParameters(const UnitModel& model)
      : adders_(model.adders.data()), conventions_(&model.conventions) {}

  template <Parameter P, class Fn>
  constexpr auto select(int adder, Fn&& fn) const {
    return fn(value<P>(adder));
  }
  template <Parameter P, class Key, class Fn>
  constexpr auto branch(int adder, Key&&, Fn&& fn) const {
    return fn(value<P>(adder));
  }
  template <Parameter P, class Predicate>
  constexpr bool always(int adder, Predicate&& holds) const {
    return holds(value<P>(adder));
  }

 private:
  template <Parameter P>
  constexpr auto value(int adder) const {
    return parameter_of<P>(adders_[adder], *conventions_);
  }
  const Adder* adders_;
  const Conventions* conventions_;
};

}  // namespace mmaprint
