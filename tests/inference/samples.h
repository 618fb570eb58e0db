// What several tests of the room need: a small space, a unit in it, files in a folder of their own.
#pragma once

#include <string>
#include <vector>

#include "device/read.h"
#include "inference/identify.h"
#include "model/model_json.h"

namespace mmaprint::samples {

inline constexpr Signature kFp16ToFp32{Format::fp16, Format::fp16, Format::fp32, Format::fp32};
inline constexpr std::string_view kName = "mma.m8n8k4.f32.f16.f16.f32";

/// Some hundred hypotheses with K = 4: blocks of 4 or 2, F, the roundings, and a clamp that no input of these
/// formats shows.
[[nodiscard]] Space small_space();
/// A unit of the small space.
[[nodiscard]] UnitModel unit();
/// One that is not: it loses nothing in alignment.
[[nodiscard]] UnitModel stranger();
/// What `model` gives for some inputs that tell units apart, and for a NaN.
[[nodiscard]] std::vector<Observation> observations(const UnitModel& model, int count, std::uint64_t seed);
/// The small space searched on a simulated unit.
[[nodiscard]] Identification identified(const Space& space, const UnitModel& model);

/// A folder that is removed in the end.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};
void write_file(const std::string& path, const std::string& text);

/// The message of the exception that `act` throws; "no complaint" if it throws none.
template <class Exception, class Act>
std::string complaint(Act&& act) {
  try {
    act();
  } catch (const Exception& error) {
    return error.what();
  }
  return "no complaint";
}

/// A file of results recorded on GPUs; nullopt where the recordings are not at hand (MMAPRINT_RECORDED names
/// their folder, else ../shared/data/recorded beside the sources).
[[nodiscard]] std::optional<std::string> recording(const std::string& name);

}  // namespace mmaprint::samples
