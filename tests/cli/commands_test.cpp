// Every command once as it is meant to be used, and its exit code.
#include <gtest/gtest.h>

#include <algorithm>

#include "program.h"
#include "support/random.h"

namespace mmaprint::test::commands_test {
namespace {

const std::string kAda = std::string("sim:ada#") + kDot8;

/// One input, without its result.
const std::string kInput =
    R"({"instruction":"mma.m16n8k8.f32.f16.f16.f32","a":["3c00","3c00","0000","0000","0000","0000","0000","0000"],)"
    R"("b":["3c00","4000","0000","0000","0000","0000","0000","0000"],"c":"3f800000","note":"kept"})";

TEST(Help, ListsTheCommandsOfThisVersion) {
  const Finished help = mmaprint({"--help"});
  EXPECT_EQ(help.exit, 0);
  for (const char* command :
       {"devices", "identify", "check", "distinguish", "simulate", "validate", "verify", "show", "export"})
    EXPECT_NE(help.out.find(std::string("  ") + command), std::string::npos) << command;
  EXPECT_EQ(help.out.find("\n  probe"), std::string::npos);
  EXPECT_EQ(help.err, "");
}

TEST(Version, IsOneLine) {
  const Finished version = mmaprint({"--version"});
  EXPECT_EQ(version.exit, 0);
  EXPECT_EQ(lines(version.out).size(), 1U);
  EXPECT_EQ(version.out.find("mmaprint "), 0U);
}

TEST(Devices, ListsWhatCanBeOpenedAndSaysWhatCanNot) {
  const Finished text = mmaprint({"devices"});
  EXPECT_EQ(text.exit, 0);
  const auto document = mmaprint({"devices", "--json"}).json();
  const auto& devices = document.at("devices");
  std::vector<std::string> expected;
  for (const auto& device : devices) expected.push_back(device.at("name"));
  for (const char* name : {"sim:v100", "sim:a100", "sim:h100"})
    EXPECT_EQ(std::ranges::count(expected, name), 1) << name;
  EXPECT_TRUE(std::ranges::any_of(expected, [](const auto& name) { return name.starts_with("cuda:"); }));
  // After these, what stands for many.
  expected.insert(expected.end(), {"model:FILE", "replay:FILE", "exec:COMMAND"});
  std::vector<std::string> listed;
  for (const std::string& line : lines(text.out))
    if (!line.starts_with(' ')) listed.push_back(line.substr(0, line.find(' ')));  // not where one goes on
  EXPECT_EQ(listed, expected) << text.out;
}

TEST(Devices, DescribesTheInstructionsOfOne) {
  const Finished found = mmaprint({"devices", "sim:a100", "--json"});
  EXPECT_EQ(found.exit, 0);
  const auto document = found.json();
  EXPECT_EQ(document.at("schema"), "mmaprint/device/1");
  const auto& first = document.at("instructions").at(0);
  EXPECT_EQ(first.at("name"), kDot8);
  EXPECT_EQ(first.at("k"), 8);
  EXPECT_EQ(first.at("formats").at("a"), "fp16");
  EXPECT_EQ(first.at("available"), true);
}

TEST(Show, DrawsTreeDatapathAndFeatures) {
  const Finished shown = mmaprint({"show", kA100});
  EXPECT_EQ(shown.exit, 0);
  const auto text = lines(shown.out);
  EXPECT_EQ(std::ranges::count(text, "  p0..7 ─⊕── d"), 1) << shown.out;
  EXPECT_EQ(std::ranges::count(text, "  alignment_fraction_bits     24"), 1) << shown.out;
  EXPECT_EQ(shown.out.find('\x1b'), std::string::npos) << "no colours where there is no terminal";
  EXPECT_NE(mmaprint({"--color", "always", "show", kA100}).out.find('\x1b'), std::string::npos);
}

TEST(Show, GivesTheModelDocumentWhichIsAModelAgain) {
  const Folder folder;
  const std::string file = folder.path("model.json");
  EXPECT_EQ(mmaprint({"show", kA100, "--json", "-o", file}).exit, 0);
  EXPECT_EQ(mmaprint({"show", file}).out, mmaprint({"show", kA100}).out);
  EXPECT_EQ(mmaprint({"distinguish", file, kA100}).exit, 1);
}

TEST(Simulate, FillsInResultsAndKeepsOtherFields) {
  const Finished one = mmaprint({"simulate", kA100}, kInput + "\n");
  EXPECT_EQ(one.exit, 0);
  EXPECT_EQ(one.json().at("d"), "40800000");
  EXPECT_EQ(one.json().at("note"), "kept");
  const Folder folder;
  const std::string file = folder.file("inputs.jsonl", kInput + "\n\n" + kInput + "\n");
  EXPECT_EQ(mmaprint({"simulate", kA100, file}).out, one.out + one.out);
}

TEST(Check, AcceptsWhatTheModelGivesAndShowsWhatItDoesNot) {
  const Folder folder;
  const std::string good = folder.file("good.jsonl", mmaprint({"simulate", kA100}, kInput).out);
  const Finished consistent = mmaprint({"check", kA100, good});
  EXPECT_EQ(consistent.exit, 0);
  EXPECT_EQ(consistent.out.find("consistent"), 0U);

  std::string wrong = read(good);
  wrong.replace(wrong.find("40800000"), 8, "40800001");
  const std::string bad = folder.file("bad.jsonl", wrong);
  const Finished refuted = mmaprint({"check", kA100, bad, "--json"});
  EXPECT_EQ(refuted.exit, 1);
  const auto refuting = refuted.json().at("refuting").at(0);
  EXPECT_EQ(refuting.at("d"), "40800001");
  EXPECT_EQ(refuting.at("line"), 1);
  const Finished text = mmaprint({"check", kA100, bad});
  const auto shown = lines(text.out);
  const auto begins = [&](const std::string& row) {
    return std::ranges::count_if(shown, [&](const std::string& line) { return line.starts_with(row); });
  };
  EXPECT_EQ(begins(bad + ":1  "), 1) << text.out;
  EXPECT_EQ(begins("  observed   40800001 "), 1) << text.out;
  EXPECT_EQ(begins("  predicted  40800000 "), 1) << text.out;
}

TEST(Check, PadsShorterVectorsOnlyWhereAsked) {
  const Folder folder;
  const std::string file =
      folder.file("short.jsonl", R"({"formats":{"a":"fp16","b":"fp16","c":"fp32","d":"fp32"},)"
                                 R"("a":["3c00"],"b":["3c00"],"c":"00000000","d":"3f800000"})");
  EXPECT_EQ(mmaprint({"check", kA100, file}).exit, 2);
  EXPECT_EQ(mmaprint({"check", kA100, file, "--pad-zeros"}).exit, 0);
}

TEST(Distinguish, FindsASmallestDifference) {
  const Finished found = mmaprint({"distinguish", kA100, kH100, "--json"});
  EXPECT_EQ(found.exit, 0);
  const auto document = found.json();
  EXPECT_EQ(document.at("schema"), "mmaprint/distinction/1");
  EXPECT_EQ(document.at("verdict"), "different");
  EXPECT_EQ(document.at("nonzero_products"), 1);
  EXPECT_EQ(document.at("minimal").at("terms"), true);
  auto input = document.at("witness");
  const auto results = input.at("d");
  input.erase("d");
  EXPECT_EQ(mmaprint({"simulate", kA100}, input.dump()).json().at("d"), results.at(0));
  EXPECT_EQ(mmaprint({"simulate", kH100}, input.dump()).json().at("d"), results.at(1));
}

TEST(Distinguish, ProvesThatThereIsNone) {
  const Finished found = mmaprint({"distinguish", kA100, kAda, "--json"});
  EXPECT_EQ(found.exit, 1);
  EXPECT_EQ(found.json().at("verdict"), "equivalent");
}

TEST(Distinguish, ComparesSeveralStepsOfAShorterInstruction) {
  const std::string v100 = "sim:v100#mma.m8n8k4.f32.f16.f16.f32";
  const Finished found = mmaprint({"distinguish", v100, kA100, "--json"});
  ASSERT_EQ(found.exit, 0) << found.err;
  const auto document = found.json();
  EXPECT_EQ(document.at("steps"), nlohmann::json::parse("[2,1]"));
  EXPECT_EQ(document.at("minimal").at("terms"), true);
  EXPECT_EQ(document.at("products_at_least"), document.at("nonzero_products"));
  EXPECT_LE(document.at("bits_at_least"), document.at("significand_bits"));
  auto input = document.at("witness");
  const auto results = input.at("d");
  input.erase("d");
  EXPECT_EQ(mmaprint({"simulate", kA100}, input.dump()).json().at("d"), results.at(1));
  auto c = input.at("c");
  for (const int step : {0, 1}) {
    nlohmann::json one = input;
    for (const char* row : {"a", "b"}) {
      one[row] = nlohmann::json::array();
      for (int k = 0; k < 4; ++k)
        one[row].push_back(input.at(row).at(static_cast<std::size_t>(4 * step + k)));
    }
    one["c"] = c;
    one.erase("instruction");
    c = mmaprint({"simulate", v100}, one.dump()).json().at("d");
  }
  EXPECT_EQ(c, results.at(0));
  const Finished turned = mmaprint({"distinguish", kA100, v100});
  EXPECT_EQ(turned.exit, 0);
  EXPECT_NE(turned.out.find("sim:v100: 2 steps, each one's d the next one's c"), std::string::npos)
      << turned.out;
}

TEST(Distinguish, RefusesStepsWhoseResultsAreNotTheirC) {
  const Finished refused = mmaprint(
      {"distinguish", "sim:h100#mma.m16n8k16.f32.f16.f16.f32", "sim:h100#mma.m16n8k8.f32.bf16.bf16.f32"});
  EXPECT_EQ(refused.exit, 2);
  EXPECT_EQ(lines(refused.err).size(), 1U);
}

TEST(Identify, FindsASimulatedUnitAndCertifiesIt) {
  const Folder folder;
  const std::string certificate = folder.path("certificate");
  const std::string file = folder.path("result.json");
  const Finished found =
      mmaprint({"identify", "sim:a100", "--instruction", kDot8, "--certificate", certificate, "-o", file});
  EXPECT_EQ(found.exit, 0) << found.err;
  const auto printed = lines(found.out);
  EXPECT_TRUE(std::ranges::any_of(printed, [](const std::string& s) {
    return s.starts_with("identified: ");
  })) << "the text is printed beside the file";
  const auto document = nlohmann::json::parse(read(file));
  EXPECT_EQ(document.at("schema"), "mmaprint/identification/1");
  EXPECT_EQ(document.at("model").at("features").at("alignment_fraction_bits"), 24);
  EXPECT_EQ(document.at("certificate"), certificate);
  EXPECT_EQ(mmaprint({"distinguish", file, kA100}).exit, 1) << "an identification document is a model";
  const Finished verified = mmaprint({"verify", certificate, "--json"});
  EXPECT_EQ(verified.exit, 0);
  EXPECT_EQ(verified.json().at("verdict"), "valid");
  EXPECT_EQ(mmaprint({"show", certificate}).exit, 0) << "a certificate is a model";
}

TEST(Identify, StartsFromAnAssumption) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Folder folder;
  const auto assumption = [&](int f) {
    return folder.file(
        "f.json", R"({"instruction":"mma.m16n8k8.f32.f16.f16.f32","features":{"alignment_fraction_bits":)" +
                      std::to_string(f) + "}}");
  };
  const std::vector<std::string> common{"identify", "sim:a100", "--instruction", kDot8, "--json", "--assume"};
  auto arguments = common;
  arguments.push_back(assumption(24));
  EXPECT_EQ(mmaprint(arguments).exit, 0);
  arguments.back() = assumption(23);
  const Finished refuted = mmaprint(arguments);
  EXPECT_EQ(refuted.exit, 1);
  EXPECT_EQ(refuted.json().at("verdict"), "none");
  EXPECT_FALSE(refuted.json().at("conflict").empty());
}

TEST(Identify, IsUnsureOfAModelWhoseComparisonWasNotFinished) {
  const Folder folder;
  const std::string model = folder.file("model.json", mmaprint({"show", kA100, "--json"}).out);
  const Finished found = mmaprint({"identify", "sim:a100", "--instruction", kDot8, "--assume", model,
                                   "--json", "--validate", "1e13", "--time-limit", "4"});
  EXPECT_EQ(found.exit, 3) << found.err;
  EXPECT_EQ(found.json().at("validation").at("verdict"), "unknown");
}

TEST(Identify, StartsFromAWholeModelOfIntegers) {
  const Folder folder;
  const std::string model = folder.file(
      "int8.json",
      R"({"instruction":"dot","k":4,"formats":{"a":"int8","b":"int8","c":"int32","d":"int32"},"unit":{
      "tree":[{"adder":0,"operands":["c",0,1,2,3]}],
      "adders":[{"product":"exact-unnormalised","minimum_alignment_exponent":null,
      "alignment_fraction_bits":null,"alignment_rounding":"truncate","normalisation":"late",
      "extra_carry_bits":null,"rounding":"nearest-even","output_fraction_bits":31}],
      "conventions":{"input_subnormals":"kept","c_subnormals":"kept","output_subnormals":"kept",
      "overflow":"wrap","zero_sign":{"all_zero":"ieee","cancelled":"ieee","rounded":"sign-of-sum",
      "flushed":"sign-of-sum"}},"nan":null}})");
  const std::string journal = folder.path("journal.jsonl");
  const Finished found = mmaprint({"identify", "model:" + model, "--instruction", "dot", "--assume", model,
                                   "--journal", journal, "--json"});
  EXPECT_EQ(found.exit, 0) << found.err;
  EXPECT_EQ(mmaprint({"identify", "model:" + model, "--instruction", "dot", "--assume", model, "--journal",
                      journal, "--json"})
                .exit,
            0)
      << "resumed from its journal";
}

TEST(Identify, GoesOnInTheWiderSpaceInWhichItsJournalWasLeft) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Folder folder;
  const auto adder = [](const char* kept, const char* rounding, int bits) {
    return std::string(R"({"product":"exact-unnormalised","minimum_alignment_exponent":null,
      "alignment_rounding":"truncate","normalisation":"late","extra_carry_bits":null,)") +
           R"("alignment_fraction_bits":)" + kept + R"(,"rounding":")" + rounding +
           R"(","output_fraction_bits":)" + std::to_string(bits) + "}";
  };
  const std::string unit = folder.file(
      "unit.json",
      R"({"instruction":"dot","k":4,"formats":{"a":"fp16","b":"fp16","c":"fp16","d":"fp16"},"unit":{
      "tree":{"blocks":[[0,1],[2,3]],"c_enters":"first","inside":{"format":"fp32","c_joins":true}},
      "adders":[)" +
          adder("24", "toward-zero", 23) + "," + adder("null", "nearest-even", 10) + R"(],
      "conventions":{"input_subnormals":"kept","c_subnormals":"kept","output_subnormals":"kept",
      "overflow":"infinity","zero_sign":{"all_zero":"ieee","cancelled":"ieee","rounded":"sign-of-sum",
      "flushed":"sign-of-sum"}},"nan":"7fff"}})");
  const std::string journal = folder.path("journal.jsonl");
  const std::vector<std::string> arguments{"identify",  "model:" + unit, "--instruction", "dot",
                                           "--journal", journal,         "--json"};
  const auto headers = [&] {
    int n = 0;
    for (const std::string& line : lines(read(journal)))
      n += line.starts_with(R"({"schema":"mmaprint/journal)");
    return n;
  };
  const Finished found = mmaprint(arguments);
  EXPECT_EQ(found.exit, 0) << found.err;
  EXPECT_EQ(headers(), 2) << "nothing of the default space explains it";
  const Finished again = mmaprint(arguments);
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_EQ(headers(), 2);
  EXPECT_EQ(again.json().at("model"), found.json().at("model"));
  EXPECT_EQ(again.json().at("space"), found.json().at("space"));
}

TEST(Identify, GivesAListForSeveralInstructions) {
  const Finished found =
      mmaprint({"identify", "sim:a100", "--instruction", kDot8, kDot4, "--json", "--max-observations", "3"});
  EXPECT_EQ(found.exit, 3);
  const auto document = found.json();
  EXPECT_EQ(document.at("schema"), "mmaprint/identifications/1");
  EXPECT_EQ(document.at("results").size(), 2U);
  EXPECT_LE(document.at("results").at(1).at("observations"), 3);
}

TEST(Identify, PrintsWhatIsEstablishedAtALimit) {
  const Finished found =
      mmaprint({"identify", "sim:a100", "--instruction", kDot8, "--json", "--max-observations", "2"});
  EXPECT_EQ(found.exit, 3);
  EXPECT_EQ(found.json().at("verdict"), "unknown");
  EXPECT_TRUE(found.json().at("model").is_object());
  EXPECT_EQ(mmaprint({"identify", "sim:a100", "--all", "--time-limit", "0", "--json"}).exit, 3);
}

TEST(Identify, GivesTheSameWithTheSameSeed) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const std::vector<std::string> arguments{
      "identify",  "sim:v100", "--instruction", "mma.m8n8k4.f32.f16.f16.f32", "--json", "--seed", "7",
      "--threads", "2"};
  auto first = mmaprint(arguments).json();
  auto second = mmaprint(arguments).json();
  first.erase("seconds");
  second.erase("seconds");
  EXPECT_EQ(first, second) << "proofs and all";
}

TEST(Identify, LogsEachStateThatItGoesThroughWhenAsked) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const std::vector<std::string> arguments{"identify", "sim:v100", "--instruction",
                                           "mma.m8n8k4.f32.f16.f16.f32"};
  EXPECT_EQ(mmaprint(arguments).err, "");
  std::vector<std::string> verbose = arguments;
  verbose.emplace_back("-v");
  const std::string log = mmaprint(verbose).err;
  std::size_t from = 0;
  for (const char* state : {": structure: ", ": structure took ", ": sift: ", ": separate: ", ": prove: ",
                            ": confirm: ", ": conclude: ", ": equivalent\n"}) {
    from = log.find(state, from);
    ASSERT_NE(from, std::string::npos) << state << "is missing or out of order in\n" << log;
  }
  EXPECT_EQ(log.find("debug"), std::string::npos) << "details are for -vv";
}

TEST(IdentifyConfirm, ConfirmsOnesOwnModelWithoutASearch) {
  const std::string model = "sim:a100#mma.m16n8k8.f32.f16.f16.f32";
  std::vector<std::string> arguments{"identify",  "sim:a100", "--instruction", "mma.m16n8k8.f32.f16.f16.f32",
                                     "--confirm", model,      "--json"};
  const Finished match = mmaprint(arguments);
  EXPECT_EQ(match.exit, 0) << match.err;
  EXPECT_EQ(match.json().at("schema"), "mmaprint/confirmation/1");
  EXPECT_EQ(match.json().at("verdict"), "match");
  const auto counts = match.json().at("confirmation");
  EXPECT_EQ(counts.at("mutants").get<int>(),
            counts.at("killed").get<int>() + counts.at("equal").get<int>() + counts.at("open").get<int>());
  EXPECT_GT(counts.at("killed").get<int>(), 100);

  std::vector<std::string> few = arguments;
  few.insert(few.end(), {"--max-observations", "100"});
  const Finished limited = mmaprint(few);
  EXPECT_EQ(limited.exit, 3) << limited.err;
  EXPECT_EQ(limited.json().at("reason"), "observation limit reached");

  const Folder folder;
  arguments[1] = "sim:h100";
  arguments.insert(arguments.end(), {"--journal", folder.path("other.jsonl")});
  const Finished mismatch = mmaprint(arguments);
  EXPECT_EQ(mismatch.exit, 1) << mismatch.err;
  EXPECT_EQ(mismatch.json().at("verdict"), "mismatch");
  const auto example = mismatch.json().at("examples").at(0);
  EXPECT_NE(example.at("d"), example.at("predicted"));
  bool is_noted = false;
  for (const std::string& line : lines(read(folder.path("other.jsonl")))) {
    const auto seen = nlohmann::json::parse(line);
    is_noted = is_noted ||
               (seen.contains("d") && seen.at("a") == example.at("a") && seen.at("b") == example.at("b") &&
                seen.at("c") == example.at("c") && seen.at("d") == example.at("d"));
  }
  EXPECT_TRUE(is_noted) << example;
}

TEST(IdentifyConfirm, IsOfOneInstructionAndOfAFullModelThatFitsIt) {
  const auto with = [](std::vector<std::string> more) {
    std::vector<std::string> arguments{"identify", "sim:a100", "--confirm"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return mmaprint(arguments);
  };
  const std::string model = "sim:a100#mma.m16n8k8.f32.f16.f16.f32";
  EXPECT_EQ(with({model, "--all"}).exit, 2);
  EXPECT_EQ(with({model, "--instruction", "mma.m16n8k16.f32.f16.f16.f32"}).exit, 2);
  EXPECT_EQ(with({model, "--instruction", "mma.m16n8k8.f32.f16.f16.f32", "--validate", "10"}).exit, 2);
  EXPECT_EQ(with({"nowhere.json", "--instruction", "mma.m16n8k8.f32.f16.f16.f32"}).exit, 2);
}

}  // namespace
}  // namespace mmaprint::test::commands_test
