#include <fmt/format.h>

#include "emit/emit.h"
#include "exports/files.h"

namespace mmaprint::test {
namespace {

constexpr const char* kScript = R"(import importlib
import sys

import numpy as np


def run(name, counts):
    unit = importlib.import_module(name)
    words = np.fromfile(name + ".in", dtype=np.uint64).reshape(-1, sum(counts.values()))
    arguments, first = {}, 0
    for role, count in counts.items():
        arguments[role] = words[:, first] if role == "c" else words[:, first:first + count]
        first += count
    unit.simulate(**arguments).astype(np.uint64).tofile(name + ".out")


sys.path.insert(0, ".")
np.seterr(all="ignore")
)";

}  // namespace

Run run_python(const std::vector<ExportCase>& cases, const std::filesystem::path& folder) {
  std::string python;
  for (const char* candidate : {"python3", "/usr/bin/python3"})
    if (python.empty() && succeeds(std::string(candidate) + " -c 'import numpy'")) python = candidate;
  if (python.empty()) return Absent{"python3 with numpy is not there"};
  std::string script = kScript;
  for (const ExportCase& one : cases) {
    const std::string& name = one.of.model.instruction;
    write_text(folder / (name + ".py"), emit::to_python(one.of.model, {one.of.what, "test"}));
    std::string counts;
    for (const RolePatterns& role : input_roles(one.of.model.formats, one.of.model.k))
      counts += fmt::format("{}{}={}", counts.empty() ? "" : ", ", mmaprint::name(role.role), role.count);
    script += fmt::format("run(\"{}\", dict({}))\n", name, counts);
  }
  write_inputs(cases, folder);
  write_text(folder / "main.py", script);
  run_command(python + " main.py", folder);
  return read_results(cases, folder);
}

}  // namespace mmaprint::test
