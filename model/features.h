// Features: what a report says about a unit, derived from its full definition.
//
// Every parameter has a feature of the same name, which follows from its row (model/parameter_table.h); the
// rest, of structure and of what parameters come to, have a struct each here. A hypothesis may state any
// subset of the same features; so both are one set of fields, plain for a unit and optional for a hypothesis.
// docs/models.md lists their spellings.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "model/unit_model.h"

namespace mmaprint {

enum class Family : std::uint8_t { fused_dot_add, pairwise, fma_chain, exact, tree };
inline constexpr std::array<std::string_view, 5> kFamilyWords{"fused-dot-add", "pairwise", "fma-chain",
                                                              "exact", "tree"};
inline constexpr std::array<std::string_view, 2> kCEntersWords{"first", "last"};

/// Integer bits above the leading one: so many that no sum can wrap (the fewest that suffice), or a number at
/// which some sum wraps.
struct AtLeast {
  int bits;
  friend bool operator==(const AtLeast&, const AtLeast&) = default;
};
struct Exactly {
  int bits;
  friend bool operator==(const Exactly&, const Exactly&) = default;
};
using CarryBits = std::variant<AtLeast, Exactly>;

/// What operands are computed in: a format's name, and how it is got where that is not exact.
struct OperandTexts {
  std::string a, b, c;
  friend bool operator==(const OperandTexts&, const OperandTexts&) = default;
};

/// {i.f} as the papers write it: integer and fraction bits of a node's sum.
struct AccumulatorWidth {
  int integer_bits, fraction_bits;
  friend bool operator==(const AccumulatorWidth&, const AccumulatorWidth&) = default;
};

/// Does no larger addend ever give a smaller result? `witness`: inputs that show it does, the larger last.
struct Monotonic {
  std::optional<bool> holds;  ///< none: not established
  std::optional<std::pair<DotInput, DotInput>> witness;
  friend bool operator==(const Monotonic&, const Monotonic&) = default;
};

/// The fraction bits beyond which alignment bits count as extra: 23, for an FP64 result 52.
[[nodiscard]] int reference_fraction_bits(Format d);

/// The feature of a parameter: its value at the first node's adder, or in the conventions.
template <class Row>
struct FeatureOf {
  using Value = ValueOf<Row>;
};
/// None where nothing is lost.
template <>
struct FeatureOf<AlignmentRoundingRow> {
  using Value = std::optional<AlignmentRounding>;
};
template <>
struct FeatureOf<ExtraCarryBitsRow> {
  using Value = CarryBits;
};

namespace detail {
template <template <class> class Stated, class Rows>
struct FieldsOf;
template <template <class> class Stated, class... Rows>
struct FieldsOf<Stated, std::tuple<Rows...>> {
  using Type = std::tuple<Stated<typename FeatureOf<Rows>::Value>...>;
};
}  // namespace detail

/// Inner optionals are features that may not apply (`null` in text): for alignment bits, nothing is lost.
template <template <class> class Stated>
struct FeatureSet {
  Stated<Family> family;
  Stated<std::string> structure;
  Stated<OperandTexts> operand_formats;
  Stated<std::vector<std::string>> node_formats;              ///< by class of nodes; one where all are alike
  Stated<std::optional<AccumulatorWidth>> accumulator_width;  ///< none where nothing is lost
  Stated<std::vector<std::vector<int>>> blocks;
  Stated<int> fma_width;
  Stated<std::optional<CEnters>> c_enters;
  Stated<std::optional<int>> extra_alignment_bits;
  Stated<Rounding> final_rounding;
  Stated<std::optional<Pattern>> nan;  ///< none: several patterns
  Stated<Monotonic> monotonic;
  typename detail::FieldsOf<Stated, ParameterRows>::Type of_parameters;

  template <Parameter P>
  [[nodiscard]] auto& get() {
    return std::get<static_cast<std::size_t>(P)>(of_parameters);
  }
  template <Parameter P>
  [[nodiscard]] const auto& get() const {
    return std::get<static_cast<std::size_t>(P)>(of_parameters);
  }
  friend bool operator==(const FeatureSet&, const FeatureSet&) = default;
};

template <class T>
using Always = T;
using Features = FeatureSet<Always>;
/// What a hypothesis states; a field without value is free.
using PartialFeatures = FeatureSet<std::optional>;

/// A feature's row: its name, its place in documents, what it says of integers (if not, it is written as null
/// there), and whether it follows from the unit's definition. Words, or the range of integers, as they have.
struct FeatureDefaults {
  static constexpr bool of_integers = false;
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
/// Of the first node's class.
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
  static constexpr IntegerRange range(int k, const OperandFormats& /*formats*/) { return {1, k}; }
  static constexpr auto& in(auto& set) { return set.fma_width; }
};
struct CEntersFeature : FeatureDefaults {
  static constexpr std::string_view name = "c_enters";
  static constexpr int in_documents = 30;
  static constexpr bool of_integers = true;
  static constexpr std::span<const std::string_view> words = kCEntersWords;
  static constexpr auto& in(auto& set) { return set.c_enters; }
};
struct ExtraAlignmentBitsFeature : FeatureDefaults {
  static constexpr std::string_view name = "extra_alignment_bits";
  static constexpr int in_documents = 50;
  static IntegerRange range(int /*k*/, const OperandFormats& formats) {
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
  static constexpr std::span<const std::string_view> words = words_of<Row>();
  /// The first node's results may be FP32 where D is narrower.
  static IntegerRange range(int /*k*/, const OperandFormats& formats) {
    OperandFormats inside = formats;
    if (info(formats.d).fraction_bits < info(Format::fp32).fraction_bits) inside.d = Format::fp32;
    const auto [low, high] = range_of<Row>(formats);
    return {low, std::max(high, range_of<Row>(inside).high)};
  }
  static constexpr auto& in(auto& set) { return set.template get<Row::id>(); }
};

namespace detail {
template <class... Rows>
std::tuple<FamilyFeature, StructureFeature, OperandFormatsFeature, NodeFormatsFeature,
           AccumulatorWidthFeature, BlocksFeature, FmaWidthFeature, CEntersFeature, ExtraAlignmentBitsFeature,
           FinalRoundingFeature, NanFeature, MonotonicFeature, ParameterFeature<Rows>...>
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
/// overflow do; the rest is written as null.
template <class Feature>
[[nodiscard]] bool applies(Feature /*feature*/, const OperandFormats& formats) {
  return Feature::of_integers || !info(formats.d).is_integer();
}

/// The features of a valid model, `monotonic` left open. Where nodes differ, the first node's adder speaks
/// for the blocks and the root's for `final_rounding`.
[[nodiscard]] Features features_of(const UnitModel& model);

/// The first feature that is stated and not equal to the unit's, `monotonic` left out; nullopt if all agree.
[[nodiscard]] std::optional<std::string_view> first_disagreement(const PartialFeatures& stated,
                                                                 const Features& derived);

}  // namespace mmaprint
