// Sets of hypotheses as products of parameter sets, and the space that an identification searches.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/count.h"
#include "model/unit_model.h"

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
  [[nodiscard]] bool contains(int index) const { return (words_[word_of(index)] & bit_of(index)) != 0; }
  [[nodiscard]] int size() const {
    int n = 0;
    for (const std::uint64_t word : words_) n += std::popcount(word);
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
    const int index = first();
    return index < kCapacity && next(index) >= kCapacity;
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
  /// The lowest index in `bits` at word w, or in the words after it.
  [[nodiscard]] int lowest_from(std::size_t w, std::uint64_t bits) const {
    while (bits == 0 && ++w < kWords) bits = words_[w];
    return static_cast<int>(w) * kBits + (bits == 0 ? 0 : std::countr_zero(bits));
  }

  std::array<std::uint64_t, kWords> words_{};
};

/// A set of value indices of one parameter.
using ValueSet = IndexSet<320>;
static_assert(ClampDomain::kSize <= ValueSet::kCapacity && AlignmentBitsDomain::kSize <= ValueSet::kCapacity);

/// A product of parameter sets.
struct Box {
  std::array<ValueSet, kParameterCount> sets;
  [[nodiscard]] ValueSet& operator[](Parameter p) { return sets[static_cast<std::size_t>(p)]; }
  [[nodiscard]] const ValueSet& operator[](Parameter p) const { return sets[static_cast<std::size_t>(p)]; }
  /// How many hypotheses.
  [[nodiscard]] Count size() const;
  [[nodiscard]] bool contains(const ParameterValues& values) const;
  /// The hypothesis with the lowest index everywhere. Requires non-empty sets.
  [[nodiscard]] ParameterValues lowest() const;
  friend bool operator==(const Box&, const Box&) = default;
};

/// Hypotheses that share a structure: which chain of the space, the parameters, and the NaN pattern once one
/// was seen (the canonical one where the space does not tell them apart, 0 for integers).
struct HypothesisSet {
  int chain = 0;
  Box box;
  std::optional<Pattern> nan;
};

/// What NaN results are taken for.
enum class NanResults : std::uint8_t {
  one_pattern,  ///< the same in all of them, any that the format has
  several,      ///< not told apart
};

/// What an identification searches: any of the chains with any of the parameters and any NaN pattern.
struct Space {
  std::string instruction;
  int k = 0;
  OperandFormats formats{};
  std::vector<Chain> chains;
  Box box;  ///< final_rounding is free only where c enters last: see `whole`
  NanResults nan_results = NanResults::one_pattern;

  /// One set per chain; together the whole space.
  [[nodiscard]] std::vector<HypothesisSet> whole() const;
  [[nodiscard]] UnitModel model(int chain, const ParameterValues& values, std::optional<Pattern> nan) const;
  /// Adds the models `count` of them; NaN patterns not counted.
  [[nodiscard]] Count size() const;
};

/// How many hypotheses are in the sets, which are disjoint; NaN patterns not counted.
[[nodiscard]] Count count(const std::vector<HypothesisSet>& sets);

/// All ways to cut K products into blocks of equal width: contiguous, strided, interleaved in groups, each in
/// either block order (one of each if they coincide).
[[nodiscard]] std::vector<std::vector<std::vector<int>>> block_patterns(int k);

/// The space that is searched unless told otherwise: every block pattern, c first or last, F 0..40
/// or none, clamp -300..0 or none, f 1..p-1, carry bits 0..6 or never, and every other parameter in
/// full. For integers: every block pattern, c first or last, wrapping or saturating, single bits joined by
/// and or exclusive or.
[[nodiscard]] Space default_space(std::string instruction, int k, OperandFormats formats);

}  // namespace mmaprint
