#include "solver/node_question.h"

#include <algorithm>

namespace mmaprint {
namespace {

std::optional<Pattern> nan_of(const Side& side) {
  if (const auto* hypotheses = std::get_if<Hypotheses>(&side)) return hypotheses->set.nan;
  return constant_nan(std::get<UnitModel>(side).nan);
}

}  // namespace

bool may_drop_c(const Side& side) {
  const auto box = box_of(side);
  if (!box) return true;
  return std::ranges::any_of(box->keys(), [&](const ParameterKey& key) {
    return key.parameter == Parameter::c_dropped_below &&
           (*box)[key] != ValueSet::single(default_index(info(key.parameter)));
  });
}

bool zeros_matter_among_zeros_only(const Side& left, const Side& right) {
  const auto is_carried = [](const PlannedNode& node) { return node.is_carried; };
  return !may_drop_c(left) && !may_drop_c(right) && std::ranges::none_of(plan_of(left).nodes, is_carried);
}

bool zero_products_are_alike(const Side& left, const Side& right) {
  const std::pair boxes{box_of(left), box_of(right)};
  if (!boxes.first || !boxes.second || may_drop_c(left) || may_drop_c(right)) return false;
  const auto leaves_zeros_out = [](const Box& box) {
    return std::ranges::all_of(box.keys(), [&](const ParameterKey& key) {
      return key.parameter != Parameter::zero_addends ||
             box[key] == ValueSet::single(default_index(info(key.parameter)));
    });
  };
  const ValueSet& flushed = (*boxes.first)[Parameter::input_subnormals];
  return flushed.is_single() && flushed == (*boxes.second)[Parameter::input_subnormals] &&
         leaves_zeros_out(*boxes.first) && leaves_zeros_out(*boxes.second);
}

std::optional<int> largest_clamp_if_alone(const Side& left, const Side& right) {
  const std::pair boxes{box_of(left), box_of(right)};
  if (!boxes.first || !boxes.second || skeleton_of(left) != skeleton_of(right)) return std::nullopt;
  const Box& x = *boxes.first;
  const Box& y = *boxes.second;
  const auto nan = nan_of(left);
  if (nan && nan_of(right).value_or(*nan) != *nan) return std::nullopt;
  const bool tied = std::holds_alternative<Hypotheses>(right) && std::get<Hypotheses>(right).tied;
  int largest = kNoClamp;
  for (const ParameterKey& key : x.keys()) {
    if (key.parameter == Parameter::minimum_alignment_exponent) {
      for (const Box* box : {&x, &y})
        largest = std::max(largest, ClampDomain::value((*box)[key].last()).value_or(kNoClamp));
      continue;
    }
    if (x[key] != y[key] || (!x[key].is_single() && !tied)) return std::nullopt;
  }
  return largest;
}

int result_fraction_bits(const Side& side, int adder) {
  if (const auto* model = std::get_if<UnitModel>(&side))
    return model->adders[static_cast<std::size_t>(adder)].output_fraction_bits;
  return std::get<Hypotheses>(side).set.box[{Parameter::output_fraction_bits, adder}].last();
}

}  // namespace mmaprint
