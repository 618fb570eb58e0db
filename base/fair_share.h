// A limit shared out among several that want different amounts: who wants little gets all of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace mmaprint {

/// The largest number that each may have, so that all together have no more than `most`.
[[nodiscard]] inline std::size_t fair_share(std::span<const std::size_t> wanted, std::size_t most) {
  std::size_t share = 0;
  for (std::size_t left = most;; ++share) {
    const auto open =
        static_cast<std::size_t>(std::ranges::count_if(wanted, [&](std::size_t n) { return n > share; }));
    if (open == 0 || open > left) return share;
    left -= open;
  }
}

}  // namespace mmaprint
