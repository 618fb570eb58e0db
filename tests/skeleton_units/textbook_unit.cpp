#include "skeleton_units/textbook_unit.h"

#include <array>
#include <numeric>
#include <vector>

namespace mmaprint::test {
namespace {

UnitModel fmas(int k, Format format, Rounding rounding, Subnormals subnormals) {
  ChainParameters values;
  values.block = exact_adder(format, rounding);
  values.final_rounding = rounding;
  values.conventions.input_subnormals = values.conventions.c_subnormals =
      values.conventions.output_subnormals = subnormals;
  const bool is_directed =
      rounding == Rounding::toward_zero || rounding == Rounding::up || rounding == Rounding::down;
  values.conventions.overflow = is_directed ? Overflow::by_direction : Overflow::infinity;
  Chain chain;
  for (int i = 0; i < k; ++i) chain.blocks.push_back({i});
  return chain_model("fma", k, {format, format, format, format}, chain, values, canonical_nan(format));
}

template <class T, std::size_t N>
T taken_in_turn(const std::array<T, N>& values, std::uint64_t& turn) {
  const T taken = values[turn % N];
  turn /= N;
  return taken;
}

}  // namespace

UnitModel ieee_fma(std::uint64_t seed) {
  std::uint64_t turn = (seed + kIeeeFmas - 1) % kIeeeFmas;
  const Format format =
      taken_in_turn(std::array{Format::fp16, Format::bf16, Format::fp32, Format::fp64}, turn);
  const Rounding rounding = taken_in_turn(std::array{Rounding::nearest_even, Rounding::toward_zero,
                                                     Rounding::up, Rounding::down, Rounding::nearest_away},
                                          turn);
  return fmas(1, format, rounding, taken_in_turn(std::array{Subnormals::kept, Subnormals::flushed}, turn));
}

UnitModel integer_sum(std::uint64_t seed) {
  std::uint64_t turn = seed - 1;
  const int k = taken_in_turn(std::array{256, 128, 64, 32, 16, 8, 4}, turn);
  ChainParameters values;
  values.block = exact_adder(Format::int32, Rounding::nearest_even);
  values.final_rounding = Rounding::nearest_even;
  values.conventions.overflow = taken_in_turn(std::array{Overflow::wrap, Overflow::saturate}, turn);
  const Format a = taken_in_turn(std::array{Format::int8, Format::uint8, Format::int4, Format::uint4}, turn);
  std::vector<int> all(static_cast<std::size_t>(k));
  std::iota(all.begin(), all.end(), 0);
  return chain_model("integer_sum", k, {a, a, Format::int32, Format::int32}, Chain{{all}}, values,
                     std::nullopt);
}

UnitModel fma_loop(std::uint64_t seed) {
  std::uint64_t turn = seed - 1;
  return fmas(taken_in_turn(std::array{16, 2, 4, 8}, turn), Format::fp32, Rounding::nearest_even,
              Subnormals::kept);
}

}  // namespace mmaprint::test
