// How many hypotheses: an exact integer, whatever its size.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

namespace mmaprint {

using Count = boost::multiprecision::cpp_int;

/// As a share of others, or for people: exact up to 2^53.
[[nodiscard]] inline double approximate(const Count& n) { return n.convert_to<double>(); }

}  // namespace mmaprint
