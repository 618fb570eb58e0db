#include "device/read.h"

#include <filesystem>
#include <istream>
#include <optional>
#include <system_error>

#include "base/files.h"
#include "base/patient_input.h"

namespace mmaprint {

AnyModel load_model(const std::string& path, const Deadline& deadline) {
  std::error_code ignored;
  const bool certificate = std::filesystem::is_directory(path, ignored);
  const std::string file = certificate ? (std::filesystem::path(path) / "model.json").string() : path;
  const FileKind kind = certificate ? FileKind::regular : FileKind::any;
  return model_from_text(read_file(file, kLargestText, kind, deadline), file);
}

void read_observations(const std::string& path, const ObservationRules& rules,
                       const std::function<void(ObservationRecord)>& use, const Deadline& deadline) {
  const bool standard = path == "-";
  PatientInput buffer(standard ? std::nullopt : std::optional(path), deadline);
  std::istream in(&buffer);
  read_observations(in, standard ? "standard input" : path, rules, use, deadline);
}

std::vector<ObservationRecord> read_observations(const std::string& path, const ObservationRules& rules) {
  std::vector<ObservationRecord> records;
  read_observations(
      path, rules, [&](ObservationRecord record) { records.push_back(std::move(record)); }, Deadline());
  return records;
}

}  // namespace mmaprint
