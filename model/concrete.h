// The concrete algebra: the datapath on machine words.
//
// An algebra has four types and primitives; docs/algebra.md states each contract once, and the tests sweep
// every instance against it at small widths. Widths are passed wherever a symbolic instance needs them; here
// a word just has to be wide enough. Those that read no parameter are in model/concrete_core.h.
// `ParameterSource` decides what `select` and `branch` do with a parameter: a fixed model passes its value,
// evaluation by need splits the set of hypotheses.
#pragma once

#include <optional>

#include "model/concrete_core.h"
#include "model/parameters.h"

namespace mmaprint {

/// A source for what reads no parameter: decoding, encoding, converting exactly.
struct NoParameters {};

template <class W, class ParameterSource>
class Concrete : public ConcreteCore<W> {
 public:
  using Core = ConcreteCore<W>;
  using typename Core::Bool;
  using typename Core::Int;
  using typename Core::Sum;
  using typename Core::Word;

  constexpr explicit Concrete(ParameterSource& source) : source_(&source) {}
  [[nodiscard]] constexpr ParameterSource& source() const { return *source_; }

  // Parameters.
  template <auto P, class Fn>
  [[nodiscard]] constexpr auto select(int adder, Fn&& fn) const {
    return source_->template select<P>(adder, fn);
  }
  /// The parameter is an exponent, or none; fn takes it as a number, none as kNoClamp. (value_or would take
  /// kNoClamp's address, which device code does not have.)
  template <auto P, class Fn>
  [[nodiscard]] constexpr auto select_exponent(int adder, Fn&& fn) const {
    return select<P>(adder,
                     [&](std::optional<int> value) { return fn(this->integer(value ? *value : kNoClamp)); });
  }
  template <auto P, class Key, class Fn>
  [[nodiscard]] constexpr auto branch(int adder, Key&& key, Fn&& fn) const {
    return source_->template branch<P>(
        adder, [&] { return key(*this); }, fn);
  }
  template <auto P, class Predicate>
  [[nodiscard]] constexpr bool always(int adder, Predicate&& holds) const {
    return source_->template always<P>(adder, holds);
  }

  /// Calls fn with an algebra whose words hold `bits` bits; `import` brings words over.
  template <class Fn>
  [[nodiscard]] constexpr auto with_width(int bits, Fn&& fn) const {
    if (bits <= kWordBits<W>) return fn(*this);
    if (bits <= 128) return fn(Concrete<Word128, ParameterSource>(*source_));
    if (bits <= 256) return fn(Concrete<Word256, ParameterSource>(*source_));
    if (bits <= 320) return fn(Concrete<WideWord<320>, ParameterSource>(*source_));
    if (bits <= 640) return fn(Concrete<WideWord<640>, ParameterSource>(*source_));
    return fn(Concrete<WideWord<4480>, ParameterSource>(*source_));
  }

 private:
  ParameterSource* source_;
};

}  // namespace mmaprint
