#include "inference/set_difference.h"

#include <algorithm>
#include <map>

namespace mmaprint {
namespace {

ValueSet without(const ValueSet& set, const ValueSet& other) {
  ValueSet rest;
  for (const int index : set.values())
    if (!other.contains(index)) rest.insert(index);
  return rest;
}

ValueSet common(ValueSet set, const ValueSet& other) {
  set.intersect(other);
  return set;
}

bool disjoint(const Box& x, const Box& y) {
  return std::ranges::any_of(all_parameters(),
                             [&](const ParameterInfo& row) { return common(x[row.id], y[row.id]).empty(); });
}

/// What is in `box` but not in `other`, as disjoint boxes: parameter by parameter, the values outside
/// `other`, with the parameters before it inside.
void subtract(Box box, const Box& other, std::vector<Box>& rest) {
  if (disjoint(box, other)) {
    rest.push_back(box);
    return;
  }
  for (const ParameterInfo& row : all_parameters()) {
    const ValueSet outside = without(box[row.id], other[row.id]);
    if (!outside.empty()) {
      rest.push_back(box);
      rest.back()[row.id] = outside;
    }
    box[row.id].intersect(other[row.id]);
  }
}

}  // namespace

bool same(const HypothesisSet& x, const HypothesisSet& y) {
  return x.chain == y.chain && x.nan == y.nan && x.box == y.box;
}

VersionSpace difference(const VersionSpace& sets, const VersionSpace& others, std::size_t most) {
  std::map<int, std::vector<const HypothesisSet*>> by_chain;
  for (const HypothesisSet& other : others) by_chain[other.chain].push_back(&other);
  VersionSpace found;
  for (const HypothesisSet& set : sets) {
    const auto& rivals = by_chain[set.chain];
    // Most sets are simply there.
    if (std::ranges::any_of(rivals, [&](const HypothesisSet* other) { return same(set, *other); })) continue;
    std::vector<Box> pieces{set.box};
    for (const HypothesisSet* other : rivals) {
      // One pattern never makes up for any pattern.
      if (other->nan && other->nan != set.nan) continue;
      std::vector<Box> rest;
      for (const Box& piece : pieces) subtract(piece, other->box, rest);
      pieces = std::move(rest);
      if (pieces.empty()) break;
    }
    for (const Box& piece : pieces) {
      found.push_back({set.chain, piece, set.nan});
      if (found.size() >= most) return found;
    }
  }
  return found;
}

std::optional<std::pair<std::size_t, std::size_t>> overlapping(const VersionSpace& sets,
                                                               const std::function<bool()>& stop) {
  std::map<int, std::vector<std::size_t>> by_chain;
  for (std::size_t i = 0; i < sets.size(); ++i) by_chain[sets[i].chain].push_back(i);
  for (const auto& [chain, indices] : by_chain)
    for (std::size_t n = 0; n < indices.size(); ++n) {
      if (stop()) return std::nullopt;
      const HypothesisSet& mine = sets[indices[n]];
      for (std::size_t m = 0; m < n; ++m) {
        const HypothesisSet& other = sets[indices[m]];
        // No pattern stands for any.
        const bool nan = !mine.nan || !other.nan || mine.nan == other.nan;
        if (nan && !disjoint(mine.box, other.box)) return std::pair(indices[m], indices[n]);
      }
    }
  return std::nullopt;
}

}  // namespace mmaprint
