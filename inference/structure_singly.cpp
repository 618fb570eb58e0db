#include "inference/structure_singly.h"

#include <utility>

namespace mmaprint {
namespace {

class Singly {
 public:
  Singly(MaskedUnit& unit, bool has_c) : unit_(unit), c_(has_c ? unit.leaves() - 1 : -1) {}

  Joining operator()() {
    const LeafIndex pivot = c_ >= 0 ? c_ : 0;
    Leaves others;
    for (LeafIndex leaf = 0; leaf < unit_.leaves(); ++leaf)
      if (leaf != pivot) others.push_back(leaf);
    return sum_of(pivot, others);
  }

 private:
  using Leaves = std::vector<LeafIndex>;
  struct Triple {
    LeafIndex x, y, z;
  };

  /// Of each: is z kept beside M at x and -M at y?
  std::vector<bool> kept(const std::vector<Triple>& triples) {
    std::vector<std::vector<PowerAt>> asked;
    asked.reserve(triples.size());
    for (const auto& [x, y, z] : triples)
      asked.push_back({{x, false, unit_.mask()}, {y, true, unit_.mask()}, {z, false, unit_.unit()}});
    std::vector<bool> all;
    for (const auto& units : unit_.results(asked, unit_.unit())) all.push_back(units == 1);
    return all;
  }

  Joining sum_of(LeafIndex pivot, const Leaves& others) {
    std::vector<Leaves> levels;  // on the pivot's way to the root
    for (const LeafIndex leaf : others) place(pivot, leaf, levels);
    Joining sum;
    for (const Leaves& level : levels) {
      Joining node;
      if (&level == &levels.front())
        add_leaf(node, pivot);
      else
        node.sums.push_back(std::move(sum));
      take_apart(node, pivot, level);
      sum = std::move(node);
    }
    return sum;
  }

  void place(LeafIndex pivot, LeafIndex leaf, std::vector<Leaves>& levels) {
    std::size_t low = 0, high = levels.size();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      const LeafIndex there = levels[middle].front();
      const auto is_kept = kept({{pivot, there, leaf}, {pivot, leaf, there}});
      if (is_kept[0] == is_kept[1]) {
        levels[middle].push_back(leaf);
        return;
      }
      (is_kept[0] ? low : high) = is_kept[0] ? middle + 1 : middle;
    }
    levels.insert(levels.begin() + static_cast<std::ptrdiff_t>(low), {leaf});
  }

  /// Which of a level's leaves are summed before they join the pivot: beside two of these the pivot is kept,
  /// and beside the pivot and one of them the other is not.
  void take_apart(Joining& node, LeafIndex pivot, Leaves rest) {
    while (!rest.empty()) {
      const LeafIndex first = rest.front();
      rest.erase(rest.begin());
      std::vector<Triple> triples;
      for (const LeafIndex other : rest) {
        triples.push_back({first, other, pivot});
        triples.push_back({pivot, first, other});
      }
      const auto is_kept = kept(triples);
      Leaves together, apart;
      for (std::size_t i = 0; i < rest.size(); ++i)
        (is_kept[2 * i] && !is_kept[2 * i + 1] ? together : apart).push_back(rest[i]);
      if (together.empty())
        add_leaf(node, first);
      else
        node.sums.push_back(sum_of(first, together));
      rest = std::move(apart);
    }
  }

  void add_leaf(Joining& node, LeafIndex leaf) const {
    if (leaf == c_)
      node.c = true;
    else
      node.products.push_back(leaf);
  }

  MaskedUnit& unit_;
  LeafIndex c_;
};

}  // namespace

Joining structure_singly(MaskedUnit& unit, bool has_c) { return Singly(unit, has_c)(); }

}  // namespace mmaprint
