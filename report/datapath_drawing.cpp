// For an adder of eight products and c with F = 24:
//
//   products          xx.xxxxxxxxxxxxxxxxxxxx          exact, not normalised, in [1, 4)
//   c                  x.xxxxxxxxxxxxxxxxxxxxxxx
//   aligned           xx.xxxxxxxxxxxxxxxxxxxxxxxx┊     F = 24 bits below 2^E; truncated
//   sum           xxxxxx.xxxxxxxxxxxxxxxxxxxxxxxx
//   result             1.xxxxxxxxxxxxxxxxxxxxxxx
#include "report/datapath_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/plan.h"
#include "model/spelling.h"
#include "report/table.h"

namespace mmaprint {
namespace {

constexpr int kMostDrawn = 52;    // fraction bits
constexpr int kMostCarries = 20;  // integer bits
constexpr int kExactBits = 120;   // stands for all

/// What the nodes of one adder sum.
struct Operands {
  int products = 0;  ///< of the node that has most
  int others = 0;
  bool c = false, zero = false, nodes = false;
  std::optional<Format> accumulator = {};  ///< an earlier result's format, if it is not D's
};

Operands operands_of(const UnitModel& model, int adder) {
  Operands all;
  for (const Node& node : model.tree.nodes) {
    if (node.adder != adder) continue;
    int products = 0;
    for (const Leaf& leaf : node.operands) {
      products += std::holds_alternative<ProductLeaf>(leaf) ? 1 : 0;
      all.c = all.c || std::holds_alternative<CLeaf>(leaf);
      all.zero = all.zero || std::holds_alternative<ZeroLeaf>(leaf);
      if (const auto* earlier = std::get_if<NodeLeaf>(&leaf)) {
        all.nodes = true;
        all.accumulator = model.tree.nodes[static_cast<std::size_t>(earlier->node)].result.format();
      }
    }
    all.products = std::max(all.products, products);
    all.others = std::max(all.others, static_cast<int>(node.operands.size()) - products);
  }
  return all;
}

/// Integer bits that the sum of a node may need.
int sum_bits(const PlanWidths& widths, const Operands& in, const Adder& adder) {
  if (adder.extra_carry_bits) return 1 + *adder.extra_carry_bits;
  const SumShape shape{in.products,
                       in.others,
                       adder.alignment_fraction_bits.value_or(kExactBits),
                       adder.product,
                       adder.alignment_rounding,
                       adder.normalisation,
                       widths.product_bound()};
  int carry = 0;
  while (carry < kMostCarries && carry_can_wrap(carry, shape)) ++carry;
  return 1 + carry;
}

std::string fraction(int bits, char digit = 'x') {
  if (bits <= kMostDrawn) return std::string(static_cast<std::size_t>(bits), digit);
  return std::string(kMostDrawn - 1, digit) + "…";
}

std::string accumulator_name(const Operands& in) {
  std::string name = in.c ? "c" : in.zero ? "0" : "";
  if (in.nodes) name += name.empty() ? "accumulator" : ", accumulator";
  return name;
}

std::string lost(AlignmentRounding rounding) {
  switch (rounding) {
    case AlignmentRounding::truncate:
      return "the rest is cut off";
    case AlignmentRounding::floor:
      return "the rest is cut off in two's complement";
    case AlignmentRounding::nearest_even:
      return "rounded to nearest even";
    case AlignmentRounding::sticky:
      return "the last bit remembers what was lost";
  }
  return {};
}

std::string rounding_words(Rounding rounding) {
  std::string text(spelling(Parameter::block_rounding, rounding));
  std::ranges::replace(text, '-', ' ');
  return rounding == Rounding::odd ? "to odd"
         : rounding == Rounding::up || rounding == Rounding::down
             ? text
             : (rounding == Rounding::toward_zero ? "" : "to ") + text;
}

std::string align_words(const Adder& adder) {
  std::string text = adder.alignment_fraction_bits
                         ? fmt::format("F = {} bits below 2^E, E the largest exponent; {}",
                                       *adder.alignment_fraction_bits, lost(adder.alignment_rounding))
                         : "exact: nothing is lost";
  if (adder.minimum_alignment_exponent) text += fmt::format("; E >= {}", *adder.minimum_alignment_exponent);
  if (adder.zero_addends.kind() != ZeroAddends::Kind::left_out)
    text += "; zeros " + value_text(Parameter::zero_addends, ZeroAddendsDomain::index(adder.zero_addends));
  if (adder.product_overflow == ProductOverflow::infinity) text += "; products overflow alone";
  return text;
}

std::string sum_words(const Operands& in, const Adder& adder) {
  std::string text = fmt::format("{} addends, {}", in.products + in.others,
                                 adder.extra_carry_bits ? "wraps in two's complement" : "never wraps");
  if (adder.normalisation == Normalisation::immediate) text += "; normalised after each addition";
  return text;
}

std::string integer_drawing(const UnitModel& model, const Operands& in, const Adder& adder,
                            const Style& style) {
  Table table;
  if (in.products > 0)
    table.add({{"products", Tone::strong},
               {adder.product == ProductKind::exclusive_or ? "exclusive or of single bits" : "exact",
                Tone::faint}});
  table.add(
      {{"sum", Tone::strong}, {fmt::format("{} addends, exact", in.products + in.others), Tone::faint}});
  table.add({{"result", Tone::strong},
             {model.conventions.overflow == Overflow::wrap
                  ? fmt::format("the low {} bits", info(model.formats.d).container_bits)
                  : fmt::format("the nearest {}", name(model.formats.d)),
              Tone::faint}});
  return table.text(style, 150);
}

}  // namespace

std::string datapath_drawing(const UnitModel& model, int index, const Style& style) {
  const Adder& adder = model.adders[static_cast<std::size_t>(index)];
  const Operands in = operands_of(model, index);
  if (info(model.formats.d).is_integer()) return integer_drawing(model, in, adder, style);
  const PlanWidths widths(model.formats, model.k, model.paths);
  const FormatInfo& d = in.nodes || !in.c ? info(in.accumulator.value_or(model.formats.d)) : widths.c;
  const int products = widths.a.fraction_bits + widths.b.fraction_bits;
  const int sum = sum_bits(widths, in, adder);
  const int whole = std::max(2, sum);
  const auto bits = [&](int integer, int kept, const std::string& end = "") {
    return std::string(static_cast<std::size_t>(whole - integer), ' ') +
           std::string(static_cast<std::size_t>(integer), 'x') + "." + fraction(kept) + end;
  };
  const bool normalised = adder.product == ProductKind::exact_normalised;
  const int widest = std::max(in.products > 0 ? products + (normalised ? 1 : 0) : 0, d.fraction_bits);
  const int kept = adder.alignment_fraction_bits.value_or(widest);
  const std::string mark = adder.alignment_fraction_bits ? "┊" : kept <= kMostDrawn ? "…" : "";
  Table table;
  if (in.products > 0)
    table.add({{"products", Tone::strong},
               {bits(normalised ? 1 : 2, products + (normalised ? 1 : 0))},
               {normalised ? "exact, brought into [1, 2)" : "exact, in [1, 4) as they come", Tone::faint}});
  if (in.others > 0) table.add({{accumulator_name(in), Tone::strong}, {bits(1, d.fraction_bits)}, {}});
  table.add({{"aligned", Tone::strong},
             {bits(in.products > 0 && !normalised ? 2 : 1, kept, mark)},
             {align_words(adder), Tone::faint}});
  table.add({{"sum", Tone::strong},
             {bits(sum, kept, adder.alignment_fraction_bits || kept > kMostDrawn ? "" : "…")},
             {sum_words(in, adder), Tone::faint}});
  const bool carried = std::ranges::any_of(
      model.tree.nodes, [&](const Node& node) { return node.adder == index && node.result.is_carried(); });
  if (carried) {
    table.add({{"result", Tone::strong}, {}, {"the sum as it is, carried on with E", Tone::faint}});
    return table.text(style, 150);
  }
  table.add(
      {{"result", Tone::strong},
       {std::string(static_cast<std::size_t>(whole - 1), ' ') + "1." + fraction(adder.output_fraction_bits)},
       {fmt::format("rounded {} to {} fraction bits", rounding_words(adder.rounding),
                    adder.output_fraction_bits),
        Tone::faint}});
  return table.text(style, 150);
}

}  // namespace mmaprint
