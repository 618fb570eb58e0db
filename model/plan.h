// What is known of a datapath before any operand: widths, exponent ranges, the tree in evaluation order.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "model/row.h"
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

struct PlanWidths;

/// Neighbours among a node's operands: some products, or one operand of another kind.
struct OperandRun {
  enum class Kind : std::uint8_t { products, c, zero, node } kind = Kind::zero;
  std::vector<std::size_t> products;  ///< indices of the products
  std::size_t node = 0;               ///< the earlier node
  FormatInfo format{};                ///< of its result
};

/// What is known of a node's finite operands.
struct OperandBits {
  int lowest = 0;     ///< all are multiples of 2^this
  int subnormal = 0;  ///< none but products is subnormal with an exponent above this
  friend constexpr bool operator==(const OperandBits&, const OperandBits&) = default;
};

struct PlannedNode {
  /// Holds what its operands amount to.
  template <class T>
  using Operands = Row<T>;

  int adder = 0;
  std::size_t operands = 0;
  int products = 0;
  OperandBits bits;
  std::vector<OperandRun> runs;
  FormatInfo result{};  ///< the format that its sum is rounded to

  [[nodiscard]] const FormatInfo& result_of(const PlanWidths& /*plan*/) const { return result; }
  /// Calls one of the functions for each run of operands, in their order: with the products' indices, with an
  /// earlier node's and its result's format, or with nothing for c and for a zero.
  template <class Products, class Earlier, class C, class Zero>
  void visit(const PlanWidths& /*plan*/, Products&& on_products, Earlier&& on_node, C&& on_c,
             Zero&& on_zero) const {
    for (const OperandRun& run : runs) switch (run.kind) {
        case OperandRun::Kind::products:
          on_products(run.products);
          break;
        case OperandRun::Kind::node:
          on_node(run.node, run.format);
          break;
        case OperandRun::Kind::c:
          on_c();
          break;
        case OperandRun::Kind::zero:
          on_zero();
          break;
      }
  }
};

/// Integers: terms that are added exactly before anything is clipped.
struct IntegerSum {
  std::vector<std::size_t> products;  ///< ascending
  std::vector<std::size_t> sums;      ///< earlier ones, clipped
  bool c = false;
};

/// Where an operand's patterns come from; the format that it is computed in stands beside it.
struct Container {
  FormatInfo format;
  bool converts = false;
  Conversion conversion = Conversion::exact;
};

/// A plan without its tree: what single adders need to know.
struct PlanWidths {
  FormatInfo a, b, c;  ///< in which the datapath computes
  FormatInfo d;
  Container from_a, from_b, from_c;  ///< whose patterns come in
  int k;

  /// Of operands that are computed in as they come.
  constexpr PlanWidths(const FormatInfo& fa, const FormatInfo& fb, const FormatInfo& fc, const FormatInfo& fd,
                       int count);
  PlanWidths(const OperandFormats& formats, int count, const OperandPaths& paths);
  /// The same for nodes whose results have this format, too.
  constexpr void include_result(const FormatInfo& format);
  [[nodiscard]] constexpr bool converts() const {
    return from_a.converts || from_b.converts || from_c.converts;
  }
  /// Of the containers: for what is said of patterns.
  [[nodiscard]] constexpr PlanWidths of_containers() const {
    return {from_a.format, from_b.format, from_c.format, d, k};
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
  [[nodiscard]] constexpr int addend_width() const { return addend_fraction_bits_ + 2; }
  /// An exponent no nonzero addend lies below: zero addends take it and so never decide the maximum.
  [[nodiscard]] constexpr int lowest_exponent() const { return lowest_exponent_; }
  /// No nonzero addend has an exponent above this, nor has a clamp.
  [[nodiscard]] constexpr int highest_exponent() const { return highest_exponent_; }
  /// Of c and of results.
  [[nodiscard]] constexpr int operand_fraction_bits() const { return operand_fraction_bits_; }
  /// No operand has a bit that weighs less than 2^this; nor has a product, or c.
  [[nodiscard]] constexpr int lowest_bit() const { return lowest_bit_; }
  [[nodiscard]] constexpr int lowest_bit_of_product() const {
    return a.emin() + b.emin() - a.fraction_bits - b.fraction_bits;
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
  int addend_fraction_bits_ = 0;
  int exact_fraction_bits_ = 0;
  int sticky_fraction_bits_ = 0;
};

constexpr PlanWidths::PlanWidths(const FormatInfo& fa, const FormatInfo& fb, const FormatInfo& fc,
                                 const FormatInfo& fd, int count)
    : a(fa), b(fb), c(fc), d(fd), from_a{fa}, from_b{fb}, from_c{fc}, k(count) {
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

constexpr void PlanWidths::derive() {
  addend_fraction_bits_ = std::max(product_fraction_bits(), operand_fraction_bits_);
  exact_fraction_bits_ = highest_exponent_ - lowest_bit_;
  sticky_fraction_bits_ = std::min(
      exact_fraction_bits_, product_fraction_bits() + operand_fraction_bits_ + result_fraction_bits_ + 7);
}

struct Plan : PlanWidths {
  /// Holds the nodes' results.
  template <class T>
  using Results = Row<T>;

  std::vector<PlannedNode> nodes;
  std::vector<IntegerSum> integers;  ///< of integers; each after those that it uses, the last gives d

  Plan(const OperandFormats& formats, int count, const Skeleton& skeleton);
  /// Of formats that need not be in the table.
  Plan(const PlanWidths& widths, const Tree& tree);
};

/// The sums of an integer unit's plan, whose nodes are known.
[[nodiscard]] std::vector<IntegerSum> integer_sums(const Plan& plan);

}  // namespace mmaprint
