// Boxes in little room, for the millions of them that evaluation by need makes and unites.
#pragma once

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/deadline.h"
#include "model/hypotheses.h"

namespace mmaprint {

/// Where a set is kept among the words of its class: in whole words, or in some bits of one.
struct PackedPlace {
  std::size_t word = 0, words = 1;
  int shift = 0;
  std::uint64_t mask = ~std::uint64_t{0};  ///< of each word, after the shift
};
/// Of a class: class 0 has all rows and later ones those of adders.
struct PackedLayout {
  std::array<PackedPlace, kParameterCount> places{};
  std::size_t words = 0;
};
template <bool All>
inline constexpr PackedLayout kPackedLayout = [] {
  PackedLayout layout;
  std::size_t p = 0, shared = 0;
  int used = 64;  // bits of the word that small sets share
  for_each_row([&]<class Row>() {
    PackedPlace& place = layout.places[p++];
    constexpr int kSize = DomainOf<Row>::kSize;
    if (!All && Row::scope != Scope::adder) return;
    if (kSize > 32) {
      place = {layout.words, (kSize + 63) / 64};
      layout.words += place.words;
      return;
    }
    if (used + kSize > 64) {
      shared = layout.words++;
      used = 0;
    }
    place = {shared, 1, used, (std::uint64_t{1} << (kSize % 64)) - 1};
    used += kSize;
  });
  return layout;
}();

/// A box in no more words than its parameters' domains need.
class PackedBox {
 public:
  template <Parameter P>
  using Set = IndexSet<(DomainOf<ParameterRow<P>>::kSize + 63) / 64 * 64>;

  explicit PackedBox(const Box& box) : words_(first_word(box.classes()), 0) {
    for (const ParameterKey& key : box.keys()) {
      const PackedPlace place = place_of(key);
      for (std::size_t i = 0; i < place.words; ++i)
        words_[place.word + i] |= box[key].words()[i] << place.shift;
    }
  }
  [[nodiscard]] Box unpacked() const {
    Box box(classes());
    for (const ParameterKey& key : box.keys()) {
      const PackedPlace place = place_of(key);
      std::array<std::uint64_t, ValueSet::kWords> words{};
      for (std::size_t i = 0; i < place.words; ++i)
        words[i] = words_[place.word + i] >> place.shift & place.mask;
      box[key] = ValueSet(words);
    }
    return box;
  }
  [[nodiscard]] int classes() const { return 1 + static_cast<int>((words_.size() - kAll) / kOfAdder); }

  template <Parameter P>
  [[nodiscard]] Set<P> get(int of_class) const {
    const PackedPlace place = place_of({P, of_class});
    std::array<std::uint64_t, Set<P>::kWords> words;
    for (std::size_t i = 0; i < words.size(); ++i)
      words[i] = words_[place.word + i] >> place.shift & place.mask;
    return Set<P>(words);
  }
  template <Parameter P>
  void set(int of_class, const Set<P>& values) {
    const PackedPlace place = place_of({P, of_class});
    for (std::size_t i = 0; i < Set<P>::kWords; ++i) {
      std::uint64_t& word = words_[place.word + i];
      word = (word & ~(place.mask << place.shift)) | values.words()[i] << place.shift;
    }
  }

  /// Changes with the parameter as well as with its set, so that sums of these tell boxes apart.
  [[nodiscard]] std::uint64_t weight(const ParameterKey& key) const {
    const PackedPlace place = place_of(key);
    std::uint64_t h = place.word * 64 + static_cast<std::uint64_t>(place.shift) + 1;
    for (std::size_t i = 0; i < place.words; ++i) {
      h = (h ^ (words_[place.word + i] >> place.shift & place.mask)) * 0x9E3779B97F4A7C15U;
      h ^= h >> 32;
    }
    return h * 0xD6E8FEB86659FD93U;
  }
  [[nodiscard]] bool same(const PackedBox& other, const ParameterKey& key) const {
    const PackedPlace place = place_of(key);
    std::uint64_t differ = 0;
    for (std::size_t i = 0; i < place.words; ++i)
      differ |= words_[place.word + i] ^ other.words_[place.word + i];
    return (differ & place.mask << place.shift) == 0;
  }
  [[nodiscard]] bool same_but_for(const PackedBox& other, const ParameterKey& key) const {
    const PackedPlace place = place_of(key);
    std::uint64_t differ = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      const bool its = w - place.word < place.words;
      differ |= (words_[w] ^ other.words_[w]) & ~(its ? place.mask << place.shift : 0);
    }
    return differ == 0;
  }
  /// The parameters whose sets are not the same in all boxes. Requires boxes of as many classes, one at
  /// least.
  [[nodiscard]] static std::vector<ParameterKey> varying(const std::vector<PackedBox>& boxes) {
    const PackedBox& any = boxes.front();
    Words differ(any.words_.size(), 0);
    const std::span all(differ.data(), differ.size());
    for (const PackedBox& box : boxes) {
      const std::uint64_t* its = box.words_.data();
      const std::uint64_t* first = any.words_.data();
      for (std::size_t w = 0; w < all.size(); ++w) all[w] |= its[w] ^ first[w];
    }
    std::vector<ParameterKey> keys;
    add_varying<true>(differ, 0, keys);
    for (int c = 1; c < any.classes(); ++c) add_varying<false>(differ, c, keys);
    return keys;
  }
  void unite(const PackedBox& other, const ParameterKey& key) {
    const PackedPlace place = place_of(key);
    for (std::size_t i = 0; i < place.words; ++i)
      words_[place.word + i] |= other.words_[place.word + i] & place.mask << place.shift;
  }

 private:
  static constexpr std::size_t kAll = kPackedLayout<true>.words;
  static constexpr std::size_t kOfAdder = kPackedLayout<false>.words;
  static constexpr std::size_t kInside = kAll + kOfAdder;  ///< most units have two classes at most

  static constexpr std::size_t first_word(int of_class) {
    return of_class == 0 ? 0 : kAll + static_cast<std::size_t>(of_class - 1) * kOfAdder;
  }
  static constexpr PackedPlace place_of(const ParameterKey& key) {
    const auto p = static_cast<std::size_t>(key.parameter);
    if (key.of_class == 0) return kPackedLayout<true>.places[p];
    PackedPlace place = kPackedLayout<false>.places[p];
    place.word += first_word(key.of_class);
    return place;
  }

  using Words = boost::container::small_vector<std::uint64_t, kInside>;

  /// Adds the keys of a class for which there is a difference, in the order of all_keys().
  template <bool All>
  static void add_varying(const Words& differ, int of_class, std::vector<ParameterKey>& keys) {
    const std::size_t first = first_word(of_class);
    for_each_row([&]<class Row>() {
      if constexpr (All || Row::scope == Scope::adder) {
        constexpr PackedPlace kPlace = kPackedLayout<All>.places[static_cast<std::size_t>(Row::id)];
        std::uint64_t its = 0;
        for (std::size_t i = 0; i < kPlace.words; ++i) its |= differ[first + kPlace.word + i];
        if ((its & kPlace.mask << kPlace.shift) != 0) keys.push_back({Row::id, of_class});
      }
    });
  }

  Words words_;
};

/// Unites boxes that differ in a single parameter, until there are none or the time is up: they stand for the
/// same hypotheses at any moment. Requires disjoint boxes of one skeleton.
void unite(std::vector<PackedBox>& boxes, const Deadline& deadline = {});

}  // namespace mmaprint
