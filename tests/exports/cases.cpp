#include "exports/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "device/catalogue.h"
#include "device/open.h"
#include "device/tile_inputs.h"
#include "model/evaluator.h"
#include "model/plan.h"
#include "random_units/edge_unit.h"
#include "random_units/random_unit.h"
#include "skeleton_units/scaled_unit.h"
#include "skeleton_units/skeleton_unit.h"
#include "support/generate.h"

namespace mmaprint::test {
namespace {

UnitModel random_model(std::uint64_t seed, int kind) {
  Random random(seed);
  switch (kind) {
    case 0:
      return random_unit(random);
    case 1:
      return edge_unit(random);
    case 2: {  // any tree, any parameters, any formats
      const Signature formats = random_formats(random);
      const int k = random.between(1, 9);
      const int adders = random.between(1, 3);
      ParameterValues values{{}, random_conventions(random)};
      for (int i = 0; i < adders; ++i) values.adders.push_back(random_adder(random, formats.d));
      const Skeleton skeleton{{}, random_tree(random, k, adders)};
      return unit_model("tree", k, formats, skeleton, values, canonical_nan(formats.d));
    }
    default:
      return skeleton_unit(static_cast<SkeletonFamily>(kind % static_cast<int>(kSkeletonFamilyWords.size())),
                           seed);
  }
}

/// A rule of any kind for every seventh unit, several patterns for another.
void draw_nan(UnitModel& model, std::uint64_t seed) {
  if (info(model.formats.d).is_integer()) return;
  Random random(seed);
  if (random.chance(1, 7)) model.nan = SeveralNans{};
  if (!random.chance(2, 7)) return;
  NanRule rule;
  rule.sum = random.pick({NanRule::Sum::first, NanRule::Sum::last, NanRule::Sum::between});
  rule.products = random.pick({NanRule::Products::ascending, NanRule::Products::descending});
  rule.factors = random.pick({NanRule::Factors::a_first, NanRule::Factors::b_first});
  rule.invalid = random.pick({NanRule::Invalid::in_order, NanRule::Invalid::last, NanRule::Invalid::first});
  rule.signalling = random.pick({NanRule::Signalling::alike, NanRule::Signalling::first});
  rule.generated = canonical_nan(model.formats.d);
  model.nan = rule;
}

/// What few units have, for every fourth.
void draw_rare(UnitModel& model, std::uint64_t seed) {
  Random random(seed + 1);
  if (info(model.formats.d).is_integer() || !random.chance(1, 4)) return;
  UnitModel other = model;
  for (std::size_t i = 0; i < model.adders.size(); ++i) {
    other = model;
    Adder& adder = other.adders[i];
    if (random.chance(1, 2))
      adder.zero_addends = random.chance(1, 2) ? ZeroAddends::as_exponent(random.between(-60, 0))
                                               : ZeroAddends::factor_exponent(random.between(-60, 0));
    adder.product_overflow = random.pick({ProductOverflow::exact, ProductOverflow::infinity});
    if (is_legal(other)) model = other;
  }
  other = model;
  other.conventions.overflow = random.pick({Overflow::by_direction, Overflow::saturate, Overflow::infinity});
  other.conventions.flush_test = random.pick({FlushTest::before, FlushTest::after_unbounded});
  other.conventions.output_subnormals = random.pick({Subnormals::kept, Subnormals::flushed});
  other.conventions.input_subnormals =
      random.pick({Subnormals::kept, Subnormals::flushed, Subnormals::flushed_positive});
  if (is_legal(other)) model = other;
}

DotInput uniform(Random& random, const UnitModel& model) {
  DotInput x;
  for (int i = 0; i < model.k; ++i) {
    x.a.push_back(random.bits() & info(model.formats.a).pattern_mask());
    x.b.push_back(random.bits() & info(model.formats.b).pattern_mask());
  }
  x.c = model.formats.c ? random.bits() & info(*model.formats.c).pattern_mask() : 0;
  return x;
}

/// Products that are zeros of one sign, where the factors' formats have signs, and mostly such a c.
DotInput zeros(Random& random, const UnitModel& model) {
  DotInput x = uniform(random, model);
  const auto sign = [](Format format) {
    const FormatInfo& f = info(format);
    return f.has_sign && !f.is_integer() ? Pattern{1} << f.sign_bit() : 0;
  };
  const bool negative = random.chance(2, 3);
  for (Pattern& p : x.a) p = negative ? sign(model.formats.a) : 0;
  for (Pattern& p : x.b) p &= ~sign(model.formats.b);
  if (model.formats.c && random.chance(3, 4)) x.c = random.chance(1, 2) ? sign(*model.formats.c) : 0;
  return x;
}

/// Other blocks and formats of scales, on one side or both, and scales for a unit that has none.
void draw_blocks(UnitModel& model, std::uint64_t seed) {
  Random random(seed + 2);
  if (std::holds_alternative<NanRule>(model.nan)) model.nan = SeveralNans{};
  for (int i = 0; i < 4; ++i) {
    UnitModel other = model;
    for (auto* scales : {&other.formats.sa, &other.formats.sb}) {
      if (random.chance(1, 4)) continue;
      const Format format = random.pick({Format::ue8m0, Format::ue8m0, Format::ue4m3});
      *scales = Scales{format, random.pick({1, 4, 16, model.k, random.between(1, model.k + 2)})};
      if (random.chance(1, 5)) scales->reset();
    }
    if (other.formats.has_scales() && is_legal(other)) model = other;
  }
}

/// As the tests' generator draws them; for every fourth input the largest, the smallest, ones, and now and
/// then NaNs, or nothing but the smallest, which are zeros in some formats, on one side.
void draw_scales_with_edges(Random& random, const Signature& formats, DotInput& input) {
  if (random.chance(3, 4)) return draw_scales(random, formats, input);
  for (const auto& [role, format, count] : input_roles(formats, static_cast<int>(input.a.size()))) {
    if (!is_of_scales(role)) continue;
    const Pattern nan = canonical_nan(format), one = one_of_scales(format);
    const bool smallest = random.chance(1, 6);
    for (std::size_t i = 0; i < count; ++i) {
      const Pattern p = smallest               ? 0
                        : random.chance(1, 20) ? nan
                                               : random.pick<Pattern>({0, 1, one, one, nan - 1, nan - 2});
      // The pattern's top bit is a sign that is not read, or the exponent's.
      const bool has_sign = info(format).exponent_bits + info(format).fraction_bits < 8;
      (role == Role::sa ? input.sa : input.sb).push_back(has_sign && random.chance(1, 4) ? p | 0x80 : p);
    }
  }
}

}  // namespace

std::vector<NamedModel> export_models(int random, std::uint64_t seed) {
  constexpr std::array kSpecs{
      "sim:v100#mma.m8n8k4.f32.f16.f16.f32",            // blocks of 4, truncated
      "sim:a100#mma.m16n8k8.f32.f16.f16.f32",           // a block of 8
      "sim:a100#mma.m16n8k32.s32.s8.u8.s32.satfinite",  // integers that saturate
      "sim:t4#mma.m8n8k128.s32.b1.b1.s32.xor.popc",     // single bits
      "sim:h100#wgmma.m64n8k32.f32.e4m3.e4m3",          // short results
      // Scales of all products, and of sums of 16: of 32 products, or of 16.
      "sim:rtxpro6000#mma.m16n8k32.kind::mxf8f6f4.block_scale.f32.e4m3.e5m2.f32.ue8m0",
      "sim:rtxpro6000#mma.m16n8k32.kind::mxf8f6f4.block_scale.f32.e2m3.e3m2.f32.ue8m0",
      "sim:rtxpro6000#mma.m16n8k64.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0",
      "sim:rtxpro6000#mma.m16n8k64.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3"};
  constexpr std::array kFiles{
      "mi100.mfma.f32_32x32x8_f16.json",         "mi250.mfma.f32_32x32x8_f16.json",
      "mi250.mfma.f64_16x16x4_f64.json",         "mi300.mfma.f32_16x16x16_f16.json",
      "mi300.mfma.f32_16x16x32_fp8_bf8.json",    "mi300.mfma.f32_16x16x8_xf32.json",
      "b200.mma.m16n8k8.f32.tf32.tf32.f32.json", "b200.tcgen05.m64n8k32.kind-f8f6f4.f16.e2m1.e5m2.json"};
  struct ScaledChain {
    const char* what;
    int sa, sb;  ///< products of a block
  };
  // Of three blocks of two products.
  constexpr std::array kScaledChains{ScaledChain{"a chain with a scale for each block", 2, 4},
                                     ScaledChain{"a chain with scales within blocks", 1, 3}};
  std::vector<NamedModel> all;
  const auto add = [&](std::string what, UnitModel model) {
    model.instruction = fmt::format("unit_{}", all.size());
    all.push_back({std::move(what), std::move(model)});
  };
  for (const char* spec : kSpecs) add(spec, std::get<UnitModel>(open_model(spec)));
  for (const char* file : kFiles)
    add(file, std::get<UnitModel>(open_model(std::string(MMAPRINT_SOURCE_DIR "/examples/models/") + file)));
  auto with_signs = std::get<UnitModel>(open_model(kSpecs.back()));
  with_signs.conventions.zero_sign = {};  // all follow
  add("scaled sums whose zeros keep their signs", std::move(with_signs));
  // Sums of four products and of two, none of which lies across the blocks of four or those of six.
  auto unequal = std::get<UnitModel>(open_model(kSpecs.back()));
  unequal.k = 8;
  unequal.formats.sa->per = 4;
  unequal.formats.sb->per = 6;
  auto& nodes = unequal.tree.nodes;
  nodes[0].operands = {ProductLeaf{0}, ProductLeaf{1}, ProductLeaf{2}, ProductLeaf{3}};
  nodes[1].operands = {ProductLeaf{4}, ProductLeaf{5}};
  nodes[2].operands = {ProductLeaf{6}, ProductLeaf{7}};
  std::erase(nodes.back().operands, Leaf(NodeLeaf{3}));
  nodes.erase(nodes.begin() + 3);
  add("scaled sums of unequal numbers of products", std::move(unequal));
  for (const auto& [what, sa, sb] : kScaledChains) {
    auto model = std::get<UnitModel>(open_model(kSpecs.front()));
    model.k = 6;
    model.tree = tree_of(Chain{{{0, 1}, {2, 3}, {4, 5}}});
    model.formats.sa = Scales{Format::ue8m0, sa};
    model.formats.sb = Scales{Format::ue8m0, sb};
    add(what, std::move(model));
  }
  for (int i = 0; i < random; ++i) {
    const std::uint64_t its = seed * 1000 + static_cast<std::uint64_t>(i);
    UnitModel model = i % 3 == 2 ? random_model(its, i % 10) : scaled_unit(its);
    draw_rare(model, its);
    if (i % 3 != 0) draw_blocks(model, its);
    if (model.formats.has_scales())
      add(fmt::format("random unit with scales {} (seed {})", i, its), std::move(model));
  }
  for (int i = 0; i < random; ++i) {
    const std::uint64_t its = seed * 1000 + static_cast<std::uint64_t>(i);
    UnitModel model = random_model(its, i % 10);
    draw_nan(model, its);
    draw_rare(model, its);
    if (!is_legal(model)) continue;
    add(fmt::format("random unit {} (seed {}, kind {})", i, its, i % 10), std::move(model));
  }
  return all;
}

ExportCase export_case(NamedModel named, long inputs, std::uint64_t seed) {
  const UnitModel& model = named.model;
  ExportCase made;
  Random random(seed);
  const PlanWidths widths(model.formats, model.k, model.paths);
  auto edges = all_edges_of(model);
  if (edges.empty()) edges.emplace_back();
  for (long i = 0; i < inputs; ++i) {
    // The tests' generator draws numbers, the tiles' integers, too.
    if (i % 64 == 32) {
      made.inputs.push_back(zeros(random, model));
    } else if (i % 16 == 0 || (i % 2 == 0 && info(model.formats.d).is_integer())) {
      made.inputs.push_back(uniform(random, model));
    } else if (i % 2 == 0 || model.paths.a || model.paths.b || model.paths.c) {
      made.inputs.push_back(random_input(random, model));
    } else {
      const auto tile = static_cast<std::uint64_t>(i / 2);
      const TileInputs inputs_of(widths, edges[tile % edges.size()], seed, tile);
      made.inputs.push_back(tile_input(inputs_of, random.between(0, 7), random.between(0, 7)));
    }
  }
  for (DotInput& x : made.inputs)
    if (model.formats.has_scales() && x.sa.empty() && x.sb.empty())
      draw_scales_with_edges(random, model.formats, x);
  const Evaluator evaluator(model);
  for (const DotInput& x : made.inputs) made.expected.push_back(evaluator(x));
  made.of = std::move(named);
  return made;
}

}  // namespace mmaprint::test
