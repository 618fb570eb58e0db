// Hard queries whose answers are known (tests/corpus/index.json says from where): our solver finds them
// again, and its refutations hold.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "aiger_circuit.h"
#include "base/files.h"
#include "base/gzip.h"
#include "base/json_source.h"
#include "solver/sat.h"
#include "support/random.h"

namespace mmaprint::corpus_test {
namespace {

constexpr std::size_t kMuch = std::size_t{1} << 26;

const std::string& place() {
  static const std::string kPlace = MMAPRINT_SOURCE_DIR "/tests/corpus/";
  return kPlace;
}
Json queries() { return Json::parse(read_file(place() + "index.json"))["queries"]; }

TEST(Corpus, HasThirtyQueriesOfBothKindsInLessThanAMegabyte) {
  std::size_t bytes = 0, unsatisfiable = 0;
  const Json all = queries();
  for (const Json& query : all) {
    bytes += read_file(place() + query["file"].get<std::string>()).size();
    if (query["verdict"] == "unsat") ++unsatisfiable;
  }
  EXPECT_EQ(all.size(), 30U);
  EXPECT_GE(unsatisfiable, 5U);
  EXPECT_LT(bytes, 1'000'000U);
}

TEST(Corpus, HasItsAnswersForOurSolver) {
  // Those of very many conflicts are for whoever has the time.
  const std::int64_t most = test::count(30'000);
  for (const Json& query : queries()) {
    if (query["conflicts"].get<std::int64_t>() > most) continue;
    SCOPED_TRACE(query["file"].get<std::string>());
    const auto text = gunzip(read_file(place() + query["file"].get<std::string>()), kMuch);
    ASSERT_TRUE(text);
    Aig graph;
    const Literal output = test::built(graph, test::circuit_of(*text));
    Sat sat(graph);
    sat.assert_unit(output);
    // A solution is checked gate by gate, a refutation by its proof; else this throws.
    EXPECT_EQ(sat.check({}, {}), query["verdict"] == "sat" ? Verdict::satisfiable : Verdict::unsatisfiable);
  }
}

}  // namespace
}  // namespace mmaprint::corpus_test
