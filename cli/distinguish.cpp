#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/commands.h"
#include "cli/full_model.h"
#include "model/chained.h"
#include "report/devices.h"
#include "report/distinction.h"
#include "solver/query_folder.h"

namespace mmaprint {
namespace {

std::string shape_of(const UnitModel& m) { return fmt::format("{}, K = {}", formats_text(m.formats), m.k); }

/// How many steps of each model are compared: of the shorter one as many as the longer one's K holds.
std::pair<int, int> steps_of(const UnitModel& first, const UnitModel& second, const std::string& where) {
  const int k = std::max(first.k, second.k);
  if (first.formats != second.formats || k % first.k != 0 || k % second.k != 0)
    throw BadInput(
        fmt::format("{}: expected the first model's formats and K, or one K a multiple of the "
                    "other, {}; found {}",
                    where, shape_of(first), shape_of(second)));
  return {k / first.k, k / second.k};
}

/// So many steps, each one's d the next one's c, as one unit.
UnitModel in_steps(const UnitModel& step, int times, const std::string& spec) {
  if (const auto why = not_chainable(step, times))
    throw BadInput(fmt::format("{}: expected a unit of which {} steps can be compared, found {}: {}", spec,
                               times, shape_of(step), *why));
  return chained(step, times);
}

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
  const auto [steps_of_first, steps_of_second] = steps_of(first, second, command.second);
  const UnitModel one = in_steps(first, steps_of_first, command.first);
  const UnitModel other = in_steps(second, steps_of_second, command.second);
  const CommonOptions& o = session.options();
  std::optional<QueryFolder> queries;
  if (command.dump) queries.emplace(*command.dump);
  session.progress().show("looking for the smallest input on which they differ");
  const auto result = smallest_difference(
      one, other, {o.solver, session.deadline(), command.specials, queries ? &*queries : nullptr});
  Compared models{first.formats,
                  product_kinds(first, second),
                  row_name(command.first, "first"),
                  row_name(command.second, "second"),
                  {steps_of_first, steps_of_second}};
  if (models.first == models.second) models.first = "first", models.second = "second";
  session.print([&](const Style& style) { return distinction_text(models, result, style); },
                [&] { return distinction_document(models, result); });
  if (queries && !queries->problem().empty()) throw BadInput(queries->problem());
  if (std::holds_alternative<Different>(result)) return ExitCode::yes;
  return std::holds_alternative<SameEverywhere>(result) ? ExitCode::no : ExitCode::unknown;
}

}  // namespace mmaprint
