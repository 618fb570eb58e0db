// An identification as a directory that others can check: inference/verification.h does, and
// docs/certificates.md says what the files hold.
//
//   manifest.json        what was searched, where the results come from, the verdict, sizes and checksums
//   model.json           the representative (absent for `none`, and where no model that gives all was met)
//   observations.jsonl   the constraints, in the order in which they were used
//   survivors.json       what the observations leave of the space, as products of parameter sets
//   proofs/NNN.json      one for each survivor that is claimed equal to the representative on every input
//   questions/NNN.*.gz   formulas that were refuted for these, and the proofs (inference/proof_objects.h)
#pragma once

#include <filesystem>

#include "base/new_file.h"
#include "inference/identify.h"
#include "inference/journal.h"

namespace mmaprint {

/// "proofs/001.json" for the first survivor.
[[nodiscard]] std::string proof_file(std::size_t survivor);

/// Does a certificate stand there?
[[nodiscard]] bool is_certificate(const std::filesystem::path& directory);

/// Throws BadInput if a certificate can't be written there: the path is anything else than a certificate
/// without further files, an empty directory or nothing, or its folder can't be written.
void require_certificate_place(const std::filesystem::path& directory);

/// Writes the directory, replacing a certificate that stands there; it appears complete or not at all. Throws
/// BadInput as above, or if it can't be written; DeadlinePassed, with nothing changed, if it did before all
/// was written.
void write_certificate(const std::filesystem::path& directory, const Search& search,
                       const Identification& result, const Provenance& from, Solver solver,
                       Temporaries& temporaries, const Deadline& deadline = {});

}  // namespace mmaprint
