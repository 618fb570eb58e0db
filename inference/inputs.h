// Random inputs on which units tend to differ: one generator for experiments and for bulk validation.
//
// Uniform bit patterns almost never align, cancel, tie, overflow or underflow. Each input here is drawn from
// one of a few families that make one of those things likely, with exponents in a window that moves over the
// formats' range.
#pragma once

#include <optional>

#include "inference/random_draws.h"
#include "inference/scale_draws.h"
#include "model/unit_model.h"
#include "model/zero_input.h"

namespace mmaprint {

/// What to draw. Evaluation by need splits less on few addends, and least where they have few bits; edges are
/// where clamps, ties and the ends of D's range decide, which other inputs rarely touch. Chained ties are for
/// nodes that are rounded one by one. Few low bits are as few bits are, but anywhere from the smallest
/// product to one: clamps take part.
enum class InputFamily : std::uint8_t { few_addends, few_bits, few_low_bits, any, edges, chained_ties };

class InputGenerator : RandomDraws {
 public:
  InputGenerator(int k, const Signature& formats, std::uint64_t seed);

  [[nodiscard]] DotInput next(InputFamily family = InputFamily::any);
  /// A small change of an input: an operand's exponent, sign or some fraction bits, or one operand replaced.
  [[nodiscard]] DotInput mutated(const DotInput& input);
  /// An input whose result is NaN in every unit: a NaN operand.
  [[nodiscard]] DotInput with_nan();

 private:
  [[nodiscard]] DotInput without_scales(InputFamily family);
  enum class Fraction : std::uint8_t { random, sparse, ones, zero, leading };
  [[nodiscard]] Pattern operand(const FormatInfo& f, bool negative, int exponent, Fraction fraction);
  [[nodiscard]] Fraction any_fraction();
  /// What is added to products: c; without one, a product where there was none.
  void set_addend(DotInput& in, bool negative, int exponent, Fraction fraction);
  void set_product(DotInput& in, int k, bool negative, int exponent, Fraction fraction);
  [[nodiscard]] DotInput zeros() const { return zero_input(k_); }
  [[nodiscard]] int base_exponent();

  [[nodiscard]] DotInput window(int most_products);
  [[nodiscard]] DotInput few();
  [[nodiscard]] DotInput few_bits(int base);
  [[nodiscard]] DotInput tie();
  [[nodiscard]] DotInput chained_tie();
  [[nodiscard]] DotInput cancelling();
  [[nodiscard]] DotInput carrying_converted();
  [[nodiscard]] DotInput carrying();
  [[nodiscard]] DotInput at_the_edge();
  [[nodiscard]] DotInput with_zeros();
  [[nodiscard]] DotInput tiny();
  [[nodiscard]] DotInput with_specials();
  [[nodiscard]] DotInput integers();
  [[nodiscard]] Pattern integer_operand(const FormatInfo& f);

  int k_;
  FormatInfo a_, b_;
  std::optional<FormatInfo> c_;
  FormatInfo d_;
  ScaleDraws scales_;
};

}  // namespace mmaprint
