// Does a certificate hold? Everything is done again, from the observations on.
//
// Evaluation by need replays the observations over the whole stated space, without a solver: what they leave
// has to be what the certificate says, hypothesis by hypothesis. The claims that the rest is equal everywhere
// are attacked with random inputs first; then their steps are checked (inference/derivation_check.h), which
// asks no solver. Certificates of before hold no steps: those claims are proved anew.
// What else the documents state is derived again (inference/certificate_claims.h).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "inference/derivation_check.h"
#include "inference/refutation.h"
#include "model/hypotheses.h"
#include "solver/distinguish.h"

namespace mmaprint {

struct VerifyOptions {
  int threads = 1;
  std::uint64_t seed = 1;
  std::optional<double> seconds;         ///< of the whole run
  std::int64_t proof_steps = 2'000'000;  ///< of one proof (solver/limits.h)
  /// For another search for a smaller conflict: more than what it was found with.
  std::int64_t conflict_work = 2 * kConflictWork;
  /// Ask a solver again about every claim, though the certificate holds proofs.
  bool solve = false;
  /// The program's own. Of a certificate of another one, steps that don't hold may do so for its formulas and
  /// bounds: the solver is asked about those claims again.
  std::string version{};
  Solver solver = Solver::cadical;
  /// Where given, it has to agree on every stored proof.
  OtherChecker other;
  std::stop_token stop;
  std::function<void(std::string_view doing)> progress;
};

struct Verification {
  enum class Verdict : std::uint8_t { valid, invalid, unknown };
  struct Checked {
    std::size_t files = 0;
    Count hypotheses = 0;  ///< of the stated space, NaN patterns aside
    bool default_space =
        false;  ///< it is the one that is searched unless told otherwise, without assumptions
    std::size_t observations = 0;  ///< replayed over the space
    std::size_t survivors = 0;     ///< sets of hypotheses that were compared with what the observations leave
    std::size_t reproduced = 0;    ///< observations that the model gives
    std::size_t random_inputs = 0;   ///< on which members of the proved sets agreed with the model
    std::size_t proofs = 0;          ///< of sets that are equal to the model: checked, or done again
    std::size_t solved = 0;          ///< of these, done again with a solver
    std::size_t without_steps = 0;   ///< of these, as the certificate holds no steps that could be checked
    CheckedSteps steps;              ///< of the others
    std::size_t conflict = 0;        ///< observations that were seen to leave nothing (verdict `none`)
    bool smallest_conflict = false;  ///< and that no smaller set of them leaves nothing
  };
  Verdict verdict = Verdict::unknown;
  std::string certified;  ///< the certificate's own verdict
  Checked checked;
  std::vector<std::string> failures;    ///< what does not hold, a line each
  std::vector<std::string> unfinished;  ///< what could not be checked within the limits
};

/// Throws BadInput if there is no manifest, or a file is not what its format asks for.
[[nodiscard]] Verification verify_certificate(const std::filesystem::path& directory,
                                              const VerifyOptions& options);

}  // namespace mmaprint
