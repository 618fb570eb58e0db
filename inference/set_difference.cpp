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
  for (std::size_t i = 0; i < x.sets().size(); ++i)
    if (common(x.sets()[i], y.sets()[i]).empty()) return true;
  return false;
}

/// What is in `box` but not in `other`, as disjoint boxes: parameter by parameter, the values outside
/// `other`, with the parameters before it inside.
void subtract(Box box, const Box& other, std::vector<Box>& rest) {
  if (disjoint(box, other)) {
    rest.push_back(box);
    return;
  }
  for (std::size_t i = 0; i < box.sets().size(); ++i) {
    const ValueSet outside = without(box.sets()[i], other.sets()[i]);
    if (!outside.empty()) {
      rest.push_back(box);
      rest.back().sets()[i] = outside;
    }
    box.sets()[i].intersect(other.sets()[i]);
  }
}

}  // namespace

bool same(const HypothesisSet& x, const HypothesisSet& y) {
  return x.skeleton == y.skeleton && x.nan == y.nan && x.box == y.box;
}

VersionSpace difference(const VersionSpace& sets, const VersionSpace& others, std::size_t most,
                        const Deadline& deadline) {
  std::map<int, std::vector<const HypothesisSet*>> by_skeleton;
  for (const HypothesisSet& other : others) by_skeleton[other.skeleton].push_back(&other);
  VersionSpace found;
  for (const HypothesisSet& set : sets) {
    deadline.require();
    const auto& rivals = by_skeleton[set.skeleton];
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
      found.push_back({set.skeleton, piece, set.nan});
      if (found.size() >= most) return found;
    }
  }
  return found;
}

std::optional<std::pair<std::size_t, std::size_t>> overlapping(const VersionSpace& sets,
                                                               const Deadline& deadline) {
  std::map<int, std::vector<std::size_t>> by_skeleton;
  for (std::size_t i = 0; i < sets.size(); ++i) by_skeleton[sets[i].skeleton].push_back(i);
  for (const auto& [skeleton, indices] : by_skeleton)
    for (std::size_t n = 0; n < indices.size(); ++n) {
      deadline.require();
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
