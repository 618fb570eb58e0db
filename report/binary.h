// Exact binary numbers for people: integers as such, others as sums of powers of two, and all as digits.
#pragma once

#include <string>
#include <vector>

#include "model/unit_model.h"

namespace mmaprint {

/// A pattern, or a product of two, taken apart.
struct Binary {
  enum class Kind : std::uint8_t { finite, infinite, nan };
  Kind kind = Kind::finite;
  bool negative = false;
  bool integer = false;   ///< of an integer format, and so told as one
  std::vector<int> ones;  ///< exponents of the set bits, descending; none for zero
  int lowest = 0;         ///< weight of the last digit that is kept: an ulp
  [[nodiscard]] bool is_zero() const { return kind == Kind::finite && ones.empty(); }
};

[[nodiscard]] Binary binary(Format format, Pattern pattern);
[[nodiscard]] Binary product(const Binary& a, const Binary& b);

/// An integer in decimal. Else "2^-24", "1 + 2^-10", "2 - 2^-11", "-5·2^3", "0", "-0", "inf", "nan";
/// "1.8046·2^3" (cut) where nothing of this is short.
[[nodiscard]] std::string number_text(const Binary& number);

}  // namespace mmaprint
