#include "inference/mutant_examples.h"

#include <algorithm>
#include <functional>

#include "model/zero_input.h"

namespace mmaprint::mutants {
namespace {

Pattern power(const FormatInfo& f, int exponent, bool negative = false) {
  return floating_pattern(f, negative, exponent, 0);
}

/// Puts ±2^exponent at a place, or what comes next to it among what normal numbers make.
void put_power(const UnitModel& model, DotInput& in, int place, int exponent, bool negative) {
  if (place == model.k) {
    const FormatInfo& c = info(model.formats.c.value_or(model.formats.d));
    in.c = power(c, std::clamp(exponent, c.emin(), c.emax()), negative);
    return;
  }
  const FormatInfo &a = info(model.formats.a), &b = info(model.formats.b);
  const auto k = static_cast<std::size_t>(place);
  const int of_a = std::clamp(exponent / 2, a.emin(), a.emax());
  in.a[k] = power(a, of_a, negative);
  in.b[k] = power(b, std::clamp(exponent - of_a, b.emin(), b.emax()));
}

bool rounds_down(const UnitModel& model, std::size_t node) {
  const auto adder = static_cast<std::size_t>(model.tree.nodes[node].adder);
  return model.adders[adder].rounding == Rounding::down;
}

/// The places of the node's own leaves, and one below each sum that it adds: c's is K. What comes first in a
/// node comes first here.
std::vector<int> places_beside(const UnitModel& model, std::size_t node) {
  std::vector<int> at = places_of(model, node);
  for (const Leaf& leaf : model.tree.nodes[node].operands)
    if (const auto* sum = std::get_if<NodeLeaf>(&leaf)) {
      const auto below = places_beside(model, static_cast<std::size_t>(sum->node));
      if (!below.empty()) at.push_back(below.front());
    }
  return at;
}

/// At a node: a number and its negative. Other zeros are of the sign that lets a negative zero be seen behind
/// it.
DotInput cancelling(const UnitModel& model, std::size_t node) {
  DotInput in = zeros(model, all_places(model).front(), false);
  const std::vector<int> at = places_beside(model, node);
  const FormatInfo &a = info(model.formats.a), &b = info(model.formats.b);
  for (std::size_t i = 0; i < std::min<std::size_t>(2, at.size()); ++i) {
    if (at[i] == model.k) {
      if (model.formats.c) in.c = power(info(*model.formats.c), 0, i != 0);
      continue;
    }
    const auto k = static_cast<std::size_t>(at[i]);
    in.a[k] = power(a, 0, i != 0);
    in.b[k] = power(b, 0);
  }
  return in;
}

/// All are zeros but one product of the node, which is negative, and as small as 2^exponent.
DotInput vanishing(const UnitModel& model, std::size_t node, int exponent) {
  DotInput in = zeros(model, all_places(model).front(), true);
  const FormatInfo &a = info(model.formats.a), &b = info(model.formats.b);
  std::vector<int> at = places_of(model, node);
  std::erase(at, model.k);
  if (at.empty()) return in;
  const auto k = static_cast<std::size_t>(at.front());
  const int of_a = std::max(exponent, a.emin() - a.fraction_bits);
  in.a[k] = power(a, of_a, true);
  in.b[k] = power(b, std::max(exponent - of_a, b.emin() - b.fraction_bits));
  return in;
}

}  // namespace

DotInput alone(const UnitModel& model, const Place& place, Pattern p) {
  DotInput in = zero_input(model.k);
  if (place.role == Role::a) in.b[static_cast<std::size_t>(place.position)] = power(info(model.formats.b), 0);
  if (place.role == Role::b) in.a[static_cast<std::size_t>(place.position)] = power(info(model.formats.a), 0);
  place.in(in) = p;
  return in;
}

DotInput everywhere(const UnitModel& model, const Place& place, Pattern p, int exponent) {
  if (place.role == Role::c) return alone(model, place, p);
  DotInput in = zero_input(model.k);
  const bool of_a = place.role == Role::a;
  const FormatInfo& other = info(of_a ? model.formats.b : model.formats.a);
  std::ranges::fill(of_a ? in.a : in.b, p);
  std::ranges::fill(of_a ? in.b : in.a, power(other, std::max(-exponent, other.emin())));
  return in;
}

bool telling_sign(const UnitModel& model, const Place& place) {
  for (std::size_t n = 0; n < model.tree.nodes.size(); ++n)
    if (std::ranges::count(places_of(model, n), place.product(model.k)) != 0) return !rounds_down(model, n);
  return true;
}

DotInput zeros(const UnitModel& model, const Place& place, bool negative) {
  const FormatInfo &a = info(model.formats.a), &b = info(model.formats.b);
  const bool sign = telling_sign(model, place);
  DotInput in = zero_input(model.k);
  if (place.role == Role::b) {
    std::ranges::fill(in.a, power(a, 0, negative != sign));
    std::ranges::fill(in.b, zero_pattern(b, negative));
  } else {
    const bool of_factor = place.role == Role::a ? negative : sign;
    std::ranges::fill(in.a, zero_pattern(a, of_factor));
    std::ranges::fill(in.b, power(b, 0, of_factor != sign));
  }
  if (model.formats.c) in.c = zero_pattern(info(*model.formats.c), place.role == Role::c ? negative : sign);
  return in;
}

std::optional<DotInput> far_apart(const UnitModel& model, std::size_t node) {
  std::vector<int> at = places_beside(model, node);
  if (at.size() < 2) return std::nullopt;
  std::ranges::sort(at, std::greater<>());  // c, which mostly has the widest range, is large
  const bool is_up =
      model.adders[static_cast<std::size_t>(model.tree.nodes[node].adder)].rounding == Rounding::up;
  const int large = info(model.tree.nodes[node].result.value_or(model.formats.d)).emax() - 1;
  DotInput in = zero_input(model.formats, model.k);
  put_power(model, in, at[0], std::min(large, info(model.formats.d).emax() - 1), false);
  if (at.size() > 2) put_power(model, in, at[2], std::min(large, info(model.formats.d).emax() - 1), true);
  put_power(model, in, at[1], kNoClamp, at.size() == 2 && !is_up);
  return in;
}

DotInput negative_zeros(const UnitModel& model) {
  const FormatInfo &a = info(model.formats.a), &b = info(model.formats.b);
  DotInput in = zero_input(model.formats, model.k);
  const Pattern minus = zero_pattern(a, true);
  if (minus != 0) {
    std::ranges::fill(in.a, minus);
    std::ranges::fill(in.b, power(b, 0));
  } else {
    std::ranges::fill(in.a, power(a, 0, true));
  }
  if (model.formats.c) in.c = zero_pattern(info(*model.formats.c), true);
  return in;
}

std::optional<DotInput> zero_at_node(const UnitModel& model, std::size_t node, Parameter convention) {
  const FormatInfo& format = info(model.tree.nodes[node].result.value_or(model.formats.d));
  switch (convention) {
    case Parameter::zero_all_zero:
      return zeros(model, all_places(model).back(), true);
    case Parameter::zero_cancelled:
      return cancelling(model, node);
    case Parameter::zero_rounded:
      return vanishing(model, node, format.emin() - format.fraction_bits - 3);
    case Parameter::zero_flushed:
      return vanishing(model, node, format.emin() - 1);
    default:
      return std::nullopt;
  }
}

}  // namespace mmaprint::mutants
