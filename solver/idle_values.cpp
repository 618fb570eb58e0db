#include "solver/idle_values.h"

#include <algorithm>
#include <vector>

#include "solver/idle_at_node.h"
#include "solver/node_bounds.h"
#include "solver/operand_ranges.h"
#include "solver/zero_signs.h"

namespace mmaprint {
namespace {

ValueSet idle_values(const Plan& plan, const Box& box, const std::vector<NodeBounds>& bounds,
                     const ParameterKey& key) {
  const bool of_unit = info(key.parameter).scope != Scope::adder;
  const std::vector<SignOfZero> signs = signs_of_zeros(plan, box, bounds);
  ValueSet idle;
  for (const int value : box[key].values()) {
    bool everywhere = true;
    for (std::size_t n = 0; everywhere && n < plan.nodes.size(); ++n)
      if (of_unit || plan.nodes[n].adder == key.of_class)
        everywhere = is_idle_at_node({plan, n, box, bounds[n], signs[n]}, key.parameter, value);
    if (everywhere) idle.insert(value);
  }
  return idle;
}

/// Two ways to flush operands differ in the signs of zeros alone: are these lost wherever there are such?
ValueSet idle_ways_to_flush(const Plan& plan, const Box& box, const std::vector<NodeBounds>& bounds,
                            const ParameterKey& key) {
  const bool of_products = key.parameter == Parameter::input_subnormals;
  if (!of_products && key.parameter != Parameter::c_subnormals) return {};
  ValueSet ways = ValueSet::single(static_cast<int>(Subnormals::flushed));
  ways.insert(static_cast<int>(Subnormals::flushed_positive));
  ways.intersect(box[key]);
  const std::vector<SignOfZero> signs = signs_of_zeros(plan, box, bounds);
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const PlannedNode& node = plan.nodes[n];
    const bool adds_such =
        of_products ? node.products > 0
                    : std::ranges::find(node.runs, OperandRun::Kind::c, &OperandRun::kind) != node.runs.end();
    if (adds_such && signs[n].shows_an_operands) return {};
  }
  return ways;
}

/// Are a container's numbers, converted exactly, all normal ones of f?
bool is_never_subnormal(const Container& from, const FormatInfo& f) {
  return from.conversion == Conversion::exact && from.format.emin() - from.format.fraction_bits >= f.emin();
}

/// No number of an integer format is beyond this, and all that are less than it are D's.
Magnitude most_of(const FormatInfo& f) { return Magnitude(1) << f.fraction_bits; }
/// Is what an integer unit adds, in any order, always within D?
bool sums_fit(const Plan& plan) {
  if (!plan.d.is_integer()) return false;
  Magnitude most = most_of(plan.a) * most_of(plan.b) * plan.k;
  for (const PlannedNode& node : plan.nodes)
    if (std::ranges::find(node.runs, OperandRun::Kind::c, &OperandRun::kind) != node.runs.end())
      most += most_of(plan.c);
  return most < most_of(plan.d);
}

/// The values of a set that decide nothing, whatever operands are. Sums that are carried on count as rounded
/// to nearest.
ValueSet idle_whatever_is_added(const Plan& plan, const Box& box, const ParameterKey& key) {
  const ValueSet& all = box[key];
  const auto all_if = [&](bool decides_nothing) { return decides_nothing ? all : ValueSet(); };
  // What is flushed to +0 loses the signs of zeros, too.
  const auto signed_if = [&](bool none_is_subnormal) {
    return all_if(none_is_subnormal)
        .without(ValueSet::single(static_cast<int>(Subnormals::flushed_positive)));
  };
  const auto nowhere_down = [&] {
    return std::ranges::none_of(plan.nodes, [&](const PlannedNode& node) {
      return !node.is_carried &&
             values_at(node, box, Parameter::block_rounding).contains(static_cast<int>(Rounding::down));
    });
  };
  const auto kept = ValueSet::single(static_cast<int>(Subnormals::kept));
  switch (key.parameter) {
    case Parameter::input_subnormals:
      return signed_if(is_never_subnormal(plan.from_a, plan.a) && is_never_subnormal(plan.from_b, plan.b));
    case Parameter::c_subnormals:
      return signed_if(is_never_subnormal(plan.from_c, plan.c));
    case Parameter::overflow:
      return all_if(sums_fit(plan));
    case Parameter::zero_cancelled:
      return all_if(nowhere_down());
    case Parameter::flush_test:
    case Parameter::zero_flushed:
      return all_if(box[Parameter::output_subnormals] == kept);
    default:
      return {};
  }
}

}  // namespace

ValueSet idle_values(const Plan& plan, const Box& box, const ParameterKey& key) {
  const ValueSet of_any = idle_whatever_is_added(plan, box, key);
  if (!of_any.empty()) return of_any;
  const auto bounds = bounds_of_any_nodes(plan, box);
  if (!bounds) return {};
  const ValueSet ways = idle_ways_to_flush(plan, box, *bounds, key);
  return ways.empty() ? idle_values(plan, box, *bounds, key) : ways;
}

Box without_idle_values(const Plan& plan, Box box, const ParameterValues& target) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const ParameterKey& key : box.keys()) {
      if (box[key].is_single()) continue;
      const ValueSet idle = idle_values(plan, box, key);
      if (idle.size() < 2) continue;
      const int own = value_index(target, key);
      const int kept = idle.contains(own)                     ? own
                       : info(key.parameter).plainest_is_last ? idle.last()
                                                              : idle.first();
      box[key] = box[key].without(idle);
      box[key].insert(kept);
      changed = true;
    }
  }
  return box;
}

bool makes_no_difference(const Plan& plan, const ParameterValues& values, const ParameterValues& other,
                         const ParameterKey& key) {
  Box both(values);
  both[key].insert(value_index(other, key));
  return without_idle_values(plan, both, other)[key].is_single();
}

bool are_clamped_alike(const Plan& plan, const ParameterValues& x, const ParameterValues& y, int of_class) {
  const auto adder_of = [&](const ParameterValues& values) -> const Adder& {
    return values.adders[static_cast<std::size_t>(of_class)];
  };
  const auto last_place = [](const Adder& adder) -> std::optional<int> {
    const auto clamp = adder.minimum_alignment_exponent, bits = adder.alignment_fraction_bits;
    return clamp && bits ? std::optional(*clamp - *bits) : std::nullopt;
  };
  const auto place = last_place(adder_of(x));
  if (!place || place != last_place(adder_of(y))) return false;
  Box both(x);
  for (const Parameter p : {Parameter::alignment_fraction_bits, Parameter::minimum_alignment_exponent})
    both[{p, of_class}].insert(value_index(y, {p, of_class}));
  const auto bounds = node_bounds(plan, both);
  if (!bounds) return false;
  const std::vector<SignOfZero> signs = signs_of_zeros(plan, both, *bounds);
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const NodeOfSet node{plan, n, both, (*bounds)[n], signs[n]};
    if (plan.nodes[n].adder == of_class && !is_exact_however_clamped(node)) return false;
  }
  return true;
}

}  // namespace mmaprint
