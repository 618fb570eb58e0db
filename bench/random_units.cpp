// Draws units from the whole default space, identifies each, and prints how many of the returned models agree
// with the hidden unit, how many verdicts are proved, and how long it took.
//
// usage: mmaprint_random_units [UNITS] [SEED] [THREADS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "device/simulated.h"
#include "inference/identify.h"
#include "random_units/random_unit.h"

namespace {

using namespace mmaprint;

struct Tally {
  int agree = 0, proved = 0;
  std::vector<double> seconds;
  std::vector<double> observations;
};

void identify_one(std::uint64_t seed, int threads, Tally& tally) {
  test::Random random(seed);
  const UnitModel hidden = test::random_unit(random);
  SimulatedUnit unit("random", "a random unit", {hidden});
  const Instruction instruction{hidden.instruction, hidden.k, hidden.formats};
  const Space space = default_space(instruction.name, instruction.k, instruction.formats);
  IdentifyOptions options;
  options.seed = seed;
  options.threads = threads;
  options.seconds = 60;
  options.proof_seconds = 5;
  const Identification found = identify(space, space.whole(), unit, instruction, {}, options, {});
  constexpr int kInputs = 100'000;
  const int wrong = found.model ? test::disagreements(hidden, *found.model, kInputs, seed + 1) : kInputs;
  const bool proved = found.verdict == Identification::Verdict::unique ||
                      found.verdict == Identification::Verdict::equivalent;
  tally.agree += wrong == 0 ? 1 : 0;
  tally.proved += proved ? 1 : 0;
  tally.seconds.push_back(found.seconds);
  tally.observations.push_back(static_cast<double>(found.observations.size()));
  std::printf("seed %llu: %s->%s K=%d, %s, %zu observations, %.2f s, %d of %d inputs differ\n",
              static_cast<unsigned long long>(seed), name(hidden.formats.a).data(),
              name(hidden.formats.d).data(), hidden.k, proved ? "proved" : "not proved",
              found.observations.size(), found.seconds, wrong, kInputs);
  std::fflush(stdout);
}

void print_distribution(const char* what, std::vector<double> values) {
  std::ranges::sort(values);
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  std::printf("%s: min %.2f, median %.2f, 90%% %.2f, max %.2f\n", what, at(0), at(0.5), at(0.9), at(1));
}

}  // namespace

int main(int argc, char** argv) {
  const int units = argc > 1 ? std::atoi(argv[1]) : 200;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const int threads = argc > 3 ? std::atoi(argv[3]) : 2;
  if (units < 1) return 2;
  Tally tally;
  for (int i = 0; i < units; ++i) identify_one(seed + static_cast<std::uint64_t>(i), threads, tally);
  std::printf("\n%d of %d models agree with the hidden unit; %d verdicts proved\n", tally.agree, units,
              tally.proved);
  print_distribution("seconds", tally.seconds);
  print_distribution("observations", tally.observations);
  return tally.agree == units ? 0 : 1;
}
