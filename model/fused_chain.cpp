#include "model/fused_chain.h"

#include <algorithm>
#include <cfenv>
#include <cmath>

#include "model/skeleton.h"

namespace mmaprint {
namespace {

/// While it lives, operations round so.
class RoundingMode {
 public:
  explicit RoundingMode(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  RoundingMode(const RoundingMode&) = delete;
  RoundingMode& operator=(const RoundingMode&) = delete;
  ~RoundingMode() { std::fesetround(before_); }

 private:
  int before_;
};

int mode_of(Rounding rounding) {
  switch (rounding) {
    case Rounding::toward_zero:
      return FE_TOWARDZERO;
    case Rounding::up:
      return FE_UPWARD;
    case Rounding::down:
      return FE_DOWNWARD;
    default:
      return FE_TONEAREST;
  }
}

}  // namespace

bool is_fused_chain(const UnitModel& model) {
  const auto chain = chain_of(model.tree);
  if (!chain || chain->inside || chain->c_enters != CEnters::first || model.adders.size() != 1 ||
      model.paths != OperandPaths{} ||
      !std::ranges::all_of(chain->blocks, [](const std::vector<int>& block) { return block.size() == 1; }))
    return false;
  if (model.formats != Signature{Format::fp64, Format::fp64, Format::fp64, Format::fp64}) return false;
  const Rounding rounding = model.adders.front().rounding;
  if (rounding == Rounding::nearest_away || rounding == Rounding::odd) return false;
  Conventions conventions = model.conventions;
  if (conventions.overflow == Overflow::by_direction)
    conventions.overflow = Overflow::infinity;
  else if (rounding != Rounding::nearest_even)
    return false;
  // Where no bit is lost, E has no say: nor has what decides it.
  Adder adder = model.adders.front();
  adder.product = ProductKind::exact_unnormalised;
  adder.alignment_rounding = AlignmentRounding::truncate;
  adder.normalisation = Normalisation::late;
  return adder == exact_adder(Format::fp64, rounding) && conventions == Conventions{};
}

double fused_on_host(double x, double y, double z, Rounding rounding) {
  if (rounding == Rounding::nearest_even) return std::fma(x, y, z);
  const RoundingMode mode(mode_of(rounding));
  // Nothing moves a volatile operation out of the mode.
  const volatile double first = x, second = y, third = z;
  const volatile double result = std::fma(first, second, third);
  return result;
}

}  // namespace mmaprint
