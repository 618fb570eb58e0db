// Draws pairs of toy units, asks everything that the prover may conclude of each, and holds every answer
// against all inputs. Prints how many were equal, different and not decided, by the way of asking, and
// everything that was wrong.
//
// usage: bench_toy_pairs [COUNT] [SEED] [THREADS] [INPUT_BITS]
//
// INPUT_BITS is the most that an input may have: 2^INPUT_BITS of them are evaluated.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>

#include "base/parallel.h"
#include "base/stopwatch.h"
#include "toy_units/trial.h"

namespace {

using namespace mmaprint;

struct Total {
  toys::Tallies by_method;
  long equal = 0, equal_but_for_zeros = 0, wrong = 0;
};

void print(const Total& total, long count) {
  std::printf("%ld pairs: %ld equal, %ld equal but for a zero's sign, %ld different\n\n", count, total.equal,
              total.equal_but_for_zeros, count - total.equal - total.equal_but_for_zeros);
  std::printf("%-36s %8s %9s %16s %20s %6s\n", "", "equal", "different", "equal, unknown",
              "different, unknown", "wrong");
  for (const auto& [method, tally] : total.by_method)
    std::printf("%-36s %8ld %9ld %16ld %20ld %6ld\n", method.c_str(), tally.equal, tally.different,
                tally.unknown_of_equal, tally.unknown_of_different, tally.wrong);
}

}  // namespace

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::atol(argv[1]) : 1'000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const int threads = argc > 3 ? std::atoi(argv[3]) : 2;
  const int bits = argc > 4 ? std::atoi(argv[4]) : 16;
  if (count < 1 || threads < 1 || bits < 8 || bits > 24) return 2;
  Total total;
  std::mutex mutex;
  const Stopwatch watch;
  in_parallel(static_cast<std::size_t>(count), threads, [&](std::size_t i) {
    const std::uint64_t its = seed + i;
    toys::TrialResult result;
    try {
      result = toys::try_pair(its, bits, i % 4 == 0);
    } catch (const std::exception& e) {
      result.wrong = "seed " + std::to_string(its) + ": " + e.what() + "\n";
    }
    const std::scoped_lock lock(mutex);
    toys::add(total.by_method, result.by_method);
    total.equal += result.equal ? 1 : 0;
    total.equal_but_for_zeros += result.equal_but_for_zeros ? 1 : 0;
    if (result.wrong.empty()) return;
    ++total.wrong;
    std::printf("%s\n", result.wrong.c_str());
    std::fflush(stdout);
  });
  print(total, count);
  std::printf("\n%ld pairs with a wrong answer; %.0f s\n", total.wrong, watch.seconds());
  return total.wrong == 0 ? 0 : 1;
}
