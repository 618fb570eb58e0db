// One dot product's operands and what came of them, as raw bit patterns.
#pragma once

#include <compare>
#include <span>
#include <vector>

#include "model/signature.h"

namespace mmaprint {

/// a_1..a_K, b_1..b_K, c, and the scales of units that have them; where a role of scales is empty, all of its
/// scales are ones.
struct DotInput {
  std::vector<Pattern> a, b;
  /// 0 in a unit without c, where nothing reads, shows or accepts one: inputs are made and compared by the
  /// million, and the signature says whether it means anything.
  Pattern c = 0;
  std::vector<Pattern> sa = {}, sb = {};

  /// The patterns of a role; of one role c, one. Not of d.
  [[nodiscard]] std::span<const Pattern> of(Role role) const;
  [[nodiscard]] std::span<Pattern> of(Role role);
  friend auto operator<=>(const DotInput&, const DotInput&) = default;
};
/// An input and the result that a unit gave for it.
struct Observation {
  DotInput input;
  Pattern d = 0;
  friend auto operator<=>(const Observation&, const Observation&) = default;
};

/// One role's patterns of many inputs, input after input, as elements of type T that hold them.
template <class T = Pattern>
[[nodiscard]] std::vector<T> beside_each_other(std::span<const DotInput> inputs, Role role) {
  std::vector<T> all;
  if (!inputs.empty()) all.reserve(inputs.size() * inputs.front().of(role).size());
  for (const DotInput& input : inputs)
    for (const Pattern p : input.of(role)) all.push_back(static_cast<T>(p));
  return all;
}

/// As many patterns as each role has, all 0, but for scales, which are ones.
[[nodiscard]] DotInput zero_input(const Signature& signature, int k);
/// The same, of floating formats, but for every product, which is -0, and c, if formats have such zeros:
/// factors need not, as one that is below zero makes -0 of +0.
[[nodiscard]] DotInput negative_zeros(const Signature& signature, int k);
/// The same input with a scale wherever the signature has one: what is missing is a one.
[[nodiscard]] DotInput with_all_scales(DotInput input, const Signature& signature);
/// Has each of these roles as many patterns as it says, all within its format's width, and no other any?
[[nodiscard]] bool fits(const DotInput& input, std::span<const RolePatterns> roles);

}  // namespace mmaprint
