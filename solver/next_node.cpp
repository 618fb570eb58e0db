#include "solver/next_node.h"

#include <algorithm>

namespace mmaprint {
namespace {

/// How many bits more than the next alignment leaves are enough; nullopt where no number is.
std::optional<int> bits_beyond(AlignmentRounding next, Rounding mode) {
  if (mode == Rounding::toward_zero)
    return next == AlignmentRounding::truncate ? std::optional(0) : std::nullopt;
  if (mode != Rounding::odd) return std::nullopt;
  return next == AlignmentRounding::nearest_even ? 2 : 1;
}

/// May sums of zeros differ in their sign where one is +0 and not -0, or only almost a zero? What is almost a
/// zero cancels, to +0 but where sums are rounded down; and +0 beside other zeros is +0 there, too.
bool shows_signs(const PlannedNode& node, const Box& box, SmallResults small) {
  using enum Parameter;
  const auto follows = [&](Parameter rule) {
    return values_at(node, box, rule).contains(static_cast<int>(ZeroSign::follow));
  };
  const bool is_down = values_at(node, box, block_rounding).contains(static_cast<int>(Rounding::down));
  const bool of_all = follows(zero_all_zero) && (is_down || small == SmallResults::zeros_of_any_sign);
  return of_all || (is_down && follows(zero_cancelled));
}

/// Have a node's operands, where they are not zero, no exponents below this?
bool have_no_exponents_below(const Plan& plan, const PlannedNode& node, const Box& box, int exponent) {
  return std::ranges::all_of(node.runs, [&](const OperandRun& run) {
    switch (run.kind) {
      case OperandRun::Kind::products:
        return lowest_exponent_of_products(plan, box, node) >= exponent;
      case OperandRun::Kind::c:
        return plan.c.emin() >= exponent;
      case OperandRun::Kind::node:
        return !plan.nodes[run.node].is_carried && plan.nodes[run.node].result.emin() >= exponent;
      case OperandRun::Kind::zero:
      case OperandRun::Kind::padding:
        return true;
      case OperandRun::Kind::carried:
        return false;
    }
    return false;
  });
}

/// What E is at least where the next node adds a subnormal result as if it were zero, but for what is left of
/// it; nullopt where it does not: as a subnormal number it raises a lower E, which no clamp gives and no
/// operand but a zero has where there is none. A sum that is carried on has another exponent where it is that
/// of zeros alone.
std::optional<int> lowest_e_beside_zeros(const Plan& plan, const PlannedNode& node, const PlannedNode& next,
                                         const Box& box, SmallResults small) {
  if (next.is_carried || shows_signs(next, box, small) || !is_default_at(next, box, Parameter::zero_addends))
    return std::nullopt;
  const int emin = node.result.emin();
  const auto clamp = ClampDomain::value(values_at(next, box, Parameter::minimum_alignment_exponent).first());
  if (clamp && *clamp >= emin) return clamp;
  return have_no_exponents_below(plan, next, box, emin) ? std::optional(emin) : std::nullopt;
}

}  // namespace

const PlannedNode* next_node(const Plan& plan, const PlannedNode& node) {
  for (const PlannedNode& next : plan.nodes)
    for (const OperandRun& run : next.runs)
      if (run.kind == OperandRun::Kind::node && &plan.nodes[run.node] == &node) return &next;
  return nullptr;
}

bool aligns_as_products(const PlannedNode& node, const Box& box) {
  return is_default_at(node, box, Parameter::c_fraction_bits) &&
         is_default_at(node, box, Parameter::c_alignment_rounding) &&
         is_default_at(node, box, Parameter::c_dropped_below);
}

const PlannedNode* adds_alone(const Plan& plan, const PlannedNode& node) {
  const PlannedNode* next = next_node(plan, node);
  return next != nullptr && next->operands == 1 && !next->is_carried ? next : nullptr;
}

bool loses_nothing(const PlannedNode& node, const Box& box, int fraction_bits) {
  const auto fewest =
      AlignmentBitsDomain::value(values_at(node, box, Parameter::alignment_fraction_bits).first());
  const bool by_itself = is_default_at(node, box, Parameter::minimum_alignment_exponent) &&
                         is_default_at(node, box, Parameter::zero_addends);
  return aligns_as_products(node, box) && (!fewest || (by_itself && *fewest >= fraction_bits));
}

bool has_same_exponents(const FormatInfo& x, const FormatInfo& y) {
  return x.is_floating() && y.is_floating() && x.emin() == y.emin() && x.emax() == y.emax() &&
         x.specials == y.specials;
}

bool is_rounded_by_next(const Plan& plan, const PlannedNode& node, const Box& box, const NodeBounds& bounds,
                        SmallResults small, Rounding mode, int fraction_bits) {
  const PlannedNode* next = next_node(plan, node);
  if (next == nullptr || bounds.overflows || !aligns_as_products(*next, box)) return false;
  if (bounds.is_subnormal && !lowest_e_beside_zeros(plan, node, *next, box, small)) return false;
  const auto most = most_alignment_bits(*next, box, OperandKind::product);
  return most && std::ranges::all_of(
                     values_at(*next, box, Parameter::alignment_rounding).values(), [&](int rounding) {
                       const auto beyond = bits_beyond(static_cast<AlignmentRounding>(rounding), mode);
                       return beyond && std::min(fraction_bits, node.result.fraction_bits) >= *most + *beyond;
                     });
}

std::optional<int> negligible_below(const Plan& plan, const PlannedNode& node, const Box& box,
                                    SmallResults small) {
  const PlannedNode* next = next_node(plan, node);
  if (next == nullptr || !aligns_as_products(*next, box)) return std::nullopt;
  const auto lowest_e = lowest_e_beside_zeros(plan, node, *next, box, small);
  const auto most = most_alignment_bits(*next, box, OperandKind::product);
  if (!lowest_e || !most) return std::nullopt;
  int below = *lowest_e - *most;
  for (const int rounding : values_at(*next, box, Parameter::alignment_rounding).values()) {
    const auto mode = static_cast<AlignmentRounding>(rounding);
    if (mode == AlignmentRounding::floor || mode == AlignmentRounding::sticky) return std::nullopt;
    if (mode == AlignmentRounding::nearest_even) below = *lowest_e - *most - 1;
  }
  return std::min(below, node.result.emax());  // what is larger may overflow
}

}  // namespace mmaprint
