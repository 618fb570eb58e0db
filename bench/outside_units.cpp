// Identifies units that lie outside the hypothesis space, and prints how each ends: one that is reported as
// identified has to agree with its model on what users multiply, or the verdict is wrong.
//
// usage: bench_outside_units [UNITS] [SEED] [THREADS] [SECONDS] [PROOF_STEPS] [KIND]
//
// SECONDS is the limit for each unit, PROOF_STEPS that for all proofs about one. KIND is a kind's name, or
// `inside`: units at the edges of the space, each of which has to end with a model that agrees. By default
// every kind in turn.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "base/json_source.h"
#include "base/stopwatch.h"
#include "inference/characterise.h"
#include "model/input_json.h"
#include "model/model_json.h"
#include "outside_units/outside_unit.h"
#include "random_units/edge_unit.h"

namespace {

using namespace mmaprint;
using Verdict = Identification::Verdict;

constexpr test::DeviationKind kInside{"inside", {}, "nothing", nullptr};

enum class End : std::uint8_t { none, unknown, agrees, unknown_and_differs, wrong };
constexpr std::array<std::string_view, 5> kEndWords{"none", "unknown", "agrees", "unknown, differs", "WRONG"};
using Tally = std::array<int, kEndWords.size()>;

/// How a unit ended, `differ` inputs being answered in another way than the model says.
End end_of(const test::DeviationKind& kind, Verdict verdict, int differ) {
  const bool inside = &kind == &kInside;
  switch (verdict) {
    case Verdict::none:
      return inside ? End::wrong : End::none;
    case Verdict::unknown:
      if (differ == 0) return inside ? End::agrees : End::unknown;
      return inside ? End::wrong : End::unknown_and_differs;
    case Verdict::unique:
    case Verdict::equivalent:
      break;
  }
  // Whatever it agreed on: no model says what such a unit does next.
  return differ == 0 && kind.deterministic ? End::agrees : End::wrong;
}

std::unique_ptr<test::OutsideUnit> drawn(const test::DeviationKind& kind, std::uint64_t seed) {
  if (&kind != &kInside) return test::outside_unit(kind, seed);
  test::Random random(seed);
  return std::make_unique<test::OutsideUnit>(kInside,
                                             test::Deviant{test::edge_unit(random), std::nullopt, {}, {}});
}

End identify_one(const test::DeviationKind& kind, std::uint64_t seed, CharacteriseOptions options) {
  Stopwatch watch;
  const auto unit = drawn(kind, seed);
  const double drawing = watch.seconds();
  const Instruction instruction = unit->instruction();
  options.identify.seed = seed;
  watch = {};
  const auto all = characterise(Search(default_space(instruction.name, instruction.k, instruction.formats)),
                                *unit, instruction, {}, options, {});
  const double seconds = watch.seconds();
  const Identification& found = all.result;

  test::Disagreements differ;
  watch = {};
  if (found.model && found.verdict() != Verdict::none)
    differ = test::disagreements(*unit, *found.model, seed + 1);
  const End end = end_of(kind, found.verdict(), differ.total());
  std::printf(
      "%-26s seed %-6llu %4s->%s K=%-2d %-10s %3zu observations, %5.2f s to identify, %.2f s around; "
      "differ on %d + %d + %d + %d: %s%s%s\n",
      kind.name.data(), static_cast<unsigned long long>(seed), name(instruction.formats.a).data(),
      name(instruction.formats.d).data(), instruction.k,
      kVerdictWords[static_cast<std::size_t>(found.verdict())].data(), found.observations.size(), seconds,
      drawing + watch.seconds(), differ.of[0], differ.of[1], differ.of[2], differ.generated,
      kEndWords[static_cast<std::size_t>(end)].data(), found.reason().empty() ? "" : ": ",
      found.reason().c_str());
  if (end == End::wrong && found.model)
    std::printf("  of  %s\n  not %s\n  at  %s\n", json_line(to_json(unit->base())).c_str(),
                json_line(to_json(*found.model)).c_str(),
                differ.example ? json_line(to_json(differ.example->input, instruction.formats)).c_str()
                               : "nothing seen");
  std::fflush(stdout);
  return end;
}

void print_row(std::string_view name, const Tally& tally) {
  int units = 0;
  for (const int n : tally) units += n;
  std::printf("%-26s %6d", std::string(name).c_str(), units);
  for (std::size_t i = 0; i < tally.size(); ++i)
    std::printf(" %*d", static_cast<int>(std::max<std::size_t>(kEndWords[i].size(), 6)), tally[i]);
  std::printf("\n");
}

void print_table(const std::map<std::string_view, Tally>& by_kind) {
  std::printf("\n%-26s %6s", "kind", "units");
  for (const std::string_view word : kEndWords) std::printf(" %6s", word.data());
  std::printf("\n");
  Tally total{};
  for (const auto& [name, tally] : by_kind) {
    print_row(name, tally);
    for (std::size_t i = 0; i < tally.size(); ++i) total[i] += tally[i];
  }
  print_row("all", total);
}

std::vector<const test::DeviationKind*> chosen(std::string_view name) {
  if (name == kInside.name) return {&kInside};
  std::vector<const test::DeviationKind*> all;
  for (const test::DeviationKind& kind : test::kinds())
    if (name.empty() || name == kind.name) all.push_back(&kind);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const int units = argc > 1 ? std::atoi(argv[1]) : 150;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  CharacteriseOptions options;
  options.identify.threads = argc > 3 ? std::atoi(argv[3]) : 2;
  options.identify.seconds = argc > 4 ? std::atof(argv[4]) : 60;
  if (argc > 5) options.identify.proof_steps = std::atoll(argv[5]);
  const auto kinds = chosen(argc > 6 ? argv[6] : "");
  if (units < 1 || kinds.empty()) return 2;

  std::map<std::string_view, Tally> by_kind;
  int wrong = 0;
  for (int i = 0; i < units; ++i) {
    const test::DeviationKind& kind = *kinds[static_cast<std::size_t>(i) % kinds.size()];
    // Far enough apart that no unit is drawn twice.
    const End end = identify_one(kind, seed + 1000 * static_cast<std::uint64_t>(i), options);
    ++by_kind[kind.name][static_cast<std::size_t>(end)];
    wrong += end == End::wrong ? 1 : 0;
  }
  print_table(by_kind);
  return wrong == 0 ? 0 : 1;
}
