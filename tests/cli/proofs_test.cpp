// Stored proofs for strangers: a checker that shares nothing with the program, and one that is run beside it.
#include <gtest/gtest.h>

#include <algorithm>

#include "program.h"
#include "support/random.h"

namespace mmaprint::test::proofs_test {
namespace {

namespace fs = std::filesystem;

/// Bounds alone prove what is catalogued. Of pairs of products that are normalised at once they do not.
constexpr std::string_view kPairs = R"({"schema": "mmaprint/model/1", "instruction": "pairs", "k": 4,
  "formats": {"a": "fp16", "b": "fp16", "c": "fp32", "d": "fp32"},
  "unit": {
    "tree": [{"adder": 0, "operands": ["c", 0, 1]}, {"adder": 0, "operands": [{"node": 0}, 2, 3]}],
    "adders": [{"product": "exact-unnormalised", "minimum_alignment_exponent": -30,
      "alignment_fraction_bits": 22, "alignment_rounding": "truncate", "normalisation": "immediate",
      "extra_carry_bits": null, "rounding": "nearest-even", "output_fraction_bits": 23}],
    "conventions": {"input_subnormals": "kept", "c_subnormals": "kept", "output_subnormals": "kept",
      "overflow": "infinity", "zero_sign": {"all_zero": "ieee", "cancelled": "ieee",
        "rounded": "sign-of-sum", "flushed": "sign-of-sum"}},
    "nan": "7fffffff"}})";

/// A certificate that holds formulas which were refuted, written once.
const std::string& certificate() {
  static const Folder kFolder;
  static const std::string kPlace = [] {
    std::string place = kFolder.path("certificate");
    const std::string unit = kFolder.file("pairs.json", std::string(kPairs));
    const Finished run =
        mmaprint({"identify", "model:" + unit, "--instruction", "pairs", "--certificate", place, "-q"});
    EXPECT_EQ(run.exit, 0) << run.err;
    return place;
  }();
  return kPlace;
}

std::vector<std::string> questions() {
  std::vector<std::string> all;
  for (const auto& entry : fs::directory_iterator(certificate() + "/questions")) {
    const std::string file = entry.path().string();
    if (const std::size_t end = file.find(".cnf.gz"); end != std::string::npos)
      all.push_back(file.substr(0, end));
  }
  std::ranges::sort(all);
  return all;
}

/// tests/checkers/rup.py, a checker of its own.
Finished checked(const std::string& formula, const std::string& proof) {
  return in_shell("exec python3 '" + source("tests/checkers/rup.py") + "' \"$@\"", {formula, proof});
}

TEST(StoredProofs, AreAcceptedByACheckerOfItsOwn) {
  if (counts_are_reduced()) GTEST_SKIP() << kTakesMinutesThen;
  ASSERT_FALSE(questions().empty());
  for (const std::string& question : questions()) {
    const Finished run = checked(question + ".cnf.gz", question + ".drat.gz");
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
    EXPECT_EQ(run.out, "verified\n");
  }
}

TEST(StoredProofs, AreRefusedByACheckerOfItsOwnWhereTheyAreBroken) {
  if (counts_are_reduced()) GTEST_SKIP() << kTakesMinutesThen;
  const Folder folder;
  const std::string question = questions().front();
  // As the program refuses them: the empty clause alone, nothing, a proof that is cut off, another formula.
  const auto refused = [&](const std::string& formula, const std::string& proof, const std::string& why) {
    const Finished run = checked(formula, proof);
    EXPECT_EQ(run.exit, 1);
    EXPECT_EQ(run.out, "refused: " + why + "\n");
  };
  const std::string formula = question + ".cnf.gz";
  const std::string no_step = "step 1 does not follow by unit propagation";
  refused(formula, folder.file("empty-clause", std::string{'a', '\0'}), no_step);
  refused(formula, folder.file("nothing", ""), "the proof does not end in a conflict");
  refused(formula, folder.file("cut-off", std::string{'a', '\x04'}), "the proof is cut off");
  refused(formula, folder.file("text", "1 0\n"), "the proof is no binary DRAT");
  refused(folder.file("other.cnf", "p cnf 1 1\n-1 0\n"), question + ".drat.gz", no_step);
}

TEST(StoredProofs, AreEnoughForVerify) {
  if (counts_are_reduced()) GTEST_SKIP() << kTakesMinutesThen;
  const Finished checked = mmaprint({"verify", certificate(), "--json"});
  EXPECT_EQ(checked.exit, 0) << checked.out;
  EXPECT_EQ(checked.json()["checked"]["solved_again"], 0);
  EXPECT_GT(checked.json()["checked"]["refutations"], 0);
  const Finished solved = mmaprint({"verify", certificate(), "--solve", "--json"});
  EXPECT_EQ(solved.exit, 0) << solved.out;
  EXPECT_GT(solved.json()["checked"]["solved_again"], 0);
  EXPECT_EQ(solved.json()["checked"]["refutations"], 0);
  EXPECT_NE(mmaprint({"verify", certificate()}).out.find("checked without a solver"), std::string::npos);
  EXPECT_NE(mmaprint({"verify", certificate(), "--solve"}).out.find("done again with the solver"),
            std::string::npos);
}

TEST(StoredProofs, TakeLittleRoom) {
  if (counts_are_reduced()) GTEST_SKIP() << kTakesMinutesThen;
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(certificate()))
    if (entry.is_regular_file()) bytes += entry.file_size();
  EXPECT_LT(bytes, 5'000'000U);
}

TEST(StoredProofs, AreNotThereOfASolverThatWritesNone) {
  const Folder folder;
  const std::string place = folder.path("c");
  const Finished run = mmaprint(
      {"identify", "sim:a100", "--instruction", kDot4, "--certificate", place, "-q", "--solver", "z3"});
  ASSERT_EQ(run.exit, 0) << run.err;
  const Finished verified = mmaprint({"verify", place});
  EXPECT_EQ(verified.exit, 0) << verified.out;
  EXPECT_NE(verified.out.find("the certificate holds no steps"), std::string::npos) << verified.out;
}

TEST(VerifyHelp, SaysWhatIsTrusted) {
  const Finished run = mmaprint({"verify", "--help"});
  for (const char* part : {"Trusted are, and nothing else", "evaluator", "translation of units into formulas",
                           "check of proofs", "the observations are the device's", "--solve"})
    EXPECT_NE(run.out.find(part), std::string::npos) << part;
}

/// `verify --drat-trim` with a program of that name first on PATH, or with no PATH at all.
Finished with_drat_trim(const std::string& path, const std::string& seconds = "600") {
  return in_shell("PATH='" + path + "' exec \"$0\" \"$@\"",
                  {"verify", certificate(), "--drat-trim", "--time-limit", seconds});
}

TEST(DratTrim, IsAskedAboutEveryStoredProof) {
  if (counts_are_reduced()) GTEST_SKIP() << kTakesMinutesThen;
  const Folder folder;
  const auto program = [&](const std::string& says) {
    const std::string log = folder.path("log");
    const std::string file =
        folder.file("drat-trim", "#!/bin/sh\n/bin/grep -q '^p cnf ' \"$1\" || exit 1\necho \"$2\" >>'" + log +
                                     "'\necho '" + says + "'\n");
    fs::permissions(file, fs::perms::owner_all);
    fs::remove(log);
    return folder.path("");
  };
  const Finished agreed = with_drat_trim(program("s VERIFIED"));
  EXPECT_EQ(agreed.exit, 0) << agreed.out << agreed.err;
  EXPECT_EQ(lines(read(folder.path("log"))).size(), questions().size());
  const Finished disagreed = with_drat_trim(program("s NOT VERIFIED"));
  EXPECT_EQ(disagreed.exit, 1);
  EXPECT_NE(disagreed.out.find("drat-trim does not verify its proof"), std::string::npos) << disagreed.out;
}

TEST(DratTrim, DecidesNothingWhereItHangsOrSaysNothing) {
  if (counts_are_reduced()) GTEST_SKIP() << kTakesMinutesThen;
  const Folder folder;
  const auto program = [&](const char* script) {
    fs::permissions(folder.file("drat-trim", std::string("#!/bin/sh\n") + script + "\n"),
                    fs::perms::owner_all);
    return folder.path("");
  };
  const Finished hung = with_drat_trim(program("exec /bin/sleep 600"), "5");
  EXPECT_EQ(hung.exit, 3) << hung.out << hung.err;
  const Finished silent = with_drat_trim(program("exit 1"));
  EXPECT_EQ(silent.exit, 2) << silent.out << silent.err;
  EXPECT_NE(silent.err.find("--drat-trim: expected drat-trim to say"), std::string::npos) << silent.err;
}

TEST(DratTrim, HasToBeThere) {
  if (counts_are_reduced()) GTEST_SKIP() << kTakesMinutesThen;
  const Folder nothing;
  const Finished run = with_drat_trim(nothing.path(""));
  EXPECT_EQ(run.exit, 2);
  EXPECT_NE(run.err.find("--drat-trim: expected the program drat-trim on PATH, found none"),
            std::string::npos);
  EXPECT_EQ(mmaprint({"verify", certificate(), "--drat-trim", "--solve"}).exit, 2);
}

TEST(DratTrim, AgreesWhereItIsInstalled) {
  if (in_shell("command -v drat-trim", {}).exit != 0) GTEST_SKIP() << "drat-trim is not on PATH";
  const Finished run = mmaprint({"verify", certificate(), "--drat-trim"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
}

}  // namespace
}  // namespace mmaprint::test::proofs_test
