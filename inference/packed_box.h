// Boxes in little room, for the millions of them that evaluation by need makes and unites.
#pragma once

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/deadline.h"
#include "model/hypotheses.h"

namespace mmaprint {

/// Where each parameter's words begin in a class, of which class 0 has all rows and later ones those of
/// adders; the last entry is their number.
template <bool All>
inline constexpr auto kPackedStart = [] {
  std::array<std::size_t, kParameterCount + 1> start{};
  std::size_t n = 0, p = 0;
  for_each_row([&]<class Row>() {
    start[p++] = n;
    if (All || Row::scope == Scope::adder) n += (DomainOf<Row>::kSize + 63) / 64;
  });
  start[p] = n;
  return start;
}();

/// A box whose sets have only the words that their parameters' domains need.
class PackedBox {
 public:
  template <Parameter P>
  using Set = IndexSet<(DomainOf<ParameterRow<P>>::kSize + 63) / 64 * 64>;

  explicit PackedBox(const Box& box) : words_(first_word(box.classes()), 0) {
    for (const ParameterKey& key : box.keys())
      std::copy_n(box[key].words().begin(), words_of(key), words_.data() + start_of(key));
  }
  [[nodiscard]] Box unpacked() const {
    Box box(classes());
    for (const ParameterKey& key : box.keys()) {
      std::array<std::uint64_t, ValueSet::kWords> words{};
      std::copy_n(words_.data() + start_of(key), words_of(key), words.begin());
      box[key] = ValueSet(words);
    }
    return box;
  }
  [[nodiscard]] int classes() const { return 1 + static_cast<int>((words_.size() - kAll) / kOfAdder); }

  template <Parameter P>
  [[nodiscard]] Set<P> get(int of_class) const {
    std::array<std::uint64_t, Set<P>::kWords> words;
    std::copy_n(words_.data() + start_of({P, of_class}), words.size(), words.begin());
    return Set<P>(words);
  }
  template <Parameter P>
  void set(int of_class, const Set<P>& values) {
    std::ranges::copy(values.words(), words_.data() + start_of({P, of_class}));
  }

  /// Changes with the parameter as well as with its set, so that sums of these tell boxes apart.
  [[nodiscard]] std::uint64_t weight(const ParameterKey& key) const {
    const std::size_t start = start_of(key);
    std::uint64_t h = start + 1;
    for (std::size_t w = start; w < start + words_of(key); ++w) {
      h = (h ^ words_[w]) * 0x9E3779B97F4A7C15U;
      h ^= h >> 32;
    }
    return h * 0xD6E8FEB86659FD93U;
  }
  [[nodiscard]] bool same(const PackedBox& other, const ParameterKey& key) const {
    const std::size_t start = start_of(key);
    return std::equal(words_.data() + start, words_.data() + start + words_of(key),
                      other.words_.data() + start);
  }
  [[nodiscard]] bool same_but_for(const PackedBox& other, const ParameterKey& key) const {
    const std::size_t start = start_of(key), end = start + words_of(key);
    return std::equal(words_.data(), words_.data() + start, other.words_.data()) &&
           std::equal(words_.data() + end, words_.data() + words_.size(), other.words_.data() + end);
  }
  void unite(const PackedBox& other, const ParameterKey& key) {
    const std::size_t start = start_of(key);
    for (std::size_t w = start; w < start + words_of(key); ++w) words_[w] |= other.words_[w];
  }

 private:
  static constexpr std::size_t kAll = kPackedStart<true>[kParameterCount];
  static constexpr std::size_t kOfAdder = kPackedStart<false>[kParameterCount];
  static constexpr std::size_t kInside = kAll + kOfAdder;  ///< most units have two classes at most

  static constexpr std::size_t first_word(int of_class) {
    return of_class == 0 ? 0 : kAll + static_cast<std::size_t>(of_class - 1) * kOfAdder;
  }
  static constexpr std::size_t start_of(const ParameterKey& key) {
    const auto p = static_cast<std::size_t>(key.parameter);
    return key.of_class == 0 ? kPackedStart<true>[p] : first_word(key.of_class) + kPackedStart<false>[p];
  }
  static constexpr std::size_t words_of(const ParameterKey& key) {
    const auto p = static_cast<std::size_t>(key.parameter);
    return kPackedStart<true>[p + 1] - kPackedStart<true>[p];
  }

  boost::container::small_vector<std::uint64_t, kInside> words_;
};

/// Unites boxes that differ in a single parameter, until there are none or the time is up: they stand for the
/// same hypotheses at any moment. Requires disjoint boxes of one skeleton.
void unite(std::vector<PackedBox>& boxes, const Deadline& deadline = {});

}  // namespace mmaprint
