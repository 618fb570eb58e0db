// Units on vector instructions: what is compiled for one set of them, by itself.
#pragma once

#include <cstddef>
#include <span>

#include "model/flat_unit.h"

namespace mmaprint {

/// d of count inputs, 64 at most, and which of them are NaN (d is void there).
struct LaneBatch {
  const FlatUnit* unit;
  int block_width;                  ///< as model/flat_evaluator.h's; 0 for units that are no such chains
  bool prepares;                    ///< do factors have room in PreparedOperands?
  const void *const *a, *const *b;  ///< of each input its K patterns
  int bytes_a, bytes_b;             ///< of one of them (model/elements.h)
  const Pattern* c;                 ///< one for each
  std::size_t count;
  Pattern* d;
  std::uint64_t* nans;  ///< bit i: is that of input i NaN?
};

/// One row of a times as many columns of b as there are lanes: in each lane a chain of dot products, in which
/// d of each is c of the next. Factors stand in the order in which the unit's plan has them.
struct LaneChains {
  const FlatUnit* unit;
  int block_width;
  std::size_t steps;  ///< of K products each
  bool prepared;      ///< are factors prepared, all plain, or patterns?
  /// Of row k: those of a are words alone, those of b one for each lane. Patterns have no high words.
  const std::uint32_t *low_a, *high_a, *low_b, *high_b;
  Pattern* d;           ///< c, where the chains begin, and where they end
  std::uint64_t* nans;  ///< bit i: was a result in lane i NaN? It became the unit's constant one
};

/// What is compiled for one set of vector instructions and one width of lanes. The functions require a unit
/// that fits these lanes (model/batch_evaluator.h).
struct LaneFunctions {
  int bits;           ///< of a lane; fewer than 64 are for chains of equal blocks alone
  std::size_t lanes;  ///< so many
  void (*dots)(const LaneBatch&);
  void (*chains)(const LaneChains&);
};
using LaneKernel = const LaneFunctions*;

/// The most lanes that any of them has.
inline constexpr std::size_t kMostLanes = 16;

/// Those that this processor can run, the fastest first.
[[nodiscard]] std::span<const LaneKernel> lane_kernels();

}  // namespace mmaprint
