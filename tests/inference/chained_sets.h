// Sets of hypotheses of a chain of blocks, and a model of it.
#pragma once

#include <algorithm>

#include "inference/equivalence.h"

namespace mmaprint::samples {

/// A chain of four blocks of two FP16 products, truncating, and a set that holds it alone.
struct Chained {
  Space space = default_space("chained", 8, {Format::fp16, Format::fp16, Format::fp32, Format::fp32});
  HypothesisSet set;
  UnitModel model;

  explicit Chained(CEnters c) {
    const Chain chain{{{0, 1}, {2, 3}, {4, 5}, {6, 7}}, c};
    ChainParameters values;
    values.block.alignment_fraction_bits = 24;
    values.block.rounding = Rounding::toward_zero;
    values.block.output_fraction_bits = 23;
    values.final_rounding = Rounding::toward_zero;
    hold(chain, values);
    set.nan = constant_nan(model.nan);
  }
  [[nodiscard]] int place_of(const Chain& chain) const {
    const auto place = std::ranges::find(space.skeletons, Skeleton{{}, tree_of(chain)});
    return static_cast<int>(place - space.skeletons.begin());
  }
  /// Makes this chain the model and the set's one member.
  void hold(const Chain& chain, const ChainParameters& parameters) {
    set.skeleton = place_of(chain);
    model = chain_model(space.instruction, space.k, space.formats, chain, parameters,
                        canonical_nan(Format::fp32));
    set.box = Box(values_of(model));
  }
  [[nodiscard]] Comparison compared(double seconds = 30) const {
    Limits limits;
    limits.seconds = seconds;
    return compare_with_set(*make_checker(Solver::cadical, {nullptr, true}), model, space, set, limits);
  }
};

/// A model that flushes c, and a set of one that flushes results instead. Results are subnormal for a
/// subnormal c alone: so both compute alike.
[[nodiscard]] inline Chained flushing_pair(CEnters c) {
  Chained unit(c);
  unit.model.conventions.c_subnormals = Subnormals::flushed;
  unit.model.conventions.zero_sign.all_zero = ZeroSign::positive;
  unit.model.conventions.zero_sign.flushed = ZeroSign::positive;
  if (c == CEnters::last) unit.model.adders.back().rounding = Rounding::nearest_even;
  ParameterValues other = values_of(unit.model);
  other.conventions.c_subnormals = Subnormals::kept;
  other.conventions.output_subnormals = Subnormals::flushed;
  unit.set.box = Box(other);
  return unit;
}

/// A chain of single FP16 products from +0, each sum rounded to nearest-even, c last: as exact additions
/// would be made.
struct Additions : Chained {
  Additions() : Chained(CEnters::last) {
    ChainParameters values;
    values.block.output_fraction_bits = 23;
    hold({{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}, CEnters::last}, values);
  }
};

}  // namespace mmaprint::samples
