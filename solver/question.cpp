#include "solver/question.h"

#include <fmt/format.h>

namespace mmaprint {
namespace {

std::string name_of_facts(const OperandFacts& facts) {
  std::string name;
  switch (facts.zeros) {
    case EarlierZeros::same:
      break;
    case EarlierZeros::positive:
      name += "-positive-zeros";
      break;
    case EarlierZeros::any:
      name += "-any-zeros";
      break;
    case EarlierZeros::left_positive:
      name += "-left-positive-zeros";
      break;
    case EarlierZeros::right_positive:
      name += "-right-positive-zeros";
      break;
  }
  if (facts.no_subnormals) name += "-no-subnormals";
  if (facts.inputs != Inputs::all) name += "-subnormal-c";
  if (facts.inputs == Inputs::subnormal_c_alone) name += "-alone";
  return name;
}

std::string name_of_formula(const FormulaKind& formula) {
  std::string name = formula.products == Products::free ? "-free" : "";
  if (formula.gates == GateClauses::both) name += "-swept";
  return name;
}
std::string name_of(const UnitQuestion& question) {
  const Restriction& where = question.where;
  std::string name = "unit" + name_of_formula(question.formula);
  if (where.finite_inputs) name += "-finite";
  if (where.products) name += "-some-products";
  if (where.b_power_of_two) name += "-powers";
  if (where.leading_fraction_bits) name += fmt::format("-{}-leading-bits", *where.leading_fraction_bits);
  if (where.at_most_nonzero_products) name += fmt::format("-{}-products", *where.at_most_nonzero_products);
  if (where.at_most_fraction_bits) name += fmt::format("-{}-bits", *where.at_most_fraction_bits);
  return name;
}
std::string name_of(const NodeQuestion& question) {
  return fmt::format("node-{}{}{}", question.node, name_of_formula(question.formula),
                     name_of_facts(question.facts));
}

}  // namespace

std::string short_name(const SolverQuestion& question) {
  return std::visit([](const auto& q) { return name_of(q); }, question);
}

}  // namespace mmaprint
