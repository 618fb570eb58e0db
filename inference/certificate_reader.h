// A certificate's files, read with suspicion.
#pragma once

#include <filesystem>
#include <map>

#include "inference/manifest.h"

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
/// for.
[[nodiscard]] std::optional<Certificate> load_certificate(const std::filesystem::path& directory,
                                                          std::vector<std::string>& failures);

/// The set that a proof file is about. Requires a file of the certificate. Throws BadInput.
[[nodiscard]] HypothesisSet proved_set(const Certificate& certificate, const std::string& file);

}  // namespace mmaprint
