// Emitted programs at work: written, compiled or interpreted by the tools of their language, and asked.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "exports/cases.h"

namespace mmaprint::test {

/// d of each input of each case.
using Results = std::vector<std::vector<Pattern>>;
/// Results, or why the language's tools are not there.
struct Absent {
  std::string why;
};
using Run = std::variant<Results, Absent>;

// All write into an empty folder, and throw std::runtime_error with the tools' messages where these fail.
/// One translation unit for all cases. `compiler` with its options, as a shell reads them.
[[nodiscard]] Run run_cpp(const std::vector<ExportCase>& cases, const std::filesystem::path& folder,
                          const std::string& compiler);
/// The CUDA header's host side.
[[nodiscard]] Run run_cuda_on_host(const std::vector<ExportCase>& cases, const std::filesystem::path& folder);
[[nodiscard]] Run run_python(const std::vector<ExportCase>& cases, const std::filesystem::path& folder);
[[nodiscard]] Run run_octave(const std::vector<ExportCase>& cases, const std::filesystem::path& folder);
/// Z3 reads the definitions and simplifies the unit's value for each input.
[[nodiscard]] Run run_smt2(const std::vector<ExportCase>& cases);

/// What differs, a line for each case with one example; empty: nothing.
[[nodiscard]] std::string differences(const std::vector<ExportCase>& cases, const Results& results);

}  // namespace mmaprint::test
