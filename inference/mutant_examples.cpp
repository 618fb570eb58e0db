#include "inference/mutant_examples.h"

#include <algorithm>

#include "model/zero_input.h"

namespace mmaprint::mutants {
namespace {

Pattern power(const FormatInfo& f, int exponent, bool negative = false) {
  return floating_pattern(f, negative, exponent, 0);
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

/// Inputs for one node, to which F of its operands' bits are aligned.
class LostBits {
 public:
  LostBits(const UnitModel& model, std::size_t node)
      : model_(model),
        adder_(model.adders[static_cast<std::size_t>(model.tree.nodes[node].adder)]),
        result_(info(model.tree.nodes[node].result.value_or(model.formats.d))),
        a_(info(model.formats.a)),
        b_(info(model.formats.b)),
        in_(zero_input(model.formats, model.k)) {
    for (const Leaf& leaf : model.tree.nodes[node].operands) {
      if (const auto* product = std::get_if<ProductLeaf>(&leaf)) operands_.push_back({product->index});
      if (std::holds_alternative<CLeaf>(leaf)) operands_.push_back({model.k});
      if (const auto* sum = std::get_if<NodeLeaf>(&leaf))
        operands_.push_back(places_beside(model, static_cast<std::size_t>(sum->node)));
    }
    std::erase_if(operands_, [](const std::vector<int>& places) { return places.empty(); });
    // The largest number is c, where it is there: mostly it has the widest range.
    std::ranges::stable_partition(operands_, [&](const auto& places) { return places.front() == model.k; });
  }

  std::optional<DotInput> input(int fraction_bits) {
    if (operands_.size() < 2) return std::nullopt;
    const bool nearest =
        adder_.rounding == Rounding::nearest_even || adder_.rounding == Rounding::nearest_away;
    if (operands_.size() == 2 && nearest)
      put_beside_tie(fraction_bits);
    else
      put_far_apart();
    return in_;
  }

 private:
  /// A large number and the smallest, which is left where another cancels the large one, or decides how that
  /// is rounded.
  void put_far_apart() {
    const bool is_cancelled = operands_.size() > 2;
    int large = std::min(result_.emax(), info(model_.formats.d).emax()) - 1;
    if (is_cancelled) large = std::min({large, most(operands_[0].front()), most(operands_[2].front())});
    put(operands_[0].front(), large, false);
    if (is_cancelled) put(operands_[2].front(), large, true);
    put(operands_[1].front(), kNoClamp, !is_cancelled && adder_.rounding != Rounding::up);
  }
  /// Half of a last place beside a power of two, and a bit more, just below the last that F bits keep.
  void put_beside_tie(int fraction_bits) {
    const int half = std::min(adder_.output_fraction_bits, result_.fraction_bits) + 1;
    const int beyond = std::max(1, fraction_bits + 1 - half);
    const std::vector<int>& small = operands_[1];
    const int top = std::min(least(small.front()) + half + beyond, most(operands_[0].front()));
    put(operands_[0].front(), top, false);
    put(small[0], top - half, false);
    if (small.size() > 1)
      put(small[1], top - half - beyond, false);
    else if (small[0] != model_.k && beyond <= a_.fraction_bits)
      in_.a[static_cast<std::size_t>(small[0])] |= Pattern{1}
                                                   << (a_.fraction_bits - beyond + a_.ignored_low_bits);
  }

  /// ±2^exponent, or what comes next to it among what the place may hold.
  void put(int place, int exponent, bool negative) {
    exponent = std::clamp(exponent, least(place), most(place));
    if (place == model_.k) {
      in_.c = power(c(), exponent, negative);
      return;
    }
    const auto k = static_cast<std::size_t>(place);
    const int of_a = std::clamp(exponent / 2, std::max(least(a_), exponent - b_.emax()),
                                std::min(a_.emax(), exponent - least(b_)));
    in_.a[k] = power(a_, of_a, negative);
    in_.b[k] = power(b_, exponent - of_a);
  }
  [[nodiscard]] int least(int place) const { return place == model_.k ? c().emin() : least(a_) + least(b_); }
  [[nodiscard]] int most(int place) const { return place == model_.k ? c().emax() : a_.emax() + b_.emax(); }
  /// Of a factor.
  [[nodiscard]] int least(const FormatInfo& f) const {
    const bool kept = model_.conventions.input_subnormals == Subnormals::kept;
    return f.emin() - (kept ? f.fraction_bits : 0);
  }
  [[nodiscard]] const FormatInfo& c() const { return info(model_.formats.c.value_or(model_.formats.d)); }

  const UnitModel& model_;
  const Adder& adder_;
  const FormatInfo &result_, &a_, &b_;
  DotInput in_;
  std::vector<std::vector<int>> operands_;  ///< places that each comes from
};

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

std::optional<DotInput> with_lost_bits(const UnitModel& model, std::size_t node, int fraction_bits) {
  return LostBits(model, node).input(fraction_bits);
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
