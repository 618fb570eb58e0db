#include <fmt/format.h>

#include "emit/emit.h"
#include "exports/files.h"

namespace mmaprint::test {

Run run_octave(const std::vector<ExportCase>& cases, const std::filesystem::path& folder) {
  std::string octave;
  for (const char* candidate : {"octave-cli", "octave"})
    if (octave.empty() && succeeds(std::string(candidate) + " --version")) octave = candidate;
  if (octave.empty()) return Absent{"octave is not there"};
  std::string script;
  for (const ExportCase& one : cases) {
    const std::string& name = one.of.model.instruction;
    std::string columns;
    std::size_t words = 0;
    for (const RolePatterns& role : input_roles(one.of.model.formats, one.of.model.k)) {
      columns += fmt::format("{}x(:, {}:{})", words == 0 ? "" : ", ", words + 1, words + role.count);
      words += role.count;
    }
    write_text(folder / (name + ".m"), emit::to_octave(one.of.model, {one.of.what, "test"}));
    script += fmt::format(
        "f = fopen('{0}.in'); x = fread(f, [{1}, Inf], 'uint64=>uint64')'; fclose(f);\n"
        "d = {0}({2});\n"
        "d = d + zeros(size(x, 1), 1, 'uint64'); f = fopen('{0}.out', 'w'); fwrite(f, d, 'uint64'); "
        "fclose(f);\n",
        name, words, columns);
  }
  write_inputs(cases, folder);
  write_text(folder / "main_script.m", "1;\n" + script);
  run_command(octave + " --norc --quiet main_script.m", folder);
  return read_results(cases, folder);
}

}  // namespace mmaprint::test
