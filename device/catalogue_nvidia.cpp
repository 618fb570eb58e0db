// Sources, by the letters that the tables cite:
//   F   Fasi, Higham, Mikaitis, Pranesh 2021: "Numerical behavior of NVIDIA tensor cores"
//   K1  Khattak, Mikaitis, HPEC 2025, and K2 "Accurate models of NVIDIA tensor cores" with its MATLAB models
//   M   Xie et al. 2025, MMA-Sim, version 2.1.1
//   P   NVIDIA's PTX ISA, for what it defines itself
//   H   our measurement of an H200, docs/results/h200.md
// What P and the papers leave open is in no table: sparse instructions and FP8 through mma.sync are known of
// those chips alone on which somebody looked. Of Blackwell's scales M alone speaks, and of tcgen05.
//
// All NVIDIA tensor cores but FP64's are chains of contiguous blocks that c enters first: products exact and
// not normalised, addends truncated in magnitude to F bits below the largest exponent, normalised once,
// rounded once [F K1 K2 M H]. What a row does not hold is therefore the same for all; model_of() decides it.
// Where sources differ each has a unit of its own, which names the rows that are other.
#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string>

#include "device/catalogue_families.h"
#include "model/instruction.h"
#include "model/skeletons.h"

namespace mmaprint {
namespace {

constexpr int kWhole = kLargestK;  ///< one block, however many products
constexpr int kExact = -1;
constexpr int kAll = 52;

/// What skeleton a row's instructions have.
enum class Form : std::uint8_t {
  blocks,            ///< a chain of contiguous blocks
  scaled_groups,     ///< groups of 16 products, each summed exactly and scaled; one node adds them and c
  fp8_through_fp16,  ///< factors become FP16; two blocks, of the indices with i mod 4 < 2 and of the rest
  pairs_in_fp32,     ///< (p0 + p1) + c, then (p2 + p3) to that, in FP32, and a conversion
};

/// Instructions that compute alike.
struct Entry {
  std::string_view names;           ///< braces enclose alternatives, as in a shell: "k{8,16}"
  int block;                        ///< products per block; K where that is shorter
  int alignment_fraction_bits;      ///< F; kExact: nothing is lost
  int output_fraction_bits = kAll;  ///< where D has more
  CEnters c_enters = CEnters::first;
  Form form = Form::blocks;
};

// clang-format off
constexpr std::array kVolta{
    // F, K1, M: blocks of 4, no extra alignment bits; FP16 results rounded to nearest.
    Entry{"mma.m8n8k4.{f32.f16.f16.f32,f16.f16.f16.f16}", 4, 23},
    // M: c joins with the exponent that it has as FP16.
    Entry{"mma.m8n8k4.f32.f16.f16.f16", 4, 23},
    // F, K1 tested through wmma.
    Entry{"wmma.{m16n16k16,m32n8k16,m8n32k16}.{f32,f16}.f16", 4, 23},
};
constexpr std::array kTuring{
    // F: blocks of 4, one extra bit.
    Entry{"mma.m16n8k8.{f32.f16.f16.f32,f16.f16.f16.f16}", 4, 24},
    Entry{"wmma.{m16n16k16,m32n8k16,m8n32k16}.{f32,f16}.f16", 4, 24},
    // M: computes as Volta.
    Entry{"mma.m8n8k4.{f32.f16.f16.f32,f32.f16.f16.f16,f16.f16.f16.f16}", 4, 23},
};
constexpr std::array kTuringInEights{
    // M: one block of 8.
    Entry{"mma.m16n8k8.{f32.f16.f16.f32,f16.f16.f16.f16}", 8, 24},
    Entry{"wmma.{m16n16k16,m32n8k16,m8n32k16}.{f32,f16}.f16", 8, 24},
};
constexpr std::array kTuringIntegers{
    // P: sums wrap, or saturate where the name says so.
    Entry{"mma.m8n8k16.s32.{s8,u8}.{s8,u8}.s32{,.satfinite}", kWhole, kExact},
    Entry{"mma.m8n8k32.s32.{s4,u4}.{s4,u4}.s32{,.satfinite}", kWhole, kExact},
    Entry{"mma.m8n8k128.s32.b1.b1.s32.xor.popc", kWhole, kExact},
    Entry{"wmma.{m16n16k16,m32n8k16,m8n32k16}.s32.{s8,u8}", kWhole, kExact},
};
constexpr std::array kAmpere{
    // F, K1, M: blocks of 8, one extra bit.
    Entry{"mma.m16n8k{8,16}.{f32.f16.f16.f32,f16.f16.f16.f16,f32.bf16.bf16.f32}", 8, 24},
    Entry{"wmma.{m16n16k16,m32n8k16,m8n32k16}.{f32.f16,f16.f16,f32.bf16}", 8, 24},
    // K1, M: TF32 in blocks of 4.
    Entry{"mma.m16n8k{4,8}.f32.tf32.tf32.f32", 4, 24},
    Entry{"wmma.m16n16k8.f32.tf32", 4, 24},
};
constexpr std::array kTf32InEights{
    // F, table 1.
    Entry{"mma.m16n8k{4,8}.f32.tf32.tf32.f32", 8, 24},
    Entry{"wmma.m16n16k8.f32.tf32", 8, 24},
};
constexpr std::array kAmpereIntegers{
    // P, besides Turing's.
    Entry{"mma.m16n8k{16,32}.s32.{s8,u8}.{s8,u8}.s32{,.satfinite}", kWhole, kExact},
    Entry{"mma.m16n8k{32,64}.s32.{s4,u4}.{s4,u4}.s32{,.satfinite}", kWhole, kExact},
    Entry{"mma.m8n8k128.s32.b1.b1.s32.and.popc", kWhole, kExact},
    Entry{"mma.m16n8k{128,256}.s32.b1.b1.s32.{xor,and}.popc", kWhole, kExact},
};
constexpr std::array kFp64{
    // F, M, H: a chain of FMAs.
    Entry{"{mma.m8n8k4.f64.f64.f64.f64,wmma.m8n8k4.f64.f64}", 1, kExact},
};
constexpr std::array kAdaFp8{
    // K2, M: blocks of 16, F = 13, FP32 results cut to 13 fraction bits ("E8M13").
    Entry{"mma.m16n8k32.f32.{e4m3,e5m2}.{e4m3,e5m2}.f32", 16, 13, 13},
    Entry{"mma.m16n8k32.f16.{e4m3,e5m2}.{e4m3,e5m2}.f16", 16, 13},
};
constexpr std::array kHopper{
    // K1, K2, M, H: blocks of 16 (TF32: 8), two extra bits.
    Entry{"mma.m16n8k{8,16}.{f32.f16.f16.f32,f16.f16.f16.f16,f32.bf16.bf16.f32}", 16, 25},
    Entry{"mma.m16n8k{4,8}.f32.tf32.tf32.f32", 8, 25},
};
constexpr std::array kHopperMeasured{
    // H: what else the compiler makes of tensor cores. TF32 wmma is two instructions of 4 products.
    Entry{"wmma.{m16n16k16,m32n8k16,m8n32k16}.{f32.f16,f16.f16,f32.bf16}", 16, 25},
    Entry{"wmma.m16n16k8.f32.tf32", 4, 25},
    // H: sparse instructions compute as dense ones on the products that take part.
    Entry{"mma.sp.m16n8k{16,32}.{f32.f16.f16.f32,f16.f16.f16.f16,f32.bf16.bf16.f32}", 16, 25},
    Entry{"mma.sp.m16n8k{8,16}.f32.tf32.tf32.f32", 8, 25},
    Entry{"mma.sp.m16n8k{32,64}.s32.{s8,u8}.{s8,u8}.s32{,.satfinite}", kWhole, kExact},
    Entry{"mma.sp.m16n8k{64,128}.s32.{s4,u4}.{s4,u4}.s32{,.satfinite}", kWhole, kExact},
    // H: FP32 additions, from +0, c last; with FP16 results two products at a time.
    Entry{"mma.m8n8k4.row.col.f32.f16.f16.{f32,f16}", 1, kExact, kAll, CEnters::last},
    Entry{"mma.m8n8k4.row.col.f16.f16.f16.f16", 1, kExact, kAll, CEnters::first, Form::pairs_in_fp32},
    // H: FP8 through mma.sync is two instructions on FP16, from +0, and an addition of c to nearest-even.
    Entry{"mma.m16n8k{16,32}.f32.{e4m3,e5m2}.{e4m3,e5m2}.f32", 0, 25, kAll, CEnters::last, Form::fp8_through_fp16},
    Entry{"mma.m16n8k{16,32}.f16.{e4m3,e5m2}.{e4m3,e5m2}.f16", 0, 25, kAll, CEnters::last, Form::fp8_through_fp16},
    // M, H: chains of FMAs.
    Entry{"mma.m16n8k{4,8,16}.f64.f64.f64.f64", 1, kExact},
};
constexpr std::array kWgmma{
    // K1, K2, M, H: as mma. FP8 in one block of 32, F = 13, FP32 results cut to 13 fraction bits.
    Entry{"wgmma.m64n8k16.{f32.f16.f16,f16.f16.f16,f32.bf16.bf16}", 16, 25},
    Entry{"wgmma.m64n8k8.f32.tf32.tf32", 8, 25},
    Entry{"wgmma.m64n8k32.{f32,f16}.{e4m3,e5m2}.{e4m3,e5m2}", 32, 13, 13},
    // H, as are sparse ones.
    Entry{"wgmma.sp.m64n8k32.{f32.f16.f16,f16.f16.f16,f32.bf16.bf16}", 16, 25},
    Entry{"wgmma.sp.m64n8k16.f32.tf32.tf32", 8, 25},
    Entry{"wgmma.sp.m64n8k64.{f32,f16}.{e4m3,e5m2}.{e4m3,e5m2}", 32, 13, 13},
    Entry{"wgmma.m64n8k32.s32.{s8,u8}.{s8,u8}{,.satfinite}", kWhole, kExact},
    Entry{"wgmma.sp.m64n8k64.s32.{s8,u8}.{s8,u8}{,.satfinite}", kWhole, kExact},
    Entry{"wgmma.m64n8k256.s32.b1.b1.and.popc", kWhole, kExact},
};

constexpr std::array kBlackwellFp8{
    // M: one block of 32, two extra bits.
    Entry{"mma.m16n8k32.f32.{e4m3,e5m2}.{e4m3,e5m2}.f32", 32, 25},
    Entry{"mma.m16n8k32.f16.{e4m3,e5m2}.{e4m3,e5m2}.f16", 32, 25},
    Entry{"mma.m16n8k32.kind::f8f6f4.f32.{e4m3,e5m2,e3m2,e2m3,e2m1}.{e4m3,e5m2,e3m2,e2m3,e2m1}.f32", 32, 25},
    Entry{"mma.m16n8k32.kind::f8f6f4.f16.{e4m3,e5m2,e3m2,e2m3,e2m1}.{e4m3,e5m2,e3m2,e2m3,e2m1}.f16", 32, 25},
};
constexpr std::array kBlackwellScaled{
    // M: products of up to 8 bits a factor as without scales, whose exponents add to the products'.
    Entry{"mma.m16n8k32.kind::mxf8f6f4.{block32,block_scale}.f32.{e4m3,e5m2,e3m2,e2m3,e2m1}.{e4m3,e5m2,e3m2,e2m3,e2m1}.f32.ue8m0", 32, 25},
    // M: factors of 4 bits in groups of 16, which are scaled; P: a scale for 32 (2X) or 16 (4X) of them.
    Entry{"mma.m16n8k64.kind::mxf4.{block32,block_scale}.f32.e2m1.e2m1.f32.ue8m0", 16, 35, kAll, CEnters::first, Form::scaled_groups},
    Entry{"mma.m16n8k64.kind::mxf4nvf4.{block16,block_scale.scale_vec::4X}.f32.e2m1.e2m1.f32.{ue4m3,ue8m0}", 16, 35, kAll, CEnters::first, Form::scaled_groups},
    Entry{"mma.m16n8k64.kind::mxf4nvf4.{block32,block_scale.scale_vec::2X}.f32.e2m1.e2m1.f32.ue8m0", 16, 35, kAll, CEnters::first, Form::scaled_groups},
};
constexpr std::array kTcgen05{
    // M: as mma, in blocks of 32 bytes.
    Entry{"tcgen05.m64n8k16.kind::f16.{f32.f16.f16,f16.f16.f16,f32.bf16.bf16}", 16, 25},
    Entry{"tcgen05.m64n8k8.kind::tf32.f32.tf32.tf32", 8, 25},
    Entry{"tcgen05.m64n8k32.kind::f8f6f4.{f32,f16}.{e4m3,e5m2,e3m2,e2m3,e2m1}.{e4m3,e5m2,e3m2,e2m3,e2m1}", 32, 25},
    Entry{"tcgen05.m128n8k32.kind::mxf8f6f4.block32.f32.{e4m3,e5m2,e3m2,e2m3,e2m1}.{e4m3,e5m2,e3m2,e2m3,e2m1}.ue8m0", 32, 25},
    Entry{"tcgen05.m128n8k64.kind::mxf4.block32.f32.e2m1.e2m1.ue8m0", 16, 35, kAll, CEnters::first, Form::scaled_groups},
    Entry{"tcgen05.m128n8k64.kind::mxf4nvf4.block16.f32.e2m1.e2m1.{ue4m3,ue8m0}", 16, 35, kAll, CEnters::first, Form::scaled_groups},
};

struct Unit {
  std::string_view name;
  std::string_view description;
  std::array<std::span<const Entry>, 6> tables;  ///< the first that has an instruction counts
  std::optional<int> extra_carry_bits = {};    ///< of sums that are aligned; none: enough
  std::optional<NanRule> fp64_nan = {};        ///< none: several patterns
};

/// H, on an H100: at each FMA the first NaN of b, the sum and a; zero times infinity gives way to a NaN sum.
constexpr NanRule kHopperFp64Nan{.sum = NanRule::Sum::between,
                                 .factors = NanRule::Factors::b_first,
                                 .invalid = NanRule::Invalid::last,
                                 .generated = 0xfff8000000000000};

constexpr std::array kUnits{
    Unit{"v100", "NVIDIA V100 (Volta)", {kVolta}},
    Unit{"t4", "NVIDIA T4 (Turing), FP16 in blocks of 4, as Fasi et al. measured", {kTuring, kTuringIntegers}},
    Unit{"a100", "NVIDIA A100, A30 (Ampere)", {kAmpere, kFp64, kTuringIntegers, kAmpereIntegers}},
    Unit{"ada", "NVIDIA L40S, RTX 1000 Ada", {kAmpere, kAdaFp8, kTuringIntegers, kAmpereIntegers}},
    Unit{"h100", "NVIDIA H100, H200 (Hopper), as measured on an H200",
         {kHopper, kFp64, kHopperMeasured, kWgmma, kTuringIntegers, kAmpereIntegers}, {}, kHopperFp64Nan},
    Unit{"b200", "NVIDIA B200 (Blackwell), as MMA-Sim has it, with integers",
         {kHopper, kTcgen05, kTuringIntegers, kAmpereIntegers}},
    // Units that differ in a few rows, and what other sources say.
    // F takes three carry bits (27 bits in all); no recorded result decides.
    Unit{"v100-27bit", "sim:v100 with sums of 27 bits, as Fasi et al. take them", {kVolta}, 3},
    Unit{"t4-mmasim", "sim:t4 with FP16 in blocks of 8, as MMA-Sim has it",
         {kTuringInEights, kTuring, kTuringIntegers}},
    Unit{"a100-tf32x8", "sim:a100 with TF32 in blocks of 8, as Fasi et al. have it",
         {kTf32InEights, kAmpere, kFp64, kTuringIntegers, kAmpereIntegers}},
    Unit{"rtx3060", "NVIDIA RTX 3060, A2 (Ampere): sim:a100 without FP64",
         {kAmpere, kTuringIntegers, kAmpereIntegers}},
    Unit{"rtxpro6000", "NVIDIA RTX PRO 6000 (Blackwell), as MMA-Sim has it, with integers",
         {kHopper, kBlackwellFp8, kBlackwellScaled, kTuringIntegers, kAmpereIntegers}},
    // Sun et al. 2022 measured errors on these, which those of their generations explain.
    Unit{"rtx2080ti", "NVIDIA RTX 2080 Ti (Turing): sim:t4", {kTuring, kTuringIntegers}},
    Unit{"rtx3070ti", "NVIDIA RTX 3070 Ti (Ampere): sim:rtx3060",
         {kAmpere, kTuringIntegers, kAmpereIntegers}},
};
// clang-format on

Chain contiguous(int k, int width, CEnters c_enters) {
  Chain chain{{}, c_enters};
  for (int first = 0; first < k; first += width) {
    auto& block = chain.blocks.emplace_back();
    for (int i = first; i < std::min(k, first + width); ++i) block.push_back(i);
  }
  return chain;
}

Chain every_other_pair(int k) {
  Chain chain{{{}, {}}, CEnters::last};
  for (int i = 0; i < k; ++i) chain.blocks[i % 4 < 2 ? 0 : 1].push_back(i);
  return chain;
}

Tree pairs_in_fp32() {
  constexpr Format kWide = Format::fp32;
  return {{{{ProductLeaf{0}, ProductLeaf{1}}, 0, kWide},
           {{CLeaf{}, NodeLeaf{0}}, 1, kWide},
           {{ProductLeaf{2}, ProductLeaf{3}}, 0, kWide},
           {{NodeLeaf{1}, NodeLeaf{2}}, 1, kWide},
           {{NodeLeaf{3}}, 2, std::nullopt}}};
}

/// The row's skeleton over blocks, or another.
Skeleton skeleton_of(const Entry& row, const Instruction& instruction) {
  switch (row.form) {
    case Form::blocks:
      break;
    case Form::scaled_groups:
      return {{}, chain_of_scaled_groups(instruction.k, row.block, instruction.k / row.block, row.c_enters)};
    case Form::pairs_in_fp32:
      return {{}, pairs_in_fp32()};
    case Form::fp8_through_fp16: {
      constexpr Converted kFp16{Format::fp16, Conversion::exact};
      return {{kFp16, kFp16, std::nullopt}, tree_of(every_other_pair(instruction.k))};
    }
  }
  return {{}, tree_of(contiguous(instruction.k, row.block, row.c_enters))};
}

/// The exponent below which the alignment exponent never falls. FP32 results: none on Volta, -132 on Ampere
/// and Ada [K2], -133 on Hopper [H] and Blackwell [K2], -139 over scaled groups [M]. FP16 results: 4 - F [K2
/// M], -21 on Hopper [H]. M gives zeros that exponent, which is the same where c is one of the addends: c
/// that is not zero has a larger one. FP8's products show none.
std::optional<int> minimum_alignment_exponent(Format d, int alignment_fraction_bits) {
  if (alignment_fraction_bits < 23) return std::nullopt;
  if (d == Format::fp16) return 4 - alignment_fraction_bits;
  if (alignment_fraction_bits == 23) return std::nullopt;
  constexpr int kOfScaledGroups = 35;
  if (alignment_fraction_bits == kOfScaledGroups) return -139;
  return alignment_fraction_bits == 24 ? -132 : -133;
}

/// NVIDIA's NaN: all ones but the sign [M H]. FP64's are several, where no rule is known; integers have none.
std::optional<Pattern> nan_of(const FormatInfo& d) {
  if (d.id == Format::fp64 || d.is_integer()) return std::nullopt;
  return d.pattern_mask() >> 1;
}

UnitModel model_of(const Entry& row, const Instruction& instruction, const Unit& unit) {
  const FormatInfo& d = info(instruction.formats.d);
  const std::string& name = instruction.name;
  const bool exact = row.alignment_fraction_bits == kExact;
  const Skeleton skeleton = skeleton_of(row, instruction);
  const auto result = [&](int of_class) { return result_format(skeleton.tree, of_class, d.id); };
  ParameterValues values;
  Adder& block = values.adders.front();
  block.output_fraction_bits = std::min(row.output_fraction_bits, info(result(0)).fraction_bits);
  if (name.find(".xor.") != std::string::npos) block.product = ProductKind::exclusive_or;
  if (!exact) {
    block.alignment_fraction_bits = row.alignment_fraction_bits;
    block.minimum_alignment_exponent = minimum_alignment_exponent(d.id, row.alignment_fraction_bits);
    block.extra_carry_bits = unit.extra_carry_bits;
    // No result is -0 [M H]; only what adds as IEEE 754 says has its zeros.
    values.conventions.zero_sign = {ZeroSign::positive, ZeroSign::positive, ZeroSign::positive,
                                    ZeroSign::positive};
  }
  block.rounding = d.id == Format::fp32 && !exact ? Rounding::toward_zero : Rounding::nearest_even;
  // What comes after the blocks adds as IEEE 754 says [H].
  const int classes = classes_of(skeleton.tree);
  for (int i = 1; i < classes; ++i) values.adders.push_back(exact_adder(result(i), Rounding::nearest_even));
  // Groups are exact, and what adds them is what the row says.
  if (row.form == Form::scaled_groups) std::swap(values.adders[0], values.adders[1]);
  // Subnormals are kept [F]; overflow gives infinity [M H].
  if (d.is_integer())
    values.conventions.overflow = name.ends_with(".satfinite") ? Overflow::saturate : Overflow::wrap;
  UnitModel model = unit_model(name, instruction.k, instruction.formats, skeleton, values, nan_of(d));
  if (d.id == Format::fp64 && unit.fp64_nan) model.nan = *unit.fp64_nan;
  return model;
}

}  // namespace

std::vector<CataloguedUnit> nvidia_units() {
  std::vector<CataloguedUnit> all;
  all.reserve(kUnits.size());
  for (const Unit& unit : kUnits) all.push_back({unit.name, unit.description});
  return all;
}

std::vector<UnitModel> nvidia_models(std::string_view name) {
  std::vector<UnitModel> models;
  const auto unit = std::ranges::find(kUnits, name, &Unit::name);
  if (unit == kUnits.end()) return models;
  for (const auto& table : unit->tables)
    for (const Entry& row : table)
      for (const std::string& instruction : names_of(row.names))
        if (std::ranges::find(models, instruction, &UnitModel::instruction) == models.end())
          models.push_back(model_of(row, *instruction_from_name(instruction), *unit));
  return models;
}

}  // namespace mmaprint
