// The inputs that a unit has to answer as its model does: which kinds, and how many of each.
#pragma once

#include "device/tile_inputs.h"
#include "inference/experiments.h"

namespace mmaprint {

/// The inputs, made as they are needed; kinds are mixed, so that what differs often shows early.
class ConfirmingInputs {
 public:
  enum class Part : std::uint8_t { anywhere, edges };
  /// How many of `whole` inputs are of a part.
  [[nodiscard]] static std::size_t share(Part part, std::size_t whole);

  /// All inputs of a part of `whole`, the kinds in fixed shares. The same seed gives the same tiles;
  /// `experiments` goes on from where it is. Only edges depend on `edges`.
  ConfirmingInputs(Part part, const PlanWidths& widths, const TileEdges& edges, std::size_t whole,
                   std::uint64_t seed, Experiments& experiments);

  [[nodiscard]] std::size_t left() const { return order_.size() - next_; }
  /// The next `count` of them, or those that are left.
  [[nodiscard]] std::vector<DotInput> some(std::size_t count);

 private:
  /// One input: the first place of a tile; one where operands meet; or an experiment's.
  struct Source {
    std::int16_t kind;
    std::uint32_t turn;
  };
  [[nodiscard]] DotInput made(const Source& source);
  [[nodiscard]] DotInput with_few_specials(DotInput in, std::uint32_t turn) const;

  PlanWidths widths_;
  TileEdges edges_;
  std::uint64_t seed_;
  Experiments* experiments_;
  std::vector<DotInput> meetings_;
  std::vector<Source> order_;
  std::size_t next_ = 0;
};

}  // namespace mmaprint
