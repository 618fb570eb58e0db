// Every value next to those that a parameter may have, in a class of nodes and at one node alone.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "inference/mutant_examples.h"
#include "inference/mutant_kinds.h"
#include "model/spelling.h"
#include "model/zero_input.h"
#include "solver/idle_values.h"

namespace mmaprint::mutants {
namespace {

/// Zeros that take part in E: beside what is known, and where exponents of zeros begin to be seen, above the
/// clamp and below D's range.
std::vector<int> zero_addends_beside(const UnitModel& model, const ValueSet& known) {
  using Domain = ParameterRow<Parameter::zero_addends>::Domain;
  std::set<int> some{Domain::index(ZeroAddends()), Domain::index(ZeroAddends::as_exponent(0))};
  for (const Adder& adder : model.adders) {
    const int seen = adder.minimum_alignment_exponent.value_or(info(model.formats.d).emin()) + 1;
    const auto within = [](int z) { return std::clamp(z, kLowestZeroExponent, 0); };
    some.insert(Domain::index(ZeroAddends::as_exponent(within(seen))));
    some.insert(Domain::index(ZeroAddends::factor_exponent(within(seen - info(model.formats.a).emax()))));
  }
  for (const int i : known.values())
    if (i > 0) some.insert({i - 1, std::min(i + 1, Domain::kSize - 1)});
  std::erase_if(some, [&](int i) { return known.contains(i); });
  return {some.begin(), some.end()};
}

UnitModel with_value(UnitModel model, const ParameterKey& key, int index) {
  ParameterValues values = values_of(model);
  set_value(values, key, index);
  model.adders = std::move(values.adders);
  model.conventions = values.conventions;
  return model;
}

std::size_t nodes_of_class(const UnitModel& model, int of_class) {
  std::size_t n = 0;
  for (const Node& node : model.tree.nodes) n += node.adder == of_class ? 1U : 0U;
  return n;
}

/// Numbers near none, of a parameter that has both: the nearest that bounds don't show to be alike in this
/// class, and some farther ones, as bounds are no tighter than they have to be.
std::vector<int> numbers_near_none(const UnitModel& model, const ParameterKey& key) {
  const ParameterInfo& row = info(key.parameter);
  const Plan plan(model.formats, model.k, skeleton_of(model));
  const ParameterValues own = values_of(model);
  const int none = value_index(own, key), step = none == 0 ? 1 : -1;
  const auto may_show = [&](int distance) {
    ParameterValues other = own;
    set_value(other, key, none + step * distance);
    return !makes_no_difference(plan, own, other, key);
  };
  // The farther from none the more is lost.
  int alike = 0, other = row.size;
  while (alike + 1 < other) {
    const int middle = std::midpoint(alike, other);
    (may_show(middle) ? other : alike) = middle;
  }
  constexpr std::array kBeyond{0, 1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40};
  std::vector<int> some;
  for (const int beyond : kBeyond)
    if (other + beyond < row.size) some.push_back(none + step * (other + beyond));
  return some;
}

/// And those near none where that is all that is known of it.
std::vector<int> values_of_class_beside(const UnitModel& model, const ParameterKey& key,
                                        const ValueSet& known) {
  const ParameterInfo& row = info(key.parameter);
  if (is_floating(model) && row.optional && !row.is_newer && known.is_single() && !row.number(known.first()))
    return numbers_near_none(model, key);
  return values_beside(model, row, known);
}

/// At these places.
Aim aim_at(Parameter parameter, std::vector<int> places, int rounds_to) {
  Aim aim{.places = std::move(places), .rounds_to = rounds_to};
  aim.grows = parameter == Parameter::normalisation;
  return aim;
}

/// What shows in any node of a class shows there.
std::optional<std::size_t> first_node_of_class(const UnitModel& model, int of_class) {
  for (std::size_t n = 0; n < model.tree.nodes.size(); ++n)
    if (model.tree.nodes[n].adder == of_class) return n;
  return std::nullopt;
}
std::vector<int> places_of_class(const UnitModel& model, int of_class) {
  const auto node = first_node_of_class(model, of_class);
  return node ? places_of(model, *node) : std::vector<int>();
}

Aim aim_at_class(const UnitModel& model, const ParameterKey& key, int index) {
  Aim aim = aim_at(
      key.parameter,
      key.parameter == Parameter::normalisation ? places_of_class(model, key.of_class) : std::vector<int>(),
      result_bits_of_class(model, key.of_class));
  const auto node = first_node_of_class(model, key.of_class);
  if (key.parameter == Parameter::alignment_fraction_bits && node)
    if (const auto f = info(key.parameter).number(index)) aim.example = with_lost_bits(model, *node, *f);
  return aim;
}

}  // namespace

std::vector<int> values_beside(const UnitModel& model, const ParameterInfo& row, const ValueSet& known) {
  // Where these formats leave a parameter one value, it has no other.
  const bool fixed = info(model.formats.d).is_integer() || row.is_newer;
  const ValueSet possible = fixed ? row.searched_at_last(model.formats) : ValueSet();
  std::vector<int> all;
  const auto is_known = [&](int i) { return i >= 0 && i < row.size && known.contains(i); };
  if (row.id == Parameter::zero_addends)
    return info(model.formats.d).is_integer() ? all : zero_addends_beside(model, known);
  // Where infinities and the largest number are alike, so is what the direction of rounding chooses of them.
  const bool either = row.id == Parameter::overflow && known.size() > 1;
  const auto is_number = [&](int i) { return row.text != nullptr || row.number(i).has_value(); };
  for (int i = 0; i < row.size; ++i) {
    if (is_known(i) || (fixed && !possible.contains(i))) continue;
    if (either && i == static_cast<int>(Overflow::by_direction)) continue;
    const bool word_or_none = !row.words.empty() || !is_number(i);
    const auto beside = [&](int other) { return is_known(other) && is_number(other); };
    if (word_or_none || beside(i - 1) || beside(i + 1)) all.push_back(i);
  }
  return all;
}

std::string other_value_text(const UnitModel& model, const ParameterKey& key, const std::string& name,
                             int index) {
  return fmt::format("{} {} (not {})", name, value_text(key.parameter, index),
                     value_text(key.parameter, value_index(values_of(model), key)));
}

void other_values(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  const int classes = static_cast<int>(model.adders.size());
  for (const ParameterKey& key : all_keys(classes)) {
    for (const int index : values_of_class_beside(model, key, original.values[key]))
      add_model(original, model, with_value(model, key, index),
                other_value_text(model, key, parameter_name(model, key), index),
                aim_at_class(model, key, index), mutants);
  }
}

void other_values_at_one_node(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  for (std::size_t node = 0; node < model.tree.nodes.size(); ++node) {
    const int of_class = model.tree.nodes[node].adder;
    if (nodes_of_class(model, of_class) < 2) continue;  // that is the class
    const UnitModel split = with_own_class(model, node);
    const int own = static_cast<int>(split.adders.size()) - 1;
    for (const ParameterInfo& row : all_parameters()) {
      if (row.scope != Scope::adder) continue;
      for (const int index : values_beside(model, row, original.values[ParameterKey{row.id, of_class}]))
        add_model(original, split, with_value(split, {row.id, own}, index),
                  other_value_text(split, {row.id, own}, std::string(row.name), index) +
                      fmt::format(" at node {} alone", node),
                  aim_at(row.id, places_of(model, node), result_bits(model, node)), mutants);
    }
  }
}

namespace {
/// c, or the second product, cancels most of the first: the sum is flushed to -0 where D's subnormals are.
/// All other products are zeros whose factors have signs of their own. nullopt where there are no such
/// products.
std::optional<DotInput> flushed_beside_zeros(const UnitModel& model) {
  const Signature& formats = model.formats;
  if (!formats.c && model.k < 2) return std::nullopt;
  const FormatInfo &a = info(formats.a), &b = info(formats.b);
  if (!a.has_sign || !b.has_sign || a.fraction_bits == 0) return std::nullopt;
  const int e = info(formats.d).emin(), of_a = std::clamp(e / 2, a.emin(), a.emax()), of_b = e - of_a;
  if (of_b < b.emin() || of_b > b.emax() || (formats.c && info(*formats.c).emin() > e)) return std::nullopt;
  DotInput in = zero_input(formats, model.k);
  for (Pattern& factor : in.b) factor = floating_pattern(b, true, 0, 0);
  in.b[0] = floating_pattern(b, false, of_b, 0);
  in.a[0] = floating_pattern(a, true, of_a, std::uint64_t{1} << (a.fraction_bits - 1));
  if (formats.c) {
    in.c = floating_pattern(info(*formats.c), false, e, 0);
  } else {
    in.b[1] = in.b[0];
    in.a[1] = floating_pattern(a, false, of_a, 0);
  }
  return in;
}
}  // namespace

void zeros_signed_otherwise(const Original& original, Mutants& mutants) {
  const UnitModel& model = original.model;
  if (!is_floating(model)) return;
  constexpr std::array kKeys{ParameterKey{Parameter::input_subnormals, 0},
                             ParameterKey{Parameter::c_subnormals, 0},
                             ParameterKey{Parameter::zero_all_zero, 0}};
  constexpr int kKept = static_cast<int>(Subnormals::kept), kFlushed = static_cast<int>(Subnormals::flushed),
                kPositive = static_cast<int>(Subnormals::flushed_positive);
  const ParameterValues own = values_of(model);
  const auto flushed = [&](const ParameterKey& key) {
    return value_index(own, key) == kKept ? std::vector{kKept} : std::vector{kFlushed, kPositive};
  };
  for (const int of_factors : flushed(kKeys[0]))
    for (const int of_c : flushed(kKeys[1]))
      for (const ZeroSign all_zero : {ZeroSign::positive, ZeroSign::follow}) {
        const std::array<int, kKeys.size()> all{of_factors, of_c, static_cast<int>(all_zero)};
        UnitModel other = model;
        int changes = 0;
        bool is_known = true;
        for (std::size_t i = 0; i < kKeys.size(); ++i) {
          changes += all[i] != value_index(own, kKeys[i]) ? 1 : 0;
          is_known = is_known && original.values[kKeys[i]].contains(all[i]);
          other = with_value(std::move(other), kKeys[i], all[i]);
        }
        // One change alone is another value of a parameter.
        if (changes > 1 && !is_known)
          add_model(original, model, std::move(other), "operands are flushed and zeros signed by other rules",
                    {.subnormals = true, .specials = true, .example = flushed_beside_zeros(model)}, mutants);
      }
}

}  // namespace mmaprint::mutants
