// What is known of a datapath before any operand, its tree aside: formats, widths and ranges of exponents.
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/container.h"
#include "model/sum_shape.h"
#include "model/unit_model.h"
#include "model/wide.h"

namespace mmaprint {

/// Smallest n with 2^n >= x, x >= 1.
[[nodiscard]] constexpr int ceil_log2(int x) {
  int n = 0;
  while ((1 << n) < x) ++n;
  return n;
}

/// One role of scales: product i has the scale of block i / per.
struct PlannedScales {
  FormatInfo format;
  int per;
};
/// The scales of a's and of b's products, where there are such.
struct ScaleWidths {
  std::optional<PlannedScales> a, b;

  [[nodiscard]] constexpr bool any() const { return a || b; }
  /// Of the product of a product's scales: the exponents that it has, and its fraction bits.
  [[nodiscard]] constexpr int lowest() const {
    return (a ? a->format.emin() : 0) + (b ? b->format.emin() : 0);
  }
  [[nodiscard]] constexpr int highest() const {
    return (a ? a->format.emax() : 0) + (b ? b->format.emax() : 0);
  }
  [[nodiscard]] constexpr int fraction_bits() const {
    return (a ? a->format.fraction_bits : 0) + (b ? b->format.fraction_bits : 0);
  }
  /// The significand is below 2 to this.
  [[nodiscard]] constexpr int integer_bits() const {
    return (a && a->format.fraction_bits > 0 ? 1 : 0) + (b && b->format.fraction_bits > 0 ? 1 : 0);
  }
};

/// A plan without its tree: what single adders need to know.
struct PlanWidths {
  FormatInfo a, b, c;  ///< in which the datapath computes
  FormatInfo d;
  Container from_a, from_b, from_c;  ///< whose patterns come in
  int k;
  int places;  ///< at which operands stand: the products', and c's after them if there is one
  int most_carried_bits = kLargestOwnFractionBits;  ///< F of no node that carries its sum on is larger
  ScaleWidths scales = {};

  /// Of operands that are computed in as they come, c among them.
  constexpr PlanWidths(const FormatInfo& fa, const FormatInfo& fb, const FormatInfo& fc, const FormatInfo& fd,
                       int count);
  PlanWidths(const Signature& formats, int count, const OperandPaths& paths);
  /// The same for nodes whose results have this format, too.
  constexpr void include_result(const FormatInfo& format);
  /// The same for carried sums of at most `bound`, in units of 2^E.
  constexpr void include_carried(int bound);
  /// The same for products that are scaled one by one.
  constexpr void include_scaled_products();
  /// The same for scaled sums of products, of at most `bound` in units of 2^E.
  constexpr void include_scaled_sums(int bound);
  /// As many bits keep all, too. Requires that the others are known: formats, scales and carried sums.
  constexpr void limit_exact_fraction_bits(int bits);
  [[nodiscard]] constexpr bool converts() const {
    return from_a.conversion || from_b.conversion || from_c.conversion;
  }
  /// Of the containers: for what is said of patterns.
  [[nodiscard]] constexpr PlanWidths of_containers() const {
    PlanWidths widths{from_a.format, from_b.format, from_c.format, d, k};
    widths.places = places;
    return widths;
  }

  /// Product significands have one fraction bit more than the exact product, so that a product brought into
  /// [1,2) keeps its last bit.
  [[nodiscard]] constexpr int product_fraction_bits() const { return a.fraction_bits + b.fraction_bits + 1; }
  [[nodiscard]] constexpr int product_width() const { return product_fraction_bits() + 2; }
  /// The largest product of significands in units of 2^-10, rounded up; see SumShape.
  [[nodiscard]] constexpr int product_bound() const {
    const int bits = a.fraction_bits + b.fraction_bits;
    if (bits > 40) return kAnyProduct;
    const std::uint64_t largest =
        ((std::uint64_t{2} << a.fraction_bits) - 1) * ((std::uint64_t{2} << b.fraction_bits) - 1);
    return static_cast<int>(((largest << 10) + (std::uint64_t{1} << bits) - 1) >> bits);
  }
  /// Fraction bits that all addends of a node have: enough for every kind of them.
  [[nodiscard]] constexpr int addend_fraction_bits() const { return addend_fraction_bits_; }
  [[nodiscard]] constexpr int addend_width() const { return addend_fraction_bits_ + addend_integer_bits_; }
  /// An exponent no nonzero addend lies below: zero addends take it and so never decide the maximum.
  [[nodiscard]] constexpr int lowest_exponent() const { return lowest_exponent_; }
  /// No nonzero addend has an exponent above this, nor has a clamp.
  [[nodiscard]] constexpr int highest_exponent() const { return highest_exponent_; }
  /// Of c and of results.
  [[nodiscard]] constexpr int operand_fraction_bits() const { return operand_fraction_bits_; }
  /// No operand has a bit that weighs less than 2^this; nor has a product, or c.
  [[nodiscard]] constexpr int lowest_bit() const { return lowest_bit_; }
  [[nodiscard]] constexpr int lowest_bit_of_product() const {
    return lowest_bit_of_unscaled() + (scales_products_ ? scales.lowest() : 0);
  }
  [[nodiscard]] constexpr int lowest_bit_of_unscaled() const {
    return a.emin() + b.emin() - a.fraction_bits - b.fraction_bits;
  }
  /// No product that is added as it is has a larger exponent.
  [[nodiscard]] constexpr int highest_exponent_of_product() const {
    return a.emax() + b.emax() + 1 + (scales_products_ ? scales.highest() : 0);
  }
  /// Fraction bits of a scaled sum of products, below 2^E; see include_scaled_sums().
  [[nodiscard]] constexpr int scaled_fraction_bits() const {
    return scales.fraction_bits() - std::min(0, lowest_bit_of_unscaled());
  }
  /// Are some products scaled one by one?
  [[nodiscard]] constexpr bool scales_products() const { return scales_products_; }
  /// Is there a product that all of D's exponents are too small for?
  [[nodiscard]] constexpr bool products_can_overflow() const {
    return a.emax() + b.emax() + 1 > d.emax() && !d.is_integer();
  }
  [[nodiscard]] constexpr int lowest_bit_of_c() const { return c.emin() - c.fraction_bits; }
  /// F with which nothing is ever lost at a node over these operands.
  [[nodiscard]] constexpr int exact_fraction_bits() const { return exact_fraction_bits_; }
  /// F with which truncation with a sticky bit equals the exact sum of one product and one other operand,
  /// rounded once: a bit is lost only where the operand that loses it is too small to move the leading
  /// position.
  [[nodiscard]] constexpr int sticky_fraction_bits() const { return sticky_fraction_bits_; }
  /// Integers: bits of a two's complement accumulator that holds any sum of c, products and earlier sums.
  [[nodiscard]] constexpr int integer_width() const {
    return std::max({a.fraction_bits + b.fraction_bits, c.fraction_bits, d.fraction_bits}) +
           ceil_log2(k + 2) + 2;
  }

 private:
  constexpr void derive();

  int lowest_exponent_;
  int highest_exponent_;
  int lowest_bit_;
  int operand_fraction_bits_;
  int result_fraction_bits_ = 0;
  int carried_fraction_bits_ = 0;
  int addend_integer_bits_ = 2;
  bool scales_products_ = false;
  int addend_fraction_bits_ = 0;
  int exact_fraction_bits_ = 0;
  int sticky_fraction_bits_ = 0;
};

constexpr PlanWidths::PlanWidths(const FormatInfo& fa, const FormatInfo& fb, const FormatInfo& fc,
                                 const FormatInfo& fd, int count)
    : a(fa), b(fb), c(fc), d(fd), from_a{fa}, from_b{fb}, from_c{fc}, k(count), places(count + 1) {
  lowest_exponent_ = std::min(lowest_bit_of_product(), c.emin());
  // A clamp may raise the alignment exponent up to 0.
  highest_exponent_ = std::max({a.emax() + b.emax() + 1, c.emax(), 0});
  lowest_bit_ = std::min(lowest_bit_of_product(), lowest_bit_of_c());
  operand_fraction_bits_ = c.fraction_bits;
  include_result(d);
}

constexpr void PlanWidths::include_result(const FormatInfo& format) {
  lowest_exponent_ = std::min(lowest_exponent_, format.emin());
  highest_exponent_ = std::max(highest_exponent_, format.emax());
  lowest_bit_ = std::min(lowest_bit_, format.emin() - format.fraction_bits);
  operand_fraction_bits_ = std::max(operand_fraction_bits_, format.fraction_bits);
  result_fraction_bits_ = std::max(result_fraction_bits_, format.fraction_bits);
  derive();
}

constexpr void PlanWidths::include_carried(int bound) {
  carried_fraction_bits_ = std::max(carried_fraction_bits_, most_carried_bits);
  addend_integer_bits_ = std::max(addend_integer_bits_, bit_length(static_cast<std::uint64_t>(bound)));
  derive();
}

constexpr void PlanWidths::include_scaled_products() {
  scales_products_ = true;
  lowest_exponent_ = std::min(lowest_exponent_, lowest_bit_of_product());
  lowest_bit_ = std::min(lowest_bit_, lowest_bit_of_product());
  highest_exponent_ = std::max(highest_exponent_, highest_exponent_of_product());
  derive();
}

constexpr void PlanWidths::include_scaled_sums(int bound) {
  lowest_exponent_ = std::min(lowest_exponent_, scales.lowest());
  lowest_bit_ = std::min(lowest_bit_, scales.lowest() - scaled_fraction_bits());
  highest_exponent_ = std::max(highest_exponent_, scales.highest());
  carried_fraction_bits_ = std::max(carried_fraction_bits_, scaled_fraction_bits());
  addend_integer_bits_ = std::max(addend_integer_bits_, bit_length(static_cast<std::uint64_t>(bound)));
  derive();
}

constexpr void PlanWidths::derive() {
  addend_fraction_bits_ = std::max({product_fraction_bits(), operand_fraction_bits_, carried_fraction_bits_});
  // At least what carried sums have, so that no aligner has to shorten them.
  exact_fraction_bits_ = std::max(highest_exponent_ - lowest_bit_, carried_fraction_bits_);
  sticky_fraction_bits_ = std::min(
      exact_fraction_bits_, product_fraction_bits() + operand_fraction_bits_ + result_fraction_bits_ + 7);
}

constexpr void PlanWidths::limit_exact_fraction_bits(int bits) {
  // No addend is shortened where none may lose a bit.
  exact_fraction_bits_ = std::min(exact_fraction_bits_, std::max(bits, addend_fraction_bits_));
  sticky_fraction_bits_ = std::min(sticky_fraction_bits_, exact_fraction_bits_);
}

}  // namespace mmaprint
