// Other trees, formats of results and conversions.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "inference/mutant_examples.h"
#include "inference/mutant_kinds.h"
#include "model/conversion.h"
#include "model/spelling.h"

namespace mmaprint::mutants {
namespace {

bool is_product(const Leaf& leaf) { return std::holds_alternative<ProductLeaf>(leaf); }
bool has_products(const Node& node) { return std::ranges::any_of(node.operands, is_product); }

/// Pairs of neighbours among the nodes with products, and the first with the last.
std::vector<std::pair<std::size_t, std::size_t>> pairs_of_nodes(const UnitModel& model) {
  std::vector<std::size_t> nodes;
  for (std::size_t n = 0; n < model.tree.nodes.size(); ++n)
    if (has_products(model.tree.nodes[n])) nodes.push_back(n);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) pairs.emplace_back(nodes[i], nodes[i + 1]);
  if (nodes.size() > 2) pairs.emplace_back(nodes.front(), nodes.back());
  return pairs;
}

std::vector<int> both(const UnitModel& model, std::size_t x, std::size_t y) {
  std::vector<int> places = places_of(model, x);
  std::ranges::copy(places_of(model, y), std::back_inserter(places));
  return places;
}

/// Their places among a node's operands.
std::vector<Leaf*> products_of(Node& node) {
  std::vector<Leaf*> all;
  for (Leaf& leaf : node.operands)
    if (is_product(leaf)) all.push_back(&leaf);
  return all;
}

/// The tree with a node more, which rounds the result of `node` once more, to the format that it had; it is
/// `inside` now. Both are of classes of their own.
UnitModel converted_after(const UnitModel& model, std::size_t node, Format inside, int fraction_bits,
                          Rounding first) {
  UnitModel other = with_own_class(model, node);
  auto& nodes = other.tree.nodes;
  const auto result = nodes[node].result;
  const Format before = result.value_or(model.formats.d);
  nodes[node].result = inside;
  other.adders.back().output_fraction_bits = fraction_bits;
  other.adders.back().rounding = first;
  for (Node& later : nodes)
    for (Leaf& leaf : later.operands)
      if (auto* of = std::get_if<NodeLeaf>(&leaf); of != nullptr && of->node >= static_cast<int>(node))
        ++of->node;
  const int own = static_cast<int>(other.adders.size());
  nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(node) + 1,
               Node{{NodeLeaf{static_cast<int>(node)}}, own, result});
  const Adder& whole = model.adders[static_cast<std::size_t>(model.tree.nodes[node].adder)];
  Adder converting = exact_adder(before, whole.rounding);
  converting.output_fraction_bits = whole.output_fraction_bits;
  other.adders.push_back(converting);
  return other;
}

/// A format with more fraction bits, in which sums may be kept; none above FP64.
std::optional<Format> wider(Format f) {
  if (f == Format::fp64) return std::nullopt;
  return info(f).fraction_bits < info(Format::fp32).fraction_bits ? Format::fp32 : Format::fp64;
}

constexpr std::string_view kConversionWords[] = {"exactly", "by chop", "by nearest-even", "by nearest-away"};

/// A subnormal at that place decides its node's E.
Aim converted_at(const UnitModel& model, int place) {
  for (std::size_t n = 0; n < model.tree.nodes.size(); ++n) {
    std::vector<int> places = places_of(model, n);
    if (std::ranges::find(places, place) == places.end()) continue;
    Aim aim{.places = std::move(places), .subnormals = true};
    aim.largest = place;
    return aim;
  }
  return {};
}

}  // namespace

void nodes_swapped(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  for (const auto& [x, y] : pairs_of_nodes(model)) {
    UnitModel other = model;
    auto& nodes = other.tree.nodes;
    const auto first = products_of(nodes[x]), second = products_of(nodes[y]);
    if (first.size() != second.size() || nodes[x].adder != nodes[y].adder) continue;
    for (std::size_t i = 0; i < first.size(); ++i) std::swap(*first[i], *second[i]);
    add_model(original, model, std::move(other), fmt::format("nodes {} and {} swapped", x, y),
              {.places = both(model, x, y)}, mutants);
  }
}

void products_swapped(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  for (const auto& [x, y] : pairs_of_nodes(model)) {
    UnitModel other = model;
    const auto first = products_of(other.tree.nodes[x]), second = products_of(other.tree.nodes[y]);
    if (first.size() == 1 && second.size() == 1) continue;  // nodes swapped
    const int p = std::get<ProductLeaf>(*first.back()).index,
              q = std::get<ProductLeaf>(*second.front()).index;
    std::swap(*first.back(), *second.front());
    add_model(original, model, std::move(other), fmt::format("products {} and {} swapped", p, q),
              {.places = both(model, x, y)}, mutants);
  }
}

void c_elsewhere(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  const auto is_c = [](const Leaf& leaf) { return std::holds_alternative<CLeaf>(leaf); };
  const auto& nodes = model.tree.nodes;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (std::ranges::any_of(nodes[n].operands, is_c)) continue;
    UnitModel other = model;
    for (Node& node : other.tree.nodes)
      for (Leaf& leaf : node.operands)
        if (is_c(leaf)) leaf = ZeroLeaf{};
    auto& operands = other.tree.nodes[n].operands;
    const auto zero = std::ranges::find_if(
        operands, [](const Leaf& leaf) { return std::holds_alternative<ZeroLeaf>(leaf); });
    if (zero != operands.end())
      *zero = CLeaf{};
    else
      operands.emplace_back(CLeaf{});
    add_model(original, model, std::move(other), fmt::format("c enters at node {}", n), {.places = {model.k}},
              mutants);
  }
}

/// Does a zero among a node's operands do more than give a sum of zeros its sign? It may take part in E, and
/// a first product that it comes before is a partial sum.
bool zeros_count(const Adder& adder) {
  return adder.zero_addends != ZeroAddends() || adder.normalisation == Normalisation::immediate;
}

/// With a zero more or less at the root, or at a node that adds no other one's result. Where it does nothing
/// else it shows where all addends are negative zeros, if anywhere.
void zeros_that_sums_start_from(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (!is_floating(model)) return;
  const DotInput example = negative_zeros(model.formats, model.k);
  const Pattern d = original.evaluator->one()(example);
  const auto& nodes = model.tree.nodes;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const auto is_sum = [](const Leaf& leaf) { return std::holds_alternative<NodeLeaf>(leaf); };
    if (n + 1 < nodes.size() && std::ranges::any_of(nodes[n].operands, is_sum)) continue;
    UnitModel other = model;
    auto& operands = other.tree.nodes[n].operands;
    const bool starts = std::erase(operands, Leaf(ZeroLeaf{})) != 0;
    if (!starts) operands.insert(operands.begin(), ZeroLeaf{});
    const std::size_t before = mutants.size();
    add_model(original, model, std::move(other),
              fmt::format("node {} {} from a zero", n, starts ? "does not start" : "starts"),
              {.places = places_of(model, n), .specials = true, .example = example}, mutants);
    if (mutants.size() == before || zeros_count(model.adders[static_cast<std::size_t>(nodes[n].adder)]))
      continue;
    if (mutants.back().answer(example, d) == d) mutants.pop_back();
  }
}

void partial_sums_of_another_format(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (!is_floating(model)) return;
  constexpr Format kFormats[] = {Format::fp64, Format::fp32, Format::tf32, Format::bf16, Format::fp16};
  for (std::size_t n = 0; n + 1 < model.tree.nodes.size(); ++n) {
    const UnitModel split = with_own_class(model, n);
    const Format now = model.tree.nodes[n].result.value_or(model.formats.d);
    for (const Format format : kFormats) {
      if (format == now) continue;
      UnitModel other = split;
      other.tree.nodes[n].result = format;
      int& bits = other.adders.back().output_fraction_bits;
      const bool is_wider = info(format).fraction_bits > info(now).fraction_bits;
      bits = is_wider ? info(format).fraction_bits : std::min(bits, info(format).fraction_bits);
      add_model(original, split, std::move(other),
                fmt::format("the result of node {} in {}", n, name(format)),
                {.places = places_of(model, n), .rounds_to = result_bits(model, n)}, mutants);
    }
  }
}

void rounded_once_more_or_less(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (!is_floating(model)) return;
  const auto& nodes = model.tree.nodes;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const Adder& adder = model.adders[static_cast<std::size_t>(nodes[n].adder)];
    const auto inside = wider(nodes[n].result.value_or(model.formats.d));
    if (!inside) continue;
    const int most = info(*inside).fraction_bits;
    std::set<int> widths{adder.output_fraction_bits + 1, adder.output_fraction_bits + 2};
    if (*inside == Format::fp32) widths.insert(most);  // as units have it
    for (const int bits : widths)
      for (const Rounding first : {Rounding::nearest_even, Rounding::toward_zero})
        if (bits <= most && (first != Rounding::toward_zero || adder.rounding != first))
          add_model(
              original, model, converted_after(model, n, *inside, bits, first),
              fmt::format("the result of node {} rounded twice, {} to {} fraction bits first", n,
                          value_text(Parameter::block_rounding, static_cast<int>(first)), bits),
              {.places = places_of(model, n), .rounds_to = result_bits(model, n), .rounds_first_to = bits},
              mutants);
  }
  // The last conversion left out.
  if (nodes.size() < 2 || nodes.back().operands.size() != 1) return;
  UnitModel other = model;
  other.tree.nodes.pop_back();
  Node& root = other.tree.nodes.back();
  other.adders.push_back(other.adders[static_cast<std::size_t>(root.adder)]);
  other.adders.back().rounding = model.adders[static_cast<std::size_t>(nodes.back().adder)].rounding;
  other.adders.back().output_fraction_bits = info(model.formats.d).fraction_bits;
  root.adder = static_cast<int>(other.adders.size()) - 1;
  root.result = {};
  add_model(original, model, std::move(other), "the last sum rounded once", {}, mutants);
}

void operands_converted_otherwise(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (!is_floating(model)) return;
  std::vector<OperandPath> paths{std::nullopt};
  for (const Format compute : {Format::fp32, Format::tf32, Format::bf16, Format::fp16})
    for (const Conversion how :
         {Conversion::exact, Conversion::chop, Conversion::nearest_even, Conversion::nearest_away})
      paths.emplace_back(Converted{compute, how});
  // What is exact needs no rounding, and no conversion into its own format.
  const auto changes_nothing = [](Format container, const OperandPath& path) {
    if (!path) return false;
    const bool exact = path->conversion == Conversion::exact;
    return exact ? path->compute == container
                 : !not_convertible(container, {path->compute, Conversion::exact});
  };
  const auto add = [&](const OperandPaths& other, const char* of, const OperandPath& path) {
    if (changes_nothing(of[0] == 'a'   ? model.formats.a
                        : of[0] == 'b' ? model.formats.b
                                       : room_for_c(model.formats),
                        path))
      return;
    UnitModel mutant = model;
    mutant.paths = other;
    const std::string as = path ? fmt::format("converted to {} {}", name(path->compute),
                                              kConversionWords[static_cast<std::size_t>(path->conversion)])
                                : "not converted";
    add_model(original, model, std::move(mutant), fmt::format("{} {}", of, as),
              converted_at(model, of[0] == 'c' ? model.k : 0), mutants);
  };
  for (const OperandPath& path : paths) {
    OperandPaths a = model.paths, b = model.paths, c = model.paths;
    a.a = b.b = c.c = path;
    if (path != model.paths.a) add(a, "a", path);
    if (path != model.paths.b) add(b, "b", path);
    if (model.formats.c && path != model.paths.c) add(c, "c", path);
    a.b = path;
    if (path != model.paths.a && path != model.paths.b) add(a, "a and b", path);
  }
}

}  // namespace mmaprint::mutants
