// A certificate's files, read with suspicion.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "inference/derivation.h"
#include "inference/manifest.h"
#include "inference/proof_objects.h"

namespace mmaprint {

/// A set of hypotheses that the observations are said to leave.
struct CertifiedSurvivor {
  HypothesisSet set;
  SurvivorClass::Standing standing = SurvivorClass::Standing::open;
  std::string proof;                ///< its file, if it is said to be proved
  std::optional<DotInput> witness;  ///< if it is undecided
};

struct Certificate {
  std::filesystem::path directory;
  Manifest manifest;
  std::map<std::string, std::string> texts;  ///< of the files that the manifest lists
  std::vector<Observation> observations;
  std::vector<CertifiedSurvivor> survivors;
  std::optional<UnitModel> model;  ///< there unless the verdict is `none`
};

/// nullopt if the files are not those that were written, or don't belong together: `failures` then says how.
/// Throws BadInput if there is no manifest, or a file that is as it was written is not what its format asks
/// for, and DeadlinePassed.
[[nodiscard]] std::optional<Certificate> load_certificate(const std::filesystem::path& directory,
                                                          std::vector<std::string>& failures,
                                                          const Deadline& deadline);

/// What a proof file says.
struct CertifiedProof {
  HypothesisSet set;
  /// The steps that show it; none in certificates of before, and of solvers that write no proofs.
  std::optional<Derivation> derivation;
};
/// Formulas and proofs of a certificate's questions, by their numbers, unpacked as they are asked for.
class CertifiedQuestions {
 public:
  /// The certificate outlives it.
  CertifiedQuestions(const Certificate& certificate, const Deadline& deadline)
      : certificate_(certificate), deadline_(deadline) {}
  /// Throws FieldError where the certificate does not hold it, and DeadlinePassed.
  [[nodiscard]] std::shared_ptr<const RefutedFormula> of(const JsonReader& number);
  /// Files that proofs speak of.
  [[nodiscard]] const std::set<std::string>& used() const { return used_; }

 private:
  const Certificate& certificate_;
  Deadline deadline_;
  std::map<int, std::shared_ptr<const RefutedFormula>> known_;
  std::set<std::string> used_;
  std::size_t left_ = kMostUnpacked;
};

/// Requires a file of the certificate, and a model, which has no rule for NaNs. Throws BadInput and
/// DeadlinePassed.
[[nodiscard]] CertifiedProof read_proof(const Certificate& certificate, const std::string& file,
                                        const UnitModel& model, CertifiedQuestions& questions);

}  // namespace mmaprint
