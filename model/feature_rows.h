// The table of features: one struct each, and one for every parameter (model/parameter_table.h).
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "model/feature_values.h"

namespace mmaprint {

/// A feature's row: its name, its place in documents, what it says of integers (if not, it is written as null
/// there), whether it is about c (then it is null where there is none), and whether it follows from the
/// unit's definition. Words, or the range of integers, as they have.
struct FeatureDefaults {
  static constexpr bool of_integers = false;
  static constexpr bool about_c = false;
  static constexpr bool follows = true;
};
struct FamilyFeature : FeatureDefaults {
  static constexpr std::string_view name = "family";
  static constexpr int in_documents = 0;
  static constexpr bool of_integers = true;
  static constexpr std::span<const std::string_view> words = kFamilyWords;
  static constexpr auto& in(auto& set) { return set.family; }
};
struct StructureFeature : FeatureDefaults {
  static constexpr std::string_view name = "structure";
  static constexpr int in_documents = 5;
  static constexpr bool of_integers = true;
  static constexpr auto& in(auto& set) { return set.structure; }
};
struct OperandFormatsFeature : FeatureDefaults {
  static constexpr std::string_view name = "operand_formats";
  static constexpr int in_documents = 32;
  static constexpr auto& in(auto& set) { return set.operand_formats; }
};
struct NodeFormatsFeature : FeatureDefaults {
  static constexpr std::string_view name = "node_formats";
  static constexpr int in_documents = 34;
  static constexpr auto& in(auto& set) { return set.node_formats; }
};
struct PaddedFeature : FeatureDefaults {
  static constexpr std::string_view name = "padded";
  static constexpr int in_documents = 36;
  static constexpr auto& in(auto& set) { return set.padded; }
};
struct ScalesFeature : FeatureDefaults {
  static constexpr std::string_view name = "scales";
  static constexpr int in_documents = 37;
  static constexpr std::span<const std::string_view> words = kScalesOnWords;
  static constexpr auto& in(auto& set) { return set.scales; }
};
/// Of the class of the first node that adds.
struct AccumulatorWidthFeature : FeatureDefaults {
  static constexpr std::string_view name = "accumulator_width";
  static constexpr int in_documents = 75;
  static constexpr auto& in(auto& set) { return set.accumulator_width; }
};
struct BlocksFeature : FeatureDefaults {
  static constexpr std::string_view name = "blocks";
  static constexpr int in_documents = 10;
  static constexpr bool of_integers = true;
  static constexpr auto& in(auto& set) { return set.blocks; }
};
struct FmaWidthFeature : FeatureDefaults {
  static constexpr std::string_view name = "fma_width";
  static constexpr int in_documents = 20;
  static constexpr bool of_integers = true;
  static constexpr IntegerRange range(int k, const Signature& /*formats*/) { return {1, k}; }
  static constexpr auto& in(auto& set) { return set.fma_width; }
};
struct CEntersFeature : FeatureDefaults {
  static constexpr std::string_view name = "c_enters";
  static constexpr int in_documents = 30;
  static constexpr bool of_integers = true;
  static constexpr bool about_c = true;
  static constexpr std::span<const std::string_view> words = kCEntersWords;
  static constexpr auto& in(auto& set) { return set.c_enters; }
};
struct ExtraAlignmentBitsFeature : FeatureDefaults {
  static constexpr std::string_view name = "extra_alignment_bits";
  static constexpr int in_documents = 50;
  static IntegerRange range(int /*k*/, const Signature& formats) {
    const int reference = reference_fraction_bits(formats.d);
    return {-reference, kLargestAlignmentFractionBits - reference};
  }
  static constexpr auto& in(auto& set) { return set.extra_alignment_bits; }
};
struct NanFeature : FeatureDefaults {
  static constexpr std::string_view name = "nan";
  static constexpr int in_documents = 180;
  static constexpr auto& in(auto& set) { return set.nan; }
};
/// What is found out about a unit beside its definition.
struct MonotonicFeature : FeatureDefaults {
  static constexpr std::string_view name = "monotonic";
  static constexpr int in_documents = 1000;
  static constexpr bool follows = false;
  static constexpr auto& in(auto& set) { return set.monotonic; }
};
/// Of the root.
struct FinalRoundingFeature : FeatureDefaults {
  static constexpr std::string_view name = "final_rounding";
  static constexpr int in_documents = 110;
  static constexpr std::span<const std::string_view> words = kRoundingWords;
  static constexpr auto& in(auto& set) { return set.final_rounding; }
};
template <class Row>
struct ParameterFeature : FeatureDefaults {
  static constexpr std::string_view name = Row::name;
  static constexpr int in_documents = Row::in_documents;
  static constexpr bool of_integers = is_of_integers<Row>();
  static constexpr bool about_c = Row::about_c;
  static constexpr bool is_rare = Row::is_newer;
  static constexpr std::span<const std::string_view> words = words_of<Row>();
  /// Results inside may have more bits than D's.
  static IntegerRange range(int /*k*/, const Signature& formats) {
    Signature inside = formats;
    inside.d = Format::fp64;
    const auto [low, high] = range_of<Row>(formats);
    return {low, std::max(high, range_of<Row>(inside).high)};
  }
  static constexpr auto& in(auto& set) { return set.template get<Row::id>(); }
};

namespace detail {
template <class... Rows>
std::tuple<FamilyFeature, StructureFeature, OperandFormatsFeature, NodeFormatsFeature, PaddedFeature,
           ScalesFeature, AccumulatorWidthFeature, BlocksFeature, FmaWidthFeature, CEntersFeature,
           ExtraAlignmentBitsFeature, FinalRoundingFeature, NanFeature, MonotonicFeature,
           ParameterFeature<Rows>...>
features_with(const std::tuple<Rows...>*);
using FeatureRows = decltype(features_with(static_cast<const ParameterRows*>(nullptr)));
inline constexpr std::size_t kFeatureCount = std::tuple_size_v<FeatureRows>;

/// Places in FeatureRows, in the order of documents.
inline constexpr auto kFeatureOrder = []<std::size_t... I>(std::index_sequence<I...>) {
  std::array<std::pair<int, std::size_t>, kFeatureCount> ranks{
      std::pair{std::tuple_element_t<I, FeatureRows>::in_documents, I}...};
  std::ranges::sort(ranks);
  return std::array{ranks[I].second...};
}(std::make_index_sequence<kFeatureCount>{});
}  // namespace detail

/// Calls fn(feature, field of each set...) for every feature in the order in which documents list them;
/// `feature` is a value of the feature's row.
template <class Fn, class... Sets>
void visit_features(Fn&& fn, Sets&... sets) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto visit = [&]<class Feature>(Feature feature) { fn(feature, Feature::in(sets)...); };
    (visit(std::tuple_element_t<detail::kFeatureOrder[I], detail::FeatureRows>{}), ...);
  }(std::make_index_sequence<detail::kFeatureCount>{});
}

/// Does the feature say anything about a unit of these formats? Of integers only structure, product and
/// overflow do, and without c nothing does that is about c; the rest is written as null.
template <class Feature>
[[nodiscard]] bool applies(Feature /*feature*/, const Signature& formats) {
  return (Feature::of_integers || !info(formats.d).is_integer()) && (!Feature::about_c || formats.c);
}

}  // namespace mmaprint
