// Units whose NaN results follow a rule, through every command, as a user meets them.
#include <gtest/gtest.h>

#include "program.h"
#include "support/random.h"

namespace mmaprint::test::nan_rule_test {
namespace {

constexpr const char* kRule = R"({"rule":"first-operand","sum":"between-factors","products":"ascending",
      "factors":"b-first","invalid_products":"last","signalling":"alike","generated":"fff8000000000000"})";

/// Two FMAs in FP64.
std::string model(const std::string& nan) {
  return R"({"instruction":"dot2","k":2,"formats":{"a":"fp64","b":"fp64","c":"fp64","d":"fp64"},"unit":{
      "tree":{"blocks":[[0],[1]],"c_enters":"first"},
      "adders":[{"product":"exact-unnormalised","minimum_alignment_exponent":null,
      "alignment_fraction_bits":null,"alignment_rounding":"truncate","normalisation":"late",
      "extra_carry_bits":null,"rounding":"nearest-even","output_fraction_bits":52}],
      "conventions":{"input_subnormals":"kept","c_subnormals":"kept","output_subnormals":"kept",
      "overflow":"infinity","zero_sign":{"all_zero":"ieee","cancelled":"ieee","rounded":"sign-of-sum",
      "flushed":"sign-of-sum"}},"nan":)" +
         nan + "}}";
}

TEST(NanRules, AreIdentifiedRecordedCertifiedAndReplayed) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Folder folder;
  const std::string journal = folder.path("journal.jsonl");
  const std::string certificate = folder.path("certificate");
  const std::string file = folder.file("unit.json", model(kRule));
  const std::vector<std::string> arguments{"identify", "model:" + file, "--instruction", "dot2",
                                           "--json",   "--journal",     journal};
  auto first = arguments;
  first.insert(first.end(), {"--certificate", certificate});
  const Finished found = mmaprint(first);
  ASSERT_EQ(found.exit, 0) << found.err;
  const auto document = found.json();
  const auto nan = document.at("model").at("unit").at("nan");
  ASSERT_TRUE(nan.is_object()) << nan;
  EXPECT_EQ(nan.at("sum"), "between-factors");
  EXPECT_EQ(nan.at("factors"), "b-first");
  EXPECT_EQ(nan.at("invalid_products"), "last");
  EXPECT_EQ(nan.at("generated"), "fff8000000000000");
  EXPECT_EQ(document.at("model").at("features").at("nan"), nan);

  const Finished again = mmaprint(arguments);
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_EQ(again.json().at("model").at("unit"), document.at("model").at("unit"));
  EXPECT_EQ(again.json().at("observations"), document.at("observations"));

  const Finished verified = mmaprint({"verify", certificate});
  EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
  const std::string observed = certificate + "/observations.jsonl";
  EXPECT_EQ(mmaprint({"check", certificate, observed}).exit, 0);
  EXPECT_EQ(mmaprint({"simulate", certificate, observed}).out, read(observed));
  const Finished replayed = mmaprint({"identify", "replay:" + observed, "--all", "--json"});
  EXPECT_EQ(replayed.exit, 0) << replayed.err;
  EXPECT_EQ(replayed.json().at("results").at(0).at("model").at("unit"), document.at("model").at("unit"));
  EXPECT_EQ(mmaprint({"validate", certificate, "model:" + file, "--vectors", "3000"}).exit, 0);
  EXPECT_EQ(mmaprint({"identify", "model:" + file, "--instruction", "dot2", "--confirm", certificate}).exit,
            0);
  const Finished shown = mmaprint({"show", certificate});
  EXPECT_NE(shown.out.find("the first NaN operand's, quieted (b, running sum, a"), std::string::npos)
      << shown.out;
}

TEST(NanRules, AreToldApart) {
  const Folder folder;
  const std::string rule = folder.file("rule.json", model(kRule));
  std::string other = kRule;
  other.replace(other.find("b-first"), 7, "a-first");
  const std::string second = folder.file("other.json", model(other));
  const std::string several = folder.file("several.json", model("null"));
  const std::string constant = folder.file("constant.json", model(R"("fff8000000000000")"));
  const Finished differ = mmaprint({"distinguish", rule, second, "--json"});
  EXPECT_EQ(differ.exit, 0) << differ.err;
  EXPECT_EQ(differ.json().at("verdict"), "different");
  EXPECT_EQ(mmaprint({"distinguish", rule, constant}).exit, 0);
  EXPECT_EQ(mmaprint({"distinguish", rule, rule}).exit, 1);
  EXPECT_EQ(mmaprint({"distinguish", rule, several}).exit, 1) << "several patterns are not told apart";
  const Finished confirmed =
      mmaprint({"identify", "model:" + second, "--instruction", "dot2", "--confirm", rule, "--json"});
  EXPECT_EQ(confirmed.exit, 1) << confirmed.err;
}

TEST(NanRules, AreCheckedExactly) {
  const Folder folder;
  const std::string rule = folder.file("rule.json", model(kRule));
  const auto line = [](const std::string& d) {
    return R"({"instruction":"dot2","a":["3ff0000000000000","fff0000000000001"],"b":["3ff0000000000000",)"
           R"("3ff0000000000000"],"c":"0000000000000000","d":")" +
           d + "\"}\n";
  };
  EXPECT_EQ(mmaprint({"check", rule, folder.file("right.jsonl", line("fff8000000000001"))}).exit, 0);
  EXPECT_EQ(mmaprint({"check", rule, folder.file("wrong.jsonl", line("fff8000000000000"))}).exit, 1);
  const Finished partial =
      mmaprint({"check",
                folder.file("partial.json",
                            std::string(R"({"instruction":"dot2","k":2,"formats":{"a":"fp64","b":"fp64",
        "c":"fp64","d":"fp64"},"features":{"nan":)") +
                                kRule + "}}"),
                folder.file("some.jsonl", line("fff8000000000001"))});
  EXPECT_EQ(partial.exit, 2);
  EXPECT_NE(partial.err.find("features.nan"), std::string::npos) << partial.err;
}

}  // namespace
}  // namespace mmaprint::test::nan_rule_test
