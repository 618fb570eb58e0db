#include "support/random.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

namespace mmaprint::test {

long count(long n) {
  const char* counts = std::getenv("MMAPRINT_TEST_COUNTS");
  const std::string_view wanted = counts == nullptr ? "" : counts;
  if (wanted == "reduced") return std::max(1L, n / 20);
  return wanted == "full" ? n * 20 : n;
}

std::uint64_t starting_seed(std::uint64_t seed) {
  const char* wanted = std::getenv("MMAPRINT_TEST_SEED");
  return wanted == nullptr ? seed : std::stoull(wanted);
}

}  // namespace mmaprint::test
