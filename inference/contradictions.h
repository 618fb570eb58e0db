// Two results for one input, found among very many observations as they come.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "model/unit_model.h"

namespace mmaprint {

class Contradictions {
 public:
  /// An earlier one of `all` with the input of `next` and another result; `next` is about to follow them.
  /// Requires that all of them came through here, in order.
  [[nodiscard]] std::optional<std::size_t> against(const std::vector<Observation>& all,
                                                   const Observation& next) {
    const std::uint64_t hash = hash_of(next.input);
    std::optional<std::size_t> other;
    const auto [first, last] = places_.equal_range(hash);
    for (auto place = first; place != last && !other; ++place)
      if (const Observation& o = all[place->second]; o.input == next.input && o.d != next.d)
        other = place->second;
    places_.emplace(hash, all.size());
    return other;
  }

 private:
  static std::uint64_t hash_of(const DotInput& input) {
    std::uint64_t h = input.c;
    const auto add = [&h](Pattern p) { h = (h ^ p ^ (h >> 29)) * 0x9E3779B97F4A7C15U; };
    for (const Pattern p : input.a) add(p);
    for (const Pattern p : input.b) add(p);
    return h;
  }

  std::unordered_multimap<std::uint64_t, std::size_t> places_;  ///< of inputs, by hash
};

}  // namespace mmaprint
