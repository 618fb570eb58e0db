#include "solver/values_at_node.h"

#include <algorithm>
#include <vector>

namespace mmaprint {

const ValueSet& values_at(const PlannedNode& node, const Box& box, Parameter parameter) {
  return box[ParameterKey{parameter, info(parameter).scope == Scope::adder ? node.adder : 0}];
}

bool is_default_at(const PlannedNode& node, const Box& box, Parameter parameter) {
  return is_only_at(node, box, parameter, default_index(info(parameter)));
}

namespace {

/// F of operands of a kind, with each value of their own, and where that is none with this common one.
std::vector<std::optional<int>> bits_of_kind(const PlannedNode& node, const Box& box, OperandKind kind,
                                             std::optional<int> common) {
  using enum Parameter;
  if (kind == OperandKind::product) return {common};
  const Parameter of_kind = kind == OperandKind::carried ? carried_fraction_bits : c_fraction_bits;
  std::vector<std::optional<int>> all;
  for (const int value : values_at(node, box, of_kind).values()) {
    const auto own = OwnBitsDomain::value(value);
    all.push_back(own ? own : common);
  }
  return all;
}

}  // namespace

std::optional<int> fewest_alignment_bits(const PlannedNode& node, const Box& box, OperandKind kind) {
  const ValueSet& common = values_at(node, box, Parameter::alignment_fraction_bits);
  std::optional<int> fewest;
  for (const auto& bits : bits_of_kind(node, box, kind, AlignmentBitsDomain::value(common.first())))
    if (bits) fewest = std::min(fewest.value_or(*bits), *bits);
  return fewest;
}

std::optional<int> most_alignment_bits(const PlannedNode& node, const Box& box, OperandKind kind) {
  const ValueSet& common = values_at(node, box, Parameter::alignment_fraction_bits);
  std::optional<int> most = 0;
  for (const auto& bits : bits_of_kind(node, box, kind, AlignmentBitsDomain::value(common.last())))
    most = most && bits ? std::optional(std::max(*most, *bits)) : std::nullopt;
  return most;
}

int highest_exponent_of_zeros(const Plan& plan, const ZeroAddends& zeros) {
  if (zeros.kind() == ZeroAddends::Kind::left_out) return kNoClamp;
  if (zeros.kind() == ZeroAddends::Kind::as_exponent) return zeros.exponent();
  const int scaled = plan.scales_products() ? std::max(plan.scales.highest(), 0) : 0;
  return zeros.exponent() + std::max({zeros.exponent(), plan.a.emax(), plan.b.emax()}) + scaled;
}

int highest_e_of_no_operand(const Plan& plan, const Box& box, const PlannedNode& node) {
  int highest = ClampDomain::value(values_at(node, box, Parameter::minimum_alignment_exponent).last())
                    .value_or(kNoClamp);
  for (const int value : values_at(node, box, Parameter::zero_addends).values())
    highest = std::max(highest, highest_exponent_of_zeros(plan, ZeroAddendsDomain::value(value)));
  return highest;
}

}  // namespace mmaprint
