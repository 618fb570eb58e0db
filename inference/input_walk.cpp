#include "inference/input_walk.h"

#include <bit>
#include <utility>
#include <vector>

#include "inference/random_draws.h"

namespace mmaprint {
namespace {

class Walk : RandomDraws {
 public:
  Walk(const Signature& formats, std::uint64_t seed)
      : RandomDraws(seed),
        a_(info(formats.a)),
        b_(info(formats.b)),
        c_(info(room_for_c(formats))),
        has_c_(formats.c.has_value()) {}

  /// A few operands in use become others.
  DotInput changed(DotInput in) {
    collect(in);
    if (used_.empty()) return in;
    for (int n = 1 + below(3); n > 0; --n) change(any());
    return in;
  }

 private:
  struct Operand {
    Pattern* pattern;
    const FormatInfo* format;
  };

  void collect(DotInput& in) {
    used_.clear();
    for (std::size_t k = 0; k < in.a.size(); ++k) {
      if (in.a[k] == 0 && in.b[k] == 0) continue;
      used_.push_back({&in.a[k], &a_});
      used_.push_back({&in.b[k], &b_});
    }
    if (has_c_) used_.push_back({&in.c, &c_});
  }
  Operand any() { return used_[static_cast<std::size_t>(below(static_cast<int>(used_.size())))]; }

  void change(const Operand& x) {
    Pattern& p = *x.pattern;
    const FormatInfo& f = *x.format;
    const Pattern digits = ((Pattern{1} << f.fraction_bits) - 1) << f.ignored_low_bits;
    const auto digit = [&] { return (Pattern{1} << below(f.fraction_bits)) << f.ignored_low_bits; };
    const Pattern step = (Pattern{1} << f.fraction_bits) << f.ignored_low_bits;
    switch (below(8)) {
      case 0:
        p ^= sign_pattern(f);
        break;
      case 1:
        p ^= digit();
        break;
      case 2:
        p &= ~digit();
        p |= digit();
        break;
      case 3:
        p &= ~digits;
        if (chance(50)) p |= digit();
        break;
      case 4:  // the leading digits alone
        p = (p & ~digits) | (digits & ~(digits >> below(5) & digits));
        break;
      case 5:
        p += step * static_cast<Pattern>(1 + below(2));
        break;
      case 6:
        p -= step * static_cast<Pattern>(1 + below(2));
        break;
      default:
        p = chance(20) ? 0 : floating_or_integer(f);
    }
    p &= f.pattern_mask();
  }
  /// A number of few digits.
  Pattern floating_or_integer(const FormatInfo& f) {
    if (f.is_integer()) return Pattern{1} << below(f.container_bits);
    const int exponent = f.emin() - f.fraction_bits + below(f.emax() - f.emin() + f.fraction_bits + 1);
    return nonzero_pattern(f, chance(50), exponent, 0);
  }

  const FormatInfo &a_, &b_, &c_;
  bool has_c_;
  std::vector<Operand> used_;
};

}  // namespace

InputSize size_of(const Signature& formats, const ProductKinds& kinds, const DotInput& in) {
  return {nonzero_products(formats, kinds, in), significand_bits(formats, in)};
}

DotInput smaller_by_walk(const Signature& formats, const ProductKinds& kinds, DotInput input,
                         const std::function<bool(const DotInput&)>& shows, int changes, std::uint64_t seed) {
  Walk walk(formats, seed);
  InputSize size = size_of(formats, kinds, input);
  for (int n = 0; n < changes; ++n) {
    DotInput other = walk.changed(input);
    const InputSize its = size_of(formats, kinds, other);
    if (its > size || !shows(other)) continue;
    size = its;
    input = std::move(other);
  }
  return input;
}

}  // namespace mmaprint
