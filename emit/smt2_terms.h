// Terms of QF_BV that take more than a line.
#pragma once

#include <string>

namespace mmaprint::emit {

/// Shifts and exponents are at least so wide.
inline constexpr int kDistanceBits = 16;

/// How many bits a number of so many bits has up to its leading one, by halves: a bit-vector of
/// kDistanceBits.
[[nodiscard]] std::string smt_bit_length(const std::string& value, int bits);

}  // namespace mmaprint::emit
