#include "model/unit_json.h"

#include "model/json_reader.h"
#include "model/model_json.h"
#include "model/parameter_json.h"

namespace mmaprint {
namespace {

/// No legal tree has more: every node but those of single operands joins at least two of K + 2 leaves.
constexpr std::size_t kMostNodes = 2 * kLargestK + 2;
constexpr std::size_t kMostOperands = kLargestK + 2;
/// Wider chains are written as their blocks, a tenth as long.
constexpr int kMostListed = 64;

Json to_json(const Leaf& leaf) {
  if (const auto* product = std::get_if<ProductLeaf>(&leaf)) return product->index;
  if (const auto* node = std::get_if<NodeLeaf>(&leaf)) return {{"node", node->node}};
  return std::holds_alternative<CLeaf>(leaf) ? "c" : "zero";
}

Leaf read_leaf(const JsonReader& from, int k, int node) {
  const Json& json = from.json();
  if (json.is_number_integer()) return ProductLeaf{from.integer(0, k - 1)};
  if (json == "c") return CLeaf{};
  if (json == "zero") return ZeroLeaf{};
  if (!json.is_object()) from.fail(R"(a product's index, "c", "zero" or {"node": i})");
  from.only({"node"});
  if (node == 0) from.fail("no node here, as the first has none before it");
  return NodeLeaf{from.at("node").integer(0, node - 1)};
}

Json to_json(const Node& node) {
  Json operands = Json::array();
  for (const Leaf& leaf : node.operands) operands.push_back(to_json(leaf));
  return {{"adder", node.adder}, {"operands", std::move(operands)}};
}

Node read_node(const JsonReader& from, int k, int index, int adders) {
  from.only({"adder", "operands"});
  Node node;
  node.adder = from.at("adder").integer(0, adders - 1);
  for (const JsonReader& leaf : from.at("operands").elements(kMostOperands))
    node.operands.push_back(read_leaf(leaf, k, index));
  return node;
}

/// A chain of blocks instead of its nodes. Whether each product is there once is validate()'s to say.
Chain read_chain(const JsonReader& from, int k) {
  from.only({"blocks", "c_enters"});
  Chain chain;
  for (const JsonReader& block : from.at("blocks").elements(static_cast<std::size_t>(k))) {
    auto& products = chain.blocks.emplace_back();
    for (const JsonReader& product : block.elements(static_cast<std::size_t>(k)))
      products.push_back(product.integer(0, k - 1));
    if (products.empty()) block.fail("at least one product");
  }
  if (chain.blocks.empty()) from.at("blocks").fail("at least one block");
  chain.c_enters = read_word<CEnters>(from.at("c_enters"), kCEntersWords);
  return chain;
}

/// The parameters of a scope, each in its field.
Json parameters_to_json(const ParameterValues& values, Scope scope) {
  Json json = Json::object();
  for (const ParameterInfo& row : all_parameters())
    if (row.scope == scope) place_field(json, row.field, value_to_json(row, row.index(values)));
  return json;
}

ParameterValues read_parameters(const JsonReader& from, Scope scope, const OperandFormats& formats) {
  std::vector<std::string_view> fields;
  for (const ParameterInfo& row : all_parameters())
    if (row.scope == scope) fields.push_back(row.field);
  require_only_fields(from, fields);
  ParameterValues values;
  std::string_view group;
  for (const ParameterInfo& row : all_parameters()) {
    if (row.scope != scope) continue;
    if (const auto its = group_of(row.field); its != group) {
      group = its;
      if (!group.empty()) require_only_members(from.at(group), group, fields);
    }
    row.set(values, value_from_json(field_at(from, row.field), row, row.range(formats)));
  }
  return values;
}

}  // namespace

Json unit_to_json(const UnitModel& model) {
  const auto chain = model.k > kMostListed ? chain_of(model.tree) : std::nullopt;
  Json tree = Json::array();
  if (chain)
    tree = {{"blocks", chain->blocks},
            {"c_enters", kCEntersWords[static_cast<std::size_t>(chain->c_enters)]}};
  else
    for (const Node& node : model.tree.nodes) tree.push_back(to_json(node));
  Json adders = Json::array();
  for (const Adder& adder : model.adders)
    adders.push_back(parameters_to_json({adder, adder.rounding, {}}, Scope::adder));
  return {{"tree", std::move(tree)},
          {"adders", std::move(adders)},
          {"conventions", parameters_to_json({{}, {}, model.conventions}, Scope::unit)},
          {"nan", model.nan ? Json(pattern_text(model.formats.d, *model.nan)) : Json(nullptr)}};
}

void read_unit(const JsonReader& from, UnitModel& model) {
  from.only({"tree", "adders", "conventions", "nan"});
  for (const JsonReader& adder : from.at("adders").elements(kMostNodes))
    model.adders.push_back(read_parameters(adder, Scope::adder, model.formats).block);
  if (model.adders.empty()) from.at("adders").fail("at least one adder");
  const int adders = static_cast<int>(model.adders.size());
  if (const JsonReader tree = from.at("tree"); tree.json().is_object())
    model.tree = tree_of(read_chain(tree, model.k));
  else
    for (const JsonReader& node : tree.elements(kMostNodes))
      model.tree.nodes.push_back(read_node(node, model.k, static_cast<int>(model.tree.nodes.size()), adders));
  if (model.tree.nodes.empty()) from.at("tree").fail("at least one node");
  model.conventions = read_parameters(from.at("conventions"), Scope::unit, model.formats).conventions;
  if (const JsonReader nan = from.at("nan"); !nan.is_null()) model.nan = nan.pattern(model.formats.d);
}

}  // namespace mmaprint
