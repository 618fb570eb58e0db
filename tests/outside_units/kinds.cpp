#include "outside_units/kinds.h"

#include <array>

#include "outside_units/steps.h"

namespace mmaprint::test {
namespace {

constexpr Signature of(Format factor, Format result) { return {factor, factor, result, result}; }

constexpr std::array kFloating{of(Format::fp16, Format::fp32), of(Format::fp16, Format::fp16),
                               of(Format::bf16, Format::fp32), of(Format::e4m3, Format::fp32),
                               of(Format::e5m2, Format::fp32), of(Format::e4m3, Format::fp16),
                               of(Format::e5m2, Format::fp16)};
constexpr std::array kInfiniteFactors{of(Format::fp16, Format::fp32), of(Format::fp16, Format::fp16),
                                      of(Format::bf16, Format::fp32), of(Format::e5m2, Format::fp32),
                                      of(Format::e5m2, Format::fp16)};
constexpr std::array kNarrowToFp32{of(Format::fp16, Format::fp32)};
constexpr std::array kFp16Results{of(Format::fp16, Format::fp16), of(Format::e5m2, Format::fp16),
                                  of(Format::e4m3, Format::fp16)};
constexpr std::array kWideExponents{of(Format::fp16, Format::fp16), of(Format::bf16, Format::fp32),
                                    of(Format::e5m2, Format::fp16)};
constexpr std::array kBytes{of(Format::e4m3, Format::fp32), of(Format::e5m2, Format::fp32),
                            of(Format::e4m3, Format::fp16), of(Format::e5m2, Format::fp16)};
constexpr std::array kIntegers{of(Format::int8, Format::int32), of(Format::uint8, Format::int32)};
constexpr std::array kSigned{of(Format::int8, Format::int32)};

// clang-format off
constexpr std::array kKinds{
  DeviationKind{"inf-minus-inf-zero", kFloating, "infinities of both signs in a node give +0", infinities_cancel_to_zero},
  DeviationKind{"inf-minus-inf-inf", kFloating, "infinities of both signs give +infinity", infinities_give_infinity},
  DeviationKind{"inf-minus-inf-first", kFloating, "infinities of both signs give the first one", first_infinity_wins},
  DeviationKind{"inf-minus-inf-other-nan", kFloating, "infinities of both signs give a NaN of another sign", infinities_give_another_nan},
  DeviationKind{"zero-times-inf-zero", kInfiniteFactors, "zero times infinity is zero", zero_times_infinity_is_zero},
  DeviationKind{"nan-ignored-at-position", kFloating, "a NaN is a zero at one position of a or b", nan_ignored_at_one_position},
  DeviationKind{"nan-of-c-ignored", kFloating, "a NaN in c is a zero", nan_of_c_ignored},
  DeviationKind{"nan-is-infinity", kInfiniteFactors, "a NaN in b is an infinity", nan_taken_for_infinity},
  DeviationKind{"infinite-c-yields", kInfiniteFactors, "an infinite c is a zero beside an infinite product", infinite_c_yields},
  DeviationKind{"infinity-finite-in-chain", kInfiniteFactors, "a node's infinity is the largest finite value in the next", infinity_between_nodes_is_finite},
  DeviationKind{"all-zero-sign-of-c", kFloating, "zeros alone give c's sign, or that of the sum before", all_zero_takes_sign_of_c},
  DeviationKind{"cancelled-first-sign", kBytes, "a result of zero has the sign of the first addend that is none", cancelled_takes_first_sign},
  DeviationKind{"zero-product-positive", kFloating, "a product of a zero and another number is +0", negative_zero_product_is_positive},

  DeviationKind{"flushed-at-position", kFloating, "subnormals are zeros at one position", flushed_at_one_position},
  DeviationKind{"flushed-b", kFloating, "subnormals are zeros in b alone", only_b_flushed},
  DeviationKind{"flushed-negative", kFloating, "negative subnormals alone are zeros", only_negative_flushed},
  DeviationKind{"significand-bit-ignored", kFloating, "a bit of one a's significand is ignored", significand_bit_ignored},
  DeviationKind{"sign-ignored", kFloating, "one b's sign is ignored", sign_ignored_at_one_position},
  DeviationKind{"one-significand-wrong", kFloating, "a0's last bit is wrong for one significand (for one value of its low 7 bits)", one_significand_wrong},
  DeviationKind{"products-truncated", kFloating, "products are cut to about a factor's precision", product_truncated},
  DeviationKind{"products-by-logarithms", kFloating, "products are 1 + x + y, or 2(x + y) where that is 2 or more (Mitchell, 1962)", products_by_logarithms},
  DeviationKind{"product-looked-up", kBytes, "one entry of a table of products of significands is wrong", product_looked_up},
  DeviationKind{"last-place-of-c", kFloating, "c's last bit is ignored", last_place_of_c_dropped},

  DeviationKind{"zero-product-exponent", kWideExponents, "a zero product's exponent takes part in E", zero_products_have_exponents},
  DeviationKind{"zero-c-exponent", kFloating, "a zero c takes part in E as a number near 1 would", zero_c_has_an_exponent},
  DeviationKind{"exponent-low-bit", kFloating, "the largest exponent is found without the lowest bit", exponents_compared_without_low_bit},
  DeviationKind{"c-not-in-exponent", kFloating, "c takes no part in E beside products", c_left_out_of_exponent},
  DeviationKind{"fewer-bits-at-position", kFloating, "F is one less for one product", fewer_bits_at_one_position},
  DeviationKind{"fewer-bits-at-node", kFloating, "F is one less in one node", fewer_bits_at_one_node},
  DeviationKind{"c-other-alignment", kFloating, "c is aligned by another rule than products", c_aligned_by_another_rule},
  DeviationKind{"sticky-from-products", kFloating, "products alone leave a sticky bit", sticky_from_products_only},
  DeviationKind{"distant-dropped", kFloating, "an addend far below E is dropped though bits of it would be kept", distant_operands_dropped},
  DeviationKind{"clamp-at-node", kFloating, "one node alone has a minimum exponent", clamp_at_one_node},
  DeviationKind{"carry-at-node", kFloating, "one node alone has few carry bits", fewer_carry_bits_at_one_node},
  DeviationKind{"normalised-at-node", kFloating, "one node alone normalises after each addition", normalised_at_one_node},

  DeviationKind{"ties-by-sign", kFloating, "ties go to even, negative ones away from zero", ties_by_sign},
  DeviationKind{"rounded-by-hash", kFloating, "sums are rounded away where a hash of their bits is less than what is lost", rounds_by_hash},
  DeviationKind{"direction-by-sign", kFloating, "negative sums are rounded by another rule", direction_by_sign},
  DeviationKind{"rounded-twice", kFloating, "sums are rounded to one or two bits more, and again", rounded_twice},
  DeviationKind{"short-sticky", kFloating, "rounding to nearest sees two or three bits of what is lost", short_sticky},
  DeviationKind{"rounding-at-node", kFloating, "one node rounds by another rule", other_rounding_at_one_node},
  DeviationKind{"bit-fewer-at-node", kFloating, "one node's result has a bit less", one_bit_fewer_at_one_node},
  DeviationKind{"bit-more-at-node", kFloating, "one partial sum has a bit more", one_bit_more_at_one_node},
  DeviationKind{"last-bit-stuck", kFloating, "the last bit of results of one exponent is 0", last_bit_stuck_at_one_exponent},
  DeviationKind{"last-bit-by-c", kNarrowToFp32, "the last bit is wrong where a, b and c are about 1 and c's low 4 bits have one value", wrong_for_one_value_of_c},
  DeviationKind{"flushed-at-node", kFp16Results, "one node alone flushes its result", flushed_at_one_node},

  DeviationKind{"saturates-before-rounding", kFp16Results, "saturation is decided before rounding, whose carry gives infinity", saturates_before_rounding},
  DeviationKind{"overflow-before-rounding", kFp16Results, "overflow is decided before rounding, whose carry saturates", overflow_before_rounding},
  DeviationKind{"negative-saturates", kFp16Results, "negative overflow saturates, positive gives infinity", negative_overflow_saturates},
  DeviationKind{"overflow-by-direction", kFp16Results, "overflow follows the direction of rounding", overflow_by_direction},
  DeviationKind{"top-binade-overflows", kFp16Results, "the largest exponent counts as overflow", top_binade_overflows},
  DeviationKind{"saturates-at-node", kFp16Results, "one node alone saturates", saturates_at_one_node},

  DeviationKind{"products-swapped", kFloating, "two products of two blocks have changed places", products_swapped},
  DeviationKind{"unequal-blocks", kFloating, "a block has given a product to the one before", unequal_blocks},
  DeviationKind{"pairwise", kFloating, "a balanced tree of two-operand adders", pairwise},
  DeviationKind{"c-in-the-middle", kFloating, "c joins in a later block", c_in_the_middle},
  DeviationKind{"largest-first", kFloating, "products are summed in the order of their factors' exponents, the largest first", largest_first},
  DeviationKind{"halves-joined", kFloating, "two halves are summed apart and joined", halves_joined},

  DeviationKind{"int-short-c", kSigned, "one more where c has 18 bits and the last a's low 6 bits one value", short_c_goes_wrong},
  DeviationKind{"int-products-16-bits", kSigned, "a node's products saturate at 16 bits", products_saturate_at_16_bits},
  DeviationKind{"int-sum-24-bits", kIntegers, "one node saturates at 24 bits", sums_saturate_at_24_bits},
  DeviationKind{"int-lowest", kSigned, "-128 counts as -127 in a or in b", lowest_taken_for_next},
  DeviationKind{"int-saturates-last", kIntegers, "the last node saturates, the others wrap", saturates_at_the_last_node},
  DeviationKind{"int-wraps-at-node", kIntegers, "one node wraps, the others saturate", wraps_at_one_node},
  DeviationKind{"int-negative-wraps", kSigned, "negative sums wrap, positive ones saturate", negative_overflow_wraps},
  DeviationKind{"int-low-bit", kIntegers, "the lowest bit of one product is 0", low_bit_of_products_dropped},
  DeviationKind{"int-unsigned-at-position", kSigned, "one a counts as unsigned", unsigned_at_one_position},

  DeviationKind{"stochastic-rounding", kFloating, "sums are rounded away with the probability of what is lost", rounds_by_chance, false},
  DeviationKind{"previous-call", kInfiniteFactors, "after a NaN the next answer's last bit is wrong", depends_on_previous, false},
  DeviationKind{"place-in-batch", kBytes, "the last bit is wrong at one place of each 16 of a batch", depends_on_place, false},
  DeviationKind{"counts-calls", kFloating, "the last bit is wrong once in some hundred answers", counts_calls, false},
  DeviationKind{"wears-out", kFloating, "the last bit is 0 after some thousand answers", wears_out, false},
  DeviationKind{"int-place-in-batch", kIntegers, "the last bit is wrong at one place of each 16 of a batch", depends_on_place, false},
};
// clang-format on

}  // namespace

std::span<const DeviationKind> kinds() { return kKinds; }

}  // namespace mmaprint::test
