#include <nlohmann/json.hpp>
#include <utility>

#include "cli/commands.h"
#include "cli/full_model.h"
#include "inference/one_k.h"
#include "report/distinction.h"
#include "solver/query_folder.h"

namespace mmaprint {
namespace {

/// How rows are called: by the models' names where they fit.
std::string row_name(const std::string& spec, const char* otherwise) {
  constexpr std::size_t kMost = 24;
  const std::string name = spec.substr(0, spec.find('#'));
  return name.size() <= kMost ? name : otherwise;
}

}  // namespace

ExitCode run_distinguish(const DistinguishCommand& command, Session& session) {
  const UnitModel first = full_model(command.first, session.deadline());
  const UnitModel second = full_model(command.second, session.deadline());
  const OfOneK compared = of_one_k(first, second, {command.first, command.second});
  const CommonOptions& o = session.options();
  std::optional<QueryFolder> queries;
  if (command.dump) queries.emplace(*command.dump);
  session.progress().show("looking for the smallest input on which they differ");
  const auto result =
      smallest_difference(compared.first, compared.second,
                          {o.solver, session.deadline(), command.specials, queries ? &*queries : nullptr});
  Compared models{first.formats, product_kinds(first, second), row_name(command.first, "first"),
                  row_name(command.second, "second"), compared.steps};
  if (models.first == models.second) models.first = "first", models.second = "second";
  session.print([&](const Style& style) { return distinction_text(models, result, style); },
                [&] { return distinction_document(models, result); });
  if (queries && !queries->problem().empty()) throw BadInput(queries->problem());
  if (std::holds_alternative<Different>(result)) return ExitCode::yes;
  return std::holds_alternative<SameEverywhere>(result) ? ExitCode::no : ExitCode::unknown;
}

}  // namespace mmaprint
