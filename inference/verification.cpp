#include "inference/verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/deadline.h"
#include "inference/by_need.h"
#include "inference/certificate_claims.h"
#include "inference/document.h"
#include "inference/equivalence.h"
#include "inference/experiments.h"
#include "inference/nan_fit.h"
#include "inference/proof_objects.h"
#include "inference/refutation.h"
#include "inference/representative.h"
#include "inference/set_difference.h"
#include "inference/space_json.h"
#include "model/evaluator.h"
#include "model/observation_json.h"

namespace mmaprint {
namespace {

namespace fs = std::filesystem;
using Standing = SurvivorClass::Standing;
using IdentificationVerdict = Identification::Verdict;

class Replay {
 public:
  Replay(fs::path directory, const VerifyOptions& options)
      : directory_(std::move(directory)), options_(options), deadline_(options.seconds, options.stop) {}

  Verification operator()() {
    try {
      all();
    } catch (const DeadlinePassed&) {
      leave(doing_ + " was not done in time");
    } catch (const std::bad_alloc&) {
      leave(doing_ + " takes more memory than there is");
    }
    return finished();
  }

 private:
  void all() {
    certificate_ = load_certificate(directory_, result_.failures, deadline_);
    if (!certificate_) return;
    result_.certified = text(manifest().verdict);
    result_.checked.files = manifest().files.size();
    result_.checked.hypotheses = manifest().search.size();
    result_.checked.default_space = manifest().search.is_default();
    doing_ = "survivors.json: comparing the survivors with each other";
    check_counts();
    doing_ = "model.json: comparing it with the survivors";
    for (std::string& claim : false_claims(*certificate_, deadline_)) fail(std::move(claim));
    doing_ = "observations.jsonl: replaying the observations";
    if (manifest().verdict == IdentificationVerdict::none) {
      check_conflict();
      check_questions({});
      return;
    }
    check_verdict();
    if (certificate_->model) {
      if (!contains(space(), certified_sets(), model()))
        fail("model.json: the model is not among the survivors");
      check_reproduction();
    }
    check_survivors();
    doing_ = "proofs: checking them";
    // A certificate that fails already needs no proof.
    if (result_.failures.empty()) check_proofs();
  }

  [[nodiscard]] const Manifest& manifest() const { return certificate_->manifest; }
  [[nodiscard]] const Space& space() const { return manifest().search.space; }
  [[nodiscard]] const UnitModel& model() const { return *certificate_->model; }
  /// Survivors are alike but for which NaN a rule lets through.
  [[nodiscard]] UnitModel as_searched() const { return without_nan_rule(model()); }
  [[nodiscard]] const std::vector<Observation>& observations() const { return certificate_->observations; }
  [[nodiscard]] const std::vector<CertifiedSurvivor>& survivors() const { return certificate_->survivors; }
  [[nodiscard]] VersionSpace certified_sets() const {
    VersionSpace sets;
    sets.reserve(survivors().size());
    for (const auto& s : survivors()) sets.push_back(s.set);
    return sets;
  }
  void fail(std::string message) { result_.failures.push_back(std::move(message)); }
  void leave(std::string message) { result_.unfinished.push_back(std::move(message)); }
  void tell(std::string_view doing) const {
    if (options_.progress) options_.progress(doing);
  }
  [[nodiscard]] bool out_of_time() const { return deadline_.passed(); }

  Verification finished() {
    using Verdict = Verification::Verdict;
    result_.verdict = !result_.failures.empty()    ? Verdict::invalid
                      : result_.unfinished.empty() ? Verdict::valid
                                                   : Verdict::unknown;
    return std::move(result_);
  }

  void check_counts() {
    if (survivors().size() != manifest().survivors ||
        count_to_json(count(certified_sets())) != manifest().hypotheses)
      fail("survivors.json: expected as many sets and hypotheses as the manifest says");
    if (const auto twice = overlapping(certified_sets(), deadline_))
      fail(fmt::format(
          "survivors.json: expected each hypothesis once, found some of survivor {}'s in survivor {}",
          twice->first + 1, twice->second + 1));
  }

  /// What the survivors' standings amount to, given whether the device confirmed the model.
  [[nodiscard]] IdentificationVerdict verdict_that_follows() const {
    using enum IdentificationVerdict;
    if (survivors().empty()) return none;
    // Certificates of old say it by their verdict alone.
    if (!manifest().confirmed.value_or(manifest().verdict != unknown)) return unknown;
    if (!std::ranges::all_of(survivors(), [](const auto& s) { return s.set.nan.has_value(); }))
      return unknown;
    if (count(certified_sets()) == 1) return unique;
    const bool proved =
        std::ranges::all_of(survivors(), [](const auto& s) { return s.standing == Standing::proved; });
    return proved ? equivalent : unknown;
  }

  /// The verdict says neither more nor less than that.
  void check_verdict() {
    const IdentificationVerdict follows = verdict_that_follows();
    if (manifest().verdict != follows)
      fail("manifest.json: verdict: expected " + std::string(text(follows)) +
           ", which the survivors and their standings amount to, found " + result_.certified);
  }

  void check_reproduction() {
    const Evaluator evaluator(model());
    Checkpoint late(deadline_);
    for (std::size_t i = 0; i < observations().size(); ++i) {
      if (late.passed())
        return leave(fmt::format("reproduced {} of {} observations in time", i, observations().size()));
      const Observation& seen = observations()[i];
      const Pattern d = evaluator(seen.input);
      if (d == as_modelled(model(), seen.d))
        ++result_.checked.reproduced;
      else
        fail(fmt::format("observations.jsonl:{}: the model gives {}, not {}", i + 1,
                         pattern_text(space().formats.d, d), pattern_text(space().formats.d, seen.d)));
    }
    check_nan_rule();
  }

  /// A rule for NaNs is no part of the hypotheses that are replayed: the observations alone have to single it
  /// out.
  void check_nan_rule() {
    const auto* rule = std::get_if<NanRule>(&model().nan);
    if (rule == nullptr) return;
    const FittedNans fitted = fitted_nan_rule(as_searched(), observations(), {});
    if (fitted.rule != *rule)
      fail("model.json: unit.nan: expected the one rule that the observations leave, or null");
  }

  /// What the observations leave of the space; nullopt if time ran out.
  std::optional<VersionSpace> replayed(const std::vector<Observation>& observations) {
    auto sets = manifest().search.start();
    for (std::size_t i = 0; i < observations.size() && !sets.empty(); ++i) {
      tell(fmt::format("replaying observation {} of {}", i + 1, observations.size()));
      Sifting spent;
      auto left = refine(space(), sets, observations[i], options_.threads, deadline_, &spent);
      if (!left) {
        leave(spent.too_many_sets
                  ? std::string(kTooManySets)
                  : fmt::format("replayed {} of {} observations in time", i, observations.size()));
        return std::nullopt;
      }
      sets = *std::move(left);
      ++result_.checked.observations;
    }
    return sets;
  }

  void check_survivors() {
    const auto left = replayed(observations());
    if (!left) return;
    const VersionSpace certified = certified_sets();
    tell("comparing the survivors");
    doing_ = "survivors.json: comparing the survivors with what the observations leave";
    constexpr std::size_t kMost = 3;
    for (const auto& set : difference(*left, certified, kMost, deadline_))
      fail("survivors.json: not among them, though it explains every observation: " + in_words(set));
    for (const auto& set : difference(certified, *left, kMost, deadline_))
      fail("survivors.json: among them, though an observation refutes it: " + in_words(set));
    result_.checked.survivors = survivors().size();
  }

  /// A member of a set, by what tells it from the model.
  [[nodiscard]] std::string in_words(const HypothesisSet& set) const {
    const UnitModel member = space().model(set.skeleton, plainest(set.box), set.nan);
    if (!certificate_->model) return "a unit of the structure " + features_of(member).structure;
    std::string all;
    const auto compare = [&](auto feature, const auto& mine, const auto& theirs) {
      if (feature.follows && !(mine == theirs)) all += (all.empty() ? "" : ", ") + std::string(feature.name);
    };
    const Features own = features_of(as_searched());
    const Features other = features_of(member);
    visit_features(compare, own, other);
    return "a unit that differs from the model in " + (all.empty() ? std::string("its parameters") : all);
  }

  void check_proofs() {
    const auto solver = make_checker(options_.solver);
    if (!certificate_->model) return check_questions({});  // no survivor is called proved
    const UnitModel as_searched = this->as_searched();
    CertifiedQuestions questions(*certificate_, deadline_);
    DerivationChecker checker(space(), as_searched, options_.other);
    Sampler sampler(space(), options_.seed);
    for (std::size_t i = 0; i < survivors().size(); ++i) {
      const CertifiedSurvivor& survivor = survivors()[i];
      if (survivor.standing == Standing::undecided) check_witness(survivor, i);
      if (survivor.standing != Standing::proved) continue;
      if (out_of_time()) return leave("survivors from " + proof_file(i) + " on: not proved again in time");
      doing_ = proof_file(i) + ": checking it";
      const auto proof = proof_of(survivor, i, questions);
      if (!proof) continue;
      tell(fmt::format("proving survivor {} of {}", i + 1, survivors().size()));
      if (!attacked(survivor, sampler)) continue;
      if (proof->derivation && !options_.solve)
        check_steps(checker, *solver, *proof, i);
      else
        prove(*solver, survivor, i, !proof->derivation);
    }
    check_questions(questions.used());
  }

  /// Formulas that no proof speaks of are no part of a certificate.
  void check_questions(const std::set<std::string>& used) {
    for (const ListedFile& file : manifest().files)
      if (file.name.starts_with(kQuestionsFolder) && !used.contains(file.name))
        fail(file.name + ": no proof speaks of it");
  }

  void check_steps(DerivationChecker& checker, const EquivalenceChecker& solver, const CertifiedProof& proof,
                   std::size_t index) {
    const auto check = checker.check(proof.set, *proof.derivation, deadline_);
    if (const auto* fails = std::get_if<StepFails>(&check)) {
      if (!options_.version.empty() && options_.version != manifest().from.version)
        return prove(solver, survivors()[index], index, true);
      return fail(fmt::format("{}: step {}: {}", proof_file(index), fails->step, fails->why));
    }
    const auto* steps = std::get_if<CheckedSteps>(&check);
    if (steps == nullptr) return leave(proof_file(index) + ": its steps were not checked in time");
    CheckedSteps& all = result_.checked.steps;
    all.refutations += steps->refutations;
    all.vanished += steps->vanished;
    all.theorems += steps->theorems;
    ++result_.checked.proofs;
  }

  /// An undecided survivor has a member that differs from the model on its witness.
  void check_witness(const CertifiedSurvivor& survivor, std::size_t index) {
    const std::string name = fmt::format("survivors.json: survivor {}", index + 1);
    if (!survivor.witness) return fail(name + ": expected an input on which it differs from the model");
    const Observation seen{*survivor.witness, evaluate(as_searched(), *survivor.witness)};
    const auto agreeing = refine(space(), {survivor.set}, seen, options_.threads, deadline_);
    if (!agreeing) return leave(name + ": its witness was not looked at in time");
    if (count(*agreeing) == survivor.set.box.size())
      fail(name + ": it does not differ from the model on its witness");
  }

  /// The survivor's proof file, if that is about this very set.
  std::optional<CertifiedProof> proof_of(const CertifiedSurvivor& survivor, std::size_t index,
                                         CertifiedQuestions& questions) {
    if (!certificate_->texts.contains(survivor.proof) || survivor.proof != proof_file(index)) {
      fail(fmt::format("survivors.json: survivor {}: expected its proof, {}", index + 1, proof_file(index)));
      return std::nullopt;
    }
    CertifiedProof proof = read_proof(*certificate_, survivor.proof, as_searched(), questions);
    if (same(proof.set, survivor.set)) return proof;
    fail(survivor.proof + ": it is about another set than the survivor's");
    return std::nullopt;
  }

  /// False if a random input refutes the claim (true as well once the time is up): cheaper than any proof,
  /// and no solver is trusted.
  bool attacked(const CertifiedSurvivor& survivor, Sampler& sampler) {
    if (random_.empty()) draw_inputs();
    for (std::size_t m = 0; m < kMembers; ++m) {
      const Evaluator member(sampler.one({survivor.set}));
      for (std::size_t i = m * kInputs; i < (m + 1) * kInputs && !out_of_time(); ++i) {
        if (random_[i].d != member(random_[i].input)) {
          fail(survivor.proof + ": a member of the set differs from the model on " +
               to_json(random_[i].input, space().formats).dump());
          return false;
        }
        ++result_.checked.random_inputs;
      }
    }
    return true;
  }
  /// The same for all survivors: to make them costs more than to run units on them.
  void draw_inputs() {
    InputGenerator inputs(space().k, space().formats, options_.seed);
    const Evaluator evaluator(as_searched());
    for (std::size_t i = 0; i < kMembers * kInputs; ++i) {
      DotInput input = inputs.next();
      const Pattern d = evaluator(input);
      random_.push_back({std::move(input), d});
    }
  }

  void prove(const EquivalenceChecker& checker, const CertifiedSurvivor& survivor, std::size_t index,
             bool has_no_steps) {
    // The model itself, alone, needs no proof.
    if (survivor.set.box.size() == 1 && contains(space(), {survivor.set}, model())) {
      ++result_.checked.proofs;
      return;
    }
    ++result_.checked.solved;
    if (has_no_steps) ++result_.checked.without_steps;
    const Limits limits = in_steps(options_.proof_steps, deadline_);
    const auto answer = compare_with_set(checker, as_searched(), space(), survivor.set, limits, compared_);
    if (std::holds_alternative<EquivalentSet>(answer))
      ++result_.checked.proofs;
    else if (const auto* separation = std::get_if<Separation>(&answer))
      fail(proof_file(index) + ": a member of the set differs from the model on " +
           to_json(separation->input, space().formats).dump());
    else
      leave(proof_file(index) + ": not proved again within the limits");
  }

  void check_conflict() {
    if (!survivors().empty()) fail("survivors.json: expected none where nothing explains the observations");
    std::vector<Observation> conflict;
    for (const std::size_t i : manifest().conflict) conflict.push_back(observations()[i]);
    if (is_contradiction(manifest(), observations())) return check_contradiction(conflict);
    const auto left = replayed(conflict.empty() ? observations() : conflict);
    if (!left) return;
    if (!left->empty()) return fail("manifest.json: conflict: some hypothesis explains these observations");
    result_.checked.conflict = conflict.size();
    if (manifest().conflict_is_smallest && result_.failures.empty()) check_smallest();
  }

  /// Two results for one input refute every unit, also where they are NaNs that the space does not tell
  /// apart; they are a smallest conflict where neither alone leaves nothing.
  void check_contradiction(const std::vector<Observation>& pair) {
    result_.checked.conflict = pair.size();
    if (!manifest().conflict_is_smallest) return;
    for (const Observation& one : pair) {
      const auto left = replayed({one});
      if (!left) return;
      if (left->empty())
        return fail("manifest.json: conflict: not a smallest one, as one of the two observations suffices");
    }
    result_.checked.smallest_conflict = true;
  }

  /// No fewer of the observations leave nothing: the search for them is done again.
  void check_smallest() {
    tell("looking for a smaller conflict");
    const ObservationTable table(space().formats, space().k, observations());
    const std::vector<std::size_t>& known = manifest().conflict;
    const Refuted found =
        smallest_conflict(space(), manifest().search.start(), table, known, options_.threads,
                          options_.conflict_work, deadline_.within(2 * kLongestConflict));
    if (found.observations.size() < known.size())
      return fail(
          fmt::format("manifest.json: conflict: not a smallest one, as {} of the observations suffice",
                      found.observations.size()));
    if (!found.smallest) return leave("the conflict was not proved smallest within the limits");
    result_.checked.smallest_conflict = true;
  }

  std::string doing_ = "reading the certificate";
  fs::path directory_;
  const VerifyOptions& options_;
  std::optional<Certificate> certificate_;
  Verification result_;
  /// Of members of each set, and on so many inputs each.
  static constexpr std::size_t kMembers = 8, kInputs = 200;
  std::vector<Observation> random_;  ///< what the model gives for random inputs
  ComparedModels compared_;
  Deadline deadline_;
};

}  // namespace

Verification verify_certificate(const fs::path& directory, const VerifyOptions& options) {
  return Replay(directory, options)();
}

}  // namespace mmaprint
