// From counts of what is lost beside one leaf and each of the others: the nodes on that leaf's way to the
// root, and what joins at each.
#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace mmaprint {

/// What joins at one node.
struct MaskedLevel {
  /// Leaves that join there: in sums of `size` leaves each, singly where that is 1; where it is not known,
  /// the node loses what is small, or there is but one sum.
  struct Part {
    std::vector<int> leaves;
    std::optional<int> size;
  };
  std::vector<Part> parts;
};

/// Is the first leaf lost beside the pivot and the second one? Asked where counts fit two trees.
using IsLost = std::function<bool(int leaf, int beside)>;

/// Of n leaves and how many of the n - 1 others are lost beside the pivot and each of them. The lowest node
/// comes first. nullopt where no tree gives these counts.
[[nodiscard]] std::optional<std::vector<MaskedLevel>> masked_levels(const std::vector<int>& leaves,
                                                                    const std::vector<int>& lost,
                                                                    const IsLost& is_lost);

}  // namespace mmaprint
