// Factors that are decoded before they are multiplied, as FactorRows has them.
#pragma once

#include "model/datapath.h"
#include "model/format_table.h"
#include "model/lanes/lanes.h"
#include "model/lanes/rows.h"
#include "model/pattern.h"
#include "model/prepared_operand.h"

namespace mmaprint::lanes {

/// A format that is known when this is compiled: what depends on it costs nothing.
template <Format F>
struct KnownFormat {
  static constexpr FormatInfo kRow = kFormatTable[static_cast<std::size_t>(F)];
  template <Parameter P, class A>
  static Operand<A> read(const A& a, const LanesWord& pattern) {
    return Datapath::read_operand<P>(a, kRow, pattern);
  }
  /// Was one of them NaN or infinite? Such magnitudes are greater than all others.
  static_assert(kRow.specials == Specials::ieee || kRow.specials == Specials::nan_only);
  static constexpr Pattern kGreatestNumber =
      (kRow.specials == Specials::ieee ? infinity_pattern(kRow) : sign_pattern(kRow) - 1) - 1;
  struct Seen {
    LanesWord greatest;
    template <class A>
    void add(const A& a, const LanesWord& pattern, const Operand<A>& /*x*/) {
      greatest = {hn::Max(greatest.value, a.low_bits(LanesSum{pattern.value}, kRow.sign_bit()).value)};
    }
    template <class A>
    [[nodiscard]] LanesBool any(const A& a) const {
      return a.greater(greatest, a.word(kRow.container_bits, kGreatestNumber));
    }
  };
};
/// Any, and any conversion to it. (Copies, which no vector that is stored can lie in.)
struct AnyFormat {
  Container from;
  FormatInfo f;
  template <Parameter P, class A>
  Operand<A> read(const A& a, const LanesWord& pattern) const {
    return Datapath::read_operand<P>(a, from, f, pattern);
  }
  struct Seen {
    LanesBool special;
    template <class A>
    void add(const A& a, const LanesWord& /*pattern*/, const Operand<A>& x) {
      special = a.any(special, x.nan, x.infinite);
    }
    template <class A>
    [[nodiscard]] LanesBool any(const A& /*a*/) const {
      return special;
    }
  };
};

/// fn(a KnownFormat, for the formats that are multiplied most, or AnyFormat).
template <class Fn>
auto with_format(const Container& from, const FormatInfo& f, const Fn& fn) {
  if (from.conversion || from.format.id != f.id) return fn(AnyFormat{from, f});
  switch (f.id) {
    case Format::fp16:
      return fn(KnownFormat<Format::fp16>());
    case Format::bf16:
      return fn(KnownFormat<Format::bf16>());
    case Format::tf32:
      return fn(KnownFormat<Format::tf32>());
    case Format::e4m3:
      return fn(KnownFormat<Format::e4m3>());
    case Format::e5m2:
      return fn(KnownFormat<Format::e5m2>());
    default:
      return fn(AnyFormat{from, f});
  }
}

/// Prepares one role's factors. Is none of them NaN or infinite?
template <class A, class AnyOrKnown>
[[gnu::flatten, gnu::noinline]] bool prepared(const A& algebra, const AnyOrKnown format, std::size_t k,
                                              const InputRows::Patterns patterns, HalfRows& all) {
  typename AnyOrKnown::Seen seen;
  for (std::size_t i = 0; i < k; ++i) {
    const LanesWord pattern = patterns[i];
    const Operand<A> x = format.template read<Parameter::input_subnormals>(algebra, pattern);
    const LanesWord low = algebra.append_bit(x.negative, x.significand, PreparedOperand::kNegative);
    const LanesInt exponent = algebra.mux(algebra.is_zero(x.significand),
                                          algebra.integer(PreparedOperand::kZeroExponent), x.exponent);
    all.put(i, narrowed(low.value), narrowed(as_words(exponent.value)));
    seen.add(algebra, pattern, x);
  }
  return algebra.known(seen.any(algebra)) == std::optional(false);
}
template <class A>
bool prepared(const A& algebra, const Container& from, const FormatInfo& f, std::size_t k,
              const InputRows::Patterns& patterns, HalfRows& all) {
  return with_format(from, f,
                     [&](const auto& format) { return prepared(algebra, format, k, patterns, all); });
}

}  // namespace mmaprint::lanes
