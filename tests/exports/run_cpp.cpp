#include <fmt/format.h>

#include "emit/emit.h"
#include "exports/files.h"

namespace mmaprint::test {
namespace {

constexpr const char* kDriver = R"(#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

template <class A, class B, class Unit>
void run(const char* name, int k, bool has_c, Unit&& unit) {
  std::FILE* in = std::fopen((name + std::string(".in")).c_str(), "rb");
  std::FILE* out = std::fopen((name + std::string(".out")).c_str(), "wb");
  const std::size_t words = static_cast<std::size_t>(2 * k + (has_c ? 1 : 0));
  std::vector<std::uint64_t> line(words);
  std::vector<A> a(static_cast<std::size_t>(k));
  std::vector<B> b(static_cast<std::size_t>(k));
  while (std::fread(line.data(), 8, words, in) == words) {
    for (int i = 0; i < k; ++i) {
      a[static_cast<std::size_t>(i)] = static_cast<A>(line[static_cast<std::size_t>(i)]);
      b[static_cast<std::size_t>(i)] = static_cast<B>(line[static_cast<std::size_t>(k + i)]);
    }
    const std::uint64_t d = unit(a.data(), b.data(), line[words - 1]);
    std::fwrite(&d, 8, 1, out);
  }
  std::fclose(in);
  std::fclose(out);
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
    const auto& c = model.formats.c;
    calls += fmt::format(
        "  run<{0}, {1}>(\"{2}\", {3}, {4}, [](const {0}* a, const {1}* b, std::uint64_t{5}) {{ "
        "return {2}(a, b{6}); }});\n",
        word(model.formats.a), word(model.formats.b), name, model.k, c ? "true" : "false", c ? " c" : "",
        c ? fmt::format(", static_cast<{}>(c)", word(*c)) : "");
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
