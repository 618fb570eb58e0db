#include "solver/query_folder.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/json_source.h"
#include "solver/aiger.h"
#include "solver/dimacs.h"
#include "solver/node_range.h"
#include "solver/smtlib.h"

namespace mmaprint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSchema = "mmaprint/queries/1";
constexpr const char* kIndex = "index.jsonl";

enum class Opened : std::uint8_t { fresh, to_append };

void write(const fs::path& path, std::string_view text, Opened how) {
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (how == Opened::fresh ? O_EXCL : O_APPEND);
  const Descriptor fd(::open(path.c_str(), flags, 0666));  // NOLINT(cppcoreguidelines-pro-type-vararg)
  const int error = fd.get() < 0 ? errno : write_all(fd.get(), text).error;
  if (error != 0) throw BadInput(path.string() + ": " + error_text(error));
}

/// Parameters whose values differ between the sides, joined by commas; "structure" where that does.
std::string differing_parameters(const Side& left, const Side& right) {
  const std::pair boxes{box_of(left), box_of(right)};
  if (!boxes.first || !boxes.second || skeleton_of(left) != skeleton_of(right)) return "structure";
  std::string all;
  for (const ParameterKey& key : boxes.first->keys())
    if ((*boxes.first)[key] != (*boxes.second)[key])
      all += (all.empty() ? "" : ", ") + name_of(key, boxes.first->classes());
  return all;
}

}  // namespace

QueryFolder::QueryFolder(fs::path directory) : directory_(std::move(directory)) {
  std::error_code problem;
  fs::create_directories(directory_, problem);
  if (problem && !fs::exists(directory_)) throw BadInput(directory_.string() + ": " + problem.message());
  std::error_code ignored;
  if (!fs::is_directory(directory_, ignored) || !fs::is_empty(directory_, problem) || problem)
    throw BadInput(directory_.string() + ": expected a new or an empty directory for queries");
  const Json head{{"schema", kSchema}, {"conflicts_more_than", kEasyConflicts}};
  mmaprint::write(directory_ / kIndex, json_line(head) + "\n", Opened::fresh);
}

void QueryFolder::note(const AskedQuery& query) {
  ++asked_;
  if (query.conflicts <= kEasyConflicts || !problem_.empty()) return;
  try {
    write(query);
  } catch (const BadInput& failure) {
    problem_ = failure.what();
  }
}

void QueryFolder::write(const AskedQuery& query) {
  const Formula formula{query.graph, query.inputs, query.cnf.asserted()};
  const std::string what = short_name(query.question);
  const std::string differing = differing_parameters(query.left, query.right);
  const std::string name = fmt::format("{:05}-{}-{}", asked_, what, word(query.verdict));
  const std::vector<std::string> about{
      fmt::format("query {} of mmaprint: {}, where {} may differ", asked_, what, differing),
      fmt::format("{}: it took {} conflicts", word(query.verdict), query.conflicts),
      "a0, b0, ..., c: operands; d0, ...: results of earlier nodes; product, ...: their products, if these",
      "are free. Of a word that is shorter than its format the bits below are 0."};
  const std::pair<const char*, std::string> texts[] = {{"smt2", smtlib_text(formula, query.verdict, about)},
                                                       {"cnf", dimacs_text(formula, query.cnf, about)},
                                                       {"aig", aiger_text(formula, about)}};
  Json bytes = Json::object();
  for (const auto& [format, text] : texts) {
    mmaprint::write(directory_ / (name + "." + format), text, Opened::fresh);
    bytes[format] = text.size();
  }
  const Json line{{"query", asked_},
                  {"name", name},
                  {"asks", what},
                  {"differing", differing},
                  {"verdict", word(query.verdict)},
                  {"conflicts", query.conflicts},
                  {"seconds", query.seconds},
                  {"nodes", cone(formula).size()},
                  {"clauses", query.cnf.count()},
                  {"bytes", std::move(bytes)}};
  mmaprint::write(directory_ / kIndex, json_line(line) + "\n", Opened::to_append);
  ++written_;
}

}  // namespace mmaprint
