// How far evaluation by need has come: what the nodes so far have handed on, and which boxes have come to the
// same. Parts that have come to the same go on together, which is what keeps their number small.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "inference/packed_box.h"
#include "model/datapath.h"
#include "model/node_results.h"

namespace mmaprint::by_need {

/// What a step of a node gave: its sum, or already what it hands on.
template <class A>
struct Outcome {
  bool settled = false;
  Operand<A> value;       ///< a result, or the fields of CarriedSum; if not settled those of Unrounded
  bool of_zeros = false;  ///< a carried sum
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// What the nodes before have handed on.
template <class A>
class Handed {
 public:
  explicit Handed(std::span<const Outcome<A>> outcomes) : outcomes_(outcomes) {}
  const Operand<A>& operator[](std::size_t node) const { return outcomes_[node].value; }
  [[nodiscard]] CarriedSum<A> carried(std::size_t node) const {
    return as_carried(outcomes_[node].value, {outcomes_[node].of_zeros});
  }

 private:
  std::span<const Outcome<A>> outcomes_;
};

/// Boxes all of whose hypotheses have come to the same outcome.
template <class A>
struct Part {
  std::size_t earlier;  ///< which results the nodes before gave
  Outcome<A> outcome;
  std::vector<PackedBox> boxes;
};

/// Parts by what they have come to.
template <class A>
class Frontier {
 public:
  void add(std::size_t earlier, const Outcome<A>& outcome, const PackedBox& box) {
    auto& candidates = places_[hash(earlier, outcome)];
    for (const std::size_t i : candidates)
      if (parts_[i].earlier == earlier && parts_[i].outcome == outcome) return parts_[i].boxes.push_back(box);
    candidates.push_back(parts_.size());
    parts_.push_back({earlier, outcome, {}});
    parts_.back().boxes.push_back(box);
  }
  std::vector<Part<A>> parts() && { return std::move(parts_); }

 private:
  static std::uint64_t hash(std::size_t earlier, const Outcome<A>& outcome) {
    const auto& x = outcome.value;
    std::uint64_t h = earlier;
    const auto add = [&](std::uint64_t part) { h = (h ^ (h >> 29) ^ part) * 0x9E3779B97F4A7C15U; };
    const auto flag = [](bool b, int place) { return (b ? 1U : 0U) << place; };
    add(flag(x.negative.value, 0) | flag(x.nan.value, 1) | flag(x.infinite.value, 2) |
        flag(outcome.settled, 3) | flag(outcome.of_zeros, 4));
    add(static_cast<std::uint64_t>(x.exponent.value));
    add(low_word(x.significand.value));
    return h;
  }

  std::vector<Part<A>> parts_;
  std::unordered_map<std::uint64_t, boost::container::small_vector<std::size_t, 2>> places_;
};

}  // namespace mmaprint::by_need
