// Draws units from the whole default space, identifies each, and prints how many of the returned models agree
// with the hidden unit, which verdicts they get, and where the time goes. Each is compared in bulk as with
// `identify --validate 1e6`.
//
// usage: mmaprint_random_units [UNITS] [SEED] [THREADS] [SECONDS] [PROOF_STEPS]
//
// SECONDS is the limit for each unit, PROOF_STEPS that for all proofs about one. With MMAPRINT_TRACE set,
// every step is told on standard error, and what the proofs cost and leave open.
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "base/stopwatch.h"
#include "device/simulated.h"
#include "inference/characterise.h"
#include "random_units/random_unit.h"

namespace {

using namespace mmaprint;

struct Tally {
  int agree = 0;
  std::map<Identification::Verdict, int> verdicts;
  std::vector<double> seconds;
  std::vector<double> observations;
};

/// How long each kind of step took.
class Timeline {
 public:
  void operator()(const Progress& now) {
    doing(now.doing);
    if (std::getenv("MMAPRINT_TRACE") != nullptr)
      std::fprintf(stderr, "%7.2f s  %2zu observations  %8.3g hypotheses  %s\n", now.seconds,
                   now.observations, approximate(now.hypotheses), std::string(now.doing).c_str());
  }
  void doing(std::string_view what) {
    finish();
    doing_ = what;
    watch_ = {};
  }
  void finish() {
    if (!doing_.empty()) spent_[doing_] += watch_.seconds();
    doing_.clear();
  }
  void print() const {
    for (const auto& [doing, seconds] : spent_)
      if (seconds >= 0.05) std::printf("    %6.2f s %s\n", seconds, doing.c_str());
  }

 private:
  std::string doing_;
  Stopwatch watch_;
  std::map<std::string, double> spent_;
};

/// What is still open about a set, and what the hidden unit has.
void print_open(const HypothesisSet& set, const UnitModel& hidden) {
  const ParameterValues own = values_of(hidden);
  if (std::getenv("MMAPRINT_TRACE") == nullptr) return;
  for (const ParameterKey& key : set.box.keys()) {
    const auto values = set.box[key].values();
    if (values.size() < 2) continue;
    std::fprintf(stderr, "    %s:", name_of(key, set.box.classes()).c_str());
    for (const int v : values) std::fprintf(stderr, " %d", v);
    if (key.of_class < static_cast<int>(own.adders.size()))
      std::fprintf(stderr, " (hidden: %d)", value_index(own, key));
    std::fprintf(stderr, "\n");
  }
}

void identify_one(std::uint64_t seed, CharacteriseOptions options, Tally& tally) {
  test::Random random(seed);
  const UnitModel hidden = test::random_unit(random);
  SimulatedUnit unit("random", "a random unit", {hidden});
  const Instruction instruction{hidden.instruction, hidden.k, hidden.formats};
  Search search(default_space(instruction.name, instruction.k, instruction.formats));
  options.identify.seed = seed;
  Timeline timeline;
  CharacteriseHooks hooks;
  spdlog::logger log("bench", std::make_shared<spdlog::sinks::stderr_sink_st>());
  log.set_level(spdlog::level::debug);
  if (std::getenv("MMAPRINT_TRACE") != nullptr) hooks.identify.log = &log;
  hooks.identify.progress = [&](const Progress& now) { timeline(now); };
  hooks.validating = [&](const ValidateProgress&) { timeline.doing("comparing in bulk"); };
  const Stopwatch watch;
  const Characterisation all = characterise(std::move(search), unit, instruction, {}, options, hooks);
  const double seconds = watch.seconds();
  const Identification& found = all.result;
  timeline.finish();
  constexpr int kInputs = 100'000;
  const int wrong = found.model ? test::disagreements(hidden, *found.model, kInputs, seed + 1) : kInputs;
  tally.agree += wrong == 0 ? 1 : 0;
  ++tally.verdicts[found.verdict()];
  tally.seconds.push_back(seconds);
  tally.observations.push_back(static_cast<double>(found.observations.size()));
  std::printf("seed %llu: %s->%s K=%d, %s, %zu observations, %zu sets, %.2f s, %d of %d inputs differ%s%s\n",
              static_cast<unsigned long long>(seed), name(hidden.formats.a).data(),
              name(hidden.formats.d).data(), hidden.k,
              kVerdictWords[static_cast<std::size_t>(found.verdict())].data(), found.observations.size(),
              found.survivors.size(), seconds, wrong, kInputs, found.reason().empty() ? "" : ": ",
              found.reason().c_str());
  timeline.print();
  for (const SurvivorClass& c : found.survivors) {
    if (std::getenv("MMAPRINT_TRACE") != nullptr)
      std::fprintf(stderr, "  skeleton %d, %g hypotheses, standing %d\n", c.set.skeleton,
                   approximate(c.set.box.size()), static_cast<int>(c.standing));
    print_open(c.set, hidden);
  }
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
  CharacteriseOptions options;
  options.vectors = 1'000'000;
  options.identify.threads = argc > 3 ? std::atoi(argv[3]) : 2;
  options.identify.seconds = argc > 4 ? std::atof(argv[4]) : 60;
  if (argc > 5) options.identify.proof_steps = std::atoll(argv[5]);
  if (units < 1) return 2;
  Tally tally;
  for (int i = 0; i < units; ++i) identify_one(seed + static_cast<std::uint64_t>(i), options, tally);
  std::printf("\n%d of %d models agree with the hidden unit\n", tally.agree, units);
  for (const auto& [verdict, count] : tally.verdicts)
    std::printf("%d %s\n", count, kVerdictWords[static_cast<std::size_t>(verdict)].data());
  print_distribution("seconds", tally.seconds);
  print_distribution("observations", tally.observations);
  return tally.agree == units ? 0 : 1;
}
