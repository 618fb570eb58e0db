// `--dump`: hard queries as files that another solver can be tried on.
#include <gtest/gtest.h>
#include <z3++.h>

#include "program.h"
#include "support/random.h"

namespace mmaprint::test::dump_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kDot16 = "mma.m16n8k16.f32.f16.f16.f32";

/// The lines of a folder's index.
std::vector<Json> index_of(const std::string& folder) {
  std::vector<Json> all;
  for (const std::string& line : lines(read(folder + "/index.jsonl"))) all.push_back(Json::parse(line));
  return all;
}

std::size_t entries(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

void expect_refused(const std::vector<std::string>& arguments, const std::string& part) {
  const Finished run = mmaprint(arguments);
  EXPECT_EQ(run.exit, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(lines(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
}

TEST(Dump, HasEachHardQueryInThreeFormatsWithItsVerdict) {
  const Folder folder;
  const std::string place = folder.path("queries/of a unit");
  const Finished run = mmaprint({"identify", "sim:a100", "--instruction", kDot16, "--dump", place, "-q"});
  EXPECT_EQ(run.exit, 0) << run.err;
  const auto index = index_of(place);
  ASSERT_GT(index.size(), 1U) << "no hard query at all";
  EXPECT_EQ(index[0]["schema"], "mmaprint/queries/1");
  EXPECT_EQ(entries(place), 1 + 3 * (index.size() - 1));
  for (std::size_t i = 1; i < index.size(); ++i) {
    const Json& query = index[i];
    const auto name = query["name"].get<std::string>();
    EXPECT_GT(query["conflicts"], index[0]["conflicts_more_than"]);
    EXPECT_TRUE(name.ends_with("-" + query["verdict"].get<std::string>())) << name;
    for (const char* format : {"smt2", "cnf", "aig"})
      EXPECT_EQ(fs::file_size(place + "/" + name + "." + format), query["bytes"][format]) << name;
    EXPECT_NE(read(place + "/" + name + ".smt2").find("(declare-const "), std::string::npos);
  }
}

TEST(Dump, IsTheSameInEachRunWhateverTheThreads) {
  const Folder folder;
  const char* instruction = counts_are_reduced() ? kDot8 : kDot16;
  const auto dumped = [&](const char* threads) {
    const std::string place = folder.path(threads);
    (void)mmaprint(
        {"identify", "sim:a100", "--instruction", instruction, "--dump", place, "-q", "--threads", threads});
    std::string all;
    for (Json& query : index_of(place)) {
      query.erase("seconds");
      all += query.dump() + "\n";
    }
    return all;
  };
  EXPECT_EQ(dumped("1"), dumped("3"));
}

TEST(Dump, RefusesAPlaceThatCanNotBeWrittenOrHoldsSomething) {
  const Folder folder;
  const std::string file = folder.file("file", "text");
  const std::vector<std::string> asked{"distinguish", kA100, kH100, "--dump"};
  const auto with = [&](const std::string& place) {
    auto arguments = asked;
    arguments.push_back(place);
    return arguments;
  };
  expect_refused(with(file), "expected a new or an empty directory");
  expect_refused(with(folder.path("")), "expected a new or an empty directory");
  expect_refused(with(file + "/below"), "Not a directory");
  expect_refused(with("/proc/queries"), "/proc/queries: ");
  EXPECT_EQ(read(file), "text");
}

TEST(Dump, IsOfCadicalAlone) {
  const Folder folder;
  expect_refused({"distinguish", kA100, kH100, "--solver", "z3", "--dump", folder.path("d")},
                 "--dump: expected --solver cadical");
  expect_refused(
      {"identify", "sim:a100", "--instruction", kDot8, "--confirm", kA100, "--dump", folder.path("d")},
      "--confirm: expected no --assume, --certificate, --validate or --dump");
}

TEST(Dump, OfSeveralInstructionsHasAFolderForEach) {
  const Folder folder;
  const std::string place = folder.path("d");
  (void)mmaprint({"identify", "sim:a100", "--instruction", kDot8, kDot4, "--dump", place, "-q"});
  EXPECT_EQ(entries(place), 2U);
  for (const char* name : {kDot8, kDot4}) EXPECT_FALSE(index_of(place + "/" + name).empty());
}

}  // namespace
}  // namespace mmaprint::test::dump_test
