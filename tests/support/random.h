// Seeded randomness and scaled counts, for every test that draws cases.
//
// MMAPRINT_TEST_COUNTS=reduced divides the number of cases by 20 (sanitizers), =full multiplies it by 20.
// MMAPRINT_TEST_SEED=N replaces the seeds that the tests state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <span>

namespace mmaprint::test {

/// How many cases to draw where a normal run draws n; at least 1.
[[nodiscard]] long count(long n);
/// Whether MMAPRINT_TEST_COUNTS says so. Then whole identifications beside the first few are skipped: they
/// take minutes under sanitizers, and run code that others run, too.
[[nodiscard]] bool counts_are_reduced();
inline constexpr const char* kTakesMinutesThen = "takes minutes where counts are reduced";
/// The seed to start from: the one given, unless the environment says otherwise.
[[nodiscard]] std::uint64_t starting_seed(std::uint64_t seed);

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  [[nodiscard]] std::uint64_t bits() { return engine_(); }
  /// Uniform in lo..hi, both included. Requires lo <= hi.
  [[nodiscard]] int between(int lo, int hi) {
    return lo + static_cast<int>(bits() % static_cast<std::uint64_t>(hi - lo + 1));
  }
  /// True n times in `of`.
  [[nodiscard]] bool chance(int n, int of) { return between(1, of) <= n; }
  template <typename T>
  [[nodiscard]] T pick(std::initializer_list<T> choices) {
    return choices.begin()[bits() % choices.size()];
  }
  template <typename T>
  [[nodiscard]] const T& pick(std::span<const T> choices) {
    return choices[bits() % choices.size()];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace mmaprint::test
