#include "model/unit_json.h"

#include "model/json_reader.h"
#include "model/model_json.h"
#include "model/parameter_json.h"
#include "model/skeleton_json.h"

namespace mmaprint {
namespace {

/// Wider chains are written as their blocks, a tenth as long.
constexpr int kMostListed = 64;
constexpr std::size_t kMostAdders = 2 * kLargestK + 2;

/// The parameters of a scope, each in its field.
Json parameters_to_json(const Adder& adder, const Conventions& unit, Scope scope) {
  Json json = Json::object();
  for (const ParameterInfo& row : all_parameters())
    if (row.scope == scope) place_field(json, row.field, value_to_json(row, row.index(adder, unit)));
  return json;
}

void read_parameters(const JsonReader& from, Scope scope, const OperandFormats& formats, Adder& adder,
                     Conventions& unit) {
  std::vector<std::string_view> fields;
  for (const ParameterInfo& row : all_parameters())
    if (row.scope == scope) fields.push_back(row.field);
  require_only_fields(from, fields);
  std::string_view group;
  for (const ParameterInfo& row : all_parameters()) {
    if (row.scope != scope) continue;
    if (const auto its = group_of(row.field); its != group) {
      group = its;
      if (!group.empty()) require_only_members(from.at(group), group, fields);
    }
    row.set(adder, unit, value_from_json(field_at(from, row.field), row, row.range(formats)));
  }
}

}  // namespace

Json unit_to_json(const UnitModel& model) {
  Json adders = Json::array();
  for (const Adder& adder : model.adders) adders.push_back(parameters_to_json(adder, {}, Scope::adder));
  Json json{{"tree", to_json(model.tree, model.k > kMostListed)},
            {"adders", std::move(adders)},
            {"conventions", parameters_to_json({}, model.conventions, Scope::unit)},
            {"nan", model.nan ? Json(pattern_text(model.formats.d, *model.nan)) : Json(nullptr)}};
  if (model.paths != OperandPaths{}) json["operands"] = to_json(model.paths);
  return json;
}

void read_unit(const JsonReader& from, UnitModel& model) {
  from.only({"tree", "adders", "conventions", "nan", "operands"});
  model.tree = tree_from_json(from.at("tree"), model.k);
  for (Node& node : model.tree.nodes)
    if (node.result == model.formats.d) node.result.reset();
  if (const auto operands = from.find("operands")) model.paths = paths_from_json(*operands);
  Conventions unused;
  for (const JsonReader& adder : from.at("adders").elements(kMostAdders)) {
    OperandFormats formats = model.formats;
    formats.d = result_format(model.tree, static_cast<int>(model.adders.size()), formats.d);
    read_parameters(adder, Scope::adder, formats, model.adders.emplace_back(), unused);
  }
  if (model.adders.empty()) from.at("adders").fail("at least one adder");
  Adder none;
  read_parameters(from.at("conventions"), Scope::unit, model.formats, none, model.conventions);
  if (const JsonReader nan = from.at("nan"); !nan.is_null()) model.nan = nan.pattern(model.formats.d);
}

}  // namespace mmaprint
