// What is known of a datapath before any operand: its nodes in evaluation order, and what each adds up.
#pragma once

#include <vector>

#include "model/plan_widths.h"
#include "model/row.h"

namespace mmaprint {

struct PlannedNode;

/// Neighbours among a node's operands: some products, or one operand of another kind.
struct OperandRun {
  enum class Kind : std::uint8_t { products, c, zero, padding, node, carried } kind = Kind::zero;
  std::vector<std::size_t> products;  ///< indices of the products
  std::size_t node = 0;               ///< the index of the earlier node
  FormatInfo format{};                ///< of its result, where that is rounded
  std::vector<PlannedNode> carried;   ///< the node itself, where its sum is carried
};

/// A zero among a node's operands: +0, or a product of +0 and +0.
enum class ZeroOperand : std::uint8_t { plain, product };

/// Kinds of operands that one node may align differently: products; carried sums; c, +0 and rounded results.
enum class OperandKind : std::uint8_t { product, carried, c };

[[nodiscard]] constexpr OperandKind kind_of(OperandRun::Kind run) {
  if (run == OperandRun::Kind::products || run == OperandRun::Kind::padding) return OperandKind::product;
  return run == OperandRun::Kind::carried ? OperandKind::carried : OperandKind::c;
}

/// What is known of a node's finite operands.
struct OperandBits {
  int lowest = 0;     ///< all are multiples of 2^this
  int subnormal = 0;  ///< none but products is subnormal with an exponent above this
  friend constexpr bool operator==(const OperandBits&, const OperandBits&) = default;
};

/// The carried sums among a node's operands, in units of 2^E of the node that they come from: no sum's
/// magnitude exceeds its bound.
struct CarriedOperands {
  int count = 0;
  int bounds = 0;   ///< of all, added up
  int largest = 0;  ///< of one
  friend constexpr bool operator==(const CarriedOperands&, const CarriedOperands&) = default;
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
  FormatInfo result{};      ///< the format that its sum is rounded to; void where that is carried
  bool is_carried = false;  ///< scaled or not
  bool is_scaled = false;
  std::vector<OperandKind> kinds = {};  ///< of its operands
  CarriedOperands carried = {};

  /// Requires that the first operand is a product.
  [[nodiscard]] std::size_t first_product() const { return runs.front().products.front(); }
  [[nodiscard]] const FormatInfo& result_of(const PlanWidths& /*plan*/) const { return result; }
  /// Calls one of the functions for each run of operands, in their order: with the products' indices, with an
  /// earlier node's and its result's format, with a carried node's index and the node, with nothing for c, or
  /// with a ZeroOperand.
  template <class Products, class Earlier, class Carried, class C, class Zero>
  void visit(const PlanWidths& /*plan*/, Products&& on_products, Earlier&& on_node, Carried&& on_carried,
             C&& on_c, Zero&& on_zero) const {
    for (const OperandRun& run : runs) switch (run.kind) {
        case OperandRun::Kind::products:
          on_products(run.products);
          break;
        case OperandRun::Kind::node:
          on_node(run.node, run.format);
          break;
        case OperandRun::Kind::carried:
          on_carried(run.node, run.carried.front());
          break;
        case OperandRun::Kind::c:
          on_c();
          break;
        case OperandRun::Kind::zero:
          on_zero(ZeroOperand::plain);
          break;
        case OperandRun::Kind::padding:
          on_zero(ZeroOperand::product);
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

struct Plan : PlanWidths {
  /// Holds the nodes' results.
  template <class T>
  using Results = Row<T>;

  std::vector<PlannedNode> nodes;
  std::vector<IntegerSum> integers;  ///< of integers; each after those that it uses, the last gives d

  Plan(const Signature& formats, int count, const Skeleton& skeleton);
  /// Of formats that need not be in the table.
  Plan(const PlanWidths& widths, const Tree& tree);
};

/// The sums of an integer unit's plan, whose nodes are known.
[[nodiscard]] std::vector<IntegerSum> integer_sums(const Plan& plan);

}  // namespace mmaprint
