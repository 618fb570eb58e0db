// Scales for inputs of units that have them.
#pragma once

#include "inference/random_draws.h"
#include "model/dot_input.h"

namespace mmaprint {

/// A scale of 2^exponent, or of the nearest such that the format has.
[[nodiscard]] Pattern power_of_scales(Format format, int exponent);

/// Draws the scales of inputs: most often ones, or such near each other, so that sums of blocks still meet;
/// seldom any patterns, NaN among them.
class ScaleDraws : RandomDraws {
 public:
  ScaleDraws(const Signature& formats, std::uint64_t seed) : RandomDraws(seed), formats_(formats) {}

  /// Of a unit without scales the input is left as it is.
  void operator()(DotInput& input);
  /// Another one for some scale of an input that has all.
  void change(DotInput& input);

 private:
  enum class Kind : std::uint8_t { ones, alike, near, apart, any };
  [[nodiscard]] Kind kind();
  [[nodiscard]] Pattern drawn(Format format, Kind kind, int exponent);

  Signature formats_;
};

}  // namespace mmaprint
