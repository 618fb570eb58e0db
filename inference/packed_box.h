// Boxes in little room, for the millions of them that evaluation by need makes and unites.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/deadline.h"
#include "model/hypotheses.h"

namespace mmaprint {

inline constexpr auto kPackedWords = [] {
  std::array<std::size_t, kParameterCount> words{};
  std::size_t p = 0;
  for_each_row([&]<class Row>() { words[p++] = (DomainOf<Row>::kSize + 63) / 64; });
  return words;
}();
/// How many 64-bit words a set of P's values needs.
[[nodiscard]] constexpr std::size_t packed_words(Parameter p) {
  return kPackedWords[static_cast<std::size_t>(p)];
}
/// Where each parameter's words begin; the last entry is their number.
inline constexpr auto kPackedStart = [] {
  std::array<std::size_t, kParameterCount + 1> start{};
  for (std::size_t p = 0; p < kParameterCount; ++p)
    start[p + 1] = start[p] + packed_words(static_cast<Parameter>(p));
  return start;
}();

/// A box whose sets have only the words that their parameters' domains need.
class PackedBox {
 public:
  template <Parameter P>
  using Set = IndexSet<static_cast<int>(64 * packed_words(P))>;

  explicit PackedBox(const Box& box) {
    for (std::size_t p = 0; p < kParameterCount; ++p)
      std::copy_n(box.sets[p].words().begin(), kStart[p + 1] - kStart[p], words_.data() + kStart[p]);
  }
  [[nodiscard]] Box unpacked() const {
    Box box;
    for (std::size_t p = 0; p < kParameterCount; ++p) {
      std::array<std::uint64_t, ValueSet::kWords> words{};
      std::copy(words_.data() + kStart[p], words_.data() + kStart[p + 1], words.begin());
      box.sets[p] = ValueSet(words);
    }
    return box;
  }

  template <Parameter P>
  [[nodiscard]] Set<P> get() const {
    std::array<std::uint64_t, Set<P>::kWords> words;
    std::copy_n(words_.data() + kStart[static_cast<std::size_t>(P)], words.size(), words.begin());
    return Set<P>(words);
  }
  template <Parameter P>
  void set(const Set<P>& values) {
    std::ranges::copy(values.words(), words_.data() + kStart[static_cast<std::size_t>(P)]);
  }

  /// Changes with the parameter as well as with its set, so that sums of these tell boxes apart.
  [[nodiscard]] std::uint64_t weight(std::size_t parameter) const {
    std::uint64_t h = parameter + 1;
    for (std::size_t w = kStart[parameter]; w < kStart[parameter + 1]; ++w) {
      h = (h ^ words_[w]) * 0x9E3779B97F4A7C15U;
      h ^= h >> 32;
    }
    return h * 0xD6E8FEB86659FD93U;
  }
  [[nodiscard]] bool same(const PackedBox& other, std::size_t parameter) const {
    return std::equal(words_.data() + kStart[parameter], words_.data() + kStart[parameter + 1],
                      other.words_.data() + kStart[parameter]);
  }
  [[nodiscard]] bool same_but_for(const PackedBox& other, std::size_t parameter) const {
    return std::equal(words_.data(), words_.data() + kStart[parameter], other.words_.data()) &&
           std::equal(words_.data() + kStart[parameter + 1], words_.data() + words_.size(),
                      other.words_.data() + kStart[parameter + 1]);
  }
  void unite(const PackedBox& other, std::size_t parameter) {
    for (std::size_t w = kStart[parameter]; w < kStart[parameter + 1]; ++w) words_[w] |= other.words_[w];
  }

 private:
  static constexpr const auto& kStart = kPackedStart;
  std::array<std::uint64_t, kPackedStart[kParameterCount]> words_;
};

/// Unites boxes that differ in a single parameter, until there are none or the time is up: they stand for the
/// same hypotheses at any moment. Requires disjoint boxes.
void unite(std::vector<PackedBox>& boxes, const Deadline& deadline = {});

}  // namespace mmaprint
