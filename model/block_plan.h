// The plan of a chain of blocks of equally many products in index order, c first, for instances of the
// datapath that are compiled for that number: nothing in it has a length of run time, so that device code
// keeps a node's operands in registers.
#pragma once

#include "model/inlining.h"
#include "model/plan.h"
#include "model/row.h"

namespace mmaprint {

/// One block: c or the result before it, then its `Width` products.
template <std::size_t Width>
struct BlockNode {
  static constexpr int adder = 0;  // NOLINT(readability-identifier-naming): as in PlannedNode
  static constexpr std::size_t operands = Width + 1;  // NOLINT(readability-identifier-naming)
  static constexpr int products = Width;              // NOLINT(readability-identifier-naming)

  /// push_back() for the first operand, append() for all the products.
  template <class T>
  class Operands {
   public:
    constexpr explicit Operands(std::size_t /*capacity*/) {}
    constexpr void push_back(const T& value) { cells_.put(0, value); }
    template <class Make>
    MMAPRINT_INLINE constexpr void append(std::size_t /*count*/, Make&& make) {
      cells_.make(make);
    }
    [[nodiscard]] constexpr std::span<const T, Width + 1> all() const { return cells_.all(); }

   private:
    Cells<T, Width + 1, 1> cells_;
  };

  /// Width indices from `first` on.
  struct Indices {
    std::size_t first;
    [[nodiscard]] static constexpr std::size_t size() { return Width; }
    constexpr std::size_t operator[](std::size_t i) const { return first + i; }
  };

  std::size_t index;
  OperandBits bits;

  [[nodiscard]] static constexpr const FormatInfo& result_of(const PlanWidths& plan) { return plan.d; }
  template <class Products, class Earlier, class Carried, class C, class Zero>
  constexpr void visit(const PlanWidths& plan, Products&& on_products, Earlier&& on_node,
                       Carried&& /*on_carried*/, C&& on_c, Zero&& /*on_zero*/) const {
    if (index == 0)
      on_c();
    else
      on_node(index - 1, plan.d);
    on_products(Indices{index * Width});
  }
};

template <std::size_t Width>
struct BlockPlan : PlanWidths {
  static constexpr std::size_t kWidth = Width;

  /// Keeps the last result, the only one that is used.
  template <class T>
  class Results {
   public:
    constexpr explicit Results(std::size_t /*capacity*/) {}
    constexpr void push_back(const T& value) { last_ = value, ++size_; }
    constexpr const T& operator[](std::size_t /*i*/) const { return last_; }
    [[nodiscard]] constexpr std::size_t size() const { return size_; }

   private:
    T last_{};
    std::size_t size_ = 0;
  };

  /// The blocks, in order.
  struct Nodes {
    struct Iterator {
      std::size_t index;
      OperandBits bits;
      constexpr BlockNode<Width> operator*() const { return {index, bits}; }
      constexpr Iterator& operator++() {
        ++index;
        return *this;
      }
      friend constexpr bool operator==(Iterator, Iterator) = default;
    };
    std::size_t count;
    OperandBits bits;
    [[nodiscard]] constexpr std::size_t size() const { return count; }
    [[nodiscard]] constexpr Iterator begin() const { return {0, bits}; }
    [[nodiscard]] constexpr Iterator end() const { return {count, bits}; }
  };

  /// Requires widths.k to be a multiple of Width.
  constexpr explicit BlockPlan(const PlanWidths& widths)
      : PlanWidths(widths),
        nodes{static_cast<std::size_t>(widths.k) / Width,
              {std::min(widths.lowest_bit_of_product(), widths.lowest_bit_of_c()),
               std::max(widths.c.emin(), widths.d.emin())}} {}

  Nodes nodes;
};

}  // namespace mmaprint
