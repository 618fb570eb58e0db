// The plan of a flat unit: its tree as the datapath walks it, without pointers of its own.
#pragma once

#include "model/flat_unit.h"
#include "model/node_results.h"

namespace mmaprint {

/// What stands one after the other in a flat unit: T(unit, 0), T(unit, 1), ...
template <class T>
struct FlatRange {
  struct Iterator {
    const FlatUnit* unit;
    int index;
    constexpr T operator*() const { return T(*unit, index); }
    constexpr Iterator& operator++() {
      ++index;
      return *this;
    }
    friend constexpr bool operator==(const Iterator&, const Iterator&) = default;
  };
  const FlatUnit* unit;
  int count;
  [[nodiscard]] constexpr std::size_t size() const { return static_cast<std::size_t>(count); }
  [[nodiscard]] constexpr Iterator begin() const { return {unit, 0}; }
  [[nodiscard]] constexpr Iterator end() const { return {unit, count}; }
};

struct FlatIndices {
  const std::uint16_t* first;
  std::size_t count;
  [[nodiscard]] constexpr std::size_t size() const { return count; }
  constexpr std::size_t operator[](std::size_t i) const { return first[i]; }
  [[nodiscard]] constexpr const std::uint16_t* begin() const { return first; }
  [[nodiscard]] constexpr const std::uint16_t* end() const { return first + count; }
};

/// An IntegerSum.
struct FlatSum {
  constexpr FlatSum(const FlatUnit& unit, int index)
      : products{unit.products + unit.sums[index].first, unit.sums[index].count},
        sums{unit.earlier_sums + unit.sums[index].first_sum, unit.sums[index].sums},
        c(unit.sums[index].c) {}
  FlatIndices products, sums;
  bool c;
};

/// A PlannedNode that carries nothing on, and aligns its operands alike.
struct FlatNode {
  template <class T>
  using Operands = Row<T>;
  template <class T>
  using Results = Row<T>;

  constexpr FlatNode(const FlatUnit& whole, int index)
      : unit(&whole),
        node(whole.nodes + index),
        adder(node->adder),
        operands(node->operands),
        products(node->products),
        bits(node->bits) {}

  const FlatUnit* unit;
  const FlatUnit::Node* node;
  int adder;
  std::size_t operands;
  int products;
  OperandBits bits;

  [[nodiscard]] constexpr const FormatInfo& result_of(const PlanWidths& /*plan*/) const {
    return unit->results[node->result];
  }
  template <class Products, class Earlier, class Carried, class C, class Zero>
  constexpr void visit(const PlanWidths& /*plan*/, Products&& on_products, Earlier&& on_node,
                       Carried&& /*on_carried*/, C&& on_c, Zero&& on_zero) const {
    for_each_run([&](const FlatUnit::Run& run) { visit_run(run, on_products, on_node, on_c, on_zero); });
  }

 protected:
  template <class Fn>
  constexpr void for_each_run(Fn&& fn) const {
    for (int i = 0; i < node->runs; ++i) fn(unit->runs[node->first_run + i]);
  }
  /// Of another kind than `carried`.
  template <class Products, class Earlier, class C, class Zero>
  constexpr void visit_run(const FlatUnit::Run& run, Products&& on_products, Earlier&& on_node, C&& on_c,
                           Zero&& on_zero) const {
    if (run.kind == OperandRun::Kind::products)
      on_products(FlatIndices{unit->products + run.first, run.count});
    else if (run.kind == OperandRun::Kind::node)
      on_node(run.first, unit->results[unit->nodes[run.first].result]);
    else if (run.kind == OperandRun::Kind::c)
      on_c();
    else
      on_zero(run.kind == OperandRun::Kind::padding ? ZeroOperand::product : ZeroOperand::plain);
  }
};

/// Any PlannedNode. The kinds of its operands are worked out again at each visit: a unit has no room for
/// them.
struct FlatNodeOfKinds : FlatNode {
  template <class T>
  using Results = NodeResults<T>;

  struct Kinds {
    OperandKind of[FlatUnit::kMostOperands];
    [[nodiscard]] constexpr const OperandKind* data() const { return of; }
  };

  constexpr FlatNodeOfKinds(const FlatUnit& whole, int index)
      : FlatNode(whole, index),
        is_carried(node->is_carried),
        carried{node->carried, node->carried_bounds, node->largest_carried},
        kinds{} {
    int place = 0;
    for_each_run([&](const FlatUnit::Run& run) {
      const int end = place + (run.kind == OperandRun::Kind::products ? run.count : 1);
      while (place < end) kinds.of[place++] = kind_of(run.kind);
    });
  }

  bool is_carried;
  CarriedOperands carried;
  Kinds kinds;

  template <class Products, class Earlier, class Carried, class C, class Zero>
  constexpr void visit(const PlanWidths& /*plan*/, Products&& on_products, Earlier&& on_node,
                       Carried&& on_carried, C&& on_c, Zero&& on_zero) const {
    for_each_run([&](const FlatUnit::Run& run) {
      if (run.kind == OperandRun::Kind::carried)
        on_carried(run.first, *this);  // not that node: results have its sum
      else
        visit_run(run, on_products, on_node, on_c, on_zero);
    });
  }
};

/// A flat unit's tree as the datapath walks it. Refers to the unit.
template <class Node>
struct FlatPlan : PlanWidths {
  template <class T>
  using Results = typename Node::template Results<T>;

  constexpr explicit FlatPlan(const FlatUnit& unit)
      : PlanWidths(unit.widths), nodes{&unit, unit.node_count}, integers{&unit, unit.sum_count} {}

  FlatRange<Node> nodes;
  FlatRange<FlatSum> integers;
};

}  // namespace mmaprint
