// The plan of a flat unit: its tree as the datapath walks it, without pointers of its own.
#pragma once

#include "model/flat_unit.h"
#include "model/row.h"

namespace mmaprint {

/// A FlatUnit's tree as the datapath walks it. Refers to the unit.
class FlatPlan : public PlanWidths {
 public:
  struct Indices {
    const std::uint16_t* first;
    std::size_t count;
    [[nodiscard]] constexpr std::size_t size() const { return count; }
    constexpr std::size_t operator[](std::size_t i) const { return first[i]; }
    [[nodiscard]] constexpr const std::uint16_t* begin() const { return first; }
    [[nodiscard]] constexpr const std::uint16_t* end() const { return first + count; }
  };
  struct Sum {
    Indices products, sums;
    bool c;
  };
  struct Sums {
    struct Iterator {
      const FlatUnit* unit;
      int index;
      constexpr Sum operator*() const {
        const FlatUnit::Sum& sum = unit->sums[index];
        return {
            {unit->products + sum.first, sum.count}, {unit->earlier_sums + sum.first_sum, sum.sums}, sum.c};
      }
      constexpr Iterator& operator++() {
        ++index;
        return *this;
      }
      friend constexpr bool operator==(const Iterator&, const Iterator&) = default;
    };
    const FlatUnit* unit;
    [[nodiscard]] constexpr std::size_t size() const { return static_cast<std::size_t>(unit->sum_count); }
    [[nodiscard]] constexpr Iterator begin() const { return {unit, 0}; }
    [[nodiscard]] constexpr Iterator end() const { return {unit, unit->sum_count}; }
  };
  struct Node {
    template <class T>
    using Operands = Row<T>;

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
      for (int i = 0; i < node->runs; ++i) {
        const FlatUnit::Run& run = unit->runs[node->first_run + i];
        if (run.kind == OperandRun::Kind::products)
          on_products(Indices{unit->products + run.first, run.count});
        else if (run.kind == OperandRun::Kind::node)
          on_node(run.first, unit->results[unit->nodes[run.first].result]);
        else if (run.kind == OperandRun::Kind::c)
          on_c();
        else
          on_zero(run.kind == OperandRun::Kind::padding ? ZeroOperand::product : ZeroOperand::plain);
      }
    }
  };
  struct Nodes {
    struct Iterator {
      const FlatUnit* unit;
      int index;
      constexpr Node operator*() const {
        const FlatUnit::Node& node = unit->nodes[index];
        return {unit, &node, node.adder, node.operands, node.products, node.bits};
      }
      constexpr Iterator& operator++() {
        ++index;
        return *this;
      }
      friend constexpr bool operator==(const Iterator&, const Iterator&) = default;
    };
    const FlatUnit* unit;
    [[nodiscard]] constexpr std::size_t size() const { return static_cast<std::size_t>(unit->node_count); }
    [[nodiscard]] constexpr Iterator begin() const { return {unit, 0}; }
    [[nodiscard]] constexpr Iterator end() const { return {unit, unit->node_count}; }
  };
  template <class T>
  using Results = Row<T>;

  constexpr explicit FlatPlan(const FlatUnit& unit)
      : PlanWidths(unit.widths), nodes{&unit}, integers{&unit} {}

  Nodes nodes;
  Sums integers;
};

}  // namespace mmaprint
