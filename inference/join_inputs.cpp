#include "inference/join_inputs.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace mmaprint {
namespace {

/// Fraction bits of sums that keep all of their products.
constexpr int kAllBits = 24;

/// With the highest bit alone.
Pattern power_of_two(const FormatInfo& f, bool negative, int exponent) {
  return floating_pattern(f, negative, exponent, std::uint64_t{1} << f.fraction_bits);
}

}  // namespace

InputsAtJoins::InputsAtJoins(const UnitModel& x, const UnitModel& y, std::uint64_t seed)
    : RandomDraws(seed), x_(x), y_(y), plan_(x.formats, x.k, skeleton_of(x)), summands_(x_, plan_) {
  if (!info(x.formats.a).has_sign || x.formats.has_scales()) return;
  for (std::size_t n = 0; n < x.tree.nodes.size(); ++n) {
    const auto& operands = x.tree.nodes[n].operands;
    const auto c = std::ranges::find(operands, Leaf(CLeaf{}));
    const auto adder = static_cast<std::size_t>(x.tree.nodes[n].adder);
    if (c == operands.end() || plan_.nodes[n].carried.count == 0 || x.adders[adder] == y.adders[adder])
      continue;
    Join join{n, static_cast<std::size_t>(std::distance(operands.begin(), c)), {}, 0};
    collect(n, join);
    if (join.products.size() > 2) joins_.push_back(std::move(join));
  }
}

void InputsAtJoins::collect(std::size_t node, Join& join) const {
  for (const Leaf& leaf : x_.tree.nodes[node].operands) {
    if (const auto* product = std::get_if<ProductLeaf>(&leaf))
      join.products.push_back(static_cast<std::size_t>(product->index));
    const auto* of = std::get_if<NodeLeaf>(&leaf);
    if (of == nullptr || !x_.tree.nodes[static_cast<std::size_t>(of->node)].result.is_carried()) continue;
    const auto earlier = static_cast<std::size_t>(of->node);
    const Adder& adder = x_.adders[static_cast<std::size_t>(x_.tree.nodes[earlier].adder)];
    join.fraction_bits = std::max(join.fraction_bits, adder.alignment_fraction_bits.value_or(kAllBits));
    collect(earlier, join);
  }
}

std::optional<DotInput> InputsAtJoins::next() {
  constexpr int kAttempts = 8;
  for (int i = 0; i < kAttempts; ++i)
    if (auto input = attempt()) return input;
  return std::nullopt;
}

std::optional<DotInput> InputsAtJoins::attempt() {
  const Join& join = joins_[static_cast<std::size_t>(below(static_cast<int>(joins_.size())))];
  const auto adder = static_cast<std::size_t>(x_.tree.nodes[join.node].adder);
  const Adder& own = (chance(50) ? x_ : y_).adders[adder];
  // Exponents are the containers', whose patterns are set.
  const FormatInfo &a = info(x_.formats.a), &b = info(x_.formats.b), &c = info(*x_.formats.c);
  const int kept = own.alignment_fraction_bits.value_or(2 * plan_.d.fraction_bits);
  const int e_of_sum = a.emin() + b.emin() + below(a.emax() + b.emax() - a.emin() - b.emin());
  const int e = e_of_sum + kept - join.fraction_bits + below(6) - 2;
  if (e < c.emin() || e > c.emax()) return std::nullopt;
  const int rounds_to = chance(70)
                            ? plan_.d.fraction_bits
                            : std::min(own.output_fraction_bits, plan_.nodes[join.node].result.fraction_bits);
  // In units of the last place that the sum has: what c is above 2^E, then halves of the last place below it,
  // and a few units.
  const int lowest = plan_.a.emin() - plan_.a.fraction_bits + plan_.b.emin() - plan_.b.fraction_bits;
  const int unit = std::max(e_of_sum - join.fraction_bits, lowest);
  const int half = e - 2 - rounds_to - unit, last_of_c = e - c.fraction_bits - unit;
  if (half < 0 || half > 40 || last_of_c < 0 || last_of_c > 40) return std::nullopt;
  const std::int64_t above = below(1 << std::min(c.fraction_bits, chance(80) ? 2 : 6)),
                     halves = below(10) - 2, units = below(7) - 3;
  const std::int64_t sum = units - (above << last_of_c) - halves * (std::int64_t{1} << half);
  const bool negative = chance(50);

  DotInput input{std::vector<Pattern>(static_cast<std::size_t>(x_.k), 0),
                 std::vector<Pattern>(static_cast<std::size_t>(x_.k), 0), 0};
  const Cut& cut = kCuts[below(static_cast<int>(std::size(kCuts)))];
  if (summands_.add({negative ? -sum : sum, unit}, join.node, join.place_of_c, cut, input).number != 0 ||
      !put_cancelling(join, e_of_sum, input))
    return std::nullopt;
  input.c = floating_pattern(c, negative, e,
                             (std::uint64_t{1} << c.fraction_bits) + static_cast<std::uint64_t>(above));
  return input;
}

bool InputsAtJoins::put_cancelling(const Join& join, int exponent, DotInput& input) {
  const FormatInfo &a = info(x_.formats.a), &b = info(x_.formats.b);
  const int low = std::max(a.emin(), exponent - b.emax()), high = std::min(a.emax(), exponent - b.emin());
  if (low > high) return false;
  const int of_a = low + below(high - low + 1);
  std::array<std::size_t, 2> places{};
  std::size_t found = 0;
  for (const std::size_t k : join.products)
    if (found < places.size() && input.a[k] == 0 && input.b[k] == 0) places[found++] = k;
  if (found < places.size()) return false;
  for (std::size_t i = 0; i < places.size(); ++i) {
    input.a[places[i]] = power_of_two(a, i == 1, of_a);
    input.b[places[i]] = power_of_two(b, false, exponent - of_a);
  }
  return true;
}

}  // namespace mmaprint
