// One operand that is aligned otherwise than the others, and sums that are rounded, or overflow, otherwise
// than the others.
#include <fmt/format.h>

#include <set>

#include "inference/mutant_examples.h"
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

/// What the direction of rounding makes of these sums where they overflow.
Overflow in_direction(Rounding rounding, deviation::Sums sums) {
  if (!may_carry(rounding)) return Overflow::saturate;
  return rounding == Rounding::up && sums == deviation::Sums::negative ? Overflow::saturate
                                                                       : Overflow::infinity;
}

/// Is the other value one that these sums may tell from the model's?
bool may_differ(const Adder& adder, Parameter parameter, int own, int index, deviation::Sums sums) {
  if (index == own) return false;
  if (parameter == Parameter::block_rounding)
    return !alike_below_zero(static_cast<Rounding>(own), static_cast<Rounding>(index));
  const auto how = static_cast<Overflow>(index), now = static_cast<Overflow>(own);
  // The direction of rounding decides between the other two.
  return how != Overflow::wrap && how != Overflow::by_direction &&
         how != (now == Overflow::by_direction ? in_direction(adder.rounding, sums) : now) &&
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

/// What becomes of sums too large at a node that rounds so, where the direction decides.
Overflow in_direction(Overflow overflow, Rounding rounding) {
  if (overflow != Overflow::by_direction || rounding == Rounding::up || rounding == Rounding::down)
    return overflow;
  return may_carry(rounding) ? Overflow::infinity : Overflow::saturate;
}

/// Is it no convention of floating results, or the same at a node that rounds so?
bool is_no_other(Parameter convention, Rounding rounding, int own, int index) {
  if (convention != Parameter::overflow) return index == own;
  const auto other = static_cast<Overflow>(index);
  return other == Overflow::wrap ||
         in_direction(other, rounding) == in_direction(static_cast<Overflow>(own), rounding);
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

void conventions_at_one_node(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (!is_floating(model) || model.tree.nodes.size() < 2) return;  // else it is the unit's convention
  for (const ParameterInfo& row : all_parameters()) {
    if (row.scope != Scope::unit) continue;
    const std::vector<bool> shows = nodes_showing(model, row.id);
    for (std::size_t node = 0; node < shows.size(); ++node) {
      if (!shows[node]) continue;
      const UnitModel split = with_own_class(model, node);
      const int own = static_cast<int>(split.adders.size()) - 1;
      const auto& result = info(model.tree.nodes[node].result.value_or(model.formats.d));
      const int now = value_index(values_of(model), {row.id, 0});
      for (const int index : values_beside(model, row, original.values[ParameterKey{row.id, 0}])) {
        if (is_no_other(row.id, split.adders.back().rounding, now, index)) continue;
        add_deviating(split, {own, deviation::OfSums{deviation::Sums::all, row.id, index}},
                      other_value_text(model, {row.id, 0}, std::string(row.name), index) +
                          fmt::format(" at node {} alone", node),
                      {.places = places_of(model, node),
                       .rounds_to = result_bits(model, node),
                       .overflows_by_rounding = row.id == Parameter::overflow,
                       .exponent = row.id == Parameter::overflow ? result.emax() : result.emin(),
                       .example = zero_at_node(model, node, row.id)},
                      nullptr, mutants);
      }
    }
  }
}

}  // namespace mmaprint::mutants
