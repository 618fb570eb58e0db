#include "support/describe.h"

#include <iomanip>
#include <sstream>

#include "model/spelling.h"
#include "model/value.h"
#include "oracle/oracle.h"

namespace mmaprint::test {
namespace {

/// Its parameters of one scope, each with its name.
std::string parameters(const Adder& adder, const Conventions& conventions, Scope scope) {
  std::string text;
  for (const ParameterInfo& row : all_parameters())
    if (row.scope == scope)
      text += (text.empty() ? "" : ", ") + std::string(row.field) + " " +
              value_text(row.id, row.index(adder, conventions));
  return text;
}

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
      << ", c " << (model.formats.c ? name(*model.formats.c) : "none") << ", d " << name(model.formats.d)
      << ", nan " << in_words(model.nan, model.formats.d) << "\n";
  const auto converted = [&](std::string_view role, const OperandPath& path) {
    if (path)
      out << "  " << role << " as " << name(path->compute) << ", conversion "
          << static_cast<int>(path->conversion) << "\n";
  };
  converted("a", model.paths.a);
  converted("b", model.paths.b);
  converted("c", model.paths.c);
  for (std::size_t i = 0; i < model.tree.nodes.size(); ++i) {
    out << "  node" << i << " (adder " << model.tree.nodes[i].adder << "):";
    for (const Leaf& leaf : model.tree.nodes[i].operands) out << " " << leaf_name(leaf);
    if (const auto result = model.tree.nodes[i].result.format()) out << " -> " << name(*result);
    if (model.tree.nodes[i].result.is_carried()) out << " carried";
    out << "\n";
  }
  for (std::size_t i = 0; i < model.adders.size(); ++i)
    out << "  adder " << i << ": " << parameters(model.adders[i], {}, Scope::adder) << "\n";
  out << "  unit: " << parameters({}, model.conventions, Scope::unit) << "\n";
  return out.str();
}

std::string describe(const UnitModel& model, const DotInput& input) {
  std::ostringstream out;
  for (std::size_t i = 0; i < input.a.size(); ++i)
    out << "  a" << i << " " << number(model.formats.a, input.a[i]) << "  b" << i << " "
        << number(model.formats.b, input.b[i]) << "\n";
  if (model.formats.c) out << "  c " << number(*model.formats.c, input.c) << "\n";
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
    for (const ParameterInfo& row : all_parameters()) {
      const ValueSet values = row.searched(failing.model.formats);
      const int plainest = row.plainest_is_last ? values.last() : values.first();
      for (std::size_t i = 0; i < failing.model.adders.size(); ++i)
        attempt([&](Case& x) { row.set(x.model.adders[i], x.model.conventions, plainest); });
    }
    for (std::size_t i = 0; i < failing.input.a.size(); ++i) {
      simplify_pattern([i](Case& x) -> Pattern& { return x.input.a[i]; });
      simplify_pattern([i](Case& x) -> Pattern& { return x.input.b[i]; });
    }
    simplify_pattern([](Case& x) -> Pattern& { return x.input.c; });
  }
  return failing;
}

}  // namespace mmaprint::test
