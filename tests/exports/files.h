// Inputs and results as files of 64-bit words, and programs of other languages run on them.
#pragma once

#include "exports/runs.h"

namespace mmaprint::test {

void write_text(const std::filesystem::path& file, const std::string& text);
/// CASE.in for each case: of each input a, b and, where there are such, c, sa and sb.
void write_inputs(const std::vector<ExportCase>& cases, const std::filesystem::path& folder);
/// CASE.out of each case.
[[nodiscard]] Results read_results(const std::vector<ExportCase>& cases, const std::filesystem::path& folder);
/// Runs a shell's command; throws std::runtime_error with what it wrote if it fails.
void run_command(const std::string& command, const std::filesystem::path& folder);
[[nodiscard]] bool succeeds(const std::string& command);

}  // namespace mmaprint::test
