// The table of parameters. A row says all that the rest has to know of one: what it is called, where models
// hold it, which values it has and how they are written, which of them are searched, and in which order
// documents and proofs take it. Codecs, features, boxes, sifting, proofs, certificates and reports follow
// from the rows; what a parameter does is the datapath's to say (`select<P>`, `branch<P>`).
//
//   id, name          `name` in features, spaces and certificates; "group.member" is a field in an object
//   place             OfAdder or OfUnit: the member that holds it
//   words, or Domain  its values: one enumerator a word, or numbers
//   in_documents      where features list it, beside those of features.h; any number that is free
//   in_proofs         lower ones are shown first not to matter: those whose formulas fold most readily
//
// and where it differs from what RowDefaults says (model/parameter_row.h):
//
//   field             the member's name in an adder or in the conventions
//   plainest_is_last  which value speaks where none can be observed: the last of the domain, else the first
//   monotone          the datapath's questions about it get answers in the order of its values
//   range             of the integers that files may state for it
//   in_floats         which values are searched of floating units; all, unless it says so
//   in_integers       of integer units; without it the parameter means nothing there and has one value
//   about_c           it is about c: without c it means nothing and has one value
//   widens            values that units have, too, and that are searched when they are assumed
//   in_widest         which values are searched of floating units that nothing else explains; as in_floats,
//                     unless it says so
//   is_newer          documents that don't state it mean its member's default
//
// The order of rows is the order of documents' parameters, and of uniting what sifting has split.
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include "model/format.h"
#include "model/index_set.h"
#include "model/parameter_domain.h"
#include "model/parameter_row.h"
#include "model/signature.h"

namespace mmaprint {

enum class Parameter : std::uint8_t {
  input_subnormals,
  c_subnormals,
  output_subnormals,
  flush_test,
  product,
  product_overflow,
  zero_addends,
  minimum_alignment_exponent,
  alignment_fraction_bits,
  alignment_rounding,
  carried_fraction_bits,
  carried_alignment_rounding,
  c_fraction_bits,
  c_alignment_rounding,
  c_dropped_below,
  normalisation,
  extra_carry_bits,
  block_rounding,
  output_fraction_bits,
  overflow,
  zero_all_zero,
  zero_cancelled,
  zero_rounded,
  zero_flushed,
};

inline constexpr auto kSubnormalsWords = words_are("kept", "flushed");
inline constexpr auto kOperandSubnormalsWords = words_are("kept", "flushed", "flushed-positive");
inline constexpr auto kRoundingWords =
    words_are("toward-zero", "nearest-even", "up", "down", "nearest-away", "odd");
inline constexpr auto kOwnAlignmentWords =
    words_are("as-others", "truncate", "floor", "nearest-even", "sticky");
// What ZeroSign::follow follows differs: IEEE 754's rule for exact zeros, the sum for results that became
// zero.
inline constexpr auto kExactZeroWords = words_are("positive", "ieee");
inline constexpr auto kBecameZeroWords = words_are("positive", "sign-of-sum");

/// What becomes of subnormal operands.
template <Parameter Id, auto Member>
struct OfOperands : OfUnit<Id, Member> {
  static constexpr auto words = kOperandSubnormalsWords;
  static ValueSet in_floats(const Signature& /*formats*/) {
    return ValueSet::range(static_cast<int>(Subnormals::kept), static_cast<int>(Subnormals::flushed));
  }
  static ValueSet in_widest(const Signature& /*formats*/) {
    return ValueSet::range(static_cast<int>(Subnormals::kept),
                           static_cast<int>(Subnormals::flushed_positive));
  }
  static bool widens(int /*index*/) { return true; }
};

struct InputSubnormalsRow : OfOperands<Parameter::input_subnormals, &Conventions::input_subnormals> {
  static constexpr std::string_view name = "input_subnormals";
  static constexpr int in_documents = 130, in_proofs = 80;
};

struct CSubnormalsRow : OfOperands<Parameter::c_subnormals, &Conventions::c_subnormals> {
  static constexpr std::string_view name = "c_subnormals";
  static constexpr int in_documents = 140, in_proofs = 70;
  static constexpr bool about_c = true;
};

struct OutputSubnormalsRow : OfUnit<Parameter::output_subnormals, &Conventions::output_subnormals> {
  static constexpr std::string_view name = "output_subnormals";
  static constexpr auto words = kSubnormalsWords;
  static constexpr int in_documents = 150, in_proofs = 60;
};

struct FlushTestRow : Rare<OfUnit<Parameter::flush_test, &Conventions::flush_test>> {
  static constexpr std::string_view name = "flush_test";
  static constexpr auto words = words_are("after", "before", "after-unbounded");
  static constexpr int in_documents = 155, in_proofs = 55;
  static ValueSet in_widest(const Signature& /*formats*/) { return ValueSet::range(0, 2); }
};

struct ProductRow : OfAdder<Parameter::product, &Adder::product> {
  static constexpr std::string_view name = "product";
  static constexpr auto words = words_are("exact-unnormalised", "exact-normalised", "exclusive-or");
  static constexpr int in_documents = 90, in_proofs = 130;
  static ValueSet in_floats(const Signature& /*formats*/) {
    return ValueSet::range(static_cast<int>(ProductKind::exact_unnormalised),
                           static_cast<int>(ProductKind::exact_normalised));
  }
  static ValueSet in_integers(const Signature& formats) {
    auto set = ValueSet::single(static_cast<int>(ProductKind::exact_unnormalised));
    if (formats.a == Format::b1 && formats.b == Format::b1)
      set.insert(static_cast<int>(ProductKind::exclusive_or));
    return set;
  }
};

struct ProductOverflowRow : Rare<OfAdder<Parameter::product_overflow, &Adder::product_overflow>> {
  static constexpr std::string_view name = "product_overflow";
  static constexpr auto words = words_are("exact", "infinity");
  static constexpr int in_documents = 95, in_proofs = 90;
  static ValueSet in_widest(const Signature& formats) {
    // Where no product is beyond D's range there is nothing to tell.
    const bool beyond = info(formats.a).emax() + info(formats.b).emax() + 1 > info(formats.d).emax();
    return ValueSet::range(0, beyond ? 1 : 0);
  }
};

struct ZeroAddendsRow : Rare<OfAdder<Parameter::zero_addends, &Adder::zero_addends>> {
  static constexpr std::string_view name = "zero_addends";
  using Domain = ZeroAddendsDomain;
  static constexpr int in_documents = 165, in_proofs = 165;
  static ValueSet in_widest(const Signature& /*formats*/) { return ValueSet::range(0, Domain::kSize - 1); }
};

struct MinimumAlignmentExponentRow
    : OfAdder<Parameter::minimum_alignment_exponent, &Adder::minimum_alignment_exponent> {
  static constexpr std::string_view name = "minimum_alignment_exponent";
  using Domain = ClampDomain;
  static constexpr int in_documents = 160, in_proofs = 170;
  static constexpr bool monotone = true;
};

struct AlignmentFractionBitsRow
    : OfAdder<Parameter::alignment_fraction_bits, &Adder::alignment_fraction_bits> {
  static constexpr std::string_view name = "alignment_fraction_bits";
  using Domain = AlignmentBitsDomain;
  static constexpr int in_documents = 40, in_proofs = 150;
  static constexpr bool plainest_is_last = true, monotone = true;
  static ValueSet in_floats(const Signature& /*formats*/) {
    constexpr int kLargestSearched = 40;
    auto set = ValueSet::range(0, kLargestSearched);
    set.insert(Domain::index(std::nullopt));
    return set;
  }
  static bool widens(int /*index*/) { return true; }
};

struct AlignmentRoundingRow : OfAdder<Parameter::alignment_rounding, &Adder::alignment_rounding> {
  static constexpr std::string_view name = "alignment_rounding";
  static constexpr auto words = words_are("truncate", "floor", "nearest-even", "sticky");
  static constexpr int in_documents = 60, in_proofs = 110;
};

/// Of one kind of a node's operands alone, beside others: searched where carried sums join
/// (model/skeletons.h).
template <Parameter Id, auto Member>
struct OfOneKind : Rare<OfAdder<Id, Member>> {
  static ValueSet in_widest(const Signature& /*formats*/) { return ValueSet::single(0); }
};

struct CarriedFractionBitsRow : OfOneKind<Parameter::carried_fraction_bits, &Adder::carried_fraction_bits> {
  static constexpr std::string_view name = "carried_fraction_bits";
  using Domain = OwnBitsDomain;
  static constexpr int in_documents = 61, in_proofs = 151;
};

struct CarriedAlignmentRoundingRow
    : OfOneKind<Parameter::carried_alignment_rounding, &Adder::carried_alignment_rounding> {
  static constexpr std::string_view name = "carried_alignment_rounding";
  static constexpr auto words = kOwnAlignmentWords;
  static constexpr int in_documents = 62, in_proofs = 111;
};

struct CFractionBitsRow : OfOneKind<Parameter::c_fraction_bits, &Adder::c_fraction_bits> {
  static constexpr std::string_view name = "c_fraction_bits";
  using Domain = OwnBitsDomain;
  static constexpr int in_documents = 63, in_proofs = 152;
};

struct CAlignmentRoundingRow : OfOneKind<Parameter::c_alignment_rounding, &Adder::c_alignment_rounding> {
  static constexpr std::string_view name = "c_alignment_rounding";
  static constexpr auto words = kOwnAlignmentWords;
  static constexpr int in_documents = 64, in_proofs = 112;
};

struct CDroppedBelowRow : OfOneKind<Parameter::c_dropped_below, &Adder::c_dropped_below> {
  static constexpr std::string_view name = "c_dropped_below";
  using Domain = OwnBitsDomain;
  static constexpr int in_documents = 65, in_proofs = 153;
};

struct NormalisationRow : OfAdder<Parameter::normalisation, &Adder::normalisation> {
  static constexpr std::string_view name = "normalisation";
  static constexpr auto words = words_are("late", "immediate");
  static constexpr int in_documents = 80, in_proofs = 120;
};

struct ExtraCarryBitsRow : OfAdder<Parameter::extra_carry_bits, &Adder::extra_carry_bits> {
  static constexpr std::string_view name = "extra_carry_bits";
  using Domain = CarryDomain;
  static constexpr int in_documents = 70, in_proofs = 100;
  static constexpr bool plainest_is_last = true;
};

struct BlockRoundingRow : OfAdder<Parameter::block_rounding, &Adder::rounding> {
  static constexpr std::string_view name = "block_rounding", field = "rounding";
  static constexpr auto words = kRoundingWords;
  static constexpr int in_documents = 100, in_proofs = 160;
};

struct OutputFractionBitsRow : OfAdder<Parameter::output_fraction_bits, &Adder::output_fraction_bits> {
  static constexpr std::string_view name = "output_fraction_bits";
  using Domain = CountDomain<kLargestFractionBits>;
  static constexpr int in_documents = 120, in_proofs = 140;
  static constexpr bool plainest_is_last = true, monotone = true;
  static IntegerRange range(const Signature& formats) { return {0, info(formats.d).fraction_bits}; }
  static ValueSet in_floats(const Signature& formats) {
    return ValueSet::range(1, info(formats.d).fraction_bits);
  }
};

struct OverflowRow : OfUnit<Parameter::overflow, &Conventions::overflow> {
  static constexpr std::string_view name = "overflow";
  static constexpr auto words = words_are("infinity", "saturate", "wrap", "by-direction");
  static constexpr int in_documents = 170, in_proofs = 50;
  static ValueSet in_floats(const Signature& formats) {
    auto set = ValueSet::range(static_cast<int>(Overflow::infinity), static_cast<int>(Overflow::saturate));
    // Of matrix instructions only those with FP64 results name a direction of rounding.
    if (formats.d == Format::fp64) set.insert(static_cast<int>(Overflow::by_direction));
    return set;
  }
  static ValueSet in_widest(const Signature& formats) {
    auto set = in_floats(formats);
    set.insert(static_cast<int>(Overflow::by_direction));
    return set;
  }
  static ValueSet in_integers(const Signature& /*formats*/) {
    return ValueSet::range(static_cast<int>(Overflow::saturate), static_cast<int>(Overflow::wrap));
  }
  static bool widens(int index) { return index == static_cast<int>(Overflow::by_direction); }
};

/// A zero's sign.
template <Parameter Id, auto Member>
struct OfZeroSigns : OfUnit<Id, &Conventions::zero_sign, Member> {
  static constexpr bool plainest_is_last = true;
};

struct ZeroAllZeroRow : OfZeroSigns<Parameter::zero_all_zero, &ZeroSigns::all_zero> {
  static constexpr std::string_view name = "zero_sign.all_zero";
  static constexpr auto words = kExactZeroWords;
  static constexpr int in_documents = 190, in_proofs = 40;
};

struct ZeroCancelledRow : OfZeroSigns<Parameter::zero_cancelled, &ZeroSigns::cancelled> {
  static constexpr std::string_view name = "zero_sign.cancelled";
  static constexpr auto words = kExactZeroWords;
  static constexpr int in_documents = 200, in_proofs = 30;
};

struct ZeroRoundedRow : OfZeroSigns<Parameter::zero_rounded, &ZeroSigns::rounded> {
  static constexpr std::string_view name = "zero_sign.rounded";
  static constexpr auto words = kBecameZeroWords;
  static constexpr int in_documents = 210, in_proofs = 20;
};

struct ZeroFlushedRow : OfZeroSigns<Parameter::zero_flushed, &ZeroSigns::flushed> {
  static constexpr std::string_view name = "zero_sign.flushed";
  static constexpr auto words = kBecameZeroWords;
  static constexpr int in_documents = 220, in_proofs = 10;
};

/// Each at its enumerator's place.
using ParameterRows =
    std::tuple<InputSubnormalsRow, CSubnormalsRow, OutputSubnormalsRow, FlushTestRow, ProductRow,
               ProductOverflowRow, ZeroAddendsRow, MinimumAlignmentExponentRow, AlignmentFractionBitsRow,
               AlignmentRoundingRow, CarriedFractionBitsRow, CarriedAlignmentRoundingRow, CFractionBitsRow,
               CAlignmentRoundingRow, CDroppedBelowRow, NormalisationRow, ExtraCarryBitsRow, BlockRoundingRow,
               OutputFractionBitsRow, OverflowRow, ZeroAllZeroRow, ZeroCancelledRow, ZeroRoundedRow,
               ZeroFlushedRow>;

}  // namespace mmaprint
