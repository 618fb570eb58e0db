#include "solver/joins.h"

#include <algorithm>

namespace mmaprint {
namespace {

/// Of what joins a carried sum, a zero or not.
int lowest_e_of_other(const Plan& plan, const PlannedNode& join, const Box& box) {
  const auto c = std::ranges::count(join.runs, OperandRun::Kind::c, &OperandRun::kind);
  int lowest = join.operands == 2 && c == 1 ? plan.c.emin() : kNoClamp;
  for (const int value : values_at(join, box, Parameter::zero_addends).values()) {
    const ZeroAddends zeros = ZeroAddendsDomain::value(value);
    lowest = std::min(lowest, zeros.kind() == ZeroAddends::Kind::as_exponent ? zeros.exponent() : kNoClamp);
  }
  return lowest;
}

/// With which exponent c or a rounded result takes part in the E of a join of a carried sum and it alone,
/// where it is not zero; nullopt where something else is added.
std::optional<int> lowest_e_of_number(const Plan& plan, const PlannedNode& join) {
  if (join.operands != 2) return std::nullopt;
  for (const OperandRun& run : join.runs) {
    if (run.kind == OperandRun::Kind::c) return plan.c.emin();
    if (run.kind == OperandRun::Kind::node) return plan.nodes[run.node].result.emin();
  }
  return std::nullopt;
}

/// Up to this E it makes no difference to the join of a carried sum of these bounds, with c or a result:
/// where that is zero nothing of the sum is lost, and else E is no lower. kNoClamp where E matters for more.
int harmless_e_of_join(const Plan& plan, const PlannedNode& join, const Box& box, const NodeBounds& of_sum) {
  using enum Parameter;
  const auto of_number = lowest_e_of_number(plan, join);
  const auto carry = CarryDomain::value(values_at(join, box, extra_carry_bits).first());
  if (!of_number || join.is_carried || (carry && of_sum.sum.wraps(*carry)) ||
      !is_only_at(join, box, normalisation, Normalisation::late) ||
      !is_default_at(join, box, c_dropped_below))
    return kNoClamp;
  const auto fewest = fewest_alignment_bits(join, box, OperandKind::carried);
  return fewest ? std::min(*of_number, of_sum.lowest_bit + *fewest) : *of_number;
}

}  // namespace

int highest_clamp_before_join(const Plan& plan, const PlannedNode& carried, const Box& box,
                              const NodeBounds& bounds) {
  for (const PlannedNode& join : plan.nodes)
    for (const OperandRun& run : join.runs) {
      if (run.kind != OperandRun::Kind::carried || &plan.nodes[run.node] != &carried) continue;
      const auto clamp =
          ClampDomain::value(values_at(join, box, Parameter::minimum_alignment_exponent).first());
      return std::max({clamp.value_or(kNoClamp), lowest_e_of_other(plan, join, box),
                       harmless_e_of_join(plan, join, box, bounds)});
    }
  return kNoClamp;
}

bool joins_as_exact(const Plan& plan, const PlannedNode& node, const Box& box, const NodeBounds& bounds,
                    std::optional<int> f, AlignmentRounding rounding) {
  using enum Parameter;
  const auto& all = bounds.each;
  const auto y = std::ranges::find(all, OperandKind::carried, &OperandAlone::kind);
  if (node.is_carried || all.size() != 2 || y == all.end()) return false;
  const OperandAlone& x = all[y == all.begin() ? 1 : 0];
  if (x.kind != OperandKind::c || !is_only_at(node, box, normalisation, Normalisation::late) ||
      !is_only_at(node, box, block_rounding, Rounding::down) ||
      !is_default_at(node, box, carried_fraction_bits) ||
      !is_default_at(node, box, carried_alignment_rounding))
    return false;
  // x keeps all it has where its exponent is E, and always multiples of what y is aligned to.
  const int sticky = rounding == AlignmentRounding::sticky ? 1 : 0;
  for (const int value : values_at(node, box, c_fraction_bits).values()) {
    const auto own = OwnBitsDomain::value(value);
    if (!own || *own < x.fraction_bits || (f && *own > *f - sticky)) return false;
  }
  if (!f) return true;
  if (rounding != AlignmentRounding::floor && sticky == 0) return false;
  const int most_bits =
      std::min(values_at(node, box, output_fraction_bits).last(), node.result.fraction_bits);
  const int above = *f - y->fraction_bits;  // E where y loses anything is beyond its own exponent by more
  const int lowest_e = y->lowest_e + above + 1;
  if (above < 0 || above <= y->leading_above_e || *f < most_bits + 1 + sticky) return false;
  const int emin = node.result.emin();
  const bool shows_no_small_ones = is_only_at(node, box, output_subnormals, Subnormals::kept) &&
                                   is_only_at(node, box, zero_cancelled, ZeroSign::positive);
  const int fine = shows_no_small_ones ? emin - most_bits + *f - sticky : lowest_e - 1;
  const auto is_harmless = [&](int e) { return e < lowest_e || e <= fine; };
  return is_harmless(highest_e_of_no_operand(plan, box, node)) &&
         (!x.subnormal_e || is_harmless(*x.subnormal_e)) && (shows_no_small_ones || lowest_e - 1 >= emin);
}

}  // namespace mmaprint
