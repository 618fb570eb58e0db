#include "inference/scale_draws.h"

namespace mmaprint {

Pattern power_of_scales(Format format, int exponent) {
  const FormatInfo& f = info(format);
  const int nearest = std::clamp(exponent, f.emin() - f.fraction_bits, f.emax());
  return f.specials == Specials::scale ? static_cast<Pattern>(nearest + f.bias)
                                       : floating_pattern(f, false, nearest, 0);
}

ScaleDraws::Kind ScaleDraws::kind() {
  const int draw = below(100);
  return draw < 30   ? Kind::ones
         : draw < 50 ? Kind::alike
         : draw < 80 ? Kind::near
         : draw < 95 ? Kind::apart
                     : Kind::any;
}

Pattern ScaleDraws::drawn(Format format, Kind kind, int exponent) {
  constexpr int kNear = 4, kApart = 45;
  const FormatInfo& f = info(format);
  const std::uint64_t fraction = chance(50) ? 0 : word();
  switch (kind) {
    case Kind::ones:
      return one_of_scales(format);
    case Kind::alike:
      break;
    case Kind::near:
      exponent += below(kNear) - kNear / 2;
      break;
    case Kind::apart:
      exponent += below(kApart) - kApart / 2;
      break;
    case Kind::any:
      return word() & f.pattern_mask();
  }
  if (f.specials == Specials::scale) return power_of_scales(format, exponent);
  // The bit that would be the sign is not read.
  const Pattern unread = chance(5) ? Pattern{1} << (f.container_bits - 1) : 0;
  return unread | nonzero_pattern(f, false, std::min(exponent, f.emax()), fraction);
}

void ScaleDraws::operator()(DotInput& input) {
  if (!formats_.has_scales()) return;
  constexpr int kFar = 100;
  const Kind kind = this->kind();
  const int exponent = chance(80) ? below(9) - 4 : below(2 * kFar) - kFar;
  for (const auto& [role, format, count] : input_roles(formats_, static_cast<int>(input.a.size()))) {
    if (role != Role::sa && role != Role::sb) continue;
    auto& scales = role == Role::sa ? input.sa : input.sb;
    // Far from one together, products would all be too large or too small for the addend.
    const int own = role == Role::sb && chance(60) ? -exponent : exponent;
    scales.clear();
    for (std::size_t i = 0; i < count; ++i) scales.push_back(drawn(format, kind, own));
  }
}

void ScaleDraws::change(DotInput& input) {
  const bool of_b = input.sa.empty() || (!input.sb.empty() && chance(50));
  auto& scales = of_b ? input.sb : input.sa;
  if (scales.empty()) return;
  Pattern& p = scales[static_cast<std::size_t>(below(static_cast<int>(scales.size())))];
  const Format format = (of_b ? formats_.sb : formats_.sa)->format;
  const FormatInfo& f = info(format);
  constexpr int kStep = 3;
  p = chance(20)   ? one_of_scales(format)
      : chance(50) ? p + static_cast<Pattern>(1 + below(kStep))
                   : p - static_cast<Pattern>(1 + below(kStep));
  p &= f.pattern_mask();
}

}  // namespace mmaprint
