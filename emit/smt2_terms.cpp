#include "emit/smt2_terms.h"

#include <fmt/format.h>

namespace mmaprint::emit {

std::string smt_bit_length(const std::string& value, int bits) {
  std::string text = fmt::format("(let ((x0 {}))", value), end = ")";
  int step = 1, n = 0;
  while (2 * step < bits) step *= 2;
  std::string length = fmt::format("(_ bv0 {})", kDistanceBits);
  for (; step > 0 && bits > 1; step /= 2, ++n) {
    const std::string above = fmt::format("((_ extract {} {}) x{})", bits - 1, step, n);
    text += fmt::format("\n    (let ((more{0} (not (= {1} (_ bv0 {2})))))", n, above, bits - step);
    text += fmt::format(" (let ((x{0} (ite more{1} ((_ zero_extend {2}) {3}) x{1}))", n + 1, n, step, above);
    text += fmt::format(" (n{0} (bvadd {1} (ite more{2} (_ bv{3} {4}) (_ bv0 {4})))))", n + 1, length, n,
                        step, kDistanceBits);
    length = fmt::format("n{}", n + 1);
    end += "))";
  }
  return fmt::format("{0}\n    (bvadd {1} (ite (= x{2} (_ bv0 {3})) (_ bv0 {4}) (_ bv1 {4}))){5}", text,
                     length, n, bits, kDistanceBits, end);
}

}  // namespace mmaprint::emit
