#include "solver/subnormal_c.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "solver/node_bounds.h"

namespace mmaprint {
namespace {

bool is_single(const ValueSet& set, auto value) { return set == ValueSet::single(static_cast<int>(value)); }

/// Beside operands of which one is not zero, with this exponent in E at least.
bool is_lost_beside(int lowest_e, const Plan& plan, const Box& box, const PlannedNode& node) {
  const auto bits =
      AlignmentBitsDomain::value(values_at(node, box, Parameter::alignment_fraction_bits).last());
  if (!bits) return false;
  // Less than the quantum is cut off, and less than half of it is rounded away.
  const ValueSet& rounding = values_at(node, box, Parameter::alignment_rounding);
  const int halves = is_single(rounding, AlignmentRounding::nearest_even) ? 1 : 0;
  return (halves == 1 || is_single(rounding, AlignmentRounding::truncate)) &&
         lowest_e - *bits - halves >= plan.c.emin();
}
/// Beside one result that is not zero.
bool loses_subnormal_c_beside(const NodeBounds& earlier, const FormatInfo& format, const Plan& plan,
                              const Box& box, const PlannedNode& node) {
  const auto values = [&](Parameter p) -> const ValueSet& { return values_at(node, box, p); };
  const bool exact = !AlignmentBitsDomain::value(values(Parameter::alignment_fraction_bits).first()) &&
                     !CarryDomain::value(values(Parameter::extra_carry_bits).first());
  const bool to_nearest = is_single(values(Parameter::block_rounding), Rounding::nearest_even) ||
                          is_single(values(Parameter::block_rounding), Rounding::nearest_away);
  // The smallest normal number less a little is flushed where that is tested before rounding.
  const bool rounded_first = is_single(values(Parameter::flush_test), FlushTest::after) ||
                             is_single(values(Parameter::output_subnormals), Subnormals::kept);
  return exact && to_nearest && rounded_first && format.id == node.result.id &&
         values(Parameter::output_fraction_bits).first() >= format.fraction_bits &&
         plan.c.emin() <= std::max(earlier.smallest, format.emin()) - format.fraction_bits - 2;
}

}  // namespace

bool loses_subnormal_c(const Plan& plan, const Box& box) {
  const auto bounds = node_bounds(plan, box);
  if (!bounds || plan.from_c.conversion) return false;
  using Kind = OperandRun::Kind;
  const PlannedNode* with_c = nullptr;
  for (const PlannedNode& node : plan.nodes) {
    const auto count = std::ranges::count(node.runs, Kind::c, &OperandRun::kind);
    if (count > 1 || (count == 1 && with_c != nullptr)) return false;
    if (count == 1) with_c = &node;
  }
  if (with_c == nullptr) return false;
  int lowest_e = std::numeric_limits<int>::max();
  std::vector<OperandRun> results;
  for (const OperandRun& run : with_c->runs) {
    if (run.kind == Kind::products)
      lowest_e = std::min(lowest_e, lowest_exponent_of_products(plan, box, *with_c));
    if (run.kind != Kind::node) continue;
    results.push_back(run);
    lowest_e = std::min(lowest_e, std::max((*bounds)[run.node].smallest, run.format.emin()));
  }
  if (lowest_e == std::numeric_limits<int>::max()) return false;
  if (is_lost_beside(lowest_e, plan, box, *with_c)) return true;
  return with_c->runs.size() == 2 && results.size() == 1 &&
         loses_subnormal_c_beside((*bounds)[results[0].node], results[0].format, plan, box, *with_c);
}

}  // namespace mmaprint
