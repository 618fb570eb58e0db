#include "inference/assumption.h"

#include <algorithm>
#include <utility>

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
      throw BadInput("features.extra_carry_bits.exactly: expected 0 to " + std::to_string(kLargestCarry));
  if (stated.blocks && !is_partition(*stated.blocks, space.k))
    throw BadInput("features.blocks: expected each of the " + std::to_string(space.k) + " products once");
}

/// Adds the blocks that are stated and the values that a row says may be, where the space lacks them.
Space widened(Space space, const PartialFeatures& stated) {
  if (stated.nan && !*stated.nan) space.nan_results = NanResults::several;
  if (stated.blocks)
    for (const CEnters c : {CEnters::first, CEnters::last}) {
      Skeleton chain{{}, tree_of(Chain{*stated.blocks, c})};
      if (std::ranges::find(space.skeletons, chain) == space.skeletons.end())
        space.skeletons.push_back(std::move(chain));
    }
  const auto bits = stated_alignment_bits(stated, space.formats.d);
  if (bits && *bits && (**bits < 0 || **bits > kLargestAlignmentFractionBits))
    throw BadInput("features.alignment_fraction_bits: expected 0 to " +
                   std::to_string(kLargestAlignmentFractionBits));
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
    if (stated_.nan && *stated_.nan) {
      const Pattern nan = **stated_.nan;
      if (set.nan.value_or(nan) != nan) return std::nullopt;
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
        !stated_.operand_formats && !stated_.node_formats)
      return true;
    const Features f = features_of(space_.model(set.skeleton, set.box.lowest(), std::nullopt));
    const bool chain = chain_of(space_.skeleton(set).tree).has_value();
    return (!stated_.structure || f.structure == *stated_.structure) &&
           (!stated_.operand_formats || f.operand_formats == *stated_.operand_formats) &&
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

}  // namespace

namespace {

/// The subsets with the stated features. `extra_carry_bits: at_least n` keeps n bits and more, and the sums
/// that never wrap. Requires what Search checks.
VersionSpace restricted(const Space& space, const VersionSpace& sets, const PartialFeatures& stated) {
  const Filter filter(space, stated);
  VersionSpace kept;
  for (const HypothesisSet& set : sets)
    if (const auto rest = filter(set)) kept.push_back(*rest);
  return kept;
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
  const auto is_like = [&](const Space& standard) {
    return space.skeletons == standard.skeletons && space.box == standard.box &&
           space.nan_results == standard.nan_results;
  };
  return is_like(default_space(space.instruction, space.k, space.formats)) ||
         is_like(wider_space(space.instruction, space.k, space.formats));
}

std::optional<Search> Search::wider() const {
  const Space standard = default_space(space.instruction, space.k, space.formats);
  const std::size_t n = standard.skeletons.size();
  if (space.skeletons.size() < n ||
      !std::equal(standard.skeletons.begin(), standard.skeletons.end(), space.skeletons.begin()))
    return std::nullopt;
  Space wide = space;
  for (Skeleton& skeleton : wider_space(space.instruction, space.k, space.formats).skeletons)
    if (std::ranges::find(wide.skeletons, skeleton) == wide.skeletons.end())
      wide.skeletons.push_back(std::move(skeleton));
  if (wide.skeletons.size() == space.skeletons.size()) return std::nullopt;
  Search search(std::move(wide));
  search.assumed = assumed;
  search.start_ = restricted(search.space, search.start_, assumed);
  if (search.start_.empty()) return std::nullopt;
  return search;
}

Search search_for(const std::string& instruction, int k, const OperandFormats& formats,
                  const PartialFeatures& stated) {
  try {
    return {default_space(instruction, k, formats), stated};
  } catch (const BadInput&) {
    return {wider_space(instruction, k, formats), stated};
  }
}

}  // namespace mmaprint
