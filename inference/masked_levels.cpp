// A node on the pivot's way to the root adds a sum of s leaves, the pivot among them, and n others. Where it
// loses what is small beside M, all of these are lost beside the pivot and any of the n: s + n - 2. Where it
// loses nothing, what is lost lies below it on either side: s - 1 in the sum with the pivot, and t - 1 in the
// sum of t leaves with the other. A higher node's counts are larger in either case: s + n - 1 and more.
#include "inference/masked_levels.h"

#include <map>

namespace mmaprint {
namespace {

class Levels {
 public:
  explicit Levels(const IsLost& is_lost) : is_lost_(is_lost) {}

  /// Leaves beside each of which so many are lost. False if they fit nowhere.
  bool add(int lost, std::vector<int> leaves) {
    const int count = static_cast<int>(leaves.size());
    const int below = below_ + at_;
    const auto fits = [&](int beside) {
      const int size = lost - beside + 2;
      return size >= 1 && count % size == 0;
    };
    const bool is_same = !levels_.empty() && fits(below_);
    const bool is_next = lost > below - 2 && fits(below);
    if (!is_same && !is_next) return false;
    if (is_same && is_next) {
      // Beside a leaf of a higher node all of this one is lost.
      const int earlier = levels_.back().parts.front().leaves.front();
      return is_lost_(earlier, leaves.front()) ? start(lost, std::move(leaves))
                                               : join(lost, std::move(leaves));
    }
    return is_next ? start(lost, std::move(leaves)) : join(lost, std::move(leaves));
  }
  [[nodiscard]] std::vector<MaskedLevel> levels() && { return std::move(levels_); }

 private:
  /// At a node above the last one.
  bool start(int lost, std::vector<int> leaves) {
    below_ += at_;
    at_ = static_cast<int>(leaves.size());
    const int size = lost - below_ + 2;
    // One sum, or a node that loses what is small: the counts are the same.
    levels_.push_back({{{std::move(leaves), size == at_ ? std::nullopt : std::optional(size)}}});
    return true;
  }
  /// At the last node, which then loses nothing: what was taken for all that joins there is one sum.
  bool join(int lost, std::vector<int> leaves) {
    for (MaskedLevel::Part& part : levels_.back().parts)
      if (!part.size) part.size = static_cast<int>(part.leaves.size());
    at_ += static_cast<int>(leaves.size());
    levels_.back().parts.push_back({std::move(leaves), lost - below_ + 2});
    return true;
  }

  const IsLost& is_lost_;
  std::vector<MaskedLevel> levels_;
  int below_ = 1;  ///< leaves in the last node's sum with the pivot
  int at_ = 0;     ///< and that join there
};

}  // namespace

std::optional<std::vector<MaskedLevel>> masked_levels(const std::vector<int>& leaves,
                                                      const std::vector<int>& lost, const IsLost& is_lost) {
  std::map<int, std::vector<int>> by_count;
  for (std::size_t i = 0; i < leaves.size(); ++i) by_count[lost[i]].push_back(leaves[i]);
  Levels levels(is_lost);
  for (auto& [count, group] : by_count)
    if (!levels.add(count, std::move(group))) return std::nullopt;
  return std::move(levels).levels();
}

}  // namespace mmaprint
