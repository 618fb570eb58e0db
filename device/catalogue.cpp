// Sources, by the letters that the table's groups cite:
//   F   Fasi, Higham, Mikaitis, Pranesh 2021: "Numerical behavior of NVIDIA tensor cores"
//   K1  Khattak, Mikaitis, HPEC 2025, and K2 "Accurate models of NVIDIA tensor cores" with its MATLAB models
//   M   Xie et al. 2025, MMA-Sim
//
// All NVIDIA tensor cores but FP64's are chains of contiguous blocks that c enters first: products exact and
// not normalised, addends truncated in magnitude to F bits below the largest exponent, normalised once,
// rounded once [F K1 K2 M]. What a row does not hold is therefore the same for all, and where sources
// disagree or say nothing it is a choice, made here and nowhere else; model_of() says which.
#include "device/catalogue.h"

#include <algorithm>
#include <array>

#include "model/instruction.h"

namespace mmaprint {
namespace {

constexpr std::array kUnits{
    CataloguedUnit{"v100", "NVIDIA V100 (Volta)"},
    CataloguedUnit{"t4", "NVIDIA T4 (Turing)"},
    CataloguedUnit{"a100", "NVIDIA A100, A2, A30, RTX 3060 (Ampere)"},
    CataloguedUnit{"ada", "NVIDIA L40S, RTX 1000 Ada"},
    CataloguedUnit{"h100", "NVIDIA H100, H200 (Hopper)"},
    CataloguedUnit{"b200", "NVIDIA B200, RTX PRO 6000 (Blackwell), 16-bit formats and TF32"},
};

constexpr int kExact = -1;
constexpr int kFull = -1;

struct Row {
  std::string_view unit;
  std::string_view instruction;
  int block;                         ///< products per block; K where that is shorter
  int alignment_fraction_bits;       ///< F; kExact: nothing is lost
  int output_fraction_bits = kFull;  ///< kFull: all that D has
};

// clang-format off
constexpr std::array kRows{
    // F: blocks of 4, no extra alignment bits; FP16 results rounded to nearest.
    Row{"v100", "mma.m8n8k4.f32.f16.f16.f32", 4, 23},
    Row{"v100", "mma.m8n8k4.f16.f16.f16.f16", 4, 23},
    // F: blocks of 4, one extra bit. (M has blocks of 8.)
    Row{"t4", "mma.m16n8k8.f32.f16.f16.f32", 4, 24},
    Row{"t4", "mma.m16n8k8.f16.f16.f16.f16", 4, 24},
    // F, K1, M: blocks of 8, one extra bit.
    Row{"a100", "mma.m16n8k8.f32.f16.f16.f32", 8, 24},
    Row{"a100", "mma.m16n8k8.f16.f16.f16.f16", 8, 24},
    Row{"a100", "mma.m16n8k16.f32.f16.f16.f32", 8, 24},
    Row{"a100", "mma.m16n8k16.f16.f16.f16.f16", 8, 24},
    Row{"a100", "mma.m16n8k8.f32.bf16.bf16.f32", 8, 24},
    Row{"a100", "mma.m16n8k16.f32.bf16.bf16.f32", 8, 24},
    // K1, M: TF32 in blocks of 4. (F's table 1 has 8.)
    Row{"a100", "mma.m16n8k4.f32.tf32.tf32.f32", 4, 24},
    Row{"a100", "mma.m16n8k8.f32.tf32.tf32.f32", 4, 24},
    // F, M: a chain of FMAs.
    Row{"a100", "mma.m8n8k4.f64.f64.f64.f64", 1, kExact},
    // K1, M: as Ampere.
    Row{"ada", "mma.m16n8k8.f32.f16.f16.f32", 8, 24},
    Row{"ada", "mma.m16n8k8.f16.f16.f16.f16", 8, 24},
    Row{"ada", "mma.m16n8k16.f32.f16.f16.f32", 8, 24},
    Row{"ada", "mma.m16n8k16.f16.f16.f16.f16", 8, 24},
    Row{"ada", "mma.m16n8k8.f32.bf16.bf16.f32", 8, 24},
    Row{"ada", "mma.m16n8k16.f32.bf16.bf16.f32", 8, 24},
    Row{"ada", "mma.m16n8k4.f32.tf32.tf32.f32", 4, 24},
    Row{"ada", "mma.m16n8k8.f32.tf32.tf32.f32", 4, 24},
    // K2, M: FP8 in blocks of 16, F = 13, FP32 results cut to 13 fraction bits ("E8M13").
    Row{"ada", "mma.m16n8k32.f32.e4m3.e4m3.f32", 16, 13, 13},
    Row{"ada", "mma.m16n8k32.f32.e4m3.e5m2.f32", 16, 13, 13},
    Row{"ada", "mma.m16n8k32.f32.e5m2.e4m3.f32", 16, 13, 13},
    Row{"ada", "mma.m16n8k32.f32.e5m2.e5m2.f32", 16, 13, 13},
    Row{"ada", "mma.m16n8k32.f16.e4m3.e4m3.f16", 16, 13},
    Row{"ada", "mma.m16n8k32.f16.e4m3.e5m2.f16", 16, 13},
    Row{"ada", "mma.m16n8k32.f16.e5m2.e4m3.f16", 16, 13},
    Row{"ada", "mma.m16n8k32.f16.e5m2.e5m2.f16", 16, 13},
    // K1, K2, M: blocks of 16 (TF32: 8), two extra bits. FP8 through mma.sync is emulated here; no model is published.
    Row{"h100", "mma.m16n8k8.f32.f16.f16.f32", 16, 25},
    Row{"h100", "mma.m16n8k8.f16.f16.f16.f16", 16, 25},
    Row{"h100", "mma.m16n8k16.f32.f16.f16.f32", 16, 25},
    Row{"h100", "mma.m16n8k16.f16.f16.f16.f16", 16, 25},
    Row{"h100", "mma.m16n8k8.f32.bf16.bf16.f32", 16, 25},
    Row{"h100", "mma.m16n8k16.f32.bf16.bf16.f32", 16, 25},
    Row{"h100", "mma.m16n8k4.f32.tf32.tf32.f32", 8, 25},
    Row{"h100", "mma.m16n8k8.f32.tf32.tf32.f32", 8, 25},
    Row{"h100", "wgmma.m64n8k16.f32.f16.f16", 16, 25},
    Row{"h100", "wgmma.m64n8k16.f16.f16.f16", 16, 25},
    Row{"h100", "wgmma.m64n8k16.f32.bf16.bf16", 16, 25},
    Row{"h100", "wgmma.m64n8k8.f32.tf32.tf32", 8, 25},
    // K2, M: FP8 in one block of 32, F = 13, FP32 results cut to 13 fraction bits.
    Row{"h100", "wgmma.m64n8k32.f32.e4m3.e4m3", 32, 13, 13},
    Row{"h100", "wgmma.m64n8k32.f32.e4m3.e5m2", 32, 13, 13},
    Row{"h100", "wgmma.m64n8k32.f32.e5m2.e4m3", 32, 13, 13},
    Row{"h100", "wgmma.m64n8k32.f32.e5m2.e5m2", 32, 13, 13},
    Row{"h100", "wgmma.m64n8k32.f16.e4m3.e4m3", 32, 13},
    Row{"h100", "wgmma.m64n8k32.f16.e4m3.e5m2", 32, 13},
    Row{"h100", "wgmma.m64n8k32.f16.e5m2.e4m3", 32, 13},
    Row{"h100", "wgmma.m64n8k32.f16.e5m2.e5m2", 32, 13},
    // M: a chain of FMAs.
    Row{"h100", "mma.m8n8k4.f64.f64.f64.f64", 1, kExact},
    Row{"h100", "mma.m16n8k4.f64.f64.f64.f64", 1, kExact},
    Row{"h100", "mma.m16n8k8.f64.f64.f64.f64", 1, kExact},
    Row{"h100", "mma.m16n8k16.f64.f64.f64.f64", 1, kExact},
    // K2, M: as Hopper.
    Row{"b200", "mma.m16n8k8.f32.f16.f16.f32", 16, 25},
    Row{"b200", "mma.m16n8k8.f16.f16.f16.f16", 16, 25},
    Row{"b200", "mma.m16n8k16.f32.f16.f16.f32", 16, 25},
    Row{"b200", "mma.m16n8k16.f16.f16.f16.f16", 16, 25},
    Row{"b200", "mma.m16n8k8.f32.bf16.bf16.f32", 16, 25},
    Row{"b200", "mma.m16n8k16.f32.bf16.bf16.f32", 16, 25},
    Row{"b200", "mma.m16n8k4.f32.tf32.tf32.f32", 8, 25},
    Row{"b200", "mma.m16n8k8.f32.tf32.tf32.f32", 8, 25},
};
// clang-format on

Chain contiguous(int k, int width) {
  Chain chain;
  for (int first = 0; first < k; first += width) {
    auto& block = chain.blocks.emplace_back();
    for (int i = first; i < std::min(k, first + width); ++i) block.push_back(i);
  }
  return chain;
}

/// The exponent below which the alignment exponent never falls. FP32 results: M's models give -133, K2's
/// -132. FP16 results: sources disagree by one, 3 - F or 4 - F; hardware has to decide.
std::optional<int> minimum_alignment_exponent(Format d, int alignment_fraction_bits) {
  if (d == Format::fp32) return -133;
  if (d == Format::fp16) return 3 - alignment_fraction_bits;
  return std::nullopt;
}

/// NVIDIA's NaN: all ones but the sign [M]. FP64's is the usual quiet one.
Pattern nan_of(Format d) { return d == Format::fp64 ? canonical_nan(d) : info(d).pattern_mask() >> 1; }

UnitModel model_of(const Row& row) {
  const auto instruction = instruction_from_name(row.instruction);
  const Format d = instruction->formats.d;
  ParameterValues values;
  values.block.output_fraction_bits =
      row.output_fraction_bits == kFull ? info(d).fraction_bits : row.output_fraction_bits;
  if (row.alignment_fraction_bits != kExact) {
    values.block.alignment_fraction_bits = row.alignment_fraction_bits;
    values.block.minimum_alignment_exponent = minimum_alignment_exponent(d, row.alignment_fraction_bits);
  }
  values.block.rounding = d == Format::fp32 ? Rounding::toward_zero : Rounding::nearest_even;
  values.final_rounding = values.block.rounding;
  // Sources disagree on the sign of zero. Chosen: IEEE 754's for sums of zeros, + for cancellation, the sum's
  // own where a nonzero sum becomes zero. Subnormals are kept [F]; overflow gives infinity [M].
  values.conventions.zero_sign = {ZeroSign::follow, ZeroSign::positive, ZeroSign::follow, ZeroSign::follow};
  return chain_model(instruction->name, instruction->k, instruction->formats,
                     contiguous(instruction->k, row.block), values, nan_of(d));
}

}  // namespace

std::vector<CataloguedUnit> catalogued_units() { return {kUnits.begin(), kUnits.end()}; }

std::vector<UnitModel> catalogued_models(std::string_view unit) {
  std::vector<UnitModel> models;
  for (const Row& row : kRows)
    if (row.unit == unit) models.push_back(model_of(row));
  return models;
}

std::optional<UnitModel> catalogued_model(std::string_view unit, std::string_view instruction) {
  for (const Row& row : kRows)
    if (row.unit == unit && row.instruction == instruction) return model_of(row);
  return std::nullopt;
}

}  // namespace mmaprint
