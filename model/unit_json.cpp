#include "model/unit_json.h"

#include "model/json_reader.h"
#include "model/model_json.h"
#include "model/spelling.h"

namespace mmaprint {
namespace {

/// No legal tree has more: every node but those of single operands joins at least two of K + 2 leaves.
constexpr std::size_t kMostNodes = 2 * kLargestK + 2;
constexpr std::size_t kMostOperands = kLargestK + 2;
/// Wider chains are written as their blocks, a tenth as long.
constexpr int kMostListed = 64;

template <class Enum>
void put(Json& json, std::string_view field, Parameter parameter, Enum value) {
  json[std::string(field)] = spelling(parameter, value);
}

void put(Json& json, std::string_view field, std::optional<int> value) {
  json[std::string(field)] = value ? Json(*value) : Json(nullptr);
}

template <class Enum>
void get(const JsonReader& from, std::string_view field, Parameter parameter, Enum& value) {
  value = read_word<Enum>(from.at(field), words(parameter));
}

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

Json to_json(const Adder& adder) {
  Json json = Json::object();
  put(json, "product", Parameter::product, adder.product);
  put(json, "minimum_alignment_exponent", adder.minimum_alignment_exponent);
  put(json, "alignment_fraction_bits", adder.alignment_fraction_bits);
  put(json, "alignment_rounding", Parameter::alignment_rounding, adder.alignment_rounding);
  put(json, "normalisation", Parameter::normalisation, adder.normalisation);
  put(json, "extra_carry_bits", adder.extra_carry_bits);
  put(json, "rounding", Parameter::block_rounding, adder.rounding);
  json["output_fraction_bits"] = adder.output_fraction_bits;
  return json;
}

Adder read_adder(const JsonReader& from, Format d) {
  from.only({"product", "minimum_alignment_exponent", "alignment_fraction_bits", "alignment_rounding",
             "normalisation", "extra_carry_bits", "rounding", "output_fraction_bits"});
  Adder adder;
  get(from, "product", Parameter::product, adder.product);
  adder.minimum_alignment_exponent = from.at("minimum_alignment_exponent").integer_or_null(kLowestClamp, 0);
  adder.alignment_fraction_bits =
      from.at("alignment_fraction_bits").integer_or_null(0, kLargestAlignmentFractionBits);
  get(from, "alignment_rounding", Parameter::alignment_rounding, adder.alignment_rounding);
  get(from, "normalisation", Parameter::normalisation, adder.normalisation);
  adder.extra_carry_bits = from.at("extra_carry_bits").integer_or_null(0, kLargestCarry);
  get(from, "rounding", Parameter::block_rounding, adder.rounding);
  adder.output_fraction_bits = from.at("output_fraction_bits").integer(0, info(d).fraction_bits);
  return adder;
}

Json to_json(const Conventions& conventions) {
  Json zero_sign = Json::object();
  put(zero_sign, "all_zero", Parameter::zero_all_zero, conventions.zero_sign.all_zero);
  put(zero_sign, "cancelled", Parameter::zero_cancelled, conventions.zero_sign.cancelled);
  put(zero_sign, "rounded", Parameter::zero_rounded, conventions.zero_sign.rounded);
  put(zero_sign, "flushed", Parameter::zero_flushed, conventions.zero_sign.flushed);
  Json json = Json::object();
  put(json, "input_subnormals", Parameter::input_subnormals, conventions.input_subnormals);
  put(json, "c_subnormals", Parameter::c_subnormals, conventions.c_subnormals);
  put(json, "output_subnormals", Parameter::output_subnormals, conventions.output_subnormals);
  put(json, "overflow", Parameter::overflow, conventions.overflow);
  json["zero_sign"] = std::move(zero_sign);
  return json;
}

Conventions read_conventions(const JsonReader& from) {
  from.only({"input_subnormals", "c_subnormals", "output_subnormals", "overflow", "zero_sign"});
  Conventions conventions;
  get(from, "input_subnormals", Parameter::input_subnormals, conventions.input_subnormals);
  get(from, "c_subnormals", Parameter::c_subnormals, conventions.c_subnormals);
  get(from, "output_subnormals", Parameter::output_subnormals, conventions.output_subnormals);
  get(from, "overflow", Parameter::overflow, conventions.overflow);
  const JsonReader zero_sign = from.at("zero_sign");
  zero_sign.only({"all_zero", "cancelled", "rounded", "flushed"});
  get(zero_sign, "all_zero", Parameter::zero_all_zero, conventions.zero_sign.all_zero);
  get(zero_sign, "cancelled", Parameter::zero_cancelled, conventions.zero_sign.cancelled);
  get(zero_sign, "rounded", Parameter::zero_rounded, conventions.zero_sign.rounded);
  get(zero_sign, "flushed", Parameter::zero_flushed, conventions.zero_sign.flushed);
  return conventions;
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
  for (const Adder& adder : model.adders) adders.push_back(to_json(adder));
  return {{"tree", std::move(tree)},
          {"adders", std::move(adders)},
          {"conventions", to_json(model.conventions)},
          {"nan", model.nan ? Json(pattern_text(model.formats.d, *model.nan)) : Json(nullptr)}};
}

void read_unit(const JsonReader& from, UnitModel& model) {
  from.only({"tree", "adders", "conventions", "nan"});
  for (const JsonReader& adder : from.at("adders").elements(kMostNodes))
    model.adders.push_back(read_adder(adder, model.formats.d));
  if (model.adders.empty()) from.at("adders").fail("at least one adder");
  const int adders = static_cast<int>(model.adders.size());
  if (const JsonReader tree = from.at("tree"); tree.json().is_object())
    model.tree = tree_of(read_chain(tree, model.k));
  else
    for (const JsonReader& node : tree.elements(kMostNodes))
      model.tree.nodes.push_back(read_node(node, model.k, static_cast<int>(model.tree.nodes.size()), adders));
  if (model.tree.nodes.empty()) from.at("tree").fail("at least one node");
  model.conventions = read_conventions(from.at("conventions"));
  if (const JsonReader nan = from.at("nan"); !nan.is_null()) model.nan = nan.pattern(model.formats.d);
}

}  // namespace mmaprint
