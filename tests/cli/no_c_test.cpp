// Units without c through every command, as a user meets them.
#include <gtest/gtest.h>

#include <algorithm>

#include "program.h"
#include "support/random.h"

namespace mmaprint::test::no_c_test {
namespace {

std::string device() { return "exec:'" + source("examples/product_sum.py") + "'"; }

/// A model of dot4 whose products are aligned to F bits; as a chain of one block.
std::string model(int f) {
  return R"({"instruction":"dot4","k":4,"formats":{"a":"fp16","b":"fp16","c":null,"d":"fp32"},"unit":{
      "tree":{"blocks":[[0,1,2,3]],"c_enters":null},
      "adders":[{"product":"exact-unnormalised","minimum_alignment_exponent":null,
      "alignment_fraction_bits":)" +
         std::to_string(f) + R"(,"alignment_rounding":"truncate","normalisation":"late",
      "extra_carry_bits":null,"rounding":"nearest-even","output_fraction_bits":23}],
      "conventions":{"input_subnormals":"kept","c_subnormals":null,"output_subnormals":"kept",
      "overflow":"infinity","zero_sign":{"all_zero":"ieee","cancelled":"ieee","rounded":"sign-of-sum",
      "flushed":"sign-of-sum"}},"nan":"7fffffff"}})";
}

const std::string kWithoutC =
    R"({"instruction":"dot4","a":["3c00","3c00","0000","0000"],"b":["3c00","4000","0000","0000"],"c":null})";
const std::string kWithC =
    R"({"instruction":"dot4","a":["3c00","3c00","0000","0000"],"b":["3c00","4000","0000","0000"],"c":"00000000","d":"40400000"})";

TEST(UnitsWithoutC, AreIdentifiedRecordedCertifiedAndReplayed) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Folder folder;
  const std::string journal = folder.path("journal.jsonl");
  const std::string certificate = folder.path("certificate");
  const std::string unit = "model:" + folder.file("unit.json", model(24));
  const std::vector<std::string> arguments{"identify", unit,        "--instruction", "dot4",
                                           "--json",   "--journal", journal};
  auto first = arguments;
  first.insert(first.end(), {"--certificate", certificate});
  const Finished found = mmaprint(first);
  ASSERT_EQ(found.exit, 0) << found.err;
  const auto document = found.json();
  EXPECT_EQ(document.at("model").at("formats").at("c"), nullptr);
  EXPECT_EQ(document.at("model").at("features").at("c_enters"), nullptr);
  EXPECT_EQ(document.at("model").at("features").at("c_subnormals"), nullptr);
  EXPECT_EQ(document.at("model").at("features").at("alignment_fraction_bits"), 24);

  const Finished again = mmaprint(arguments);
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_EQ(again.json().at("model").at("unit"), document.at("model").at("unit"));
  EXPECT_EQ(again.json().at("observations"), document.at("observations"));

  EXPECT_EQ(mmaprint({"verify", certificate}).exit, 0);
  const std::string observed = certificate + "/observations.jsonl";
  EXPECT_EQ(mmaprint({"check", certificate, observed}).exit, 0);
  EXPECT_EQ(mmaprint({"check", certificate, journal}).exit, 0) << "a journal is observations, too";
  EXPECT_EQ(mmaprint({"simulate", certificate, observed}).out, read(observed));
  const Finished replayed = mmaprint({"identify", "replay:" + observed, "--all", "--json"});
  EXPECT_EQ(replayed.exit, 0) << replayed.err;
  EXPECT_EQ(replayed.json().at("results").at(0).at("model").at("unit"), document.at("model").at("unit"));
  EXPECT_EQ(mmaprint({"validate", certificate, unit, "--vectors", "3000"}).exit, 0);
  const Finished shown = mmaprint({"show", certificate});
  EXPECT_EQ(shown.exit, 0);
  EXPECT_TRUE(lines(shown.out).front().ends_with("fp16·fp16 → fp32, K = 4")) << shown.out;
  EXPECT_EQ(shown.out.find("c_"), std::string::npos) << shown.out;
}

/// Its whole identification is a session among the examples.
TEST(UnitsWithoutC, MayBeChildProcesses) {
  const Finished found =
      mmaprint({"identify", device(), "--instruction", "dot4", "--json", "--max-observations", "3"});
  EXPECT_EQ(found.exit, 3) << found.err;
  EXPECT_EQ(found.json().at("model").at("formats").at("c"), nullptr);
}

TEST(UnitsWithoutC, AreDevicesAndDescribeThemselves) {
  const Folder folder;
  const auto document = mmaprint({"devices", "model:" + folder.file("m.json", model(24)), "--json"}).json();
  EXPECT_EQ(document.at("instructions").at(0).at("formats").at("c"), nullptr);
  const auto listed = lines(mmaprint({"devices", device()}).out);
  EXPECT_EQ(std::ranges::count(listed, "  dot4         4  fp16·fp16 → fp32"), 1);
}

TEST(UnitsWithoutC, AreToldApartByProducts) {
  const Folder folder;
  const std::string first = folder.file("24.json", model(24));
  const std::string second = folder.file("25.json", model(25));
  const Finished found = mmaprint({"distinguish", first, second, "--json"});
  ASSERT_EQ(found.exit, 0) << found.err;
  auto witness = found.json().at("witness");
  EXPECT_EQ(witness.at("c"), nullptr);
  EXPECT_EQ(found.json().at("minimal").at("terms"), true);
  const auto results = witness.at("d");
  witness.erase("d");
  EXPECT_EQ(mmaprint({"simulate", first}, witness.dump()).json().at("d"), results.at(0));
  EXPECT_EQ(mmaprint({"simulate", second}, witness.dump()).json().at("d"), results.at(1));
  EXPECT_EQ(mmaprint({"distinguish", first, second}).out.find("\n  c"), std::string::npos);
  EXPECT_EQ(mmaprint({"distinguish", first, first}).exit, 1);
}

/// What the child computes: an exact sum, rounded once.
std::string exact_model() {
  auto exact = nlohmann::json::parse(model(24));
  exact["unit"]["adders"][0]["alignment_fraction_bits"] = nullptr;
  auto& signs = exact["unit"]["conventions"]["zero_sign"];
  signs["all_zero"] = signs["cancelled"] = "positive";
  return exact.dump();
}

TEST(UnitsWithoutC, BehindChildProcessesAreComparedInBulkAndConfirmed) {
  const Folder folder;
  const std::string exact = folder.file("exact.json", exact_model());
  const Finished same = mmaprint({"validate", exact, device(), "--vectors", "3000"});
  EXPECT_EQ(same.exit, 0) << same.err;
  const std::string journal = folder.path("examples.jsonl");
  const Finished other = mmaprint({"validate", folder.file("24.json", model(24)), device(), "--vectors",
                                   "3000", "--json", "--journal", journal});
  EXPECT_EQ(other.exit, 1) << other.err;
  const auto printed = other.json();
  for (const auto& example : printed.at("examples")) EXPECT_EQ(example.at("c"), nullptr);
  EXPECT_EQ(mmaprint({"check", exact, journal}).exit, 0);
  const Finished confirmed =
      mmaprint({"identify", device(), "--instruction", "dot4", "--confirm", exact, "--json"});
  EXPECT_EQ(confirmed.exit, 0) << confirmed.err;
  EXPECT_EQ(confirmed.json().at("verdict"), "match");
}

TEST(UnitsWithoutC, AreCheckedAsHypotheses) {
  const Folder folder;
  const auto hypothesis = [&](const char* features) {
    return folder.file("h.json",
                       R"({"instruction":"dot4","k":4,"formats":{"a":"fp16","b":"fp16","c":null,"d":"fp32"},)"
                       R"("features":)" +
                           std::string(features) + "}");
  };
  const std::string seen =
      R"({"a":["3c00","0000","0000","0000"],"b":["3c00","0000","0000","0000"],"d":"3f800000"})"
      "\n";
  const std::string file = folder.file("seen.jsonl", seen);
  EXPECT_EQ(mmaprint({"check", hypothesis(R"({"fma_width":4})"), file}).exit, 0);
  EXPECT_EQ(mmaprint({"check", hypothesis(R"({"c_enters":null})"), file}).exit, 0);
  const Finished refused = mmaprint({"check", hypothesis(R"({"c_enters":"last"})"), file});
  EXPECT_EQ(refused.exit, 2);
  EXPECT_EQ(refused.err, "mmaprint: " + folder.path("h.json") +
                             ":1: features.c_enters: expected null, as the unit has no c, found \"last\"\n");
}

TEST(UnitsWithoutC, AreNotComparedWithUnitsThatHaveOne) {
  const Folder folder;
  const std::string without = folder.file("without.json", model(24));
  auto with = nlohmann::json::parse(model(24));
  with["formats"]["c"] = "fp32";
  with["unit"]["tree"]["c_enters"] = "first";
  with["unit"]["conventions"]["c_subnormals"] = "kept";
  const Finished found = mmaprint({"distinguish", without, folder.file("with.json", with.dump())});
  EXPECT_EQ(found.exit, 2);
  EXPECT_EQ(lines(found.err).size(), 1U);
  EXPECT_NE(found.err.find("expected the first model's formats and K, or one K a multiple of the other, "
                           "fp16·fp16 → fp32, K = 4; found "
                           "fp16·fp16 + fp32 → fp32, K = 4"),
            std::string::npos)
      << found.err;
}

TEST(UnitsWithoutC, RefuseAnObservationThatHasOne) {
  const Folder folder;
  const std::string unit = folder.file("m.json", model(24));
  EXPECT_EQ(mmaprint({"simulate", unit}, kWithoutC).json().at("d"), "40400000");
  const Finished refused = mmaprint({"check", unit, "-"}, kWithC);
  EXPECT_EQ(refused.exit, 2);
  EXPECT_EQ(refused.err,
            "mmaprint: standard input:1: c: expected null, as the unit has no c, found \"00000000\"\n");
}

TEST(UnitsWithC, RefuseAnObservationWithoutOne) {
  const Finished refused =
      mmaprint({"check", std::string("sim:v100#mma.m8n8k4.f32.f16.f16.f32"), "-"}, kWithoutC);
  EXPECT_EQ(refused.exit, 2);
  EXPECT_EQ(lines(refused.err).size(), 1U);
  EXPECT_TRUE(refused.err.ends_with(":1: c: expected 8 lower-case hexadecimal digits (fp32), found null\n"))
      << refused.err;
}

TEST(UnitsWithoutC, AreReplayedByTheirFormats) {
  const Folder folder;
  std::string line = kWithoutC;
  line.replace(line.rfind('}'), 1, R"(,"d":"40400000"})");
  const std::string file = folder.file("seen.jsonl", line + "\n");
  const Finished found = mmaprint(
      {"identify", "replay:" + file, "--all", "--formats", "fp16,fp16,none,fp32", "--max-observations", "1"});
  EXPECT_EQ(found.exit, 3) << found.err;
  EXPECT_EQ(mmaprint({"identify", "replay:" + file, "--all"}).err,
            "mmaprint: " + file +
                ":1: instruction: expected an instruction whose formats are known, or `formats` here "
                "or by --formats, found \"dot4\"\n");
  EXPECT_NE(mmaprint({"identify", "--help"}).out.find("C is none where there is no c"), std::string::npos);
}

TEST(UnitsWithoutC, AreNoneWhereAHypothesisOfThemIsRefuted) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Folder folder;
  const std::string hypothesis = folder.file(
      "h.json", R"({"instruction":"dot4","k":4,"formats":{"a":"fp16","b":"fp16","c":null,"d":"fp32"},)"
                R"("features":{"alignment_fraction_bits":23,"c_enters":null,"family":"fused-dot-add"}})");
  const Finished found =
      mmaprint({"identify", device(), "--instruction", "dot4", "--assume", hypothesis, "--json"});
  EXPECT_EQ(found.exit, 1) << found.err;
  const auto document = found.json();
  EXPECT_EQ(document.at("verdict"), "none");
  ASSERT_FALSE(document.at("conflict").empty());
  for (const auto& seen : document.at("conflict")) EXPECT_EQ(seen.at("c"), nullptr);
  std::string text;
  for (const auto& seen : document.at("conflict")) text += seen.dump() + "\n";
  const Finished refuted = mmaprint({"check", hypothesis, folder.file("conflict.jsonl", text), "--json"});
  EXPECT_EQ(refuted.exit, 1) << refuted.err;
  EXPECT_EQ(refuted.json().at("refuting").at(0).at("c"), nullptr);
}

}  // namespace
}  // namespace mmaprint::test::no_c_test
