// Where the operands of lanes come from: rows in memory, a word or two halves of one for each lane.
#pragma once

#include <algorithm>

#include "model/lanes/kernel.h"
#include "model/lanes/vectors.h"

namespace mmaprint::lanes {

/// One word for each lane, in memory.
using Row = Word[kLanes];
inline LanesWord loaded(const Row& row) { return {hn::Load(Words(), row)}; }

/// A prepared, plain factor for each lane: the halves of its words, as signed ones.
struct Factor {
  IntVector low, exponent;
};

/// The words of kLanes inputs, role by role: patterns, or factors as they are prepared.
class InputRows {
 public:
  /// Puts the patterns in the order in which the plan has the products. Lanes to spare repeat the last input.
  template <class Order>
  void fill(std::size_t k, const Order& order, const DotInput* inputs, std::size_t count) {
    for_each_input(inputs, count, [&](std::size_t lane, const DotInput& input) {
      for (std::size_t i = 0; i < k; ++i) {
        a_[i][lane] = static_cast<Word>(input.a[order(i)]);
        b_[i][lane] = static_cast<Word>(input.b[order(i)]);
      }
    });
  }
  /// The same of factors that are to be prepared. Are all of them plain?
  template <class Order>
  [[nodiscard]] bool prepare(std::size_t k, const Order& order, const DotInput* inputs, std::size_t count,
                             const Heads& heads_a, const Heads& heads_b) {
    Heads::Prepared seen = 0;
    for_each_input(inputs, count, [&](std::size_t lane, const DotInput& input) {
      for (std::size_t i = 0; i < k; ++i) {
        put(heads_a(input.a[order(i)], seen), a_[i][lane], exponents_a_[i][lane]);
        put(heads_b(input.b[order(i)], seen), b_[i][lane], exponents_b_[i][lane]);
      }
    });
    return heads_a.all_plain(seen);
  }

  [[nodiscard]] LanesWord a(std::size_t k) const { return loaded(a_[k]); }
  [[nodiscard]] LanesWord b(std::size_t k) const { return loaded(b_[k]); }
  [[nodiscard]] LanesWord c() const { return loaded(c_); }
  [[nodiscard]] Factor prepared_a(std::size_t k) const { return factor(a_[k], exponents_a_[k]); }
  [[nodiscard]] Factor prepared_b(std::size_t k) const { return factor(b_[k], exponents_b_[k]); }

 private:
  template <class Fill>
  void for_each_input(const DotInput* inputs, std::size_t count, Fill&& fill) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const DotInput& input = inputs[std::min(lane, count - 1)];
      fill(lane, input);
      c_[lane] = static_cast<Word>(input.c);
    }
  }
  static void put(Heads::Prepared x, Word& low, Word& exponent) {
    const auto half = [](Heads::Prepared h) { return static_cast<Word>(Int{static_cast<std::int32_t>(h)}); };
    low = half(x);
    exponent = half(x >> PreparedOperand::kExponentAt);
  }
  static Factor factor(const Row& low, const Row& exponent) {
    return {as_ints(loaded(low).value), as_ints(loaded(exponent).value)};
  }

  alignas(64) Row a_[FlatUnit::kMostProducts], exponents_a_[FlatUnit::kMostProducts];
  alignas(64) Row b_[FlatUnit::kMostProducts], exponents_b_[FlatUnit::kMostProducts];
  alignas(64) Row c_;
};

/// One step of chains: a's factors are the same in all lanes.
class ChainRows {
 public:
  /// Of the products from `first` on.
  ChainRows(const LaneChains& chains, std::size_t first, LanesWord c)
      : low_a_(chains.low_a + first),
        high_a_(chains.high_a + first),
        low_b_(chains.low_b + first * kLanes),
        high_b_(chains.high_b + first * kLanes),
        c_(c) {}

  [[nodiscard]] LanesWord a(std::size_t k) const {
    return {every(std::uint64_t{high_a_[k]} << 32 | low_a_[k])};
  }
  [[nodiscard]] LanesWord b(std::size_t k) const { return {joined(half(low_b_, k), half(high_b_, k))}; }
  [[nodiscard]] LanesWord c() const { return c_; }
  [[nodiscard]] Factor prepared_a(std::size_t k) const {
    return {every_int(static_cast<int>(low_a_[k])), every_int(static_cast<int>(high_a_[k]))};
  }
  [[nodiscard]] Factor prepared_b(std::size_t k) const {
    return {widened(half(low_b_, k)), widened(half(high_b_, k))};
  }

 private:
  static hn::Vec<Halves> half(const std::uint32_t* rows, std::size_t k) {
    return hn::Load(Halves(), rows + k * kLanes);
  }

  const std::uint32_t *low_a_, *high_a_, *low_b_, *high_b_;
  LanesWord c_;
};

}  // namespace mmaprint::lanes
