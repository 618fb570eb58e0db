// Units of one adder that aligns as most do: truncating, late, carries kept, products as they come, F stated.
#pragma once

#include "model/unit_model.h"

namespace mmaprint {

[[nodiscard]] bool has_usual_parameters(const UnitModel& model);

/// A source of parameters of such a unit, from any source of its parameters: what is usual is known when it
/// is compiled.
template <class Source>
class Usual : public Source {
 public:
  using Source::Source;

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
  constexpr auto value(int /*adder*/) const {
    using enum Parameter;
    if constexpr (P == product)
      return ProductKind::exact_unnormalised;
    else if constexpr (P == alignment_rounding)
      return AlignmentRounding::truncate;
    else if constexpr (P == normalisation)
      return Normalisation::late;
    else if constexpr (P == extra_carry_bits)
      return std::optional<int>();
    else if constexpr (P == alignment_fraction_bits)
      return Source::template select<P>(0, [](auto f) { return std::optional<int>(*f); });
    else
      return Source::template select<P>(0, [](auto x) { return x; });
  }
};

}  // namespace mmaprint
