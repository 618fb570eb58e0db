// Writes the exports of one instruction of each signature and K that a Hopper GPU has, and a table of them;
// sparse instructions are left out, and what bulk comparisons have no reference for.
//
// usage: write_gpu_exports FOLDER
#include <cstdio>
#include <fstream>
#include <set>
#include <string>
#include <tuple>

#include "device/catalogue.h"
#include "device/cuda/bulk_steps.h"
#include "device/cuda/kernels.h"
#include "emit/emit.h"

namespace mmaprint {
namespace {

std::string container(Format format) {
  return "std::uint" + std::to_string(8 * cuda::storage_bytes(info(format))) + "_t";
}

/// What exported_units() lists of a model.
std::string unit_of(const UnitModel& model) {
  const std::string name = emit::identifier_of(model);
  const auto& [a, b, c, d] = std::tie(model.formats.a, model.formats.b, model.formats.c, model.formats.d);
  const std::string types = "const A* a, const B* b" + (c ? ", " + container(*c) + " c" : "");
  return "struct unit_" + name + " {\n  using A = " + container(a) + ";\n  using B = " + container(b) +
         ";\n  using C = " + (c ? container(*c) : "void") + ";\n  using D = " + container(d) +
         ";\n  static constexpr int kK = " + std::to_string(model.k) + ";\n  __device__ static D d(" + types +
         ") { return " + name + (c ? "(a, b, c)" : "(a, b)") + "; }\n};\n";
}

}  // namespace
}  // namespace mmaprint

int main(int argc, char** argv) {
  using namespace mmaprint;
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_gpu_exports FOLDER\n");
    return 2;
  }
  const std::string folder = argv[1];
  std::string includes = "#include \"bench/gpu_exports/compare.cuh\"\n", units, table;
  std::set<std::tuple<Format, Format, std::optional<Format>, Format, int>> seen;
  for (const UnitModel& model : catalogued_models("h100")) {
    const cuda::Kernel* kernel = cuda::find_kernel(model.instruction);
    const auto& f = model.formats;
    if (kernel == nullptr || model.instruction.find(".sp.") != std::string::npos ||
        !cuda::reference_for(model) || !seen.emplace(f.a, f.b, f.c, f.d, model.k).second)
      continue;
    const std::string name = emit::identifier_of(model);
    std::ofstream header(folder + "/" + name + ".cuh");
    header << emit::to_cuda(model, {"sim:h100", ""});
    if (!header.flush()) return 1;
    includes += "#include \"" + name + ".cuh\"\n";
    units += unit_of(model);
    table += "    {\"" + model.instruction + "\", compare<unit_" + name + ">},\n";
  }
  std::ofstream all(folder + "/units.cu");
  all << includes << "namespace mmaprint::bench {\nnamespace {\n"
      << units << "constexpr ExportedUnit kUnits[] = {\n"
      << table << "};\n}  // namespace\nstd::span<const ExportedUnit> exported_units() { return kUnits; }\n"
      << "}  // namespace mmaprint::bench\n";
  return all.flush() ? 0 : 1;
}
