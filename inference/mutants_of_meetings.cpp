// Operands that do something to each other where they meet: a NaN that an infinity elsewhere hides, products
// that cancel and are left out before the rest is aligned, factors that are equal.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "inference/mutant_specials.h"
#include "model/zero_input.h"

namespace mmaprint::mutants {
namespace {

Pattern one_of(const FormatInfo& f) { return floating_pattern(f, false, 0, 0); }

DotInput ones(const UnitModel& model) {
  const auto k = static_cast<std::size_t>(model.k);
  return {std::vector<Pattern>(k, one_of(info(model.formats.a))),
          std::vector<Pattern>(k, one_of(info(model.formats.b))),
          model.formats.c ? one_of(info(*model.formats.c)) : 0};
}

/// A factor, or c, becomes infinite; or a NaN. Requires a format that has such.
void make_infinite(const SpecialOperands& of, DotInput& in, std::size_t place) {
  if (place == in.a.size())
    in.c = infinity_pattern(of.c);
  else
    (of.a.has_infinity() ? in.a : in.b)[place] = infinity_pattern(of.a.has_infinity() ? of.a : of.b);
}
void make_nan(const SpecialOperands& of, DotInput& in, std::size_t place) {
  if (place == in.a.size())
    in.c = canonical_nan(of.c.id);
  else
    (of.a.has_nan() ? in.a : in.b)[place] = canonical_nan((of.a.has_nan() ? of.a : of.b).id);
}

/// The products are opposite numbers.
bool cancel(const FormatInfo& a, const FormatInfo& b, const DotInput& in, std::size_t x, std::size_t y) {
  const auto is_finite = [](const FormatInfo& f, Pattern p) {
    const ValueClass of = classify(f, p);
    return of == ValueClass::normal || of == ValueClass::subnormal;
  };
  if (!is_finite(a, in.a[x]) || !is_finite(b, in.b[x])) return false;
  const Pattern of_a = in.a[x] ^ in.a[y], of_b = in.b[x] ^ in.b[y];
  return (a.has_sign && of_a == sign_pattern(a) && of_b == 0) ||
         (b.has_sign && of_a == 0 && of_b == sign_pattern(b));
}

}  // namespace

void nan_hidden_by_an_infinity(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (!is_floating(model)) return;
  const SpecialOperands of(model.formats);
  const auto k = static_cast<std::size_t>(model.k);
  const std::size_t places = k + (model.formats.c ? 1 : 0);
  for (std::size_t at = 0; at < places; ++at) {
    const bool may_be = at == k ? of.c.has_infinity() : of.a.has_infinity() || of.b.has_infinity();
    // A place that may hold a NaN beside it: c, or a product.
    const bool nan_of_product = of.a.has_nan() || of.b.has_nan();
    std::optional<std::size_t> other;
    if (nan_of_product && (at != 0 || k > 1)) other = at == 0 ? 1 : 0;
    if (places > k && at != k && of.c.has_nan()) other = k;
    if (!may_be || !other) continue;
    DotInput example = ones(model);
    make_infinite(of, example, at);
    make_nan(of, example, *other);
    add_change(
        original,
        [of, at, places](DotInput& in) {
          if (!of.infinite_addend(in, at)) return false;
          bool changed = false;
          for (std::size_t place = 0; place < places; ++place)
            if (place != at && of.nan_addend(in, place)) SpecialOperands::drop(in, place), changed = true;
          return changed;
        },
        fmt::format("NaN counts as zero beside an infinite {}",
                    at == k ? "c" : fmt::format("product {}", at)),
        {.places = {static_cast<int>(at)}, .specials = true, .example = std::move(example)}, mutants);
  }
}

void zero_times_infinity_of_one_product(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  const SpecialOperands of(model.formats);
  if (!is_floating(model) || model.k == 1 || (!of.a.has_infinity() && !of.b.has_infinity())) return;
  for (std::size_t k = 0; k < static_cast<std::size_t>(model.k); ++k) {
    DotInput example = ones(model);
    make_infinite(of, example, k);
    (of.a.has_infinity() ? example.b : example.a)[k] = 0;
    add_change(
        original,
        [of, k](DotInput& in) {
          if (!of.zero_times_infinity(in, k)) return false;
          SpecialOperands::drop(in, k);
          return true;
        },
        fmt::format("zero times infinity is +0 in product {}", k),
        {.places = {static_cast<int>(k)}, .specials = true, .example = std::move(example)}, mutants);
  }
}

void cancelling_products_left_out(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  const auto loses = [](const Adder& adder) { return adder.alignment_fraction_bits.has_value(); };
  if (!is_floating(model) || model.k < 2) return;
  if (model.tree.nodes.size() < 2 && std::ranges::none_of(model.adders, loses)) return;  // the same sum
  // Two products alone have nothing beside them in their node but what c or an earlier sum may be.
  const auto adds_only_both = [](const Node& node) {
    return node.operands.size() == 2 && std::ranges::all_of(node.operands, [](const Leaf& leaf) {
             return std::holds_alternative<ProductLeaf>(leaf);
           });
  };
  if (model.k == 2 && std::ranges::any_of(model.tree.nodes, adds_only_both)) return;
  const FormatInfo a = info(model.formats.a), b = info(model.formats.b);
  add_change(
      original,
      [a, b](DotInput& in) {
        bool changed = false;
        for (std::size_t x = 0; x < in.a.size(); ++x)
          for (std::size_t y = x + 1; y < in.a.size(); ++y)
            if (cancel(a, b, in, x, y)) {
              SpecialOperands::drop(in, x), SpecialOperands::drop(in, y);
              changed = true;
            }
        return changed;
      },
      "products that cancel are left out", {}, mutants);
}

void product_of_equal_factors(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (model.formats.a != model.formats.b || model.formats.a == Format::b1) return;
  const FormatInfo f = info(model.formats.a);
  if (sign_pattern(f) == 0 || !f.is_floating()) return;
  for (std::size_t k = 0; k < static_cast<std::size_t>(model.k); ++k) {
    DotInput example = zero_input(model.k);
    example.a.assign(example.a.size(), negated(f, one_of(f)));
    example.b = example.a;
    add_change(
        original,
        [f, k](DotInput& in) {
          if (in.a[k] != in.b[k] || (in.a[k] & sign_pattern(f)) == 0) return false;
          in.b[k] = negated(f, in.b[k]);
          return true;
        },
        fmt::format("product {} has the sign of its factors where they are equal", k),
        {.places = {static_cast<int>(k)}, .example = std::move(example)}, mutants);
  }
}

}  // namespace mmaprint::mutants
