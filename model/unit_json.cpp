#include "model/unit_json.h"

#include "model/json_reader.h"
#include "model/model_json.h"
#include "model/nan_json.h"
#include "model/parameter_json.h"
#include "model/skeleton_json.h"

namespace mmaprint {
namespace {

/// Wider chains are written as their blocks, a tenth as long.
constexpr int kMostListed = 64;
constexpr std::size_t kMostAdders = 2 * kLargestK + 2;

/// Is the parameter about a c that is not there?
bool is_missing(const ParameterInfo& row, const Signature& formats) { return row.about_c && !formats.c; }

/// The parameters of a scope, each in its field; of newer ones those that are not what they are by default,
/// and null where one is about a c that is not there.
Json parameters_to_json(const Adder& adder, const Conventions& unit, Scope scope, const Signature& formats) {
  Json json = Json::object();
  for (const ParameterInfo& row : all_parameters())
    if (row.scope == scope && !(row.is_newer && row.index(adder, unit) == default_index(row)))
      place_field(json, row.field,
                  is_missing(row, formats) ? Json(nullptr) : value_to_json(row, row.index(adder, unit)));
  return json;
}

void read_parameters(const JsonReader& from, Scope scope, const Signature& formats, Adder& adder,
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
    if (row.is_newer && !find_field(from, row.field)) continue;
    const JsonReader value = field_at(from, row.field);
    if (!is_missing(row, formats))
      row.set(adder, unit, value_from_json(value, row, row.range(formats)));
    else if (!value.is_null())
      value.fail("null, as the unit has no c");
  }
}

}  // namespace

Json unit_to_json(const UnitModel& model) {
  Json adders = Json::array();
  for (const Adder& adder : model.adders)
    adders.push_back(parameters_to_json(adder, {}, Scope::adder, model.formats));
  Json json{{"tree", to_json(model.tree, model.k > kMostListed)},
            {"adders", std::move(adders)},
            {"conventions", parameters_to_json({}, model.conventions, Scope::unit, model.formats)},
            {"nan", nan_to_json(model.nan, model.formats.d)}};
  if (model.paths != OperandPaths{}) json["operands"] = to_json(model.paths);
  return json;
}

void read_unit(const JsonReader& from, UnitModel& model) {
  from.only({"tree", "adders", "conventions", "nan", "operands"});
  model.tree = tree_from_json(from.at("tree"), model.k);
  for (Node& node : model.tree.nodes)
    if (node.result == model.formats.d) node.result = {};
  if (const auto operands = from.find("operands")) model.paths = paths_from_json(*operands);
  Conventions unused;
  for (const JsonReader& adder : from.at("adders").elements(kMostAdders)) {
    Signature formats = model.formats;
    formats.d = result_format(model.tree, static_cast<int>(model.adders.size()), formats.d);
    read_parameters(adder, Scope::adder, formats, model.adders.emplace_back(), unused);
  }
  if (model.adders.empty()) from.at("adders").fail("at least one adder");
  Adder none;
  read_parameters(from.at("conventions"), Scope::unit, model.formats, none, model.conventions);
  model.nan = nan_from_json(from.at("nan"), model.formats.d);
}

}  // namespace mmaprint
