// What the program writes: nothing of anyone else's is lost, and no result with a file that can't be written.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <set>
#include <thread>

#include "program.h"
#include "support/random.h"

namespace mmaprint::test::files_test {
namespace {

namespace fs = std::filesystem;

/// No file may grow beyond so many blocks of 512 bytes; the standard streams are pipes. Ends as the program
/// does.
Finished with_small_files(int blocks, const std::vector<std::string>& arguments) {
  const Folder folder;
  const std::string limit = "(ulimit -f " + std::to_string(blocks) + "; exec \"$0\" \"$@\")";
  Finished run = in_shell(
      "{ { " + limit + "; echo $? >&3; } 2>&1 >&4 | cat >&2; } 4>&1 3>'" + folder.path("exit") + "' | cat",
      arguments);
  run.exit = std::stoi("0" + read(folder.path("exit")));
  return run;
}

std::size_t entries(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

void expect_one_line_with(const Finished& run, const std::string& part) {
  EXPECT_EQ(lines(run.err).size(), 1U) << run.err;
  EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
}

TEST(Output, IsPrintedWhereItsFileCanNotBeWritten) {
  const std::string expected = mmaprint({"show", kA100, "--json"}).out;
  const Finished full = mmaprint({"show", kA100, "--json", "-o", "/dev/full"});
  EXPECT_EQ(full.exit, 2);
  EXPECT_EQ(full.out, expected);
  expect_one_line_with(full, "/dev/full: can't be written: No space left on device");
  const Folder folder;
  const Finished limited = with_small_files(1, {"show", kA100, "--json", "-o", folder.path("f")});
  EXPECT_EQ(limited.exit, 2);
  EXPECT_EQ(limited.out, expected) << "what the file took as well as the rest";
  expect_one_line_with(limited, "f: can't be written: File too large");
  EXPECT_EQ(entries(folder.path("")), 0U);
}

TEST(Output, ThatIsWrittenAsItComesIsPrintedToo) {
  const Folder folder;
  std::string inputs;
  for (int i = 0; i < 40; ++i)
    inputs += R"({"a":["3c00","0000","0000","0000","0000","0000","0000","0000"],"b":["3c00","0000","0000",)"
              R"("0000","0000","0000","0000","0000"],"c":"00000000"})"
              "\n";
  const std::string file = folder.file("in.jsonl", inputs);
  const std::string expected = mmaprint({"simulate", kA100, file}).out;
  EXPECT_EQ(lines(expected).size(), 40U);
  const Finished limited = with_small_files(2, {"simulate", kA100, file, "-o", folder.path("f")});
  EXPECT_EQ(limited.exit, 2);
  EXPECT_EQ(limited.out, expected);
  EXPECT_EQ(entries(folder.path("")), 1U);
}

TEST(Output, ThatStandardOutputDoesNotTakeStandsInTheFileAllTheSame) {
  const Folder folder;
  const std::string file = folder.path("f.json");
  const Finished run = in_shell("exec \"$0\" \"$@\" > /dev/full", {"show", kA100, "-o", file});
  EXPECT_EQ(run.exit, 2);
  expect_one_line_with(run, "standard output: can't be written");
  EXPECT_EQ(read(file), mmaprint({"show", kA100, "--json"}).out);
}

TEST(Output, IsNotLeftHalfWritten) {
  const Folder folder;
  const std::string file = folder.file("old.json", "old");
  EXPECT_EQ(mmaprint({"show", "/nonexistent", "-o", file}).exit, 2);
  EXPECT_EQ(read(file), "old");
  EXPECT_EQ(entries(folder.path("")), 1U);
}

TEST(Output, FollowsNoLinkBesideItsPlace) {
  const Folder folder;
  const std::string precious = folder.file("precious", "mine");
  for (const char* name : {"f.part", "f.partial", "f.tmp"}) fs::create_symlink(precious, folder.path(name));
  EXPECT_EQ(mmaprint({"show", kA100, "-o", folder.path("f")}).exit, 0);
  EXPECT_EQ(read(precious), "mine");
  EXPECT_EQ(entries(folder.path("")), 5U);
}

/// The devices' names are links in a folder of ours, which a program that replaces them may break.
TEST(Output, GoesThroughToStandardOutputAndDevices) {
  const Folder folder;
  const std::string file = folder.file("log", "before\n");
  const std::string expected = "before\n" + mmaprint({"show", kA100}).out;
  fs::create_symlink("/proc/self/fd/1", folder.path("stdout"));
  const Finished run =
      in_shell("exec \"$0\" \"$@\" >> '" + file + "'", {"show", kA100, "-o", folder.path("stdout")});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(read(file), expected);
  fs::create_symlink("/dev/null", folder.path("null"));
  EXPECT_EQ(mmaprint({"show", kA100, "-o", folder.path("null")}).exit, 0);
  for (const char* name : {"stdout", "null"}) EXPECT_TRUE(fs::is_symlink(folder.path(name))) << name;
  EXPECT_EQ(entries(folder.path("")), 3U);
}

TEST(Output, ThatStandardOutputIsClosedToIsAnError) {
  const Finished run = in_shell(R"("$0" "$@" >&-; echo $? >&2)", {"show", kA100});
  EXPECT_EQ(run.err, "mmaprint: standard output: can't be written: Bad file descriptor\n2\n");
}

TEST(Output, HasWhatIsEstablishedAndLeavesNothingElseBehindWhenInterrupted) {
  const Folder folder;
  const std::string fifo = folder.path("in");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  Program program({"simulate", kA100, fifo, "-o", folder.path("f")});  // waits for somebody to write
  while (entries(folder.path("")) < 2) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  program.signal(SIGINT);
  EXPECT_EQ(program.wait().exit, 3);
  EXPECT_EQ(entries(folder.path("")), 2U);
  EXPECT_EQ(read(folder.path("f")), "");  // nothing was simulated
}

TEST(Output, IsRefusedWhereItWouldReplaceWhatTheCommandUses) {
  const Folder folder;
  const std::string journal = folder.path("j");
  const Finished fresh =
      mmaprint({"identify", "sim:a100", "--instruction", kDot8, "--journal", journal, "-o", journal});
  EXPECT_EQ(fresh.exit, 2);
  expect_one_line_with(fresh, "-o: expected another file than");
  EXPECT_FALSE(fs::exists(journal));
  fs::create_directory_symlink(folder.path(""), folder.path("here"));
  for (const char* other : {"./j", "none/../j", "here/j"}) {
    const Finished alike = mmaprint(
        {"identify", "sim:a100", "--instruction", kDot8, "--journal", journal, "-o", folder.path(other)});
    EXPECT_EQ(alike.exit, 2) << other;
    expect_one_line_with(alike, "-o: expected another file than");
    EXPECT_FALSE(fs::exists(journal)) << other;
  }
  const std::string model = folder.path("m.json");
  ASSERT_EQ(mmaprint({"show", kA100, "-o", model}).exit, 0);
  const std::string kept = read(model);
  fs::create_hard_link(model, folder.path("link"));
  const Finished shown = mmaprint({"show", model, "-o", folder.path("link")});
  EXPECT_EQ(shown.exit, 2);
  expect_one_line_with(shown, "-o: expected another file than");
  EXPECT_EQ(read(model), kept);
}

TEST(Certificate, IsRefusedBeforeTheDeviceIsAsked) {
  const Folder folder;
  const std::string taken = folder.file("taken", "mine");
  const std::string asked = folder.path("asked");
  const Finished run = mmaprint({"identify", faulty_device("none", 0, asked), "--instruction", "dot2",
                                 "--certificate", taken, "--json"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_EQ(run.out, "");
  expect_one_line_with(run, "taken: expected a new directory or a certificate's");
  EXPECT_EQ(read(asked), "");
  EXPECT_EQ(read(taken), "mine");
}

TEST(Certificate, ThatCanNotBeWrittenLosesNoResult) {
  const Folder folder;
  const Finished run = with_small_files(
      1, {"identify", "sim:a100", "--instruction", kDot8, "--certificate", folder.path("c"), "--json"});
  EXPECT_EQ(run.exit, 2);
  expect_one_line_with(run, "can't be written: ");
  EXPECT_EQ(run.json().at("verdict"), "equivalent");
  EXPECT_EQ(run.json().at("certificate"), nullptr);
  EXPECT_EQ(entries(folder.path("")), 0U);
}

TEST(Certificate, OfEachInstructionHasAFolderOfItsOwn) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Folder folder;
  const Finished run = mmaprint(
      {"identify", faulty_device("names", 100000), "--all", "--certificate", folder.path("c"), "--json"});
  EXPECT_EQ(run.exit, 0) << run.err;
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder.path("c"))) {
    names.insert(entry.path().filename());
    EXPECT_EQ(mmaprint({"verify", entry.path().string()}).exit, 0) << entry.path();
  }
  EXPECT_EQ(names, (std::set<std::string>{"dot%202", "dot_2", "%44%4f%54_2"}));
}

TEST(Journal, ThatCanNotGrowEndsTheRunWithWhatIsEstablished) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Folder folder;
  const std::string journal = folder.path("journal.jsonl");
  const std::vector<std::string> identify{"identify", "sim:a100",  "--instruction", kDot8,
                                          "--json",   "--journal", journal};
  ASSERT_EQ(mmaprint({"identify", "sim:a100", "--instruction", kDot8, "--max-observations", "2", "--journal",
                      journal})
                .exit,
            3);
  const auto blocks = static_cast<int>(fs::file_size(journal) / 512) + 4;
  const Finished run = with_small_files(blocks, identify);
  EXPECT_EQ(run.exit, 4) << run.err;
  expect_one_line_with(run, journal + ": the journal can't be written: File too large");
  EXPECT_EQ(run.json().at("verdict"), "unknown");
  const std::size_t established = run.json().at("observations");
  EXPECT_GT(established, 2U);
  const Finished resumed = mmaprint(identify);
  EXPECT_EQ(resumed.exit, 0) << resumed.err;
  EXPECT_EQ(resumed.err, "");
}

TEST(Journal, IsWrittenByOneProcessAtATime) {
  const Folder folder;
  const std::string journal = folder.path("journal.jsonl");
  // Another process holds the lock while ours runs.
  const Finished run = in_shell("exec 9>>'" + journal + "'; flock 9; exec \"$0\" \"$@\"",
                                {"identify", "sim:a100", "--instruction", kDot8, "--journal", journal});
  EXPECT_EQ(run.exit, 2);
  expect_one_line_with(run, journal + ": expected a journal that no other run is writing");
}

}  // namespace
}  // namespace mmaprint::test::files_test
