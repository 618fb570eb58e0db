// Features: what a report says about a unit, derived from its full definition.
//
// A hypothesis may state any subset of the same features; so both are one table of fields, FeatureSet, whose
// fields are plain for a unit and optional for a hypothesis. docs/models.md lists their spellings.
#pragma once

#include <array>
#include <optional>
#include <string_view>
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

/// Does no larger addend ever give a smaller result? `witness`: inputs that show it does, the larger last.
struct Monotonic {
  std::optional<bool> holds;  ///< none: not established
  std::optional<std::pair<DotInput, DotInput>> witness;
  friend bool operator==(const Monotonic&, const Monotonic&) = default;
};

/// Inner optionals are features that may not apply (`null` in text): for alignment bits, nothing is lost.
template <template <class> class Stated>
struct FeatureSet {
  Stated<Family> family;
  Stated<std::vector<std::vector<int>>> blocks;
  Stated<int> fma_width;
  Stated<std::optional<CEnters>> c_enters;
  Stated<std::optional<int>> alignment_fraction_bits;
  Stated<std::optional<int>> extra_alignment_bits;
  Stated<std::optional<AlignmentRounding>> alignment_rounding;
  Stated<CarryBits> extra_carry_bits;
  Stated<Normalisation> normalisation;
  Stated<ProductKind> product;
  Stated<Rounding> block_rounding;
  Stated<Rounding> final_rounding;
  Stated<int> output_fraction_bits;
  Stated<Subnormals> input_subnormals;
  Stated<Subnormals> c_subnormals;
  Stated<Subnormals> output_subnormals;
  Stated<std::optional<int>> minimum_alignment_exponent;
  Stated<Overflow> overflow;
  Stated<std::optional<Pattern>> nan;  ///< none: several patterns
  Stated<ZeroSign> zero_all_zero;
  Stated<ZeroSign> zero_cancelled;
  Stated<ZeroSign> zero_rounded;
  Stated<ZeroSign> zero_flushed;
  Stated<Monotonic> monotonic;
  friend bool operator==(const FeatureSet&, const FeatureSet&) = default;
};

template <class T>
using Always = T;
using Features = FeatureSet<Always>;
/// What a hypothesis states; a field without value is free.
using PartialFeatures = FeatureSet<std::optional>;

/// Calls fn(name, field of each set...) for every feature in the order in which documents list them.
template <class Fn, class... Sets>
void visit_features(Fn&& fn, Sets&... sets) {
  fn("family", sets.family...);
  fn("blocks", sets.blocks...);
  fn("fma_width", sets.fma_width...);
  fn("c_enters", sets.c_enters...);
  fn("alignment_fraction_bits", sets.alignment_fraction_bits...);
  fn("extra_alignment_bits", sets.extra_alignment_bits...);
  fn("alignment_rounding", sets.alignment_rounding...);
  fn("extra_carry_bits", sets.extra_carry_bits...);
  fn("normalisation", sets.normalisation...);
  fn("product", sets.product...);
  fn("block_rounding", sets.block_rounding...);
  fn("final_rounding", sets.final_rounding...);
  fn("output_fraction_bits", sets.output_fraction_bits...);
  fn("input_subnormals", sets.input_subnormals...);
  fn("c_subnormals", sets.c_subnormals...);
  fn("output_subnormals", sets.output_subnormals...);
  fn("minimum_alignment_exponent", sets.minimum_alignment_exponent...);
  fn("overflow", sets.overflow...);
  fn("nan", sets.nan...);
  fn("zero_sign.all_zero", sets.zero_all_zero...);
  fn("zero_sign.cancelled", sets.zero_cancelled...);
  fn("zero_sign.rounded", sets.zero_rounded...);
  fn("zero_sign.flushed", sets.zero_flushed...);
  fn("monotonic", sets.monotonic...);
}

/// Does the feature say anything about a unit of these formats? Of integers only structure, product and
/// overflow do; the rest is written as null.
[[nodiscard]] bool applies(std::string_view feature, const OperandFormats& formats);

/// The features of a valid model, `monotonic` left open. Where nodes differ, the first node's adder speaks
/// for the blocks and the root's for `final_rounding`.
[[nodiscard]] Features features_of(const UnitModel& model);

/// The fraction bits beyond which alignment bits count as extra: 23, for an FP64 result 52.
[[nodiscard]] int reference_fraction_bits(Format d);

/// The first feature that is stated and not equal to the unit's, `monotonic` left out; nullopt if all agree.
[[nodiscard]] std::optional<std::string_view> first_disagreement(const PartialFeatures& stated,
                                                                 const Features& derived);

}  // namespace mmaprint
