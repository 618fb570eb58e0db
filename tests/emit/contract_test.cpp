// One contract for all languages: what is emitted computes what the evaluator does, on inputs of every family
// of units (tests/exports/cases.cpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "emit/emit.h"
#include "exports/runs.h"
#include "support/folder.h"
#include "support/random.h"

namespace mmaprint::test::contract_test {
namespace {

constexpr int kRandomModels = 8;
/// Slow to read or to run: these few models take part where a language has no fast integers.
constexpr std::size_t kSomeModels = 8;

std::vector<ExportCase> all_cases(long inputs) {
  std::vector<ExportCase> all;
  std::uint64_t seed = starting_seed(1);
  for (NamedModel& model : export_models(kRandomModels, seed))
    all.push_back(export_case(std::move(model), count(inputs), ++seed));
  return all;
}
/// Those whose tree is small.
std::vector<ExportCase> some_cases(long inputs) {
  std::vector<ExportCase> some;
  for (ExportCase& one : all_cases(inputs))
    if (some.size() < kSomeModels && one.of.model.k <= 8) some.push_back(std::move(one));
  return some;
}

/// No result differs from the evaluator's; skipped where the language is not there.
void expect_agreement(const std::vector<ExportCase>& cases, const Run& run) {
  if (const auto* absent = std::get_if<Absent>(&run)) GTEST_SKIP() << absent->why;
  EXPECT_FALSE(cases.empty());
  EXPECT_EQ(differences(cases, std::get<Results>(run)), "");
}

TEST(Exports, OfCppComputeWhatTheEvaluatorDoes) {
  const auto cases = all_cases(10'000);
  const Folder folder;
  expect_agreement(cases,
                   run_cpp(cases, folder.path(), MMAPRINT_CXX " -std=c++17 -O1 -Wall -Wextra -Werror"));
}

TEST(Exports, OfCudaComputeWhatTheEvaluatorDoesOnTheHost) {
  const auto cases = some_cases(1'000);
  const Folder folder;
  expect_agreement(cases, run_cuda_on_host(cases, folder.path()));
}

TEST(Exports, OfPythonComputeWhatTheEvaluatorDoes) {
  const auto cases = all_cases(1'000);
  const Folder folder;
  expect_agreement(cases, run_python(cases, folder.path()));
}

TEST(Exports, OfOctaveComputeWhatTheEvaluatorDoes) {
  const auto cases = some_cases(200);
  const Folder folder;
  expect_agreement(cases, run_octave(cases, folder.path()));
}

TEST(Exports, OfSmtLibComputeWhatTheEvaluatorDoes) {
  // Of chains of truncated blocks: others Z3 reads too slowly.
  auto cases = all_cases(50);
  std::erase_if(cases, [](const ExportCase& one) {
    return !one.of.what.starts_with("sim:") || info(one.of.model.formats.d).is_integer();
  });
  ASSERT_EQ(cases.size(), 3U);
  expect_agreement(cases, run_smt2(cases));
}

TEST(Exports, AreNotTakenForRightWhenTheyAreNot) {
  auto cases = some_cases(4'000);
  cases.resize(1);
  // The same inputs, another unit: rounding to nearest is seen.
  for (Adder& adder : cases.front().of.model.adders) adder.rounding = Rounding::nearest_even;
  const Folder folder;
  const auto run = run_cpp(cases, folder.path(), MMAPRINT_CXX " -std=c++17 -O0");
  EXPECT_NE(differences(cases, std::get<Results>(run)), "");
}

TEST(Exports, RefuseUnitsWithScalesInOneLine) {
  UnitModel model = some_cases(1).front().of.model;
  model.formats.sa = Scales{Format::ue8m0, 4};
  try {
    (void)emit::to_cpp(model, {"a model", "test"});
    FAIL() << "expected to be refused";
  } catch (const emit::NotExported& refused) {
    EXPECT_EQ(refused.what(), std::string("units with scales are not exported yet"));
  }
}

TEST(Exports, KeepForeignTextWithinComments) {
  UnitModel model = some_cases(1).front().of.model;
  model.instruction = "x\nint y; */ \\";
  const std::string text = emit::to_cpp(model, {"a\nb", "test"});
  EXPECT_NE(text.find("// instruction: x?int y; *? ?\n"), std::string::npos) << text.substr(0, 400);
  EXPECT_NE(text.find("// model:       a?b\n"), std::string::npos);
}

TEST(Exports, HoldNoStepThatTheModelHasNot) {
  UnitModel model = some_cases(1).front().of.model;
  const std::string text = emit::to_cpp(model, {"", "test"});
  for (const char* absent : {"wrapped", "nearest", "normalise", "flush", "Wide"})
    EXPECT_EQ(text.find(absent), std::string::npos) << absent;
}

}  // namespace
}  // namespace mmaprint::test::contract_test
