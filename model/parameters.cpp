#include "model/parameters.h"

namespace mmaprint {
namespace {

using enum Parameter;
// clang-format off
constexpr std::array<ParameterInfo, kParameterCount> kTable{{
  {input_subnormals,           "input_subnormals",           2},
  {c_subnormals,               "c_subnormals",               2},
  {output_subnormals,          "output_subnormals",          2},
  {product,                    "product",                    3},
  {minimum_alignment_exponent, "minimum_alignment_exponent", ClampDomain::kSize},
  {alignment_fraction_bits,    "alignment_fraction_bits",    AlignmentBitsDomain::kSize},
  {alignment_rounding,         "alignment_rounding",         4},
  {normalisation,              "normalisation",              2},
  {extra_carry_bits,           "extra_carry_bits",           CarryDomain::kSize},
  {block_rounding,             "block_rounding",             6},
  {output_fraction_bits,       "output_fraction_bits",       53},
  {final_rounding,             "final_rounding",             6},
  {overflow,                   "overflow",                   4},
  {zero_all_zero,              "zero_sign.all_zero",         2},
  {zero_cancelled,             "zero_sign.cancelled",        2},
  {zero_rounded,               "zero_sign.rounded",          2},
  {zero_flushed,               "zero_sign.flushed",          2},
}};
// clang-format on

/// Calls fn with a reference to the field that holds `parameter` and that field's domain functions.
template <class Values, class Fn>
auto with_field(Values& v, Parameter parameter, Fn&& fn) {
  const auto plain = [](auto x) { return static_cast<int>(x); };
  switch (parameter) {
    case input_subnormals:
      return fn(v.conventions.input_subnormals, plain);
    case c_subnormals:
      return fn(v.conventions.c_subnormals, plain);
    case output_subnormals:
      return fn(v.conventions.output_subnormals, plain);
    case product:
      return fn(v.block.product, plain);
    case minimum_alignment_exponent:
      return fn(v.block.minimum_alignment_exponent, ClampDomain::index);
    case alignment_fraction_bits:
      return fn(v.block.alignment_fraction_bits, AlignmentBitsDomain::index);
    case alignment_rounding:
      return fn(v.block.alignment_rounding, plain);
    case normalisation:
      return fn(v.block.normalisation, plain);
    case extra_carry_bits:
      return fn(v.block.extra_carry_bits, CarryDomain::index);
    case block_rounding:
      return fn(v.block.rounding, plain);
    case output_fraction_bits:
      return fn(v.block.output_fraction_bits, plain);
    case final_rounding:
      return fn(v.final_rounding, plain);
    case overflow:
      return fn(v.conventions.overflow, plain);
    case zero_all_zero:
      return fn(v.conventions.zero_sign.all_zero, plain);
    case zero_cancelled:
      return fn(v.conventions.zero_sign.cancelled, plain);
    case zero_rounded:
      return fn(v.conventions.zero_sign.rounded, plain);
    case zero_flushed:
      break;
  }
  return fn(v.conventions.zero_sign.flushed, plain);
}

template <std::size_t... I>
void set_typed(ParameterValues& values, Parameter parameter, int index, std::index_sequence<I...>) {
  const auto set_one = [&]<Parameter P>() {
    if (P != parameter) return;
    with_field(values, P, [&](auto& field, auto) {
      if constexpr (std::is_assignable_v<decltype(field), decltype(typed_value<P>(0))>)
        field = typed_value<P>(index);
      return 0;
    });
  };
  (set_one.template operator()<static_cast<Parameter>(I)>(), ...);
}

}  // namespace

const std::array<ParameterInfo, kParameterCount>& all_parameters() { return kTable; }
const ParameterInfo& info(Parameter parameter) { return kTable[static_cast<std::size_t>(parameter)]; }

int value_index(const ParameterValues& values, Parameter parameter) {
  return with_field(values, parameter, [](const auto& field, auto index) -> int { return index(field); });
}

void set_value(ParameterValues& values, Parameter parameter, int index) {
  set_typed(values, parameter, index, std::make_index_sequence<kParameterCount>{});
}

}  // namespace mmaprint
