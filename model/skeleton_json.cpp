#include "model/skeleton_json.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "model/features.h"

namespace mmaprint {
namespace {

constexpr std::array<std::string_view, 4> kConversionWords{"exact", "chop", "nearest-even", "nearest-away"};

constexpr std::string_view kCarriedWord = "carried", kScaledWord = "scaled";

/// No legal tree has more: every node but those of single operands joins at least two of K + 2 leaves.
constexpr std::size_t kMostNodes = 2 * kLargestK + 2;
constexpr std::size_t kMostOperands = kLargestK + 2;

Json to_json(const Leaf& leaf) {
  if (const auto* product = std::get_if<ProductLeaf>(&leaf)) return product->index;
  if (const auto* node = std::get_if<NodeLeaf>(&leaf)) return {{"node", node->node}};
  if (std::holds_alternative<PaddingLeaf>(leaf)) return "padding";
  return std::holds_alternative<CLeaf>(leaf) ? "c" : "zero";
}

Leaf read_leaf(const JsonReader& from, int k, int node) {
  const Json& json = from.json();
  if (json.is_number_integer()) return ProductLeaf{from.integer(0, k - 1)};
  if (json == "c") return CLeaf{};
  if (json == "zero") return ZeroLeaf{};
  if (json == "padding") return PaddingLeaf{};
  if (!json.is_object()) from.fail(R"(a product's index, "c", "zero", "padding" or {"node": i})");
  from.only({"node"});
  if (node == 0) from.fail("no node here, as the first has none before it");
  return NodeLeaf{from.at("node").integer(0, node - 1)};
}

Json to_json(const Node& node) {
  Json operands = Json::array();
  for (const Leaf& leaf : node.operands) operands.push_back(to_json(leaf));
  Json json{{"adder", node.adder}, {"operands", std::move(operands)}};
  if (node.result.is_carried()) json["result"] = node.result.is_scaled() ? kScaledWord : kCarriedWord;
  if (const auto format = node.result.format()) json["result"] = name(*format);
  return json;
}

Node read_node(const JsonReader& from, int k, int index) {
  from.only({"adder", "operands", "result"});
  Node node;
  node.adder = from.at("adder").integer(0, static_cast<int>(kMostNodes) - 1);
  for (const JsonReader& leaf : from.at("operands").elements(kMostOperands))
    node.operands.push_back(read_leaf(leaf, k, index));
  if (const auto result = from.find("result"))
    node.result = result->json() == kCarriedWord  ? NodeResult::carried()
                  : result->json() == kScaledWord ? NodeResult::scaled()
                                                  : NodeResult(result->format());
  return node;
}

Json to_json(const Chain& chain) {
  Json json{{"blocks", chain.blocks}, {"c_enters", nullptr}};
  if (chain.c_enters) json["c_enters"] = kCEntersWords[static_cast<std::size_t>(*chain.c_enters)];
  if (chain.inside)
    json["inside"] = {{"format", name(chain.inside->format)}, {"c_joins", chain.inside->c_joins}};
  return json;
}

Chain read_chain(const JsonReader& from, int k) {
  Chain chain;
  for (const JsonReader& block : from.at("blocks").elements(static_cast<std::size_t>(k))) {
    auto& products = chain.blocks.emplace_back();
    for (const JsonReader& product : block.elements(static_cast<std::size_t>(k)))
      products.push_back(product.integer(0, k - 1));
    if (products.empty()) block.fail("at least one product");
  }
  if (chain.blocks.empty()) from.at("blocks").fail("at least one block");
  chain.c_enters = std::nullopt;
  if (const JsonReader c = from.at("c_enters"); !c.is_null())
    chain.c_enters = read_word<CEnters>(c, kCEntersWords);
  if (const auto inside = from.find("inside")) {
    inside->only({"format", "c_joins"});
    const JsonReader joins = inside->at("c_joins");
    if (!joins.json().is_boolean()) joins.fail("true or false");
    chain.inside = {inside->at("format").format(), joins.json().get<bool>()};
  }
  return chain;
}

OperandPath read_path(const JsonReader& from, std::string_view role) {
  const auto path = from.find(role);
  if (!path) return std::nullopt;
  path->only({"format", "conversion"});
  return Converted{path->at("format").format(),
                   read_word<Conversion>(path->at("conversion"), kConversionWords)};
}

/// Each product is there once.
void require_all_products(const JsonReader& from, const Tree& tree, int k) {
  std::vector<int> seen(static_cast<std::size_t>(k), 0);
  for (const Node& node : tree.nodes)
    for (const Leaf& leaf : node.operands)
      if (const auto* product = std::get_if<ProductLeaf>(&leaf))
        ++seen[static_cast<std::size_t>(product->index)];
  if (std::ranges::find_if(seen, [](int n) { return n != 1; }) != seen.end())
    from.fail(fmt::format("each of the {} products once", k));
}

}  // namespace

Json to_json(const Tree& tree, bool short_chains) {
  if (const auto chain = short_chains ? chain_of(tree) : std::nullopt) return to_json(*chain);
  Json json = Json::array();
  for (const Node& node : tree.nodes) json.push_back(to_json(node));
  return json;
}

Tree tree_from_json(const JsonReader& from, int k) {
  if (from.json().is_object()) {
    from.only({"blocks", "c_enters", "inside"});
    return tree_of(read_chain(from, k));
  }
  Tree tree;
  for (const JsonReader& node : from.elements(kMostNodes))
    tree.nodes.push_back(read_node(node, k, static_cast<int>(tree.nodes.size())));
  if (tree.nodes.empty()) from.fail("at least one node");
  return tree;
}

Json to_json(const OperandPaths& paths) {
  Json json = Json::object();
  const auto add = [&](const char* role, const OperandPath& path) {
    if (path)
      json[role] = {{"format", name(path->compute)},
                    {"conversion", kConversionWords[static_cast<std::size_t>(path->conversion)]}};
  };
  add("a", paths.a);
  add("b", paths.b);
  add("c", paths.c);
  return json;
}

OperandPaths paths_from_json(const JsonReader& from) {
  from.only({"a", "b", "c"});
  return {read_path(from, "a"), read_path(from, "b"), read_path(from, "c")};
}

Json to_json(const Skeleton& skeleton) {
  Json json =
      chain_of(skeleton.tree) ? to_json(skeleton.tree, true) : Json{{"tree", to_json(skeleton.tree, false)}};
  if (skeleton.paths != OperandPaths{}) json["operands"] = to_json(skeleton.paths);
  return json;
}

Skeleton skeleton_from_json(const JsonReader& from, int k) {
  Skeleton skeleton;
  const auto tree = from.find("tree");
  skeleton.tree = tree ? tree_from_json(*tree, k) : tree_of(read_chain(from, k));
  require_all_products(tree ? *tree : from.at("blocks"), skeleton.tree, k);
  if (const auto operands = from.find("operands")) skeleton.paths = paths_from_json(*operands);
  return skeleton;
}

}  // namespace mmaprint
