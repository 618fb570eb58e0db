#include "support/describe.h"

#include <array>
#include <iomanip>
#include <sstream>
#include <string_view>

#include "model/value.h"
#include "oracle/oracle.h"

namespace mmaprint::test {
namespace {

constexpr std::array<std::string_view, 2> kSubnormals{"kept", "flushed"};
constexpr std::array<std::string_view, 2> kProducts{"exact-unnormalised", "exact-normalised"};
constexpr std::array<std::string_view, 4> kAlignments{"truncate", "floor", "nearest-even", "sticky"};
constexpr std::array<std::string_view, 2> kNormalisations{"late", "immediate"};
constexpr std::array<std::string_view, 6> kRoundings{"toward-zero", "nearest-even", "up",
                                                     "down",        "nearest-away", "odd"};
constexpr std::array<std::string_view, 4> kOverflows{"infinity", "saturate", "wrap", "by-direction"};
constexpr std::array<std::string_view, 2> kZeroSigns{"positive", "follow"};

template <std::size_t N, typename Enum>
std::string_view named(const std::array<std::string_view, N>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

std::string optional(const std::optional<int>& value) { return value ? std::to_string(*value) : "none"; }

std::string leaf_name(const Leaf& leaf) {
  if (const auto* product = std::get_if<ProductLeaf>(&leaf))
    return std::string("p").append(std::to_string(product->index));
  if (const auto* node = std::get_if<NodeLeaf>(&leaf))
    return std::string("node").append(std::to_string(node->node));
  return std::holds_alternative<CLeaf>(leaf) ? "c" : "+0";
}

std::string number(Format format, Pattern pattern) {
  std::ostringstream out;
  out << hex(format, pattern);
  if (!info(format).is_floating()) {  // which the oracle does not decode
    const Value v = decode(format, pattern);
    out << " (" << (v.negative ? "-" : "") << v.significand << "*2^"
        << v.exponent - info(format).fraction_bits << ")";
    return out.str();
  }
  const oracle::Number x = oracle::decode(format, pattern);
  out << " (" << (x.negative ? "-" : "");
  if (x.kind == oracle::Kind::nan) out << "NaN";
  if (x.kind == oracle::Kind::infinite) out << "Inf";
  if (x.kind == oracle::Kind::finite) {
    mpq_class m = abs(x.value);
    const auto e = static_cast<mp_bitcnt_t>(std::abs(x.exponent));
    if (x.exponent >= 0)
      mpq_div_2exp(m.get_mpq_t(), m.get_mpq_t(), e);
    else
      mpq_mul_2exp(m.get_mpq_t(), m.get_mpq_t(), e);
    out << std::setprecision(17) << m.get_d() << "*2^" << x.exponent;
  }
  out << ")";
  return out.str();
}

}  // namespace

std::string hex(Format format, Pattern pattern) {
  std::ostringstream out;
  out << std::hex << std::setfill('0') << std::setw(info(format).hex_digits()) << pattern;
  return out.str();
}

std::string describe(const UnitModel& model) {
  std::ostringstream out;
  out << "  k " << model.k << ", formats a " << name(model.formats.a) << ", b " << name(model.formats.b)
      << ", c " << name(model.formats.c) << ", d " << name(model.formats.d) << ", nan "
      << (model.nan ? hex(model.formats.d, *model.nan) : "none") << "\n";
  for (std::size_t i = 0; i < model.tree.nodes.size(); ++i) {
    out << "  node" << i << " (adder " << model.tree.nodes[i].adder << "):";
    for (const Leaf& leaf : model.tree.nodes[i].operands) out << " " << leaf_name(leaf);
    out << "\n";
  }
  for (std::size_t i = 0; i < model.adders.size(); ++i) {
    const Adder& adder = model.adders[i];
    out << "  adder " << i << ": product " << named(kProducts, adder.product) << ", clamp "
        << optional(adder.minimum_alignment_exponent) << ", F " << optional(adder.alignment_fraction_bits)
        << " " << named(kAlignments, adder.alignment_rounding) << ", "
        << named(kNormalisations, adder.normalisation) << ", carry " << optional(adder.extra_carry_bits)
        << ", rounding " << named(kRoundings, adder.rounding) << " to f " << adder.output_fraction_bits
        << "\n";
  }
  const Conventions& all = model.conventions;
  out << "  subnormals: input " << named(kSubnormals, all.input_subnormals) << ", c "
      << named(kSubnormals, all.c_subnormals) << ", output " << named(kSubnormals, all.output_subnormals)
      << "; overflow " << named(kOverflows, all.overflow) << "; zero signs: all-zero "
      << named(kZeroSigns, all.zero_sign.all_zero) << ", cancelled "
      << named(kZeroSigns, all.zero_sign.cancelled) << ", rounded "
      << named(kZeroSigns, all.zero_sign.rounded) << ", flushed " << named(kZeroSigns, all.zero_sign.flushed)
      << "\n";
  return out.str();
}

std::string describe(const UnitModel& model, const DotInput& input) {
  std::ostringstream out;
  for (std::size_t i = 0; i < input.a.size(); ++i)
    out << "  a" << i << " " << number(model.formats.a, input.a[i]) << "  b" << i << " "
        << number(model.formats.b, input.b[i]) << "\n";
  out << "  c " << number(model.formats.c, input.c) << "\n";
  return out.str();
}

Case shrink(Case failing, const std::function<bool(const UnitModel&, const DotInput&)>& fails) {
  bool smaller = true;
  const auto attempt = [&](const auto& change) {
    Case candidate = failing;
    change(candidate);
    if (candidate.model == failing.model && candidate.input == failing.input) return;
    if (!fails(candidate.model, candidate.input)) return;
    failing = std::move(candidate);
    smaller = true;
  };
  const auto simplify_pattern = [&](const auto& pattern_of) {
    for (int bit = 63; bit >= 0; --bit) attempt([&](Case& x) { pattern_of(x) &= ~(Pattern{1} << bit); });
  };
  while (smaller) {
    smaller = false;
    for (std::size_t i = 0; i < failing.input.a.size(); ++i)
      attempt([&](Case& x) { x.input.a[i] = x.input.b[i] = 0; });
    attempt([](Case& x) { x.input.c = 0; });
    for (std::size_t i = 0; i < failing.model.adders.size(); ++i) {
      const auto with_adder = [&](const auto& change) {
        attempt([&](Case& x) { change(x.model.adders[i]); });
      };
      const int fraction_bits = info(failing.model.formats.d).fraction_bits;
      with_adder([](Adder& adder) { adder.minimum_alignment_exponent = std::nullopt; });
      with_adder([](Adder& adder) { adder.alignment_fraction_bits = std::nullopt; });
      with_adder([](Adder& adder) { adder.extra_carry_bits = std::nullopt; });
      with_adder([](Adder& adder) { adder.product = ProductKind::exact_unnormalised; });
      with_adder([](Adder& adder) { adder.alignment_rounding = AlignmentRounding::truncate; });
      with_adder([](Adder& adder) { adder.normalisation = Normalisation::late; });
      with_adder([](Adder& adder) { adder.rounding = Rounding::toward_zero; });
      with_adder([&](Adder& adder) { adder.output_fraction_bits = fraction_bits; });
    }
    attempt([](Case& x) { x.model.conventions.input_subnormals = Subnormals::kept; });
    attempt([](Case& x) { x.model.conventions.c_subnormals = Subnormals::kept; });
    attempt([](Case& x) { x.model.conventions.output_subnormals = Subnormals::kept; });
    attempt([](Case& x) { x.model.conventions.overflow = Overflow::infinity; });
    attempt([](Case& x) { x.model.conventions.zero_sign = ZeroSigns{}; });
    for (std::size_t i = 0; i < failing.input.a.size(); ++i) {
      simplify_pattern([i](Case& x) -> Pattern& { return x.input.a[i]; });
      simplify_pattern([i](Case& x) -> Pattern& { return x.input.b[i]; });
    }
    simplify_pattern([](Case& x) -> Pattern& { return x.input.c; });
  }
  return failing;
}

}  // namespace mmaprint::test
