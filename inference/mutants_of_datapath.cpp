// One operand that is aligned otherwise than the others, and sums that are rounded, or overflow, otherwise
// than the others.
#include <fmt/format.h>

#include <set>

#include "inference/node_operands.h"
#include "inference/plain_form.h"
#include "model/spelling.h"

namespace mmaprint::mutants {
namespace {

/// Do these do the same to negative sums?
bool alike_below_zero(Rounding x, Rounding y) {
  const auto as_positive = [](Rounding r) { return r == Rounding::up ? Rounding::toward_zero : r; };
  return as_positive(x) == as_positive(y);
}

/// Can rounding carry a sum beyond the largest number?
bool may_carry(Rounding rounding) { return rounding != Rounding::toward_zero && rounding != Rounding::odd; }

/// Is the other value one that these sums may tell from the model's?
bool may_differ(const Adder& adder, Parameter parameter, int own, int index, deviation::Sums sums) {
  if (index == own) return false;
  if (parameter == Parameter::block_rounding)
    return !alike_below_zero(static_cast<Rounding>(own), static_cast<Rounding>(index));
  const auto how = static_cast<Overflow>(index);
  // The direction of rounding decides between the other two.
  return how != Overflow::wrap && how != Overflow::by_direction &&
         (sums != deviation::Sums::carried_over || may_carry(adder.rounding));
}

bool may_overflow(const UnitModel& model, const std::vector<NodeFacts>& facts, int of_class) {
  for (std::size_t n = 0; n < facts.size(); ++n)
    if (model.tree.nodes[n].adder == of_class && facts[n].may_overflow) return true;
  return false;
}

/// For some sums of each class, every other value.
void for_some_sums(const Original& original, Parameter parameter, deviation::Sums sums,
                   std::string_view which, Mutants& mutants) {
  const UnitModel& model = original.model;
  const int classes = static_cast<int>(model.adders.size());
  const std::vector<NodeFacts> facts = facts_of(model);
  for (int of_class = 0; of_class < classes; ++of_class) {
    if (parameter == Parameter::overflow && !may_overflow(model, facts, of_class)) continue;
    const auto rounds = [&](const Node& node) { return node.adder == of_class && !node.result.is_carried(); };
    if (std::ranges::none_of(model.tree.nodes, rounds)) continue;
    const ParameterKey key{parameter, info(parameter).scope == Scope::adder ? of_class : 0};
    const int own = value_index(values_of(model), key);
    for (int index = 0; index < info(parameter).size; ++index) {
      if (original.values[key].contains(index)) continue;  // they are alike
      if (!may_differ(model.adders[static_cast<std::size_t>(of_class)], parameter, own, index, sums))
        continue;
      add_deviating(model, {of_class, deviation::OfSums{sums, parameter, index}},
                    fmt::format("{} {} (not {}) for {}", parameter_name(model, {parameter, of_class}),
                                value_text(parameter, index), value_text(parameter, own), which),
                    {.rounds_to = result_bits_of_class(model, of_class),
                     .overflows_by_rounding = sums == deviation::Sums::carried_over},
                    nullptr, mutants);
    }
  }
}

}  // namespace

void fewer_bits_of_one_operand(const Original& original, Mutants& mutants) {
  if (!is_floating(original.model)) return;
  for (const NodeOperand& x : all_operands(original.model))
    if (x.adder.alignment_fraction_bits.value_or(0) > 0)
      add_at(original, x, deviation::FewerBits{1}, "F one less for " + name_of(x), aim_at(original.model, x),
             nullptr, mutants);
}

void operand_aligned_otherwise(const Original& original, Mutants& mutants) {
  if (!is_floating(original.model)) return;
  for (const NodeOperand& x : all_operands(original.model)) {
    if (is_product(x) || !x.adder.alignment_fraction_bits) continue;
    for (int index = 0; index < info(Parameter::alignment_rounding).size; ++index) {
      if (index == static_cast<int>(x.adder.alignment_rounding)) continue;
      add_at(original, x, deviation::AlignedBy{static_cast<AlignmentRounding>(index)},
             fmt::format("{} aligned by {} (not {})", name_of(x),
                         value_text(Parameter::alignment_rounding, index),
                         spelling(Parameter::alignment_rounding, x.adder.alignment_rounding)),
             aim_at(original.model, x), nullptr, mutants);
    }
  }
}

void operand_far_below_dropped(const Original& original, Mutants& mutants) {
  if (!is_floating(original.model)) return;
  for (const NodeOperand& x : all_operands(original.model)) {
    if (!x.adder.alignment_fraction_bits) continue;
    const int f = *x.adder.alignment_fraction_bits;
    // A product may have two bits above its exponent's, c none.
    std::set<int> at{f - 1};
    if (!is_product(x)) at.insert({f, f / 2});
    for (const int below : at)
      if (below > 0 && (below < f || x.adder.alignment_rounding != AlignmentRounding::truncate))
        add_at(original, x, deviation::DroppedBelow{below},
               fmt::format("{} is a zero where its exponent is below E - {}", name_of(x), below),
               aim_at(original.model, x), nullptr, mutants);
  }
}

void some_sums_otherwise(const Original& original, Mutants& mutants) {
  if (!is_floating(original.model)) return;
  using deviation::Sums;
  for_some_sums(original, Parameter::block_rounding, Sums::negative, "negative sums", mutants);
  for_some_sums(original, Parameter::overflow, Sums::negative, "negative sums", mutants);
  for_some_sums(original, Parameter::overflow, Sums::carried_over, "sums that overflow by rounding alone",
                mutants);
}

}  // namespace mmaprint::mutants
