// Where the operands of lanes come from: rows in memory, a word or two halves of one for each lane.
#pragma once

#include <algorithm>

#include "model/elements.h"
#include "model/lanes/kernel.h"
#include "model/lanes/square.h"
#include "model/lanes/vectors.h"
#include "model/wide.h"

namespace mmaprint::lanes {

/// One word for each lane, in memory.
using Row = Word[kLanes];
inline LanesWord loaded(const Row& row) { return {hn::Load(Words(), row)}; }

/// A prepared, plain factor for each lane: the halves of its words, as signed ones.
struct Factor {
  IntVector low, exponent;
};

using HalfVector = hn::Vec<Halves>;
/// The low halves of words.
inline HalfVector narrowed(WordVector x) {
#if MMAPRINT_LANE_BITS == 32
  return x;
#else
  return hn::TruncateTo(Halves(), x);
#endif
}

/// Factors for lanes, as halves of words that lie in memory, product after product, one for each lane; and c.
class FactorRows {
 public:
  struct Words {
    const std::uint32_t *low, *high;  ///< halves
  };
  FactorRows(Words a, Words b, LanesWord c) : a_(a), b_(b), c_(c) {}

  [[nodiscard]] LanesWord a(std::size_t k) const { return word(a_, k); }
  [[nodiscard]] LanesWord b(std::size_t k) const { return word(b_, k); }
  [[nodiscard]] LanesWord c() const { return c_; }
  [[nodiscard]] Factor prepared_a(std::size_t k) const { return factor(a_, k); }
  [[nodiscard]] Factor prepared_b(std::size_t k) const { return factor(b_, k); }

 private:
  static LanesWord word(Words x, std::size_t k) { return {joined(half(x.low, k), half(x.high, k))}; }
  static Factor factor(Words x, std::size_t k) { return {widened(half(x.low, k)), widened(half(x.high, k))}; }
  static HalfVector half(const std::uint32_t* rows, std::size_t k) {
    return hn::Load(Halves(), rows + k * kLanes);
  }

  Words a_, b_;
  LanesWord c_;
};

/// The patterns of kLanes inputs, role by role. Products are named as the plan names them, which has them in
/// any order.
class InputRows {
 public:
  template <class Order>
  InputRows(std::size_t k, const Order& order) : k_(k) {
    for (std::size_t i = 0; i < k; ++i) place_[i] = order(i);
  }
  /// Puts the patterns of a batch from `first` on. Lanes to spare repeat the last input.
  void fill(const LaneBatch& batch, std::size_t first) {
    std::size_t inputs[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) inputs[lane] = std::min(first + lane, batch.count - 1);
    put(a_, batch.a, batch.bytes_a, inputs);
    put(b_, batch.b, batch.bytes_b, inputs);
    for (std::size_t lane = 0; lane < kLanes; ++lane) c_[lane] = static_cast<Word>(batch.c[inputs[lane]]);
  }

  [[nodiscard]] LanesWord a(std::size_t k) const { return all_a()[k]; }
  [[nodiscard]] LanesWord b(std::size_t k) const { return all_b()[k]; }
  [[nodiscard]] LanesWord c() const { return loaded(c_); }

  /// One role's.
  struct Patterns {
    const std::size_t* place;
    const Row* rows;
    LanesWord operator[](std::size_t k) const { return loaded(rows[place[k]]); }
  };
  [[nodiscard]] Patterns all_a() const { return {place_, a_}; }
  [[nodiscard]] Patterns all_b() const { return {place_, b_}; }

 private:
  void put(Row* rows, const void* const* patterns, int bytes, const std::size_t (&inputs)[kLanes]) const {
    with_element_type(bytes, [&](auto type) {
      using T = decltype(type);
#if MMAPRINT_LANE_BITS == 32
      if constexpr (sizeof(T) <= sizeof(Word)) {
        constexpr std::size_t kInWord = sizeof(Word) / sizeof(T);
        if (k_ % (kLanes * kInWord) == 0) return put_words<T, kLanes>(rows, patterns, inputs);
        if (k_ % (kLanes / 2 * kInWord) == 0) return put_words<T, kLanes / 2>(rows, patterns, inputs);
      }
#endif
      put<T>(rows, patterns, inputs);
    });
  }
#if MMAPRINT_LANE_BITS == 32
  /// Words with one or more patterns each, so many of each of the inputs at a time.
  template <class T, std::size_t Columns>
  void put_words(Row* rows, const void* const* patterns, const std::size_t (&inputs)[kLanes]) const {
    constexpr std::size_t kInWord = sizeof(Word) / sizeof(T);
    constexpr int kBits = 8 * sizeof(T);
    for (std::size_t k = 0; k < k_; k += Columns * kInWord) {
      Square square;
#pragma GCC unroll 16
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        square[lane] = first_words<Columns>(static_cast<const T*>(patterns[inputs[lane]]) + k);
      const auto words = transposed<Columns>(square);
#pragma GCC unroll 16
      for (std::size_t i = 0; i < Columns; ++i)
        for (std::size_t j = 0; j < kInWord; ++j) {
          const auto from_it = hn::ShiftRightSame(words[i], static_cast<int>(j) * kBits);
          hn::Store(j + 1 < kInWord ? hn::And(from_it, every(low_ones<Word>(kBits))) : from_it, Words(),
                    rows[k + i * kInWord + j]);
        }
    }
  }
#endif
  /// Patterns of each of the inputs, one role's, so many lanes at a time.
  template <class T>
  void put(Row* rows, const void* const* patterns, const std::size_t (&inputs)[kLanes]) const {
    for (std::size_t k = 0; k < k_; k += kLanes) {
      const std::size_t count = std::min(kLanes, k_ - k);
      Square square;
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        square[lane] = words_of(static_cast<const T*>(patterns[inputs[lane]]) + k, count);
      const Square words = transposed(square);
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kLanes; ++i) hn::Store(words[i], Words(), rows[k + i]);
    }
  }

  static_assert(FlatUnit::kMostProducts % kLanes == 0);
  std::size_t k_;
  std::size_t place_[FlatUnit::kMostProducts];
  alignas(64) Row a_[FlatUnit::kMostProducts];
  alignas(64) Row b_[FlatUnit::kMostProducts];
  alignas(64) Row c_;
};

/// One role's factors, written as FactorRows read them.
class HalfRows {
 public:
  void put(std::size_t k, HalfVector low, HalfVector high) {
    hn::Store(low, Halves(), low_ + k * kLanes);
    hn::Store(high, Halves(), high_ + k * kLanes);
  }
  /// The same word for all lanes.
  void put_all(std::size_t k, std::uint32_t low, std::uint32_t high) {
    put(k, hn::Set(Halves(), low), hn::Set(Halves(), high));
  }
  [[nodiscard]] FactorRows::Words rows() const { return {low_, high_}; }

 private:
  static constexpr std::size_t kMost = FlatUnit::kMostProducts * kLanes;
  alignas(64) std::uint32_t low_[kMost], high_[kMost];
};

}  // namespace mmaprint::lanes
