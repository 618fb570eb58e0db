// Dumped queries as other solvers answer them: none says otherwise than ours did. Those that are not
// installed are skipped.
#include <gtest/gtest.h>
#include <z3++.h>

#include <functional>

#include "program.h"
#include "support/random.h"

namespace mmaprint::test::other_solvers_test {
namespace {

using Json = nlohmann::json;

constexpr const char* kSeconds = "60";  // the slowest takes 5 on a quiet core
constexpr std::size_t kMost = 3;

/// Queries that ours answered, without their files' endings.
struct Dumped {
  std::string path;
  std::string verdict;
};
const std::vector<Dumped>& dumped() {
  static const Folder kFolder;
  static const std::vector<Dumped> kAll = [] {
    const std::string place = kFolder.path("queries");
    // A small unit, whose queries are easy enough for all of them.
    (void)mmaprint(
        {"identify", "sim:v100", "--instruction", "mma.m8n8k4.f32.f16.f16.f32", "--dump", place, "-q"});
    std::vector<Dumped> all;
    for (const std::string& line : lines(read(place + "/index.jsonl"))) {
      const Json query = Json::parse(line);
      if (!query.contains("name") || query["verdict"] == "unknown" || all.size() == kMost) continue;
      all.push_back({place + "/" + query["name"].get<std::string>(), query["verdict"]});
    }
    return all;
  }();
  return kAll;
}

bool is_installed(const std::string& script) { return in_shell(script + " >/dev/null 2>&1", {}).exit == 0; }

/// The last word of what a script prints about "$1", in lower case.
std::string answer(const std::string& script, const std::string& file) {
  const auto printed = lines(in_shell(script, {file}).out);
  return printed.empty() ? "nothing" : printed.back();
}

/// Every answer is ours, or that it does not know; and it knows some.
void expect_agreement(const std::function<std::string(const std::string& path)>& ask) {
  if (counts_are_reduced()) GTEST_SKIP() << kTakesMinutesThen;
  ASSERT_FALSE(dumped().empty());
  std::size_t known = 0;
  for (const Dumped& query : dumped()) {
    const std::string said = ask(query.path);
    if (said != "sat" && said != "unsat") continue;
    EXPECT_EQ(said, query.verdict) << query.path;
    ++known;
  }
  EXPECT_GT(known, 0U);
}

TEST(OtherSolvers, AgreeAsZ3OnSmtLib) {
  expect_agreement([](const std::string& path) -> std::string {
    z3::context context;
    z3::solver solver(context, "QF_BV");
    z3::params limits(context);
    limits.set("timeout", 60'000U);
    solver.set(limits);
    solver.from_file((path + ".smt2").c_str());
    const z3::check_result result = solver.check();
    return result == z3::sat ? "sat" : result == z3::unsat ? "unsat" : "unknown";
  });
}

TEST(OtherSolvers, AgreeAsCvc5OnSmtLib) {
  if (!is_installed("cvc5 --version")) GTEST_SKIP() << "cvc5 is not on PATH";
  // By its default it does not bring the gates to the SAT solver at once, which takes far longer.
  const std::string script = std::string("cvc5 --bitblast=eager --tlimit=") + kSeconds + "000 \"$1\"";
  expect_agreement([&](const std::string& path) { return answer(script, path + ".smt2"); });
}

TEST(OtherSolvers, AgreeAsBitwuzlaOnSmtLib) {
  if (!is_installed("python3 -c 'import bitwuzla'")) GTEST_SKIP() << "python3 has no module bitwuzla";
  const std::string script =
      "python3 '" + source("tests/checkers/bitwuzla_verdict.py") + "' \"$1\" " + kSeconds;
  expect_agreement([&](const std::string& path) { return answer(script, path + ".smt2"); });
}

TEST(OtherSolvers, AgreeAsAbcOnAiger) {
  if (!is_installed("berkeley-abc -c quit")) GTEST_SKIP() << "berkeley-abc is not on PATH";
  const std::string script =
      "berkeley-abc -c \"read_aiger $1; strash; sat -C 100000\" | sed -n 's/^\\(UN\\)\\{0,1\\}SATISFIABLE.*/"
      "\\1sat/p' | tr A-Z a-z";
  expect_agreement([&](const std::string& path) { return answer(script, path + ".aig"); });
}

}  // namespace
}  // namespace mmaprint::test::other_solvers_test
