// Draws units from a grammar of structures, identifies each, and prints how many of the returned models agree
// with the hidden unit, and which verdicts they get, by family.
//
// usage: bench_skeleton_units [UNITS] [SEED] [THREADS] [SECONDS] [PROOF_STEPS] [FAMILY]
//
// UNITS of each family, from SEED on; units with scales are one more family, `scaled`; SECONDS is the limit
// for each unit. Three families are measured only where they are named: `fma`, which has 40 units, `integers`
// and `fma-loop`. With MMAPRINT_TRACE set, states are told on standard error, and what is left in the end.
#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "base/json_source.h"
#include "base/stopwatch.h"
#include "device/simulated.h"
#include "inference/characterise.h"
#include "inference/representative.h"
#include "inference/space_json.h"
#include "model/model_json.h"
#include "model/spelling.h"
#include "model/structure_text.h"
#include "random_units/random_unit.h"
#include "skeleton_units/scaled_unit.h"
#include "skeleton_units/skeleton_unit.h"
#include "skeleton_units/textbook_unit.h"
#include "solver/idle_values.h"

namespace {

using namespace mmaprint;
using Verdict = Identification::Verdict;

struct Tally {
  int units = 0, agree = 0, proved = 0, unknown = 0, none = 0, wrong = 0;
  std::vector<double> seconds;
};

/// What a set has several values of that bounds alone don't show to be alike, beside the model.
std::string left_of(const Space& space, const HypothesisSet& set, const UnitModel& model) {
  const Plan plan(space.formats, space.k, space.skeleton(set));
  const Box box = without_idle_values(plan, set.box, nearest(set.box, model));
  std::string text;
  for (const ParameterKey& key : box.keys()) {
    if (box[key].is_single()) continue;
    const auto values = box[key].values();
    text += fmt::format("  {}: {} .. {} ({})", name_of(key, box.classes()),
                        value_text(key.parameter, values.front()), value_text(key.parameter, values.back()),
                        values.size());
  }
  return text;
}

/// What the unit is, and what is left of the space.
void tell(const UnitModel& hidden, const Characterisation& all) {
  fmt::print(stderr, "hidden {}\n", json_line(to_json(hidden).at("unit")));
  if (all.result.model) fmt::print(stderr, "found  {}\n", json_line(to_json(*all.result.model).at("unit")));
  for (const SurvivorClass& survivors : all.result.survivors)
    fmt::print(stderr, "{} {} {}\n",
               survivors.standing == SurvivorClass::Standing::proved ? "proved" : "open", survivors.question,
               json_line(to_json(all.search.space, survivors.set)));
  if (!all.result.model) return;
  for (const SurvivorClass& survivors : all.result.survivors)
    if (survivors.standing != SurvivorClass::Standing::proved)
      fmt::print(stderr, "left: {} of {:.150}{}\n", survivors.question,
                 structure_text(all.search.space.skeleton(survivors.set).tree),
                 left_of(all.search.space, survivors.set, *all.result.model));
}

/// By name, and each unit by its seed.
struct BenchFamily {
  std::string_view name;
  std::function<UnitModel(std::uint64_t)> unit;
  bool if_named = false;  ///< left out where no family is named
};
std::vector<BenchFamily> all_families() {
  std::vector<BenchFamily> all;
  for (std::size_t i = 0; i < test::kSkeletonFamilyWords.size(); ++i)
    all.push_back({test::kSkeletonFamilyWords[i], [family = static_cast<test::SkeletonFamily>(i)](auto seed) {
                     return test::skeleton_unit(family, seed);
                   }});
  all.push_back({"scaled", test::scaled_unit});
  all.push_back({"fma", test::ieee_fma, true});
  all.push_back({"integers", test::integer_sum, true});
  all.push_back({"fma-loop", test::fma_loop, true});
  return all;
}

void identify_one(const BenchFamily& family, std::uint64_t seed, CharacteriseOptions options, Tally& tally) {
  const UnitModel hidden = family.unit(seed);
  SimulatedUnit unit("skeleton", "a unit of any structure", {hidden});
  const Instruction instruction{hidden.instruction, hidden.k, hidden.formats};
  options.identify.seed = seed;
  CharacteriseHooks hooks;
  spdlog::logger log("bench", std::make_shared<spdlog::sinks::stderr_sink_st>());
  log.set_level(spdlog::level::debug);
  if (std::getenv("MMAPRINT_TRACE") != nullptr) hooks.identify.log = &log;
  const Stopwatch watch;
  const Characterisation all =
      characterise(Search(default_space(instruction.name, instruction.k, instruction.formats)), unit,
                   instruction, {}, options, hooks);
  const double seconds = watch.seconds();
  const Identification& found = all.result;
  constexpr int kInputs = 100'000;
  const int differ = found.model && found.verdict() != Verdict::none
                         ? test::disagreements(hidden, *found.model, kInputs, seed + 1)
                         : kInputs;
  const bool is_identified = found.verdict() == Verdict::unique || found.verdict() == Verdict::equivalent;
  const bool wrong = is_identified && differ != 0;
  ++tally.units;
  tally.agree += differ == 0 ? 1 : 0;
  tally.proved += is_identified && differ == 0 ? 1 : 0;
  tally.unknown += found.verdict() == Verdict::unknown ? 1 : 0;
  tally.none += found.verdict() == Verdict::none ? 1 : 0;
  tally.wrong += wrong ? 1 : 0;
  tally.seconds.push_back(seconds);
  fmt::print("{} {}: {}->{}{} K={} classes={}, {}, {} observations, {:.2f} s, {} differ{}{}{}: {:.150}\n",
             family.name, seed, name(hidden.formats.a), name(hidden.formats.d),
             hidden.formats.c ? "" : " no c", hidden.k, hidden.adders.size(),
             kVerdictWords[static_cast<std::size_t>(found.verdict())], found.observations.size(), seconds,
             differ, wrong ? " WRONG" : "", found.reason().empty() ? "" : ", ", found.reason(),
             structure_text(hidden.tree));
  if (hooks.identify.log != nullptr) tell(hidden, all);
  std::fflush(stdout);
}

double at(std::vector<double> seconds, double share) {
  if (seconds.empty()) return 0;
  std::ranges::sort(seconds);
  return seconds[std::min(seconds.size() - 1,
                          static_cast<std::size_t>(share * static_cast<double>(seconds.size())))];
}

void print(std::string_view name, const Tally& t) {
  fmt::print("{:14} {:6} {:7} {:7} {:8} {:5} {:6} {:8.1f} {:8.1f} {:8.1f}\n", name, t.units, t.agree,
             t.proved, t.unknown, t.none, t.wrong, at(t.seconds, 0.5), at(t.seconds, 0.9), at(t.seconds, 1));
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i, double otherwise) { return argc > i ? std::atof(argv[i]) : otherwise; };
  const int units = static_cast<int>(number(1, 5));
  const auto first = static_cast<std::uint64_t>(number(2, 1));
  CharacteriseOptions options;
  options.identify.threads = static_cast<int>(number(3, 2));
  options.identify.seconds = number(4, 60);
  options.identify.proof_steps = static_cast<std::int64_t>(number(5, static_cast<double>(kProofSteps)));
  const std::vector<BenchFamily> families = all_families();
  std::vector<Tally> tallies(families.size());
  for (std::size_t family = 0; family < tallies.size(); ++family) {
    if (argc > 6 ? families[family].name != argv[6] : families[family].if_named) continue;
    for (int n = 0; n < units; ++n)
      identify_one(families[family], first + static_cast<std::uint64_t>(n), options, tallies[family]);
  }
  fmt::print("\n{:14} {:>6} {:>7} {:>7} {:>8} {:>5} {:>6} {:>8} {:>8} {:>8}\n", "family", "units", "agree",
             "proved", "unknown", "none", "wrong", "median s", "90 % s", "max s");
  Tally sum;
  for (std::size_t family = 0; family < tallies.size(); ++family) {
    const Tally& t = tallies[family];
    if (t.units == 0) continue;
    print(families[family].name, t);
    sum.units += t.units, sum.agree += t.agree, sum.proved += t.proved, sum.unknown += t.unknown,
        sum.none += t.none;
    sum.wrong += t.wrong;
    sum.seconds.insert(sum.seconds.end(), t.seconds.begin(), t.seconds.end());
  }
  print("all", sum);
  return sum.wrong == 0 ? 0 : 1;
}
