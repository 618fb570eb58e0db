// Holds exports against the evaluator on many inputs: C++ and NumPy on N of each model, Octave on N / 10,
// SMT-LIB on N / 1000. Prints what differs, and how long each language took.
//
// usage: bench_exports [N] [RANDOM_MODELS] [SEED]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "base/stopwatch.h"
#include "exports/runs.h"
#include "support/folder.h"

namespace {

using namespace mmaprint;
using namespace mmaprint::test;

using Runner = std::function<Run(const std::vector<ExportCase>&, const std::string&)>;

/// Model by model, so that no more than one's inputs are held.
bool compare(const char* language, const std::vector<NamedModel>& models, long inputs, std::uint64_t seed,
             const Runner& run) {
  bool same = true;
  double seconds = 0;
  for (const NamedModel& model : models) {
    const std::vector<ExportCase> one{export_case(model, std::max(1L, inputs), seed++)};
    const Folder folder;
    const Stopwatch watch;
    const Run done = run(one, folder.path());
    seconds += watch.seconds();
    if (const auto* absent = std::get_if<Absent>(&done)) {
      std::printf("%s: skipped, %s\n", language, absent->why.c_str());
      return true;
    }
    const std::string wrong = differences(one, std::get<Results>(done));
    std::printf("%s", wrong.c_str());
    std::fflush(stdout);
    same = same && wrong.empty();
  }
  std::printf("%s: %zu models, %ld inputs each, %.1f s: %s\n", language, models.size(), inputs, seconds,
              same ? "all as the evaluator" : "DIFFERENT");
  return same;
}

}  // namespace

int main(int argc, char** argv) {
  const long inputs = argc > 1 ? std::atol(argv[1]) : 1'000'000;
  const int random = argc > 2 ? std::atoi(argv[2]) : 8;
  const std::uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  const auto models = export_models(random, seed);
  bool same = compare("C++", models, inputs, seed, [](const auto& cases, const auto& folder) {
    return run_cpp(cases, folder, "c++ -std=c++17 -O2");
  });
  same &= compare("NumPy", models, inputs, seed,
                  [](const auto& cases, const auto& folder) { return run_python(cases, folder); });
  same &= compare("Octave", models, inputs / 10, seed,
                  [](const auto& cases, const auto& folder) { return run_octave(cases, folder); });
  same &= compare("SMT-LIB", models, inputs / 1000, seed,
                  [](const auto& cases, const auto& /*folder*/) { return run_smt2(cases); });
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
