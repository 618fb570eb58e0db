// Infinities, NaN and zeros among the operands of an input.
#pragma once

#include "inference/mutant_kinds.h"
#include "model/pattern.h"

namespace mmaprint::mutants {

/// The operands of one model's inputs, as far as specials go.
struct SpecialOperands {
  FormatInfo a, b, c;
  explicit SpecialOperands(const Signature& f) : a(info(f.a)), b(info(f.b)), c(info(room_for_c(f))) {}

  [[nodiscard]] static bool infinite(const FormatInfo& f, Pattern p) {
    return classify(f, p) == ValueClass::infinite;
  }
  [[nodiscard]] bool zero_times_infinity(const DotInput& in, std::size_t k) const {
    return (infinite(a, in.a[k]) && is_zero(b, in.b[k])) || (is_zero(a, in.a[k]) && infinite(b, in.b[k]));
  }
  /// Is product k infinite, or c where k is K?
  [[nodiscard]] bool infinite_addend(const DotInput& in, std::size_t k) const {
    if (k == in.a.size()) return infinite(c, in.c);
    return (infinite(a, in.a[k]) || infinite(b, in.b[k])) && !zero_times_infinity(in, k) &&
           !is_nan(a, in.a[k]) && !is_nan(b, in.b[k]);
  }
  [[nodiscard]] bool negative_addend(const DotInput& in, std::size_t k) const {
    if (k == in.a.size()) return (in.c & sign_pattern(c)) != 0;
    return ((in.a[k] & sign_pattern(a)) != 0) != ((in.b[k] & sign_pattern(b)) != 0);
  }
  [[nodiscard]] bool has_nan(const DotInput& in) const {
    for (std::size_t k = 0; k < in.a.size(); ++k)
      if (is_nan(a, in.a[k]) || is_nan(b, in.b[k])) return true;
    return is_nan(c, in.c);
  }
  [[nodiscard]] bool has_zero_times_infinity(const DotInput& in) const {
    for (std::size_t k = 0; k < in.a.size(); ++k)
      if (zero_times_infinity(in, k)) return true;
    return false;
  }
  [[nodiscard]] bool nan_addend(const DotInput& in, std::size_t k) const {
    return k == in.a.size() ? is_nan(c, in.c) : is_nan(a, in.a[k]) || is_nan(b, in.b[k]);
  }
  /// Makes an addend a zero.
  static void drop(DotInput& in, std::size_t k) {
    if (k == in.a.size())
      in.c = 0;
    else
      in.a[k] = in.b[k] = 0;
  }
};

}  // namespace mmaprint::mutants
