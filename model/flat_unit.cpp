#include "model/flat_unit.h"

#include <algorithm>

#include "model/concrete.h"
#include "model/policies.h"

namespace mmaprint {
namespace {

/// Where a format stands among the results'; nullopt where there is no room.
std::optional<std::uint8_t> place_of_result(FlatUnit& flat, const FormatInfo& format) {
  for (int i = 0; i < FlatUnit::kMostResults; ++i) {
    if (flat.results[i].name.empty()) flat.results[i] = format;
    if (flat.results[i].id == format.id) return static_cast<std::uint8_t>(i);
  }
  return std::nullopt;
}

/// Appends a node's runs. False where there is no room.
bool append(FlatUnit& flat, const PlannedNode& node, int& runs, int& products) {
  const auto result = place_of_result(flat, node.result);
  if (!result) return false;
  FlatUnit::Node& out = flat.nodes[flat.node_count++];
  out = {static_cast<std::uint8_t>(node.adder),
         static_cast<std::uint8_t>(node.operands),
         static_cast<std::uint8_t>(node.products),
         *result,
         node.is_carried,
         static_cast<std::uint16_t>(runs),
         static_cast<std::uint16_t>(node.runs.size()),
         node.bits,
         static_cast<std::uint16_t>(node.carried.count),
         static_cast<std::uint16_t>(node.carried.bounds),
         static_cast<std::uint16_t>(node.carried.largest)};
  if (std::cmp_greater(node.runs.size(), FlatUnit::kMostRuns - runs)) return false;
  for (const OperandRun& run : node.runs) {
    const bool of_products = run.kind == OperandRun::Kind::products;
    if (std::cmp_greater(run.products.size(), FlatUnit::kMostProducts - products)) return false;
    flat.runs[runs++] = {
        run.kind, static_cast<std::uint8_t>(run.products.size()),
        static_cast<std::uint16_t>(of_products ? static_cast<std::size_t>(products) : run.node)};
    for (const std::size_t index : run.products)
      flat.products[products++] = static_cast<std::uint16_t>(index);
  }
  return true;
}

/// Fills in an integer unit's sums. False where there is no room.
bool append_sums(FlatUnit& flat, const Plan& plan) {
  if (std::cmp_greater(plan.integers.size(), FlatUnit::kMostNodes) || plan.k > FlatUnit::kMostProducts)
    return false;
  int products = 0;
  int earlier = 0;
  for (const IntegerSum& sum : plan.integers) {
    flat.sums[flat.sum_count++] = {
        static_cast<std::uint16_t>(products), static_cast<std::uint16_t>(sum.products.size()),
        static_cast<std::uint16_t>(earlier), static_cast<std::uint16_t>(sum.sums.size()), sum.c};
    for (const std::size_t k : sum.products) flat.products[products++] = static_cast<std::uint16_t>(k);
    for (const std::size_t i : sum.sums) flat.earlier_sums[earlier++] = static_cast<std::uint16_t>(i);
  }
  return true;
}

/// Are there carried sums, or kinds of operands that are aligned by rules of their own?
bool has_kinds(const UnitModel& model, const Plan& plan) {
  const FixedParameters source(model);
  const Concrete<std::uint64_t, const FixedParameters> words(source);
  return std::ranges::any_of(plan.nodes, [&](const PlannedNode& node) {
    return node.is_carried || !policy::aligned_alike(words, NodeShape(plan, node));
  });
}

}  // namespace

std::optional<FlatUnit> flat_unit(const UnitModel& model) {
  if (model.formats.has_scales()) return std::nullopt;
  const Plan plan(model.formats, model.k, skeleton_of(model));
  if (std::cmp_greater(model.adders.size(), FlatUnit::kMostAdders)) return std::nullopt;
  const bool has_nan = info(model.formats.d).has_nan();
  const Pattern nan = constant_nan(model.nan).value_or(has_nan ? canonical_nan(model.formats.d) : 0);
  FlatUnit flat{static_cast<const PlanWidths&>(plan), model.conventions, nan,
                std::holds_alternative<SeveralNans>(model.nan)};
  if (const auto* rule = std::get_if<NanRule>(&model.nan)) {
    flat.by_rule = true;
    flat.rule = *rule;
  }
  flat.has_kinds = has_kinds(model, plan);
  std::ranges::copy(model.adders, flat.adders);
  flat.results[0] = plan.d;
  if (plan.d.is_integer()) return append_sums(flat, plan) ? std::optional(flat) : std::nullopt;
  if (std::cmp_greater(plan.nodes.size(), FlatUnit::kMostNodes)) return std::nullopt;
  int runs = 0;
  int products = 0;
  for (const PlannedNode& node : plan.nodes)
    if (std::cmp_greater(node.operands, FlatUnit::kMostOperands) || !append(flat, node, runs, products))
      return std::nullopt;
  return flat;
}

}  // namespace mmaprint
