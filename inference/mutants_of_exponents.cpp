// One operand whose exponent is another where its node aligns, and products that are too large at one place:
// what shows only where that operand has its node's largest exponent, or is cancelled by another.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "inference/node_operands.h"
#include "inference/plain_conventions.h"
#include "model/spelling.h"
#include "model/value.h"
#include "model/zero_input.h"

namespace mmaprint::mutants {
namespace {

using deviation::MovedWhereSubnormal;
using What = MovedWhereSubnormal::What;

/// One product of a node, and what its inputs look like.
struct ProductPlace {
  FormatInfo a, b;
  std::size_t k;
  std::vector<std::size_t> beside;  ///< the node's other products

  ProductPlace(const UnitModel& model, const NodeOperand& x)
      : a(info(model.formats.a)),
        b(info(model.formats.b)),
        k(static_cast<std::size_t>(std::get<ProductLeaf>(x.leaf).index)) {
    for (const Leaf& leaf : model.tree.nodes[x.node].operands)
      if (const auto* other = std::get_if<ProductLeaf>(&leaf); other != nullptr)
        if (const auto i = static_cast<std::size_t>(other->index); i != k) beside.push_back(i);
  }
  [[nodiscard]] bool is_zero(const DotInput& in, std::size_t i) const {
    return mmaprint::is_zero(a, in.a[i]) || mmaprint::is_zero(b, in.b[i]);
  }
  /// Of the factors.
  [[nodiscard]] int exponent(const DotInput& in, std::size_t i) const {
    return decode(a.id, in.a[i]).exponent + decode(b.id, in.b[i]).exponent;
  }
  /// May it have the largest exponent of the node's products, or nearly?
  [[nodiscard]] bool is_largest(const DotInput& in) const {
    if (is_zero(in, k)) return false;
    const int own = exponent(in, k);
    return std::ranges::none_of(beside,
                                [&](std::size_t i) { return !is_zero(in, i) && exponent(in, i) > own + 2; });
  }
};

const FormatInfo& result_of(const UnitModel& model, std::size_t node) {
  return info(model.tree.nodes[node].result.value_or(model.formats.d));
}

/// The operand has the node's largest exponent in inputs.
Aim largest_at(const UnitModel& model, const NodeOperand& x) {
  Aim aim{.places = places_of(model, x.node)};
  aim.largest = is_product(x) ? std::get<ProductLeaf>(x.leaf).index : model.k;
  return aim;
}

/// Is a bit lost, at the node, with an E that is this or one more?
bool may_lose(const UnitModel& model, const NodeOperand& x, int exponent) {
  if (!x.adder.alignment_fraction_bits || x.adder.minimum_alignment_exponent.value_or(exponent) > exponent)
    return false;
  const Plan plan(model.formats, model.k, skeleton_of(model));
  const int f = *x.adder.alignment_fraction_bits;
  if (model.tree.nodes[x.node].operands.size() == 1 && f > plan.a.fraction_bits + plan.b.fraction_bits)
    return false;  // not of its own bits
  return plan.nodes[x.node].bits.lowest <= exponent - f;
}

/// Is what comes in as a subnormal one where it is computed?
bool stays_subnormal(const UnitModel& model, What what) {
  const PlanWidths widths(model.formats, model.k, model.paths);
  if (what == What::itself) return ComputedOperand(widths.from_c, widths.c).may_be_subnormal;
  return what == What::factor_a ? ComputedOperand(widths.from_a, widths.a).may_be_subnormal
                                : ComputedOperand(widths.from_b, widths.b).may_be_subnormal;
}

void moved_where_subnormal(const Original& original, const NodeOperand& x, What what,
                           const std::function<bool(const DotInput&)>& may_differ, std::string_view whose,
                           Mutants& mutants) {
  for (const int by : {-1, 1}) {
    // What is a normal number once it is converted has no room for a significand of twice the size.
    if (by < 0 && !stays_subnormal(original.model, what)) continue;
    Aim aim = largest_at(original.model, x);
    aim.subnormals = true;
    add_at(original, x, MovedWhereSubnormal{what, by},
           fmt::format("the exponent of {} one {} where {} is subnormal", name_of(x),
                       by < 0 ? "less" : "more", whose),
           std::move(aim), may_differ, mutants);
  }
}

void factors_subnormal(const Original& original, const NodeOperand& x, Mutants& mutants) {
  const UnitModel& model = original.model;
  const ProductPlace at(model, x);
  const auto where = [&](Role role, What what) {
    const Place factor{role, static_cast<int>(at.k), role == Role::a ? at.a : at.b};
    const FormatInfo& other = role == Role::a ? at.b : at.a;
    if (!may_lose(model, x, factor.format.emin() + other.emax())) return;
    moved_where_subnormal(
        original, x, what,
        [at, factor](const DotInput& in) {
          return classify(factor.format, factor.in(in)) == ValueClass::subnormal && at.is_largest(in);
        },
        factor.name(), mutants);
  };
  if (model.conventions.input_subnormals != Subnormals::kept) return;
  where(Role::a, What::factor_a);
  where(Role::b, What::factor_b);
}

void c_subnormal(const Original& original, const NodeOperand& x, Mutants& mutants) {
  const UnitModel& model = original.model;
  const FormatInfo c = info(*model.formats.c), a = info(model.formats.a), b = info(model.formats.b);
  // Nothing else may be as small.
  const bool alone = a.emin() + b.emin() > c.emin() + 1;
  if (model.conventions.c_subnormals != Subnormals::kept || alone || !may_lose(model, x, c.emin())) return;
  moved_where_subnormal(
      original, x, What::itself,
      [c](const DotInput& in) { return classify(c, in.c) == ValueClass::subnormal; }, "it", mutants);
}

/// The same product at all places of the node, of both signs in turn.
DotInput alternating(const UnitModel& model, const ProductPlace& at, Pattern a, Pattern b) {
  DotInput in = zero_input(model.k);
  std::vector<std::size_t> places = at.beside;
  places.push_back(at.k);
  if (places.size() % 2 != 0) places.erase(places.begin());
  std::ranges::sort(places);
  for (std::size_t i = 0; i < places.size(); ++i) {
    in.a[places[i]] = i % 2 == 0 ? a : negated(at.a, a);
    in.b[places[i]] = b;
  }
  return in;
}
/// That product alone.
DotInput alone(const UnitModel& model, const ProductPlace& at, Pattern a, Pattern b) {
  DotInput in = zero_input(model.k);
  in.a[at.k] = a;
  in.b[at.k] = b;
  return in;
}

Pattern largest_number(const FormatInfo& f) {
  return floating_pattern(f, false, f.emax(), f.largest_significand());
}

}  // namespace

void exponent_of_one_operand_otherwise(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (!is_floating(model)) return;
  for (const NodeOperand& x : all_operands(model)) {
    if (std::holds_alternative<CLeaf>(x.leaf)) c_subnormal(original, x, mutants);
    if (!is_product(x)) continue;
    factors_subnormal(original, x, mutants);
    const ProductPlace at(model, x);
    if (!may_lose(model, x, at.a.emax() + at.b.emax()) || x.adder.product == ProductKind::exclusive_or)
      continue;
    const bool normalised = x.adder.product == ProductKind::exact_normalised;
    const ProductKind other = normalised ? ProductKind::exact_unnormalised : ProductKind::exact_normalised;
    add_at(
        original, x, deviation::ProductAs{other},
        fmt::format("{} {} (not {})", name_of(x), spelling(Parameter::product, other),
                    spelling(Parameter::product, x.adder.product)),
        largest_at(model, x), [at](const DotInput& in) { return at.is_largest(in); }, mutants);
  }
}

void clamp_of_one_operand_otherwise(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (!is_floating(model)) return;
  for (const NodeOperand& x : all_operands(model)) {
    if (!is_product(x) || !x.adder.alignment_fraction_bits) continue;
    const ProductPlace at(model, x);
    const auto own = x.adder.minimum_alignment_exponent;
    const int clamp = own.value_or(result_of(model, x.node).emin());
    // Where the operand is below the clamp bits have to be lost that D may show.
    if (at.a.emin() + at.b.emin() - at.a.fraction_bits - at.b.fraction_bits >
        clamp - *x.adder.alignment_fraction_bits - 2)
      continue;
    Aim aim = largest_at(model, x);
    aim.exponent = clamp - 1;
    add_at(
        original, x, deviation::ClampedAt{own ? std::nullopt : std::optional(clamp)},
        own ? fmt::format("E not at least {} where {} has the largest exponent", clamp, name_of(x))
            : fmt::format("E at least {} where {} has the largest exponent", clamp, name_of(x)),
        std::move(aim),
        [at, clamp](const DotInput& in) { return at.is_largest(in) && at.exponent(in, at.k) < clamp + 2; },
        mutants);
  }
}

void large_product_taken_for_infinity(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (!is_floating(model)) return;
  const PlanWidths widths(model.formats, model.k, {});
  for (const NodeOperand& x : all_operands(model)) {
    if (!is_product(x)) continue;
    const ProductPlace at(model, x);
    const int beyond = result_of(model, x.node).emax() + 1, most = at.a.emax() + at.b.emax() + 1;
    for (const int bound : std::set<int>{std::min(beyond, most), most}) {
      const bool fits = bound < beyond;
      if (!fits && (at.beside.empty() || x.adder.product_overflow == ProductOverflow::infinity)) continue;
      const auto [e_a, e_b] = detail::split(bound, 0, widths);
      const bool largest = bound == most;
      const Pattern a = largest ? largest_number(at.a) : floating_pattern(at.a, false, e_a, 0);
      const Pattern b = largest ? largest_number(at.b) : floating_pattern(at.b, false, e_b, 0);
      Aim aim{.places = places_of(model, x.node)};
      aim.exponent = bound;
      aim.example = at.beside.empty() ? alone(model, at, a, b) : alternating(model, at, a, b);
      add_at(
          original, x, deviation::InfiniteFrom{bound},
          fmt::format("{} taken for an infinity from 2^{}", name_of(x), bound), std::move(aim),
          [at, bound](const DotInput& in) {
            return !at.is_zero(in, at.k) && at.exponent(in, at.k) + 1 >= bound;
          },
          mutants);
    }
  }
}

}  // namespace mmaprint::mutants
