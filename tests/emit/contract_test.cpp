// One contract for all languages: what is emitted computes what the evaluator does.
#include <gtest/gtest.h>

#include <cstdlib>

#include "exports/runs.h"
#include "support/folder.h"
#include "support/random.h"

namespace mmaprint::test {
namespace {

std::vector<ExportCase> cases(int random, long inputs) {
  std::vector<ExportCase> all;
  std::uint64_t seed = starting_seed(1);
  for (NamedModel& model : export_models(random, seed))
    all.push_back(export_case(std::move(model), inputs, ++seed));
  return all;
}

TEST(Exports, CppComputesWhatTheEvaluatorDoes) {
  const char* n = std::getenv("EMIT_RANDOM");
  const auto all = cases(n ? std::atoi(n) : 20, 10000);
  Folder folder;
  const Run run = run_cpp(all, folder.path(), MMAPRINT_CXX " -std=c++17 -O1 -Wall -Wextra -Werror");
  EXPECT_EQ(differences(all, std::get<Results>(run)), "");
}

}  // namespace
}  // namespace mmaprint::test
