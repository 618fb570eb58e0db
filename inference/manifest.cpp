#include "inference/manifest.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "inference/document.h"
#include "inference/space_json.h"
#include "model/json_reader.h"

namespace mmaprint {
namespace {

constexpr int kMany = 2'000'000'000;

constexpr std::string_view kSha256 = "sha256";
constexpr std::string_view kFnv = "fnv1a64";

std::string rest_of(Json manifest) {
  manifest.erase("checksum");
  return manifest.dump();
}

std::size_t read_count(const JsonReader& from) { return static_cast<std::size_t>(from.integer(0, kMany)); }

/// Certificates of before have FNV-1a.
StatedChecksum read_checksum(const JsonReader& file) {
  if (const auto old = file.find(kFnv); old && !file.find(kSha256))
    return {StatedChecksum::Kind::fnv1a64, old->text()};
  return {StatedChecksum::Kind::sha256, file.at(kSha256).text()};
}

bool read_bool(const JsonReader& from) {
  if (!from.json().is_boolean()) from.fail("true or false");
  return from.json().get<bool>();
}

}  // namespace

bool is_certificate_file(std::string_view name) {
  if (name == kModelFile || name == kObservationsFile || name == kSurvivorsFile) return true;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kNumbered{
      {{"proofs/", ".json"}, {"questions/", ".cnf.gz"}, {"questions/", ".drat.gz"}}};
  return std::ranges::any_of(kNumbered, [&](const auto& kind) {
    const auto& [prefix, suffix] = kind;
    if (!name.starts_with(prefix) || !name.ends_with(suffix) || name.size() <= prefix.size() + suffix.size())
      return false;
    const auto number = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    return number.size() <= 9 && std::ranges::all_of(number, [](char ch) { return ch >= '0' && ch <= '9'; });
  });
}

bool is_contradiction(const Manifest& manifest, const std::vector<Observation>& observations) {
  if (manifest.conflict.size() != 2) return false;
  const Observation& first = observations[manifest.conflict.front()];
  const Observation& second = observations[manifest.conflict.back()];
  return first.input == second.input && first.d != second.d;
}

Json to_json(const Manifest& manifest) {
  const Space& space = manifest.search.space;
  Json files = Json::array();
  for (const ListedFile& f : manifest.files)
    files.push_back({{"name", f.name},
                     {"bytes", f.bytes},
                     {f.checksum.kind == StatedChecksum::Kind::sha256 ? kSha256 : kFnv, f.checksum.digits}});
  Json json{{"schema", kCertificateSchema},
            {"version", manifest.from.version},
            {"device", manifest.from.device},
            {"instruction", space.instruction},
            {"k", space.k},
            {"formats", to_json(space.formats)},
            {"seed", manifest.from.seed},
            {"solver", manifest.solver},
            {"verdict", text(manifest.verdict)},
            {"reason", manifest.reason},
            {"observations", manifest.observations},
            {"survivors", manifest.survivors},
            {"hypotheses", manifest.hypotheses},
            {"conflict", manifest.conflict},
            {"conflict_is_smallest", manifest.conflict_is_smallest},
            {"space", to_json(manifest.search)},
            {"files", std::move(files)}};
  if (manifest.confirmed) json["confirmed"] = *manifest.confirmed;
  json = well_formed_json(json);  // as it will be read again
  json["checksum"] = sha256(rest_of(json));
  return json;
}

bool is_intact(const Json& manifest) {
  const auto stated = manifest.find("checksum");
  if (stated == manifest.end()) return false;
  const std::string rest = rest_of(manifest);
  return *stated == sha256(rest) || *stated == fnv1a64(rest);
}

Manifest manifest_from_json(const JsonReader& from) {
  from.only({"schema", "version", "device", "instruction", "k", "formats", "seed", "solver", "verdict",
             "reason", "confirmed", "observations", "survivors", "hypotheses", "conflict",
             "conflict_is_smallest", "space", "files", "checksum"});
  const Instruction instruction{from.at("instruction").text(), from.at("k").integer(1, kLargestK),
                                from.at("formats").signature()};
  const JsonReader seed = from.at("seed");
  if (!seed.json().is_number_unsigned()) seed.fail("a seed, an integer from 0");
  const JsonReader hypotheses = from.at("hypotheses");
  if (!hypotheses.json().is_number()) hypotheses.fail("a number");
  Manifest manifest{{from.at("version").text(), from.at("device").text(), seed.json().get<std::uint64_t>()},
                    search_from_json(from.at("space"), instruction),
                    from.at("solver").text(),
                    read_word<Identification::Verdict>(from.at("verdict"), kVerdictWords),
                    from.at("reason").text(),
                    std::nullopt,
                    read_count(from.at("observations")),
                    read_count(from.at("survivors")),
                    hypotheses.json(),
                    {},
                    read_bool(from.at("conflict_is_smallest")),
                    {}};
  if (const auto confirmed = from.find("confirmed")) manifest.confirmed = read_bool(*confirmed);
  for (const JsonReader& index : from.at("conflict").elements(manifest.observations))
    manifest.conflict.push_back(
        static_cast<std::size_t>(index.integer(0, static_cast<int>(manifest.observations) - 1)));
  for (const JsonReader& file : from.at("files").elements(kMany)) {
    file.only({"name", "bytes", kSha256, kFnv});
    if (!is_certificate_file(file.at("name").text()))
      file.at("name").fail("the name of a certificate's file");
    manifest.files.push_back({file.at("name").text(), read_count(file.at("bytes")), read_checksum(file)});
  }
  return manifest;
}

}  // namespace mmaprint
