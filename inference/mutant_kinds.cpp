#include "inference/mutant_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/fair_share.h"
#include "inference/random_draws.h"

namespace mmaprint {
namespace {

constexpr std::array kKinds{
    MutantKind{"other value of a parameter", mutants::other_values},
    MutantKind{"other value at one node", mutants::other_values_at_one_node},
    MutantKind{"zeros signed otherwise", mutants::zeros_signed_otherwise},
    MutantKind{"nodes swapped", mutants::nodes_swapped},
    MutantKind{"products swapped", mutants::products_swapped},
    MutantKind{"c elsewhere", mutants::c_elsewhere},
    MutantKind{"zero that a sum starts from", mutants::zeros_that_sums_start_from},
    MutantKind{"partial sums of another format", mutants::partial_sums_of_another_format},
    MutantKind{"rounded once more, or less", mutants::rounded_once_more_or_less},
    MutantKind{"operands converted otherwise", mutants::operands_converted_otherwise},
    MutantKind{"subnormals flushed at one place", mutants::subnormals_flushed_at_one_place},
    MutantKind{"subnormals kept at one place", mutants::subnormals_kept_at_one_place},
    MutantKind{"significand bit ignored", mutants::significand_bit_ignored},
    MutantKind{"sign ignored", mutants::sign_ignored},
    MutantKind{"small operands dropped", mutants::small_operands_dropped},
    MutantKind{"NaN ignored", mutants::nan_ignored},
    MutantKind{"number or NaN taken for an infinity", mutants::number_or_nan_taken_for_infinity},
    MutantKind{"zero of another sign", mutants::zero_of_another_sign},
    MutantKind{"large number taken for an infinity", mutants::large_number_taken_for_infinity},
    MutantKind{"zero product of another sign", mutants::zero_product_of_another_sign},
    MutantKind{"fewer bits of one operand", mutants::fewer_bits_of_one_operand},
    MutantKind{"operand aligned otherwise", mutants::operand_aligned_otherwise},
    MutantKind{"operand far below dropped", mutants::operand_far_below_dropped},
    MutantKind{"some sums otherwise", mutants::some_sums_otherwise},
    MutantKind{"convention of one node otherwise", mutants::conventions_at_one_node},
    MutantKind{"exponent of one operand otherwise", mutants::exponent_of_one_operand_otherwise},
    MutantKind{"clamp of one operand otherwise", mutants::clamp_of_one_operand_otherwise},
    MutantKind{"large product taken for an infinity", mutants::large_product_taken_for_infinity},
    MutantKind{"zero times infinity", mutants::zero_times_infinity},
    MutantKind{"zero times infinity in one product", mutants::zero_times_infinity_of_one_product},
    MutantKind{"NaN hidden by an infinity", mutants::nan_hidden_by_an_infinity},
    MutantKind{"products that cancel left out", mutants::cancelling_products_left_out},
    MutantKind{"product of equal factors", mutants::product_of_equal_factors},
    MutantKind{"infinities of both signs", mutants::infinities_of_both_signs},
    MutantKind{"sign and payload of NaN", mutants::nan_sign_and_payload},
    MutantKind{"sign of zero", mutants::sign_of_zero},
    MutantKind{"scale of another block", mutants::scale_of_another_block},
    MutantKind{"bit of a scale ignored", mutants::scale_bit_ignored},
    MutantKind{"scale taken for another", mutants::scale_taken_for_another},
    MutantKind{"NaN among scales ignored", mutants::scale_nan_ignored},
};

}  // namespace

std::span<const MutantKind> mutant_kinds() { return kKinds; }

Mutants mutants_of(const Original& original, std::size_t most, std::uint64_t seed) {
  std::vector<Mutants> by_kind(kKinds.size());
  std::vector<std::size_t> sizes;
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    kKinds[kind].make(original, by_kind[kind]);
    for (Mutant& mutant : by_kind[kind]) mutant.kind = kind;
    sizes.push_back(by_kind[kind].size());
  }
  const std::size_t share = fair_share(sizes, most);
  std::mt19937_64 random(seed);
  Mutants all;
  for (Mutants& of : by_kind) {
    if (of.size() > share) keep_any(of, share, random);
    std::ranges::move(of, std::back_inserter(all));
  }
  return all;
}

namespace mutants {

UnitModel with_own_class(const UnitModel& model, std::size_t node) {
  UnitModel other = model;
  int& adder = other.tree.nodes[node].adder;
  other.adders.push_back(other.adders[static_cast<std::size_t>(adder)]);
  adder = static_cast<int>(other.adders.size()) - 1;
  return other;
}

void add_model(const Original& original, UnitModel same, UnitModel mutant, std::string name, Aim aim,
               Mutants& mutants) {
  if (mutant == same || mutant == original.model) return;
  try {
    validate(mutant);
  } catch (const std::invalid_argument&) {
    return;  // no unit is so
  }
  for (const TileEdges& edges : all_edges_of(mutant))
    if (edges != edges_of(original.model)) aim.edges = edges;
  auto evaluator = std::make_shared<BatchEvaluator>(mutant);
  mutants.push_back({std::move(name),
                     [evaluator](const DotInput& input, Pattern /*d*/) { return evaluator->one()(input); },
                     ComparableModels{std::move(same), std::move(mutant)}, std::move(aim)});
  mutants.back().together = std::move(evaluator);
}

void add_change(const Original& original, std::function<bool(DotInput&)> change, std::string name, Aim aim,
                Mutants& mutants) {
  mutants.push_back(
      {std::move(name),
       [change = std::move(change), model = original.evaluator](const DotInput& input, Pattern d) {
         DotInput changed = input;
         return change(changed) ? model->one()(changed) : d;
       },
       std::nullopt, std::move(aim)});
}

std::vector<int> places_of(const UnitModel& model, std::size_t node) {
  std::vector<int> places;
  for (const Leaf& leaf : model.tree.nodes[node].operands) {
    if (const auto* product = std::get_if<ProductLeaf>(&leaf)) places.push_back(product->index);
    if (std::holds_alternative<CLeaf>(leaf)) places.push_back(model.k);
  }
  return places;
}

std::string parameter_name(const UnitModel& model, const ParameterKey& key) {
  const int classes = static_cast<int>(model.adders.size());
  // A last class that is not the root's rounds products.
  const bool of_products = key.of_class != model.tree.nodes.back().adder;
  return mmaprint::name_of(key, of_products ? classes + 1 : classes);
}

int result_bits(const UnitModel& model, std::size_t node) {
  return result_bits_of_class(model, model.tree.nodes[node].adder);
}
int result_bits_of_class(const UnitModel& model, int of_class) {
  return std::min(model.adders[static_cast<std::size_t>(of_class)].output_fraction_bits,
                  info(result_format(model.tree, of_class, model.formats.d)).fraction_bits);
}

std::string Place::name() const {
  return role == Role::c ? "c" : fmt::format("{}{}", mmaprint::name(role), position);
}

std::vector<Place> all_places(const UnitModel& model) {
  std::vector<Place> all;
  for (const RolePatterns& role : input_roles(model.formats, model.k))
    for (std::size_t i = 0; !is_of_scales(role.role) && i < role.count; ++i)
      all.push_back({role.role, static_cast<int>(i), info(role.format)});
  return all;
}

}  // namespace mutants
}  // namespace mmaprint
