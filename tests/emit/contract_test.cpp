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
/// Those with scales.
std::vector<ExportCase> scaled_cases(long inputs) {
  auto cases = all_cases(inputs);
  std::erase_if(cases, [](const ExportCase& one) { return !one.of.model.formats.has_scales(); });
  return cases;
}
std::vector<ExportCase> some_cases_and_scaled(long inputs) {
  auto cases = some_cases(inputs);
  std::ranges::move(scaled_cases(inputs), std::back_inserter(cases));
  return cases;
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
  const auto cases = some_cases_and_scaled(1'000);
  const Folder folder;
  expect_agreement(cases, run_cuda_on_host(cases, folder.path()));
}

TEST(Exports, OfPythonComputeWhatTheEvaluatorDoes) {
  const auto cases = all_cases(1'000);
  const Folder folder;
  expect_agreement(cases, run_python(cases, folder.path()));
}

TEST(Exports, OfOctaveComputeWhatTheEvaluatorDoes) {
  const auto cases = some_cases_and_scaled(200);
  const Folder folder;
  expect_agreement(cases, run_octave(cases, folder.path()));
}

TEST(Exports, OfSmtLibComputeWhatTheEvaluatorDoes) {
  // Of chains of truncated blocks: others Z3 reads too slowly.
  auto cases = all_cases(50);
  std::erase_if(cases, [](const ExportCase& one) {
    return !one.of.what.starts_with("sim:") || info(one.of.model.formats.d).is_integer();
  });
  ASSERT_EQ(cases.size(), 7U);
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

TEST(Exports, WithScalesAreNotTakenForRightWhenTheyAreNot) {
  auto cases = scaled_cases(1'000);
  std::erase_if(cases, [](const ExportCase& one) { return !one.of.what.starts_with("sim:"); });
  ASSERT_EQ(cases.size(), 4U);
  // Scales that are read as others.
  for (ExportCase& one : cases)
    one.of.model.formats.sb->format =
        one.of.model.formats.sb->format == Format::ue4m3 ? Format::ue8m0 : Format::ue4m3;
  std::erase_if(cases, [](const ExportCase& one) { return !is_legal(one.of.model); });
  ASSERT_EQ(cases.size(), 2U) << "products that are scaled one by one have powers of two alone";
  for (ExportCase& one : cases) {
    const Folder folder;
    const auto run = run_cpp({one}, folder.path(), MMAPRINT_CXX " -std=c++17 -O0");
    EXPECT_NE(differences({one}, std::get<Results>(run)), "") << one.of.what;
  }
}

TEST(Exports, TakeScalesAfterOtherOperandsAndOnlyWhereThereAreSuch) {
  UnitModel model = scaled_cases(1).front().of.model;
  const auto cpp = [&] { return emit::to_cpp(model, {"", "test"}); };
  EXPECT_NE(cpp().find("const std::uint8_t* b, std::uint32_t c, const std::uint8_t* sa, "
                       "const std::uint8_t* sb) {"),
            std::string::npos);
  EXPECT_NE(emit::to_python(model, {"", "test"}).find("def simulate(a, b, c, sa, sb):"), std::string::npos);
  model.formats.sa.reset();
  EXPECT_NE(cpp().find("const std::uint8_t* b, std::uint32_t c, const std::uint8_t* sb) {"),
            std::string::npos);
  EXPECT_EQ(cpp().find("product_of_scales"), std::string::npos);
  EXPECT_NE(cpp().find("d = sum of a[i] * b[i] * sb[i / 32] + c"), std::string::npos);
  model.formats.sb.reset();
  EXPECT_EQ(cpp().find("scale"), std::string::npos);
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
