#include <fmt/format.h>

#include "emit/emit.h"
#include "exports/files.h"

namespace mmaprint::test {
namespace {

constexpr const char* kDriver = R"(#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

template <class Unit>
void run(const char* name, std::size_t words, Unit&& unit) {
  std::FILE* in = std::fopen((name + std::string(".in")).c_str(), "rb");
  std::FILE* out = std::fopen((name + std::string(".out")).c_str(), "wb");
  std::vector<std::uint64_t> line(words);
  while (std::fread(line.data(), 8, words, in) == words) {
    const std::uint64_t d = unit(line.data());
    std::fwrite(&d, 8, 1, out);
  }
  std::fclose(in);
  std::fclose(out);
}

/// Patterns as the unit takes them.
template <class T>
std::vector<T> patterns(const std::uint64_t* words, std::size_t count) {
  std::vector<T> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(static_cast<T>(words[i]));
  return all;
}

int main() {
)";

std::string word(Format format) {
  const int bits = info(format).container_bits;
  return fmt::format("std::uint{}_t", bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64);
}

std::string driver(const std::vector<ExportCase>& cases, const char* extension) {
  std::string includes, calls;
  for (const ExportCase& one : cases) {
    const UnitModel& model = one.of.model;
    const std::string& name = model.instruction;
    includes += fmt::format("#include \"{}{}\"\n", name, extension);
    std::string arguments;
    std::size_t words = 0;
    for (const auto& [role, format, count] : input_roles(model.formats, model.k)) {
      arguments += words == 0 ? "" : ", ";
      arguments += role == Role::c
                       ? fmt::format("static_cast<{}>(line[{}])", word(format), words)
                       : fmt::format("patterns<{}>(line + {}, {}).data()", word(format), words, count);
      words += count;
    }
    calls += fmt::format("  run(\"{0}\", {1}, [](const std::uint64_t* line) {{ return {0}({2}); }});\n", name,
                         words, arguments);
  }
  return includes + kDriver + calls + "}\n";
}

}  // namespace

Run run_cpp(const std::vector<ExportCase>& cases, const std::filesystem::path& folder,
            const std::string& compiler) {
  for (const ExportCase& one : cases)
    write_text(folder / (one.of.model.instruction + ".h"), emit::to_cpp(one.of.model, {one.of.what, "test"}));
  write_inputs(cases, folder);
  write_text(folder / "main.cpp", driver(cases, ".h"));
  run_command(compiler + " main.cpp -o units && ./units", folder);
  return read_results(cases, folder);
}

Run run_cuda_on_host(const std::vector<ExportCase>& cases, const std::filesystem::path& folder) {
  if (!succeeds("nvcc --version")) return Absent{"nvcc is not on PATH"};
  for (const ExportCase& one : cases)
    write_text(folder / (one.of.model.instruction + ".cuh"),
               emit::to_cuda(one.of.model, {one.of.what, "test"}));
  write_inputs(cases, folder);
  write_text(folder / "main.cu", driver(cases, ".cuh"));
  run_command("nvcc -std=c++17 -O1 main.cu -o units && ./units", folder);
  return read_results(cases, folder);
}

}  // namespace mmaprint::test
