// Sets of small numbers: the values of a parameter, by their indices in its domain.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmaprint {

/// A set of indices below a capacity, which is a multiple of 64.
template <int Capacity>
class IndexSet {
 public:
  static constexpr int kCapacity = Capacity;
  static constexpr std::size_t kWords = Capacity / 64;

  IndexSet() = default;
  explicit IndexSet(const std::array<std::uint64_t, kWords>& words) : words_(words) {}
  [[nodiscard]] static IndexSet single(int index) {
    IndexSet s;
    s.insert(index);
    return s;
  }
  /// first .. last, both included.
  [[nodiscard]] static IndexSet range(int first, int last) {
    IndexSet s;
    for (int i = first; i <= last; ++i) s.insert(i);
    return s;
  }
  void insert(int index) { words_[word_of(index)] |= bit_of(index); }
  void unite(const IndexSet& other) {
    for (std::size_t w = 0; w < kWords; ++w) words_[w] |= other.words_[w];
  }
  void intersect(const IndexSet& other) {
    for (std::size_t w = 0; w < kWords; ++w) words_[w] &= other.words_[w];
  }
  [[nodiscard]] IndexSet without(const IndexSet& other) const {
    IndexSet rest = *this;
    for (std::size_t w = 0; w < kWords; ++w) rest.words_[w] &= ~other.words_[w];
    return rest;
  }
  [[nodiscard]] bool contains(int index) const { return (words_[word_of(index)] & bit_of(index)) != 0; }
  [[nodiscard]] int size() const {
    int n = 0;
    for (const std::uint64_t word : words_) n += ones(word);
    return n;
  }
  [[nodiscard]] bool empty() const { return first() >= kCapacity; }
  /// Smallest index; kCapacity if there is none.
  [[nodiscard]] int first() const { return lowest_from(0, words_[0]); }
  /// Next index after this one, or kCapacity.
  [[nodiscard]] int next(int index) const {
    const std::size_t w = word_of(index);
    return lowest_from(w, words_[w] & ~(bit_of(index) | (bit_of(index) - 1)));
  }
  /// Largest index; -1 if there is none.
  [[nodiscard]] int last() const {
    for (std::size_t w = kWords; w-- > 0;)
      if (words_[w] != 0) return static_cast<int>(w) * kBits + kBits - 1 - std::countl_zero(words_[w]);
    return -1;
  }
  [[nodiscard]] bool is_single() const {
    bool one = false;
    for (const std::uint64_t word : words_) {
      if (word == 0) continue;
      if (one || (word & (word - 1)) != 0) return false;
      one = true;
    }
    return one;
  }
  [[nodiscard]] std::vector<int> values() const {
    std::vector<int> all;
    for (int i = first(); i < kCapacity; i = next(i)) all.push_back(i);
    return all;
  }
  [[nodiscard]] const std::array<std::uint64_t, kWords>& words() const { return words_; }
  friend bool operator==(const IndexSet&, const IndexSet&) = default;

 private:
  static constexpr int kBits = 64;
  static constexpr std::size_t word_of(int index) { return static_cast<unsigned>(index) / kBits; }
  static constexpr std::uint64_t bit_of(int index) {
    return std::uint64_t{1} << (static_cast<unsigned>(index) % kBits);
  }
  /// As std::popcount, which is a call of a library for each word where processors may lack the instruction.
  static constexpr int ones(std::uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555U;
    bits = (bits & 0x3333333333333333U) + (bits >> 2 & 0x3333333333333333U);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fU;
    return static_cast<int>(bits * 0x0101010101010101U >> (kBits - 8));
  }
  /// The lowest index in `bits` at word w, or in the words after it.
  [[nodiscard]] int lowest_from(std::size_t w, std::uint64_t bits) const {
    while (bits == 0 && ++w < kWords) bits = words_[w];
    return static_cast<int>(w) * kBits + (bits == 0 ? 0 : std::countr_zero(bits));
  }

  std::array<std::uint64_t, kWords> words_{};
};

/// A set of value indices of one parameter.
using ValueSet = IndexSet<320>;

}  // namespace mmaprint
