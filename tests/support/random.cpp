#include "support/random.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

namespace mmaprint::test {

namespace {

std::string_view wanted_counts() {
  const char* counts = std::getenv("MMAPRINT_TEST_COUNTS");
  return counts == nullptr ? "" : counts;
}

}  // namespace

bool counts_are_reduced() { return wanted_counts() == "reduced"; }

long count(long n) {
  if (counts_are_reduced()) return std::max(1L, n / 20);
  return wanted_counts() == "full" ? n * 20 : n;
}

std::uint64_t starting_seed(std::uint64_t seed) {
  const char* wanted = std::getenv("MMAPRINT_TEST_SEED");
  return wanted == nullptr ? seed : std::stoull(wanted);
}

}  // namespace mmaprint::test
