// Certificates whose proofs were tampered with, sizes and checksums made to agree: steps, questions, formulas
// and refutations.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/gzip.h"
#include "chained_sets.h"
#include "forgery.h"
#include "solver/drat.h"

namespace mmaprint::proof_tampering_test {
namespace {

using samples::failures;
using samples::Folder;
using samples::forge;
using samples::forge_json;
using samples::write_file;
using Verdict = Verification::Verdict;

constexpr const char* kProof = "proofs/001.json";
constexpr std::size_t kMuch = std::size_t{1} << 30;

/// Units that may flush subnormal c or results. Results are subnormal for a subnormal c alone, so that one
/// who flushes c computes as one who flushes results: that takes formulas.
const UnitModel& flushing_c() {
  static const UnitModel kUnit = [] {
    UnitModel unit = samples::Chained(CEnters::first).model;
    unit.conventions.c_subnormals = Subnormals::flushed;
    unit.conventions.zero_sign.all_zero = ZeroSign::positive;
    unit.conventions.zero_sign.flushed = ZeroSign::positive;
    return unit;
  }();
  return kUnit;
}
const Space& space() {
  static const Space kSpace = [] {
    const UnitModel& unit = flushing_c();
    Space all{unit.instruction, unit.k, unit.formats, {skeleton_of(unit)}, Box(values_of(unit))};
    all.box[Parameter::c_subnormals] = ValueSet::range(0, 1);
    all.box[Parameter::output_subnormals] = ValueSet::range(0, 1);
    return all;
  }();
  return kSpace;
}
void write_certificate_of_formulas(const std::string& directory) {
  static const Identification kFound = samples::identified(space(), flushing_c());
  samples::write_sample_certificate(directory, kFound, space());
}

Verification verify(const std::string& path, bool solve = false) {
  VerifyOptions options;
  options.solve = solve;
  return verify_certificate(path, options);
}

void expect_found(const samples::Tamper& tamper, const std::string& expected) {
  const Folder folder;
  write_certificate_of_formulas(folder / "c");
  tamper(folder / "c");
  const auto result = verify(folder / "c");
  EXPECT_EQ(result.verdict, Verdict::invalid);
  EXPECT_NE(failures(result).find(expected), std::string::npos) << "expected " << expected << "\n"
                                                                << failures(result);
}
void expect_refused(const samples::Tamper& tamper, const std::string& expected) {
  const Folder folder;
  write_certificate_of_formulas(folder / "c");
  tamper(folder / "c");
  const std::string found = samples::complaint<BadInput>([&] { (void)verify(folder / "c"); });
  EXPECT_NE(found.find(expected), std::string::npos) << "expected " << expected << "\n" << found;
}

/// A proof file that has a question with a formula.
std::string proof_with_formula(const std::string& directory) {
  for (const auto& entry : std::filesystem::directory_iterator(directory + "/proofs"))
    if (read_file(entry.path().string()).find("\"formula\": 1") != std::string::npos)
      return "proofs/" + entry.path().filename().string();
  ADD_FAILURE() << "no proof has a formula";
  return kProof;
}
/// Edits the first step of that proof that asks anything with a formula, and that question.
samples::Tamper changing(const std::function<void(Json& step, Json& question)>& change) {
  return [change](const std::string& c) {
    forge_json(c, proof_with_formula(c), [&](Json& proof) {
      for (Json& step : proof["steps"]) {
        if (!step.contains("questions")) continue;
        for (Json& question : step["questions"])
          if (!question["formula"].is_null()) return change(step, question);
      }
    });
  };
}
/// Changes what a packed file holds.
samples::Tamper repacking(const std::string& file, const std::function<std::string(std::string)>& change) {
  return [=](const std::string& c) {
    forge(c, file, [&](const std::string& packed) { return gzip(change(*gunzip(packed, kMuch))); });
  };
}

TEST(ProofTampering, IsNotSeenInACertificateAsItWasWritten) {
  const Folder folder;
  write_certificate_of_formulas(folder / "c");
  const auto checked = verify(folder / "c");
  EXPECT_EQ(checked.verdict, Verdict::valid) << failures(checked);
  EXPECT_GT(checked.checked.steps.refutations, 0U);
  EXPECT_EQ(checked.checked.solved, 0U);
  const auto solved = verify(folder / "c", true);
  EXPECT_EQ(solved.verdict, Verdict::valid) << failures(solved);
  EXPECT_GT(solved.checked.solved, 0U);
  EXPECT_EQ(solved.checked.without_steps, 0U);
}

TEST(ProofTampering, IsTheSameCertificateEachTime) {
  const Folder folder;
  for (const char* name : {"c", "again"})
    samples::write_sample_certificate(folder / name, samples::identified(space(), flushing_c()), space());
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "c/questions")) {
    const std::string file = "/questions/" + entry.path().filename().string();
    EXPECT_EQ(read_file(folder / ("c" + file)), read_file(folder / ("again" + file)));
    ++files;
  }
  EXPECT_GT(files, 0U);
}

TEST(ProofTampering, LeavesACertificateWithoutStepsToTheSolver) {
  const Folder folder;
  const std::string c = folder / "c";
  write_certificate_of_formulas(c);
  const std::filesystem::path proofs = c + "/proofs";
  for (const auto& entry : std::filesystem::directory_iterator(proofs))
    forge_json(c, "proofs/" + entry.path().filename().string(), [](Json& proof) {
      proof["schema"] = "mmaprint/proof/1";
      proof.erase("steps");
    });
  std::filesystem::remove_all(c + "/questions");
  forge_json(c, "manifest.json", [](Json& json) {
    Json left = Json::array();
    for (const Json& file : json["files"])
      if (!file["name"].get<std::string>().starts_with("questions/")) left.push_back(file);
    json["files"] = left;
  });
  const auto result = verify(c);
  EXPECT_EQ(result.verdict, Verdict::valid) << failures(result);
  EXPECT_GT(result.checked.solved, 0U);
  EXPECT_EQ(result.checked.without_steps, result.checked.solved);
}

TEST(ProofTampering, LeavesStepsOfAnotherVersionThatDoNotHoldToTheSolver) {
  const Folder folder;
  write_certificate_of_formulas(folder / "c");
  repacking("questions/001.cnf.gz", [](const std::string& cnf) { return cnf + "1 0\n"; })(folder / "c");
  VerifyOptions options;
  options.version = "a later one";
  const auto later = verify_certificate(folder / "c", options);
  EXPECT_EQ(later.verdict, Verdict::valid) << failures(later);
  EXPECT_GT(later.checked.without_steps, 0U);
  options.version = "0.1.0";
  EXPECT_EQ(verify_certificate(folder / "c", options).verdict, Verdict::invalid);
}

TEST(ProofTampering, IsFoundInAFormula) {
  const std::string other = "the formula is another than the stored one";
  expect_found(repacking("questions/001.cnf.gz", [](const std::string& cnf) { return cnf + "1 0\n"; }),
               other);
  expect_found(repacking("questions/001.cnf.gz",
                         [](std::string cnf) {
                           const std::size_t last = cnf.rfind(" 0\n");
                           cnf[last - 1] = cnf[last - 1] == '1' ? '2' : '1';
                           return cnf;
                         }),
               other);
  expect_found(repacking("questions/001.cnf.gz", [](const std::string&) { return "p cnf 1 1\n0\n"; }), other);
}

TEST(ProofTampering, IsFoundInARefutation) {
  const std::string file = "questions/001.drat.gz";
  expect_found(repacking(file, [](const std::string&) { return ""; }), "it does not end in a conflict");
  expect_found(repacking(file,
                         [](const std::string&) {
                           return std::string{'a', '\0'};
                         }),
               "the proof does not hold: step 1 does not follow by unit propagation");
  expect_found(repacking(file, [](const std::string& proof) { return proof.substr(0, proof.size() - 4); }),
               "the proof does not hold");
  expect_found(repacking(file,
                         [](const std::string& proof) {
                           const DratProof steps = *parse_drat(proof);
                           std::string last;
                           for (const std::size_t i : {steps.steps.size() / 2, steps.steps.size() - 1})
                             append_drat(last, steps.steps[i].adds, steps.clause(steps.steps[i]));
                           return last;
                         }),
               "does not follow by unit propagation");
  // That of another formula.
  expect_found(repacking(file,
                         [](const std::string&) {
                           std::string other;
                           append_drat(other, true, std::vector{2});
                           append_drat(other, true, {});
                           return other;
                         }),
               "the proof does not hold");
}

TEST(ProofTampering, IsRefusedInFilesThatAreNotWhole) {
  for (const char* file : {"questions/001.cnf.gz", "questions/001.drat.gz"}) {
    expect_refused(
        [&](const std::string& c) {
          forge(c, file, [](const std::string& packed) { return packed.substr(0, packed.size() / 2); });
        },
        std::string("a question whose file ") + file + " is whole");
    expect_found([&](const std::string& c) { std::filesystem::remove(c + "/" + file); },
                 std::string(file) + ": the file is missing");
  }
}

TEST(ProofTampering, IsFoundInQuestionsThatNoProofSpeaksOf) {
  expect_found(
      [](const std::string& c) {
        samples::add_listed(c, "questions/900.cnf.gz", read_file(c + "/questions/001.cnf.gz"));
      },
      "questions/900.cnf.gz: no proof speaks of it");
  expect_found([](const std::string& c) { write_file(c + "/questions/notes.txt", "all proved"); },
               "expected no file that the manifest does not list");
}

TEST(ProofTampering, IsFoundInQuestions) {
  expect_found(changing([](Json&, Json& question) { question["formula"] = nullptr; }),
               "expected a formula and a proof, as it does not vanish");
  expect_refused(changing([](Json&, Json& question) { question["formula"] = 900; }),
                 "formula: expected a question of the certificate, with questions/900.cnf.gz");
  expect_found(changing([](Json&, Json& question) {
                 question["products"] = question["products"] == "free" ? "exact" : "free";
               }),
               "the formula is another than the stored one");
  expect_found(changing([](Json& step, Json&) { step["questions"].clear(); }), "nothing was asked");
  expect_found(changing([](Json&, Json& question) { question["node"] = 1'000; }),
               "expected a question for each kind of node");
  expect_found(changing([](Json& step, Json&) {
                 for (Json& question : step["questions"])
                   question["no_subnormals"] = !question["no_subnormals"].get<bool>();
               }),
               "step ");
  expect_refused(changing([](Json&, Json& question) { question["zeros"] = "none"; }), "zeros: expected");
  expect_refused(changing([](Json&, Json& question) { question["proved"] = true; }), "proved: unknown field");
}

TEST(ProofTampering, IsFoundInTheNamesOfTheorems) {
  expect_refused(changing([](Json& step, Json&) { step["theorem"] = "it is known"; }), "theorem: expected");
  expect_found(changing([](Json& step, Json&) {
                 step.erase("questions");
                 step.erase("left");
                 step["theorem"] = "idle values";
               }),
               "bounds ");
  expect_found(changing([](Json& step, Json&) {
                 step.erase("questions");
                 step.erase("left");
                 step["theorem"] = "same last place";
                 step["class"] = 0;
               }),
               "clamps and F do not leave the same last place everywhere");
  expect_found(changing([](Json& step, Json&) {
                 if (step.contains("theorem"))
                   step.erase("theorem");
                 else
                   step["theorem"] = "only subnormal c matters";
               }),
               "step ");
}

TEST(ProofTampering, IsFoundInTheOrderAndNumberOfSteps) {
  const auto with_steps = [](const std::function<void(Json&)>& change) {
    return [change](const std::string& c) {
      forge_json(c, proof_with_formula(c), [&](Json& proof) { change(proof["steps"]); });
    };
  };
  expect_found(with_steps([](Json& steps) { steps.erase(steps.size() - 1); }), "step ");
  expect_found(with_steps([](Json& steps) { steps.clear(); }), "step ");
  expect_refused(with_steps([](Json& steps) { steps.push_back(steps.back()); }), "no step beyond the model");
  expect_refused(
      [](const std::string& c) {
        forge_json(c, proof_with_formula(c), [](Json& proof) { proof["schema"] = "mmaprint/proof/1"; });
      },
      "steps: unknown field");
  expect_refused(
      [](const std::string& c) {
        forge_json(c, proof_with_formula(c), [](Json& proof) { proof.erase("steps"); });
      },
      "steps");
}

}  // namespace
}  // namespace mmaprint::proof_tampering_test
