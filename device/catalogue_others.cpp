// Sources, by the letters that the tables cite, besides those of device/catalogue_nvidia.cpp:
//   M2  Xie et al., MMA-Sim 2.1.1 (October 2026); M1 its version of January 2026
//   K2  Khattak, Mikaitis: MATLAB models, for CDNA1 to CDNA3
//   A   Arm Architecture Reference Manual, pseudocode of BFDotAdd
//   J   Jouppi et al. 2017 and 2020 on TPUs: columns of 128, products of BF16 added in FP32
//
// None of these is a chain of truncated blocks, so each form has a function that builds it. Where sources
// differ each has a unit of its own, whose name says which it follows.
#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "device/catalogue_families.h"
#include "model/instruction.h"
#include "model/skeletons.h"

namespace mmaprint {
namespace {

/// What is computed alike: a skeleton, its classes' parameters, conventions and NaN.
struct Built {
  Skeleton skeleton;
  ParameterValues values;
  std::optional<Pattern> nan;  ///< none: several
};

constexpr Pattern kQuietFp32 = 0x7fc00000, kOnesFp32 = 0x7fffffff;

Leaf add_node_to(Tree& tree, std::vector<Leaf> operands, int adder, NodeResult result) {
  tree.nodes.push_back({std::move(operands), adder, result});
  return NodeLeaf{static_cast<int>(tree.nodes.size()) - 1};
}

/// Blocks of neighbours, each with the running sum exact and rounded once; blocks of one are a chain of FMAs.
Built exact_blocks(const Instruction& of, int width) {
  Chain chain{{}, CEnters::first};
  for (int i = 0; i < of.k; ++i) {
    if (i % width == 0) chain.blocks.emplace_back();
    chain.blocks.back().push_back(i);
  }
  const bool keeps_nan = width > 1 || of.formats.d != Format::fp32;
  return {{{}, tree_of(chain)},
          {{exact_adder(of.formats.d, Rounding::nearest_even)}, {}},
          keeps_nan ? std::nullopt : std::optional(kQuietFp32)};
}

/// Groups of neighbours whose products are rounded by themselves (class 1) and added pairwise; then c or the
/// running sum joins.
Tree pairwise_groups(int k, int width) {
  Tree tree;
  Leaf running = CLeaf{};
  for (int first = 0; first < k; first += width) {
    std::vector<Leaf> level;
    for (int i = first; i < std::min(k, first + width); ++i)
      level.push_back(add_node_to(tree, {ProductLeaf{i}}, 1, {}));
    while (level.size() > 1) {
      std::vector<Leaf> sums;
      for (std::size_t i = 0; i + 1 < level.size(); i += 2)
        sums.push_back(add_node_to(tree, {level[i], level[i + 1]}, 0, {}));
      if (level.size() % 2 == 1) sums.push_back(level.back());
      level = std::move(sums);
    }
    running = add_node_to(tree, {running, level.front()}, 0, {});
  }
  return tree;
}

Built cdna1_pairwise(const Instruction& of, int width) {
  const Adder adder = exact_adder(of.formats.d, Rounding::nearest_even);
  return {{{}, pairwise_groups(of.k, width)}, {{adder, adder}, {}}, std::nullopt};
}

/// Inputs flushed to +0, results to zeros of their sign.
Built cdna2_pairwise(const Instruction& of, int width) {
  Built built = cdna1_pairwise(of, width);
  Conventions& how = built.values.conventions;
  how.input_subnormals = how.c_subnormals = Subnormals::flushed_positive;
  how.output_subnormals = Subnormals::flushed;
  return built;
}

/// Whose account of CDNA3: M2 rounds the sum down to 31 fraction bits before D.
enum class Cdna3 : std::uint8_t { mmasim2, mmasim1 };

/// The node that adds c, or the running sum.
Adder cdna3_join(Cdna3 source) {
  Adder join = exact_adder(Format::fp32, Rounding::nearest_even);
  join.zero_addends = ZeroAddends::as_exponent(-126);
  join.alignment_fraction_bits = source == Cdna3::mmasim2 ? 32 : 31;
  join.alignment_rounding = AlignmentRounding::floor;
  join.c_fraction_bits = 24;
  if (source == Cdna3::mmasim2) {
    join.rounding = Rounding::down;
    join.output_fraction_bits = info(Format::e8m31).fraction_bits;
  }
  return join;
}

/// Products apart, truncated and carried to c, or the running sum; of FP8 those of even and of odd index,
/// which are joined first.
Built cdna3(const Instruction& of, int width, Cdna3 source, bool by_parity) {
  const std::optional inside = source == Cdna3::mmasim2 ? std::optional(Format::e8m31) : std::nullopt;
  Built built{{{}, carrying_tree(of.k, {width, by_parity, inside}, true)}, {{}, {}}, kOnesFp32};
  Adder products = exact_adder(Format::fp32, Rounding::nearest_even);
  products.product_overflow = ProductOverflow::infinity;
  products.alignment_fraction_bits = 24;
  built.values.adders = {products};
  Adder halves = products;
  halves.product_overflow = ProductOverflow::exact;
  halves.alignment_rounding = AlignmentRounding::floor;
  if (by_parity) built.values.adders.push_back(halves);
  built.values.adders.push_back(cdna3_join(source));
  if (by_parity) built.values.adders.back().c_dropped_below = 25;
  if (source == Cdna3::mmasim2)
    built.values.adders.push_back(exact_adder(Format::fp32, Rounding::nearest_even));
  built.values.conventions.zero_sign.cancelled = ZeroSign::positive;
  return built;
}
Built cdna3_of_m2(const Instruction& of, int width) { return cdna3(of, width, Cdna3::mmasim2, false); }
Built cdna3_of_m1(const Instruction& of, int width) { return cdna3(of, width, Cdna3::mmasim1, false); }
Built cdna3_fp8_of_m2(const Instruction& of, int width) { return cdna3(of, width, Cdna3::mmasim2, true); }
Built cdna3_fp8_of_m1(const Instruction& of, int width) { return cdna3(of, width, Cdna3::mmasim1, true); }

/// Everything is rounded to odd, and flushed before that.
Built rounded_to_odd(const Instruction& of, int width) {
  const Adder adder = exact_adder(of.formats.d, Rounding::odd);
  Built built{{{}, pairwise_groups(of.k, width)}, {{adder, adder}, {}}, kQuietFp32};
  Conventions& how = built.values.conventions;
  how.input_subnormals = how.c_subnormals = how.output_subnormals = Subnormals::flushed;
  how.flush_test = FlushTest::before;
  return built;
}

/// Instructions that compute alike.
struct BuiltRow {
  std::string_view names;
  Built (*build)(const Instruction& of, int width);
  int width;
};

// clang-format off
constexpr std::array kCdnaFmas{
    // M2, K2: chains of FMAs.
    BuiltRow{"mfma.f32_{32x32x1_2b,16x16x1_4b,4x4x1_16b,32x32x2,16x16x4}_f32", exact_blocks, 1},
};
constexpr std::array kCdna1{
    // M2, K2: each group with the running sum, exact.
    BuiltRow{"mfma.f32_{32x32x4_2b,16x16x4_4b,4x4x4_16b,32x32x8,16x16x16}_f16", exact_blocks, 4},
    BuiltRow{"mfma.f32_{32x32x2_2b,16x16x2_4b,4x4x2_16b,32x32x4,16x16x8}_bf16", exact_blocks, 2},
};
constexpr std::array kCdna1Pairwise{
    // M1.
    BuiltRow{"mfma.f32_{32x32x4_2b,16x16x4_4b,4x4x4_16b,32x32x8,16x16x16}_f16", cdna1_pairwise, 4},
    BuiltRow{"mfma.f32_{32x32x2_2b,16x16x2_4b,4x4x2_16b,32x32x4,16x16x8}_bf16", cdna1_pairwise, 2},
};
constexpr std::array kCdna2{
    // M2, K2: products rounded to FP32, added pairwise.
    BuiltRow{"mfma.f32_{32x32x4_2b,16x16x4_4b,4x4x4_16b,32x32x8,16x16x16}_f16", cdna2_pairwise, 4},
    BuiltRow{"mfma.f32_{32x32x2_2b,16x16x2_4b,4x4x2_16b,32x32x4,16x16x8}_bf16", cdna2_pairwise, 2},
    BuiltRow{"mfma.f32_{32x32x4_2b,16x16x4_4b,4x4x4_16b,32x32x8,16x16x16}_bf16_1k", cdna2_pairwise, 4},
    BuiltRow{"mfma.f64_{16x16x4,4x4x4_4b}_f64", exact_blocks, 1},
};
constexpr std::array kCdna3{
    BuiltRow{"mfma.f32_{32x32x4_2b,16x16x4_4b,4x4x4_16b,32x32x8,16x16x16}_{f16,bf16}", cdna3_of_m2, 8},
    BuiltRow{"mfma.f32_{16x16x8,32x32x4}_xf32", cdna3_of_m2, 4},
    BuiltRow{"mfma.f32_{16x16x32,32x32x16}_{fp8,bf8}_{fp8,bf8}", cdna3_fp8_of_m2, 16},
    BuiltRow{"mfma.f64_{16x16x4,4x4x4_4b}_f64", exact_blocks, 1},
};
constexpr std::array kCdna3OfM1{
    BuiltRow{"mfma.f32_{32x32x4_2b,16x16x4_4b,4x4x4_16b,32x32x8,16x16x16}_{f16,bf16}", cdna3_of_m1, 8},
    BuiltRow{"mfma.f32_{16x16x8,32x32x4}_xf32", cdna3_of_m1, 4},
    BuiltRow{"mfma.f32_{16x16x32,32x32x16}_{fp8,bf8}_{fp8,bf8}", cdna3_fp8_of_m1, 16},
    BuiltRow{"mfma.f64_{16x16x4,4x4x4_4b}_f64", exact_blocks, 1},
};
constexpr std::array kArm{
    // A: before FEAT_EBF16; pair after pair.
    BuiltRow{"bfmmla", rounded_to_odd, 2},
    BuiltRow{"bfdot", rounded_to_odd, 2},
};
constexpr std::array kTpu{
    // J: one product after the other, in FP32.
    BuiltRow{"tpu.column128.f32.bf16.bf16.f32", exact_blocks, 1},
};

struct OtherUnit {
  std::string_view name, description;
  std::array<std::span<const BuiltRow>, 2> tables;
};
constexpr std::array kOtherUnits{
    OtherUnit{"mi100", "AMD MI100 (CDNA1), groups exact, as MMA-Sim 2 and Khattak and Mikaitis have it", {kCdna1, kCdnaFmas}},
    OtherUnit{"mi100-pairwise", "sim:mi100 with groups added pairwise, as MMA-Sim 1 has it", {kCdna1Pairwise, kCdnaFmas}},
    OtherUnit{"mi250", "AMD MI250 (CDNA2)", {kCdna2, kCdnaFmas}},
    OtherUnit{"mi300", "AMD MI300 (CDNA3), as MMA-Sim 2 has it", {kCdna3, kCdnaFmas}},
    OtherUnit{"mi300-31bit", "sim:mi300 with 31 bits at the join, rounded once, as MMA-Sim 1 has it", {kCdna3OfM1, kCdnaFmas}},
    OtherUnit{"armv8.6", "Arm cores with BF16 and without FEAT_EBF16", {kArm}},
    OtherUnit{"tpu", "a column of a TPU's systolic array, BF16 with FP32 additions", {kTpu}},
};
// clang-format on

UnitModel model_of_row(const BuiltRow& row, const Instruction& instruction) {
  Built built = row.build(instruction, row.width);
  return unit_model(instruction.name, instruction.k, instruction.formats, built.skeleton, built.values,
                    built.nan);
}

}  // namespace

std::vector<CataloguedUnit> other_units() {
  std::vector<CataloguedUnit> all;
  all.reserve(kOtherUnits.size());
  for (const OtherUnit& unit : kOtherUnits) all.push_back({unit.name, unit.description});
  return all;
}

std::vector<UnitModel> other_models(std::string_view name) {
  std::vector<UnitModel> models;
  const auto unit = std::ranges::find(kOtherUnits, name, &OtherUnit::name);
  if (unit == kOtherUnits.end()) return models;
  for (const auto& table : unit->tables)
    for (const BuiltRow& row : table)
      for (const std::string& instruction : names_of(row.names))
        models.push_back(model_of_row(row, *instruction_from_name(instruction)));
  return models;
}

}  // namespace mmaprint
