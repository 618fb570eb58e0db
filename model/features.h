// Features: what a report says about a unit, derived from its full definition.
//
// Every parameter has a feature of the same name, which follows from its row (model/parameter_table.h); the
// rest, of structure and of what parameters come to, have a row each in model/feature_rows.h. A hypothesis
// may state any subset of the same features; so both are one set of fields, plain for a unit and optional for
// a hypothesis. docs/models.md lists their spellings.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "model/feature_rows.h"

namespace mmaprint {

/// The feature of a parameter: its value at the adder of the first node that adds, or in the conventions.
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
  Stated<std::vector<std::string>> node_formats;  ///< by class of nodes; one where all are alike
  Stated<bool> padded;                            ///< has some block +0 products besides its own?
  Stated<ScalesOn> scales;
  Stated<std::optional<AccumulatorWidth>> accumulator_width;  ///< none where nothing is lost
  Stated<std::vector<std::vector<int>>> blocks;
  Stated<int> fma_width;
  Stated<std::optional<CEnters>> c_enters;
  Stated<std::optional<int>> extra_alignment_bits;
  Stated<Rounding> final_rounding;
  Stated<NanBehaviour> nan;
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

/// The features of a valid model, `monotonic` left open. Where nodes differ, the adder of the first one that
/// adds speaks for the blocks and the root's for `final_rounding`.
[[nodiscard]] Features features_of(const UnitModel& model);
/// The same as documents of before have them, where a first node that only rounds speaks for the blocks.
[[nodiscard]] Features features_of_before(const UnitModel& model);

/// The first feature that is stated and not equal to the unit's, `monotonic` left out; nullopt if all agree.
[[nodiscard]] std::optional<std::string_view> first_disagreement(const PartialFeatures& stated,
                                                                 const Features& derived);

}  // namespace mmaprint
