#include "model/spelling.h"

#include <algorithm>

namespace mmaprint {
namespace {

using Word = std::string_view;
constexpr std::array<Word, 2> kSubnormals{"kept", "flushed"};
constexpr std::array<Word, 3> kProduct{"exact-unnormalised", "exact-normalised", "exclusive-or"};
constexpr std::array<Word, 4> kAlignmentRounding{"truncate", "floor", "nearest-even", "sticky"};
constexpr std::array<Word, 2> kNormalisation{"late", "immediate"};
constexpr std::array<Word, 6> kRounding{"toward-zero", "nearest-even", "up", "down", "nearest-away", "odd"};
constexpr std::array<Word, 4> kOverflow{"infinity", "saturate", "wrap", "by-direction"};
// What ZeroSign::follow follows differs: IEEE 754's rule for exact zeros, the sum for results that became
// zero.
constexpr std::array<Word, 2> kExactZero{"positive", "ieee"};
constexpr std::array<Word, 2> kBecameZero{"positive", "sign-of-sum"};

std::string optional_text(std::optional<int> value) { return value ? std::to_string(*value) : "none"; }

}  // namespace

std::span<const std::string_view> words(Parameter parameter) {
  using enum Parameter;
  switch (parameter) {
    case input_subnormals:
    case c_subnormals:
    case output_subnormals:
      return kSubnormals;
    case product:
      return kProduct;
    case alignment_rounding:
      return kAlignmentRounding;
    case normalisation:
      return kNormalisation;
    case block_rounding:
    case final_rounding:
      return kRounding;
    case overflow:
      return kOverflow;
    case zero_all_zero:
    case zero_cancelled:
      return kExactZero;
    case zero_rounded:
    case zero_flushed:
      return kBecameZero;
    case minimum_alignment_exponent:
    case alignment_fraction_bits:
    case extra_carry_bits:
    case output_fraction_bits:
      break;
  }
  return {};
}

std::string value_text(Parameter parameter, int index) {
  if (const auto list = words(parameter); !list.empty())
    return std::string(list[static_cast<std::size_t>(index)]);
  switch (parameter) {
    case Parameter::minimum_alignment_exponent:
      return optional_text(ClampDomain::value(index));
    case Parameter::alignment_fraction_bits:
      return optional_text(AlignmentBitsDomain::value(index));
    case Parameter::extra_carry_bits:
      return optional_text(CarryDomain::value(index));
    default:
      return std::to_string(index);
  }
}

std::optional<int> index_of_word(std::span<const std::string_view> list, std::string_view word) {
  const auto found = std::ranges::find(list, word);
  return found == list.end() ? std::nullopt : std::optional(static_cast<int>(found - list.begin()));
}

std::string one_of(std::span<const std::string_view> list) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) text += i + 1 == list.size() ? " or " : ", ";
    text += list[i];
  }
  return text;
}

}  // namespace mmaprint
