#include "exports/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace mmaprint::test {

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error("can't write " + file.string());
}

void write_inputs(const std::vector<ExportCase>& cases, const std::filesystem::path& folder) {
  for (const ExportCase& one : cases) {
    std::string words;
    const auto put = [&](Pattern p) { words.append(reinterpret_cast<const char*>(&p), sizeof p); };
    for (const DotInput& x : one.inputs) {
      std::ranges::for_each(x.a, put);
      std::ranges::for_each(x.b, put);
      if (one.of.model.formats.c) put(x.c);
      std::ranges::for_each(x.sa, put);
      std::ranges::for_each(x.sb, put);
    }
    write_text(folder / (one.of.model.instruction + ".in"), words);
  }
}

Results read_results(const std::vector<ExportCase>& cases, const std::filesystem::path& folder) {
  Results all;
  for (const ExportCase& one : cases) {
    std::ifstream in(folder / (one.of.model.instruction + ".out"), std::ios::binary);
    std::vector<Pattern> results(one.inputs.size());
    in.read(reinterpret_cast<char*>(results.data()),
            static_cast<std::streamsize>(results.size() * sizeof(Pattern)));
    if (!in) throw std::runtime_error("too few results of " + one.of.what);
    all.push_back(std::move(results));
  }
  return all;
}

void run_command(const std::string& command, const std::filesystem::path& folder) {
  const auto log = folder / "log";
  const std::string whole =
      fmt::format("cd '{}' && ( {} ) > '{}' 2>&1", folder.string(), command, log.string());
  if (std::system(whole.c_str()) == 0) return;
  std::ifstream in(log);
  std::stringstream text;
  text << in.rdbuf();
  throw std::runtime_error(command + ":\n" + text.str().substr(0, 4000));
}
bool succeeds(const std::string& command) {
  return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
}

std::string differences(const std::vector<ExportCase>& cases, const Results& results) {
  std::string text;
  for (std::size_t n = 0; n < cases.size(); ++n) {
    const ExportCase& one = cases[n];
    std::size_t wrong = 0, first = 0;
    for (std::size_t i = 0; i < one.inputs.size(); ++i)
      if (results[n][i] != one.expected[i] && wrong++ == 0) first = i;
    if (wrong == 0) continue;
    const DotInput& x = one.inputs[first];
    std::string input;
    for (std::size_t i = 0; i < x.a.size(); ++i) input += fmt::format(" {:x}*{:x}", x.a[i], x.b[i]);
    text += fmt::format(
        "{} ({}): {} of {} differ; input {}:{} + {:x}, scales {:x} and {:x}: expected {:x}, got {:x}\n",
        one.of.what, one.of.model.instruction, wrong, one.inputs.size(), first, input, x.c,
        fmt::join(x.sa, ","), fmt::join(x.sb, ","), one.expected[first], results[n][first]);
  }
  return text;
}

}  // namespace mmaprint::test
