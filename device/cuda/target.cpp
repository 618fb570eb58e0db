#include "device/cuda/target.h"

#include <fmt/format.h>

namespace mmaprint::cuda {

std::string name_of(Target target) {
  constexpr const char* kSuffixes[] = {"", "a", "f"};
  return fmt::format("sm_{}{}", target.sm, kSuffixes[static_cast<int>(target.features)]);
}

}  // namespace mmaprint::cuda
