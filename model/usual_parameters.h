// Units of one adder that aligns as most do: truncating, late, carries kept, products as they come, F stated,
// subnormal operands kept or flushed with their signs, and none of the rules that few units have.
#pragma once

#include "model/fixed_parameters.h"

namespace mmaprint {

[[nodiscard]] bool has_usual_parameters(const UnitModel& model);

/// A source of parameters of such a unit, from any source of its parameters: what is usual is known when it
/// is compiled.
template <class Source>
class Usual : public KnownValues<Usual<Source>> {
 public:
  template <class Unit>
  constexpr explicit Usual(const Unit& unit) : source_(unit) {}

  template <Parameter P>
  constexpr auto value(int /*adder*/) const {
    using enum Parameter;
    if constexpr (ParameterRow<P>::is_newer)
      return parameter_of<P>(Adder{}, Conventions{});
    else if constexpr (P == product)
      return ProductKind::exact_unnormalised;
    else if constexpr (P == alignment_rounding)
      return AlignmentRounding::truncate;
    else if constexpr (P == normalisation)
      return Normalisation::late;
    else if constexpr (P == extra_carry_bits)
      return std::optional<int>();
    else if constexpr (P == alignment_fraction_bits)
      return std::optional<int>(*source_.template value<P>(0));
    else if constexpr (P == input_subnormals || P == c_subnormals)
      return source_.template value<P>(0) == Subnormals::kept ? Subnormals::kept : Subnormals::flushed;
    else
      return source_.template value<P>(0);
  }

 private:
  Source source_;
};

}  // namespace mmaprint
