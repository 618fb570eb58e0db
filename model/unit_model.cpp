#include "model/unit_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <stdexcept>
#include <utility>

#include "model/conversion.h"
#include "model/fixed_parameters.h"
#include "model/spelling.h"

namespace mmaprint {
namespace {

[[noreturn]] void illegal(const std::string& what) { throw std::invalid_argument(what); }

void validate_adder(const Adder& adder, std::size_t index, const FormatInfo& d) {
  const std::string where = fmt::format("adders[{}].", index);
  const auto within = [&](const std::optional<int>& v, IntegerRange range, std::string_view field) {
    const auto [low, high] = range;
    if (v && (*v < low || *v > high))
      illegal(
          fmt::format("{}{}: expected an integer in {}..{} or null, got {}", where, field, low, high, *v));
  };
  for_each_row([&]<class Row>() {
    if constexpr (Row::scope == Scope::adder && std::is_same_v<ValueOf<Row>, std::optional<int>>)
      within(parameter_of<Row::id>(adder, Conventions{}), DomainOf<Row>::kRange, field_of<Row>());
  });
  if (adder.output_fraction_bits < 1 || adder.output_fraction_bits > d.fraction_bits)
    illegal(fmt::format("{}output_fraction_bits: expected an integer in 1..{} for {}, got {}", where,
                        d.fraction_bits, d.name, adder.output_fraction_bits));
}

bool holds_product(const Leaf& leaf) { return std::holds_alternative<ProductLeaf>(leaf); }

/// Integers wrap or saturate and are multiplied as they are, single bits also by exclusive or. A c that is
/// not there is not flushed.
void validate_arithmetic(const UnitModel& model) {
  const bool integer = info(model.formats.d).is_integer();
  const Overflow overflow = model.conventions.overflow;
  if (!integer && overflow == Overflow::wrap)
    illegal("conventions.overflow: expected infinity, saturate or by-direction, got wrap");
  if (integer && overflow != Overflow::wrap && overflow != Overflow::saturate)
    illegal("conventions.overflow: expected wrap or saturate, got " +
            value_text(Parameter::overflow, static_cast<int>(overflow)));
  if (!model.formats.c && model.conventions.c_subnormals != Subnormals::kept)
    illegal("conventions.c_subnormals: expected null, as the unit has no c");
  const bool bits = model.formats.a == Format::b1 && model.formats.b == Format::b1;
  for (const Adder& adder : model.adders)
    if (adder.product == ProductKind::exclusive_or && !bits)
      illegal("adders: product: expected exclusive-or for single bits alone");
  for (const Node& node : model.tree.nodes)
    if (integer && std::ranges::any_of(node.operands, holds_product) &&
        model.adders[static_cast<std::size_t>(node.adder)].product != model.adders.front().product)
      illegal("adders: product: expected the same for all products of an integer unit");
}

/// Sums that are carried on keep few bits, and are normalised late; so are those whose kinds of operands are
/// aligned otherwise than others.
void validate_carried(const UnitModel& model) {
  std::vector<bool> is_carried(model.adders.size()), is_scaled(model.adders.size());
  for (const Node& node : model.tree.nodes) {
    if (node.result.is_carried()) is_carried[static_cast<std::size_t>(node.adder)] = true;
    if (node.result.is_scaled()) is_scaled[static_cast<std::size_t>(node.adder)] = true;
  }
  for (std::size_t i = 0; i < model.adders.size(); ++i) {
    const Adder& adder = model.adders[i];
    const bool own = adder.carried_fraction_bits || adder.c_fraction_bits || adder.c_dropped_below ||
                     adder.carried_alignment_rounding != OwnAlignmentRounding::as_others ||
                     adder.c_alignment_rounding != OwnAlignmentRounding::as_others;
    if ((own || is_carried[i]) && adder.normalisation != Normalisation::late)
      illegal(
          fmt::format("adders[{}].normalisation: expected late, as sums are carried or kinds of operands "
                      "aligned by rules of their own",
                      i));
    if (is_carried[i] && !is_scaled[i] &&
        adder.alignment_fraction_bits.value_or(INT_MAX) > kLargestOwnFractionBits)
      illegal(
          fmt::format("adders[{}].alignment_fraction_bits: expected an integer in 0..{}, as sums are carried",
                      i, kLargestOwnFractionBits));
  }
}

/// Formats between nodes: with infinities, one for each class, and D's at the root.
void validate_results(const UnitModel& model) {
  std::vector<std::optional<Format>> of_class(model.adders.size());
  std::vector<int> kinds(model.adders.size(), -1);  // rounded, carried, scaled
  for (std::size_t n = 0; n < model.tree.nodes.size(); ++n) {
    const Node& node = model.tree.nodes[n];
    const Format result = node.result.value_or(model.formats.d);
    const std::string where = fmt::format("tree[{}].result: ", n);
    const bool integer = info(model.formats.d).is_integer();
    if (const auto format = node.result.format(); format && (integer || !info(*format).has_infinity()))
      illegal(where + "expected a floating-point format with infinities");
    if (node.result.is_carried()) {
      if (integer) illegal(where + "expected none, as integers carry no sums");
      if (n + 1 == model.tree.nodes.size()) illegal(where + "expected a rounded one at the root");
    }
    const int kind = node.result.is_scaled() ? 2 : node.result.is_carried() ? 1 : 0;
    int& of_others = kinds[static_cast<std::size_t>(node.adder)];
    if (of_others >= 0 && of_others != kind)
      illegal(where + "expected to be carried as at the other nodes of its adder, or nowhere there");
    of_others = kind;
    if (n + 1 == model.tree.nodes.size() && result != model.formats.d)
      illegal(where + "expected the root's to be D's");
    auto& known = of_class[static_cast<std::size_t>(node.adder)];
    if (known.value_or(result) != result)
      illegal(where + "expected the format that the other nodes of its adder have");
    known = result;
  }
}

void validate_paths(const UnitModel& model) {
  const auto check = [](std::string_view role, Format container, const OperandPath& path) {
    if (const auto why = path ? not_convertible(container, *path) : std::nullopt)
      illegal(fmt::format("operands.{}: expected {}", role, *why));
  };
  check("a", model.formats.a, model.paths.a);
  check("b", model.formats.b, model.paths.b);
  if (model.formats.c)
    check("c", *model.formats.c, model.paths.c);
  else if (model.paths.c)
    illegal("operands.c: expected none, as the unit has no c");
}

/// A sum that is scaled is the exact one of products that have all scales in common, whose factors are of
/// formats with few exponents: so the sum fits a word.
void validate_scaled(const UnitModel& model) {
  const Signature& formats = model.formats;
  for (std::size_t n = 0; n < model.tree.nodes.size(); ++n) {
    const Node& node = model.tree.nodes[n];
    if (!node.result.is_scaled()) continue;
    const std::string where = fmt::format("tree[{}]", n);
    if (!formats.has_scales()) illegal(where + ".result: scaled, but the unit has no scales");
    if (model.paths.a || model.paths.b ||
        std::max(info(formats.a).emax(), info(formats.b).emax()) > kLargestExponentOfScaledSums)
      illegal(fmt::format("{}.result: expected factors with exponents of at most {} where sums are scaled",
                          where, kLargestExponentOfScaledSums));
    std::optional<std::pair<int, int>> common;
    for (const Leaf& leaf : node.operands) {
      const auto* product = std::get_if<ProductLeaf>(&leaf);
      if (product == nullptr) illegal(where + ".operands: expected products alone, as their sum is scaled");
      const auto scale = [&](const std::optional<Scales>& s) { return s ? product->index / s->per : 0; };
      const std::pair here{scale(formats.sa), scale(formats.sb)};
      if (common.value_or(here) != here)
        illegal(where + ".operands: expected products of one scale, as their sum is scaled");
      common = here;
    }
    const Adder& adder = model.adders[static_cast<std::size_t>(node.adder)];
    if (adder.alignment_fraction_bits || adder.extra_carry_bits || adder.minimum_alignment_exponent ||
        adder.zero_addends != ZeroAddends() || adder.product_overflow != ProductOverflow::exact)
      illegal(fmt::format("adders[{}]: expected an exact one, as sums of it are scaled", node.adder));
  }
  const bool by_one = std::ranges::any_of(model.tree.nodes, [](const Node& node) {
    return !node.result.is_scaled() && std::ranges::any_of(node.operands, holds_product);
  });
  for (const auto& scales : {formats.sa, formats.sb})
    if (by_one && scales && scales->format != Format::ue8m0)
      illegal("tree: expected sums that are scaled, as only powers of two scale products one by one");
  if (formats.has_scales() && std::holds_alternative<NanRule>(model.nan))
    illegal("nan: expected a pattern or null, as the unit has scales");
}

/// Every product once, c once if there is one, every node but the root used once and after it was computed.
void validate_tree(const UnitModel& model) {
  if (model.tree.nodes.empty()) illegal("tree: expected at least one node");
  std::vector<int> products(static_cast<std::size_t>(model.k), 0);
  std::vector<int> used(model.tree.nodes.size(), 0);
  int c = 0;
  for (std::size_t n = 0; n < model.tree.nodes.size(); ++n) {
    const Node& node = model.tree.nodes[n];
    const std::string where = fmt::format("tree[{}]", n);
    if (node.operands.empty()) illegal(where + ".operands: expected at least one operand");
    if (node.adder < 0 || static_cast<std::size_t>(node.adder) >= model.adders.size())
      illegal(fmt::format("{}.adder: expected an index into adders ({}), got {}", where, model.adders.size(),
                          node.adder));
    for (const Leaf& leaf : node.operands) {
      if (const auto* p = std::get_if<ProductLeaf>(&leaf)) {
        if (p->index < 0 || p->index >= model.k)
          illegal(fmt::format("{}.operands: expected product indices 0..{}, got {}", where, model.k - 1,
                              p->index));
        if (products[static_cast<std::size_t>(p->index)]++ != 0)
          illegal(fmt::format("{}.operands: product {} takes part twice", where, p->index));
      } else if (const auto* child = std::get_if<NodeLeaf>(&leaf)) {
        if (child->node < 0 || static_cast<std::size_t>(child->node) >= n)
          illegal(fmt::format("{}.operands: expected an earlier node, got {}", where, child->node));
        if (used[static_cast<std::size_t>(child->node)]++ != 0)
          illegal(fmt::format("{}.operands: node {} is used twice", where, child->node));
      } else if (std::holds_alternative<CLeaf>(leaf)) {
        if (!model.formats.c) illegal(where + ".operands: c takes part, but the unit has none");
        if (c++ != 0) illegal(where + ".operands: c takes part twice");
      }
    }
  }
  for (std::size_t k = 0; k < products.size(); ++k)
    if (products[k] == 0) illegal(fmt::format("tree: product {} takes no part", k));
  if (model.formats.c && c == 0) illegal("tree: c takes no part");
  for (std::size_t n = 0; n + 1 < used.size(); ++n)
    if (used[n] == 0)
      illegal(
          fmt::format("tree[{}]: its result is used nowhere, expected the last node to be the only root", n));
}

}  // namespace

std::optional<std::string> not_modelled(const Signature& formats) {
  for (const auto& scales : {formats.sa, formats.sb})
    if (scales && scales->format != Format::ue8m0 && scales->format != Format::ue4m3)
      return "scales in ue8m0 or ue4m3, found " + std::string(name(scales->format));
  const Format a = formats.a, b = formats.b, d = formats.d;
  const bool integer = info(d).is_integer();
  for (const Format f : {a, b, room_for_c(formats), d})
    if (integer ? !info(f).is_integer() : !info(f).is_floating())
      return std::string(integer ? "integer" : "floating-point") + " formats, found " + std::string(name(f));
  if (integer && formats.has_scales()) return "no scales with integers";
  if (integer && d != Format::int32) return "int32 results, found " + std::string(name(d));
  if (!integer && !info(d).has_infinity())
    return "a result in a format with infinities (fp64, fp32, tf32, bf16, fp16, e5m2), found " +
           std::string(name(d));
  return std::nullopt;
}

void validate(const UnitModel& model) {
  if (model.k < 1 || model.k > kLargestK)
    illegal(fmt::format("k: expected an integer in 1..{}, got {}", kLargestK, model.k));
  if (const auto why = not_modelled(model.formats)) illegal("formats: expected " + *why);
  validate_tree(model);
  validate_results(model);
  validate_carried(model);
  validate_paths(model);
  validate_scaled(model);
  for (std::size_t i = 0; i < model.adders.size(); ++i)
    validate_adder(model.adders[i], i, info(result_format(model.tree, static_cast<int>(i), model.formats.d)));
  validate_arithmetic(model);
  if (const auto why = not_legal(model.nan, model.formats.d)) illegal("nan: expected " + *why);
}

bool is_legal(const UnitModel& model) {
  try {
    validate(model);
  } catch (const std::invalid_argument&) {
    return false;
  }
  return true;
}

Pattern as_modelled(const UnitModel& model, Pattern d) {
  const Format format = model.formats.d;
  return std::holds_alternative<SeveralNans>(model.nan) && is_nan(format, d) ? canonical_nan(format) : d;
}

UnitModel unit_model(std::string instruction, int k, Signature formats, const Skeleton& skeleton,
                     const ParameterValues& values, std::optional<Pattern> nan) {
  return {std::move(instruction),
          k,
          formats,
          skeleton.tree,
          values.adders,
          values.conventions,
          nan_behaviour(formats.d, nan),
          skeleton.paths};
}

Adder exact_adder(Format result, Rounding rounding) {
  Adder adder;
  adder.rounding = rounding;
  adder.output_fraction_bits = info(result).fraction_bits;
  return adder;
}

UnitModel chain_model(std::string instruction, int k, Signature formats, const Chain& chain,
                      const ChainParameters& parameters, std::optional<Pattern> nan) {
  Skeleton skeleton{{}, tree_of(chain)};
  ParameterValues values{{parameters.block}, parameters.conventions};
  for (const Node& node : skeleton.tree.nodes)
    if (node.adder > 0)
      values.adders.push_back(exact_adder(node.result.value_or(formats.d), parameters.final_rounding));
  return unit_model(std::move(instruction), k, formats, skeleton, values, nan);
}

}  // namespace mmaprint
