// A certificate's table of contents, and the names and checksums of its files.
#pragma once

#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "inference/identify.h"
#include "inference/journal.h"

namespace mmaprint {

class JsonReader;

inline constexpr std::string_view kCertificateSchema = "mmaprint/certificate/1";
inline constexpr std::string_view kSurvivorsSchema = "mmaprint/survivors/1";
inline constexpr std::string_view kProofSchema = "mmaprint/proof/2";
/// Of proofs that a solver has to do again.
inline constexpr std::string_view kBareProofSchema = "mmaprint/proof/1";
/// What each proof is a proof of.
inline constexpr std::string_view kProofClaim =
    "the model gives the result of every hypothesis of the set, on every input";
inline constexpr std::string_view kManifestFile = "manifest.json";
inline constexpr std::string_view kModelFile = "model.json";
inline constexpr std::string_view kObservationsFile = "observations.jsonl";
inline constexpr std::string_view kSurvivorsFile = "survivors.json";
inline constexpr std::string_view kProofsFolder = "proofs";

/// A manifest of more bytes is none.
inline constexpr std::size_t kLargestManifest = std::size_t{64} << 20;

/// One of a certificate's files.
struct ListedFile {
  std::string name;  ///< relative to the directory
  std::size_t bytes = 0;
  StatedChecksum checksum;
};
/// "model.json", ..., "proofs/NNN.json", "questions/NNN.cnf.gz", "questions/NNN.drat.gz": names that a
/// certificate's files may have, the manifest's aside.
[[nodiscard]] bool is_certificate_file(std::string_view name);

struct Manifest {
  Provenance from;
  Search search;
  std::string solver;
  Identification::Verdict verdict = Identification::Verdict::unknown;
  std::string reason;  ///< of the verdict `unknown`
  /// Did the device agree with the model on all inputs that were to confirm it? Older certificates don't say.
  std::optional<bool> confirmed;
  std::size_t observations = 0;
  std::size_t survivors = 0;          ///< sets
  Json hypotheses = 0;                ///< in them, as it is written: beyond 2^53 rounded
  std::vector<std::size_t> conflict;  ///< `none`: observations that refute everything, counted from 0
  bool conflict_is_smallest = false;
  std::vector<ListedFile> files;
};

/// Are two results for one input the conflict?
[[nodiscard]] bool is_contradiction(const Manifest& manifest, const std::vector<Observation>& observations);

/// With its own checksum in the field `checksum`.
[[nodiscard]] Json to_json(const Manifest& manifest);
/// Does the document's checksum agree with the rest of it?
[[nodiscard]] bool is_intact(const Json& manifest);
/// Throws FieldError and BadInput.
[[nodiscard]] Manifest manifest_from_json(const JsonReader& from);

}  // namespace mmaprint
