#include "inference/assumption.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "model/measured_skeletons.h"

namespace mmaprint {
namespace {

using enum Parameter;

int exact_index() { return AlignmentBitsDomain::index(std::nullopt); }

/// F as either feature states it; nullopt if neither does.
std::optional<std::optional<int>> stated_alignment_bits(const PartialFeatures& stated, Format d) {
  if (const auto& bits = stated.get<alignment_fraction_bits>()) return *bits;
  if (!stated.extra_alignment_bits) return std::nullopt;
  const std::optional<int> extra = *stated.extra_alignment_bits;
  return extra ? std::optional(*extra + reference_fraction_bits(d)) : std::nullopt;
}

/// The index of the value that is stated of a parameter, where its feature is its value.
template <class Row>
std::optional<int> stated_index(const PartialFeatures& stated, Format d) {
  if constexpr (Row::id == alignment_fraction_bits) {
    const auto bits = stated_alignment_bits(stated, d);
    return bits ? std::optional(AlignmentBitsDomain::index(*bits)) : std::nullopt;
  } else if constexpr (std::is_same_v<typename FeatureOf<Row>::Value, ValueOf<Row>>) {
    const auto& value = stated.get<Row::id>();
    return value ? std::optional(DomainOf<Row>::index(*value)) : std::nullopt;
  } else {
    return std::nullopt;
  }
}

bool is_partition(const std::vector<std::vector<int>>& blocks, int k) {
  std::vector<int> all;
  for (const auto& block : blocks) {
    if (block.empty()) return false;
    all.insert(all.end(), block.begin(), block.end());
  }
  std::ranges::sort(all);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (std::cmp_not_equal(all[i], i)) return false;
  return std::cmp_equal(all.size(), k);
}

/// The width that is stated follows from what is stated beside it.
void require_consistent_width(const Space& space, const PartialFeatures& stated) {
  if (!stated.accumulator_width) return;
  const auto bits = stated_alignment_bits(stated, space.formats.d);
  const auto& carry = stated.get<extra_carry_bits>();
  if (!bits || !carry)
    throw BadInput(
        "features.accumulator_width: expected alignment_fraction_bits and extra_carry_bits beside it, from "
        "which "
        "it follows");
  const int integer_bits = 1 + std::visit([](const auto& c) { return c.bits; }, *carry);
  const auto follows = *bits ? std::optional(AccumulatorWidth{integer_bits, **bits}) : std::nullopt;
  if (*stated.accumulator_width != follows)
    throw BadInput(
        "features.accumulator_width: expected what follows from alignment_fraction_bits and "
        "extra_carry_bits");
}

/// Features that no restriction of a space can express.
void require_assumable(const Space& space, const PartialFeatures& stated) {
  if (stated.monotonic && stated.monotonic->holds)
    throw BadInput(
        "features.monotonic: expected no such feature: it follows from the others and cannot be assumed");
  require_consistent_width(space, stated);
  if (const auto& carry = stated.get<extra_carry_bits>())
    if (const auto* exactly = std::get_if<Exactly>(&*carry); exactly && exactly->bits > kLargestCarry)
      throw BadInput(fmt::format("features.extra_carry_bits.exactly: expected 0 to {}", kLargestCarry));
  if (stated.blocks && !is_partition(*stated.blocks, space.k))
    throw BadInput(fmt::format("features.blocks: expected each of the {} products once", space.k));
}

/// Adds the blocks that are stated and the values that a row says may be, where the space lacks them.
Space widened(Space space, const PartialFeatures& stated) {
  // A rule is found after the numbers; that it is stated says that there are several patterns.
  if (stated.nan && !constant_nan(*stated.nan)) space.nan_results = NanResults::several;
  if (stated.blocks)
    for (const auto c : ways_of_c(space.formats)) {
      Skeleton chain{{}, tree_of(Chain{*stated.blocks, c})};
      if (std::ranges::find(space.skeletons, chain) == space.skeletons.end())
        space.skeletons.push_back(std::move(chain));
    }
  const auto bits = stated_alignment_bits(stated, space.formats.d);
  if (bits && *bits && (**bits < 0 || **bits > kLargestAlignmentFractionBits))
    throw BadInput(
        fmt::format("features.alignment_fraction_bits: expected 0 to {}", kLargestAlignmentFractionBits));
  for_each_row([&]<class Row>() {
    const auto index = stated_index<Row>(stated, space.formats.d);
    if (index && info(Row::id).widens(*index, space.formats)) space.box[Row::id].insert(*index);
  });
  return space;
}

/// The skeletons and values that have what is stated; sets lose what does not.
class Filter {
 public:
  Filter(const Space& space, const PartialFeatures& stated) : space_(space), stated_(stated) {}

  /// nullopt if nothing is left.
  std::optional<HypothesisSet> operator()(HypothesisSet set) const {
    const Tree& tree = space_.skeleton(set).tree;
    if (!admits(set)) return std::nullopt;
    if (const auto chain = chain_of(tree); chain && stated_.family) keep_family(*chain, tree, set.box);
    keep_alignment_rounding(set.box);
    keep_carry(set.box);
    for_each_row([&]<class Row>() {
      const auto index = stated_index<Row>(stated_, space_.formats.d);
      if (index) keep_index(set.box, {Row::id}, *index);
    });
    if (stated_.final_rounding)
      keep_index(set.box, {block_rounding, tree.nodes.back().adder},
                 static_cast<int>(*stated_.final_rounding));
    if (const auto nan = stated_.nan ? constant_nan(*stated_.nan) : std::nullopt) {
      if (set.nan.value_or(*nan) != *nan) return std::nullopt;
      set.nan = nan;
    }
    if (set.box.size() == 0) return std::nullopt;
    return set;
  }

 private:
  static void keep_index(Box& box, const ParameterKey& key, int index) {
    box[key].intersect(ValueSet::single(index));
  }
  /// Has its skeleton what is stated of structure? A chain's family depends on more.
  [[nodiscard]] bool admits(const HypothesisSet& set) const {
    if (!stated_.blocks && !stated_.fma_width && !stated_.c_enters && !stated_.family && !stated_.structure &&
        !stated_.operand_formats && !stated_.node_formats && !stated_.padded && !stated_.scales)
      return true;
    const Features f = features_of(space_.model(set.skeleton, set.box.lowest(), std::nullopt));
    const bool chain = chain_of(space_.skeleton(set).tree).has_value();
    return (!stated_.structure || f.structure == *stated_.structure) &&
           (!stated_.operand_formats || f.operand_formats == *stated_.operand_formats) &&
           (!stated_.padded || f.padded == *stated_.padded) &&
           (!stated_.scales || f.scales == *stated_.scales) &&
           (!stated_.node_formats || f.node_formats == *stated_.node_formats) &&
           (!stated_.blocks || f.blocks == *stated_.blocks) &&
           (!stated_.fma_width || f.fma_width == *stated_.fma_width) &&
           (!stated_.c_enters || f.c_enters == *stated_.c_enters) &&
           (!stated_.family || chain || f.family == *stated_.family);
  }

  /// The family of a chain depends on whether anything is lost in alignment.
  void keep_family(const Chain& chain, const Tree& tree, Box& box) const {
    const bool singles =
        std::ranges::all_of(chain.blocks, [](const auto& block) { return block.size() == 1; });
    const bool one_node = tree.nodes.size() == 1;
    const Family lossless = singles ? Family::fma_chain : one_node ? Family::exact : Family::fused_dot_add;
    ValueSet kept;
    for (const int index : box[alignment_fraction_bits].values())
      if ((index == exact_index() ? lossless : Family::fused_dot_add) == *stated_.family) kept.insert(index);
    box[alignment_fraction_bits] = kept;
  }

  void keep_alignment_rounding(Box& box) const {
    const auto& stated = stated_.get<alignment_rounding>();
    if (!stated) return;
    if (!*stated) return keep_index(box, {alignment_fraction_bits}, exact_index());
    keep_index(box, {alignment_rounding}, static_cast<int>(**stated));
    // Where nothing is lost the feature does not apply.
    ValueSet lossy;
    for (const int index : box[alignment_fraction_bits].values())
      if (index != exact_index()) lossy.insert(index);
    box[alignment_fraction_bits] = lossy;
  }

  void keep_carry(Box& box) const {
    const auto& stated = stated_.get<extra_carry_bits>();
    if (!stated) return;
    if (const auto* exactly = std::get_if<Exactly>(&*stated))
      return keep_index(box, {extra_carry_bits}, CarryDomain::index(exactly->bits));
    // More bits have a larger index, and `never wraps` the largest. Fewer bits that never wrap behave as that
    // does.
    const int least = std::min(std::get<AtLeast>(*stated).bits, kLargestCarry + 1);
    box[extra_carry_bits].intersect(ValueSet::range(least, CarryDomain::kSize - 1));
  }

  const Space& space_;
  const PartialFeatures& stated_;
};

/// The subsets with the stated features. `extra_carry_bits: at_least n` keeps n bits and more, and the sums
/// that never wrap. Requires what Search checks.
VersionSpace restricted(const Space& space, const VersionSpace& sets, const PartialFeatures& stated) {
  const Filter filter(space, stated);
  VersionSpace kept;
  for (const HypothesisSet& set : sets)
    if (const auto rest = filter(set)) kept.push_back(*rest);
  return kept;
}

/// What is searched unless told otherwise, one after the other.
constexpr std::array kSpaces{default_space, wider_space, widest_space};

/// Has it all that the other one has?
bool holds(const Space& space, const Space& other) {
  const bool skeletons = std::ranges::all_of(other.skeletons, [&](const Skeleton& skeleton) {
    return std::ranges::find(space.skeletons, skeleton) != space.skeletons.end();
  });
  return skeletons && std::ranges::all_of(all_parameters(), [&](const ParameterInfo& row) {
           return other.box[row.id].without(space.box[row.id]).empty();
         });
}

/// `wide`, and what only the other one has.
Space united(Space wide, const Space& other) {
  for (const Skeleton& skeleton : other.skeletons)
    if (std::ranges::find(wide.skeletons, skeleton) == wide.skeletons.end())
      wide.skeletons.push_back(skeleton);
  for (const ParameterInfo& row : all_parameters()) wide.box[row.id].unite(other.box[row.id]);
  wide.nan_results = other.nan_results;
  return wide;
}

}  // namespace

Search::Search(Space all) : space(std::move(all)), start_(space.whole()) {}

Search::Search(Space all, PartialFeatures stated) : assumed(std::move(stated)) {
  require_assumable(all, assumed);
  space = widened(std::move(all), assumed);
  start_ = restricted(space, space.whole(), assumed);
  if (start_.empty()) throw BadInput("features: expected features that some unit of the space has together");
}

Count Search::size() const { return count(start_); }

bool Search::is_default() const {
  if (!(assumed == PartialFeatures{})) return false;
  return std::ranges::any_of(kSpaces, [&](const auto& standard) {
    const Space like = standard(space.instruction, space.k, space.formats);
    return space.skeletons == like.skeletons && space.box == like.box &&
           space.nan_results == like.nan_results;
  });
}

bool Search::is_measured() const {
  return assumed == PartialFeatures{} && !measured_like(space.skeletons, space.k, space.formats).empty();
}

std::optional<Search> Search::wider() const {
  Space standard = default_space(space.instruction, space.k, space.formats);
  if (!holds(space, standard)) {
    if (!is_measured()) return std::nullopt;
    standard.nan_results = space.nan_results;
    return in(std::move(standard));
  }
  for (const auto& larger : kSpaces) {
    Space wide = larger(space.instruction, space.k, space.formats);
    if (holds(space, wide)) continue;
    if (auto search = in(united(std::move(wide), space))) return search;
  }
  return std::nullopt;
}

std::optional<Search> Search::in(Space other) const {
  Search search(std::move(other));
  search.assumed = assumed;
  search.start_ = restricted(search.space, search.start_, assumed);
  return search.start_.empty() ? std::nullopt : std::optional(std::move(search));
}

std::optional<Search> Search::measured(const MeasuredSkeletons& what) const {
  Space other =
      measured_space(space.instruction, space.k, space.formats, what.skeletons, what.later, what.values);
  other.nan_results = space.nan_results;
  return in(std::move(other));
}

std::optional<Search> Search::carrying() const {
  Space other = widened(carrying_space(space.instruction, space.k, space.formats), assumed);
  std::erase_if(other.skeletons, [](const Skeleton& skeleton) {
    return std::ranges::none_of(skeleton.tree.nodes,
                                [](const Node& node) { return node.result.is_carried(); });
  });
  if (other.skeletons.empty() || holds(space, other)) return std::nullopt;
  other.nan_results = space.nan_results;
  return in(std::move(other));
}

Search resumed(Search fresh, const Search& before) {
  const auto is_before = [&](const Search& search) {
    const Space& x = search.space;
    const Space& y = before.space;
    return x.instruction == y.instruction && x.k == y.k && x.formats == y.formats &&
           x.skeletons == y.skeletons && x.box == y.box && x.nan_results == y.nan_results &&
           x.later_classes == y.later_classes && search.assumed == before.assumed;
  };
  const auto found = [&](const Search& search) -> std::optional<Search> {
    if (is_before(search)) return search;
    Search merged = search;
    merged.space.nan_results = NanResults::several;
    return is_before(merged) ? std::optional(std::move(merged)) : std::nullopt;
  };
  for (std::optional<Search> next = fresh; next; next = next->wider())
    if (auto search = found(*next)) return *std::move(search);
  if (const auto carrying = fresh.carrying())
    if (auto search = found(*carrying)) return *std::move(search);
  for (const MeasuredSkeletons& what :
       measured_like(before.space.skeletons, before.space.k, before.space.formats))
    if (const auto measured = fresh.measured(what))
      if (auto search = found(*measured)) return *std::move(search);
  return fresh;
}

Search search_for(const std::string& instruction, int k, const Signature& formats,
                  const PartialFeatures& stated) {
  for (const auto& space : kSpaces) try {
      return {space(instruction, k, formats), stated};
    } catch (const BadInput&) {
      continue;
    }
  // Too many to be searched unless much is stated of them, what carries sums at least.
  const bool may_carry = stated.structure || stated.node_formats;
  return {may_carry ? carrying_space(instruction, k, formats) : kSpaces.back()(instruction, k, formats),
          stated};
}

PartialFeatures stated_features(const AnyModel& model) {
  if (const auto* partial = std::get_if<PartialModel>(&model)) return partial->features;
  const auto& full = std::get<UnitModel>(model);
  const Features all = features_of(full);
  PartialFeatures stated;
  visit_features(
      [&](auto feature, const auto& value, auto& slot) {
        if (feature.follows && applies(feature, full.formats)) slot = value;
      },
      all, stated);
  return stated;
}

Search search_assuming(const Instruction& instruction, const AnyModel& assumed, const std::string& where) {
  const auto same_shape = [&](const auto& model) {
    if (model.k != instruction.k || model.formats != instruction.formats)
      throw BadInput(where + ": expected K and formats of " + instruction.name + ", found those of " +
                     model.instruction);
  };
  std::visit(same_shape, assumed);
  try {
    return search_for(instruction.name, instruction.k, instruction.formats, stated_features(assumed));
  } catch (const BadInput& problem) {
    throw BadInput(where + ": " + problem.what());
  }
}

}  // namespace mmaprint
