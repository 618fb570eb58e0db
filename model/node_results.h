// What the nodes of a plan hand on, carried sums among it, in machine words: so no carried sum is worked out
// twice, and device code needs no recursion.
#pragma once

#include "model/row.h"
#include "model/summand.h"

namespace mmaprint {

/// A carried sum in the fields of an operand, and back. In machine words its bits tell whether it is zero.
template <class A>
[[nodiscard]] constexpr Operand<A> as_operand(const CarriedSum<A>& sum) {
  const auto& x = sum.value;
  return {x.negative, sum.nan, sum.infinite, x.exponent, x.significand};
}
template <class A>
[[nodiscard]] constexpr CarriedSum<A> as_carried(const Operand<A>& x, typename A::Bool of_zeros) {
  return {{x.negative, is_zero_word(x.significand), x.exponent, x.significand}, of_zeros, x.nan, x.infinite};
}

/// Of integers, which carry nothing on.
template <class T>
class NodeResults : public Row<T> {
 public:
  using Row<T>::Row;
};

/// By the nodes' indices. What is carried on has no value as an operand, but is NaN where the sum is.
template <class A>
class NodeResults<Operand<A>> {
 public:
  constexpr explicit NodeResults(std::size_t nodes) : values_(nodes), of_zeros_(nodes) {}

  constexpr void push_back(const Operand<A>& result) {
    values_.push_back(result);
    of_zeros_.push_back(typename A::Bool{});
  }
  constexpr void push_back(const CarriedSum<A>& sum) {
    values_.push_back(as_operand(sum));
    of_zeros_.push_back(sum.of_zeros);
  }
  [[nodiscard]] constexpr std::size_t size() const { return values_.size(); }
  [[nodiscard]] constexpr const Operand<A>& operator[](std::size_t node) const { return values_[node]; }
  [[nodiscard]] constexpr CarriedSum<A> carried(std::size_t node) const {
    return as_carried(values_[node], of_zeros_[node]);
  }

 private:
  Row<Operand<A>> values_;
  Row<typename A::Bool> of_zeros_;
};

}  // namespace mmaprint
