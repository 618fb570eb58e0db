// The inputs on which a unit and a model have to agree: what users multiply, not what experiments ask.
#pragma once

#include <array>
#include <string_view>

#include "model/unit_model.h"
#include "support/random.h"

namespace mmaprint::test {

enum class Distribution : std::uint8_t {
  uniform_patterns,
  normal_with_specials,  ///< N(0, 1); a tenth of the operands are zeros, infinities, NaNs and ends of the
                         ///< range
  half_zeros,            ///< of the operands; the others uniform or normal
};
inline constexpr std::array kDistributions{Distribution::uniform_patterns, Distribution::normal_with_specials,
                                           Distribution::half_zeros};
[[nodiscard]] std::string_view name(Distribution distribution);

class DistributionInputs {
 public:
  DistributionInputs(Distribution distribution, int k, const Signature& formats, std::uint64_t seed);
  [[nodiscard]] DotInput next();

 private:
  [[nodiscard]] Pattern operand(const FormatInfo& f, bool normal);
  [[nodiscard]] Pattern normal(const FormatInfo& f);
  [[nodiscard]] Pattern special(const FormatInfo& f);
  [[nodiscard]] double gaussian();

  Distribution distribution_;
  int k_;
  Signature formats_;
  Random random_;
};

}  // namespace mmaprint::test
