// Names, messages, files and arguments that are meant for whoever prints them: nothing of them acts on a
// terminal, every document is JSON in UTF-8, and no result is lost.
#include <gtest/gtest.h>

#include <algorithm>

#include "program.h"

namespace mmaprint::test::outside_text_test {
namespace {

/// As JSON has it: a title, a cleared screen, a line's end, marks of direction, C1, separators, DEL, zero.
const std::string kRude =
    R"(\u001b]0;owned\u0007\u001b[2J\nidentified\u202eevil\u009b31m\u2028\ufeff\u0000\u007f)";
const std::string kRudeArgument = "\x1b]0;owned\x07\nidentified\u202e\xc2\x9b\xff\x7f";

std::string rude_device(const std::string& way) {
  return "exec:python3 '" + source("tests/cli/children/rude.py") + "' " + way + " '" + source("examples") +
         "'";
}

/// `text` without the sequences that choose colours.
std::string uncoloured(std::string text) {
  for (std::size_t at = 0; (at = text.find("\x1b[", at)) != std::string::npos;) {
    const std::size_t end = text.find_first_not_of("0123456789;", at + 2);
    if (end == std::string::npos || text[end] != 'm') break;
    text.erase(at, end + 1 - at);
  }
  return text;
}

void expect_harmless(const std::string& text) {
  const auto controls = [](char c) { return (c >= 0 && c < 0x20 && c != '\n') || c == 0x7f; };
  EXPECT_TRUE(std::ranges::none_of(text, controls)) << testing::PrintToString(text);
  for (const char* part : {"\u202e", "\u2028", "\ufeff", "\u009b"})
    EXPECT_EQ(text.find(part), std::string::npos) << testing::PrintToString(text);
  EXPECT_EQ(text.find("\nidentified\\u202e"), std::string::npos) << "a line of somebody else's: " << text;
  EXPECT_NO_THROW((void)nlohmann::json(text).dump()) << "not UTF-8: " << testing::PrintToString(text);
}

/// Runs the program and looks at what it writes, with and without colours.
Finished harmless(std::vector<std::string> arguments, const std::string& input = "") {
  Finished run = mmaprint(arguments, input);
  expect_harmless(run.out);
  expect_harmless(run.err);
  if (run.out.starts_with('{')) return run;
  arguments.insert(arguments.end(), {"--color", "always", "-v"});
  const Finished coloured = mmaprint(arguments, input);
  EXPECT_EQ(coloured.exit, run.exit) << coloured.err;
  expect_harmless(uncoloured(coloured.out));
  expect_harmless(coloured.err);
  return run;
}

TEST(OutsideText, OfADeviceIsEscaped) {
  const Finished listed = harmless({"devices", rude_device("names")});
  EXPECT_EQ(listed.exit, 0) << listed.err;
  EXPECT_NE(listed.out.find("dot2\\u001b]0;owned\\u0007"), std::string::npos) << listed.out;
  EXPECT_EQ(lines(listed.out).size(), 3U) << listed.out;
  const Finished document = harmless({"devices", rude_device("names"), "--json"});
  const std::string name = document.json().at("instructions").at(0).at("name");
  EXPECT_EQ(name, nlohmann::json::parse("\"dot2" + kRude + "\"").get<std::string>());
  EXPECT_EQ(harmless({"identify", rude_device("names"), "--all", "--max-observations", "3"}).exit, 3);
}

TEST(OutsideText, InJournalsAndCertificatesIsEscapedAndReadBack) {
  const Folder folder;
  const std::string journal = folder.path("journal.jsonl");
  const std::string certificate = folder.path("certificate");
  const std::vector<std::string> arguments{"identify",      rude_device("names"), "--all",
                                           "--json",        "--journal",          journal,
                                           "--certificate", certificate};
  auto some = arguments;
  some.insert(some.end(), {"--max-observations", "3"});
  const Finished first = harmless(some);
  EXPECT_EQ(first.exit, 3) << first.err;
  EXPECT_EQ(first.json().at("results").at(0).at("observations"), 3);
  expect_harmless(read(journal));
  some.back() = "5";
  const Finished resumed = harmless(some);
  EXPECT_EQ(resumed.exit, 3) << resumed.err;
  EXPECT_EQ(resumed.json().at("results").at(0).at("observations"), 5);
  EXPECT_EQ(harmless({"verify", certificate}).exit, 0);
}

class BadAnswer : public testing::TestWithParam<const char*> {};

TEST_P(BadAnswer, IsTheDevicesFailureInOneLine) {
  const Folder folder;
  const std::string journal = folder.path("journal.jsonl");
  const Finished run = harmless(
      {"identify", rude_device(GetParam()), "--instruction", "dot2", "--json", "--journal", journal});
  EXPECT_EQ(run.exit, 4) << run.err;
  EXPECT_EQ(lines(run.err).size(), 1U) << run.err;
  EXPECT_EQ(run.json().at("verdict"), "unknown");
  expect_harmless(read(journal));
  EXPECT_EQ(harmless({"identify", rude_device(GetParam()), "--instruction", "dot2"}).exit, 4);
}

INSTANTIATE_TEST_SUITE_P(All, BadAnswer,
                         testing::Values("error", "field", "value", "bytes", "error-bytes", "control",
                                         "outside", "zero", "zero-after"));

class BadDescription : public testing::TestWithParam<const char*> {};

TEST_P(BadDescription, IsTheDevicesFailureInOneLine) {
  const Finished run = harmless({"devices", rude_device(GetParam()), "--json"});
  EXPECT_EQ(run.exit, 4);
  EXPECT_EQ(lines(run.err).size(), 1U) << run.err;
  EXPECT_EQ(run.out, "");
}

INSTANTIATE_TEST_SUITE_P(All, BadDescription, testing::Values("description-bytes", "format"));

TEST(OutsideText, OfADevicesFileNameLosesNoResult) {
  const Folder folder;
  const std::string child = folder.file("\xff\x1b[2J.py", read(source("tests/cli/children/rude.py")));
  const std::string journal = folder.path("journal.jsonl");
  const std::string device = "exec:python3 '" + child + "' plain '" + source("examples") + "'";
  const std::string certificate = folder.path("certificate\xfe");
  for (const char* most : {"3", "5"}) {
    const Finished run = harmless({"identify", device, "--instruction", "dot2", "--json", "--journal",
                                   journal, "--certificate", certificate, "--max-observations", most});
    EXPECT_EQ(run.exit, 3) << run.err;
    EXPECT_EQ(run.json().at("observations"), std::stoi(most));
    EXPECT_NE(run.json().at("device").get<std::string>().find("\\xff\x1b[2J.py"), std::string::npos);
    EXPECT_NE(run.json().at("certificate").get<std::string>().find("certificate\\xfe"), std::string::npos);
  }
  EXPECT_EQ(harmless({"verify", certificate}).exit, 0);
}

TEST(OutsideText, OfArgumentsIsEscaped) {
  const std::vector<std::vector<std::string>> all{{kRudeArgument},
                                                  {"show", kRudeArgument},
                                                  {"show", "sim:a100#" + kRudeArgument},
                                                  {"devices", kRudeArgument, kRudeArgument},
                                                  {"devices", "--" + kRudeArgument},
                                                  {"devices", "--seed", kRudeArgument},
                                                  {"devices", "--color", kRudeArgument},
                                                  {"devices", "-o", "/nonexistent/" + kRudeArgument},
                                                  {"devices", "exec:/nonexistent/" + kRudeArgument},
                                                  {"devices", "replay:/nonexistent/" + kRudeArgument},
                                                  {"identify", "sim:" + kRudeArgument, "--all"},
                                                  {"identify", "sim:a100", "--instruction", kRudeArgument},
                                                  {"verify", "/nonexistent/" + kRudeArgument}};
  for (const auto& arguments : all) {
    const Finished run = mmaprint(arguments);
    EXPECT_TRUE(run.exit == 2 || run.exit == 4) << run.exit;
    EXPECT_EQ(lines(run.err).size(), 1U) << run.err;
    EXPECT_EQ(run.out, "");
    expect_harmless(run.err);
  }
}

TEST(OutsideText, OfAModelIsEscaped) {
  const Folder folder;
  auto model = mmaprint({"show", kA100, "--json"}).json();
  model["instruction"] = nlohmann::json::parse("\"dot" + kRude + "\"");
  const std::string file = folder.file("m\x1b[1m.json", model.dump());
  const Finished shown = harmless({"show", file});
  EXPECT_EQ(shown.exit, 0) << shown.err;
  EXPECT_EQ(harmless({"show", file, "--json"}).json(), model);
  EXPECT_EQ(harmless({"devices", "model:" + file}).exit, 0);
  EXPECT_EQ(harmless({"distinguish", file, std::string("sim:h100#") + kDot8}).exit, 0);
  model[nlohmann::json::parse('"' + kRude + '"').get<std::string>()] = 1;
  const Finished unknown = harmless({"show", folder.file("unknown.json", model.dump())});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_EQ(lines(unknown.err).size(), 1U) << unknown.err;
  EXPECT_NE(unknown.err.find("\\u007f: unknown field"), std::string::npos) << unknown.err;
  const Finished bytes = harmless({"show", folder.file("bytes.json", "{\"instruction\":\"\xff\x1b\"}")});
  EXPECT_EQ(bytes.exit, 2);
  EXPECT_EQ(lines(bytes.err).size(), 1U) << bytes.err;
}

TEST(OutsideText, OfObservationsIsEscapedAndKept) {
  const Folder folder;
  const std::string line =
      R"({"instruction":")" + kRude + R"(","formats":{"a":"fp16","b":"fp16","c":"fp32","d":"fp32"},)" +
      R"("a":["3c00","0000","0000","0000","0000","0000","0000","0000"],)" +
      R"("b":["3c00","0000","0000","0000","0000","0000","0000","0000"],"c":"00000000","d":"40000000",)" +
      R"("note":{")" + kRude + R"(":")" + kRude + "\"}}";
  const Finished simulated = harmless({"simulate", kA100}, line);
  EXPECT_EQ(simulated.exit, 0) << simulated.err;
  EXPECT_EQ(simulated.json().at("note"), nlohmann::json::parse(line).at("note"));
  const std::string file = folder.file("seen\n\xff\u202e.jsonl", line + "\n");
  EXPECT_EQ(harmless({"check", kA100, file}).exit, 1);
  const Finished document = harmless({"check", kA100, file, "--json"});
  EXPECT_EQ(document.exit, 1);
  const std::string named = document.json().at("refuting").at(0).at("file");
  EXPECT_NE(named.find("seen\n\\xff\u202e.jsonl"), std::string::npos) << named;
  EXPECT_EQ(harmless({"devices", "replay:" + file}).exit, 0);
  EXPECT_EQ(harmless({"identify", "replay:" + file, "--all"}).exit, 1);
}

}  // namespace
}  // namespace mmaprint::test::outside_text_test
