#include "solver/node_question.h"

#include <algorithm>

namespace mmaprint {
namespace {

std::optional<Pattern> nan_of(const Side& side) {
  if (const auto* hypotheses = std::get_if<Hypotheses>(&side)) return hypotheses->set.nan;
  return std::get<UnitModel>(side).nan;
}

}  // namespace

std::optional<int> largest_clamp_if_alone(const Side& left, const Side& right) {
  const auto x = box_of(left);
  const auto y = box_of(right);
  if (!x || !y) return std::nullopt;
  const auto nan = nan_of(left);
  if (nan && nan_of(right).value_or(*nan) != *nan) return std::nullopt;
  const auto chain = chain_of(tree_of(left));
  const bool tied = std::holds_alternative<Hypotheses>(right) && std::get<Hypotheses>(right).tied;
  for (const ParameterInfo& row : all_parameters()) {
    if (row.id == Parameter::minimum_alignment_exponent) continue;
    // Without a root of its own a chain has no rounding there.
    if (row.scope == Scope::root && chain && chain->c_enters == CEnters::first) continue;
    const ValueSet& set = (*x)[row.id];
    if (set != (*y)[row.id] || (!set.is_single() && !tied)) return std::nullopt;
  }
  const auto largest = [](const Box& box) {
    return ClampDomain::value(box[Parameter::minimum_alignment_exponent].last()).value_or(kNoClamp);
  };
  return std::max(largest(*x), largest(*y));
}

int result_fraction_bits(const Side& side) {
  if (const auto* hypotheses = std::get_if<Hypotheses>(&side))
    return hypotheses->set.box[Parameter::output_fraction_bits].last();
  return std::ranges::max(std::get<UnitModel>(side).adders, {}, &Adder::output_fraction_bits)
      .output_fraction_bits;
}

}  // namespace mmaprint
