#include "inference/meeting_inputs.h"

#include <algorithm>
#include <array>

#include "base/fair_share.h"
#include "device/tile_theme.h"
#include "inference/random_draws.h"
#include "model/zero_input.h"

namespace mmaprint {
namespace {

enum class Meeting : std::uint8_t {
  nan_and_infinity,      ///< a NaN at x, an infinity at y
  invalid_and_infinity,  ///< zero times infinity at x, an infinity at y
  nan_and_many,          ///< a NaN at x, infinities at every second place
  opposed,               ///< infinities of both signs at x and y
  invalid,               ///< zero times infinity at x alone
  cancelling,            ///< products x and y cancel, among smaller ones
  subnormal,             ///< a subnormal factor (or c) at x beside little else
  equal_factors,         ///< a and b are alike at every place, or all products are
};
constexpr std::size_t kMeetings = 8;

/// Places are products' indices, K that of c.
struct Met {
  Meeting meeting;
  int x, y;
};

class MeetingMaker : RandomDraws {
 public:
  MeetingMaker(const PlanWidths& widths, std::uint64_t seed) : RandomDraws(seed), w_(widths) {}

  std::vector<DotInput> operator()(std::size_t most) {
    std::array<std::vector<Met>, kMeetings> all = list();
    std::array<std::size_t, kMeetings> sizes{};
    for (std::size_t i = 0; i < kMeetings; ++i) sizes[i] = all[i].size();
    const std::size_t share = fair_share(sizes, most);
    std::vector<DotInput> inputs;
    for (std::vector<Met>& some : all) {
      draw(some, share);
      for (const Met& met : some) inputs.push_back(made(met));
    }
    return inputs;
  }

 private:
  bool has_nan(int x) const { return x == w_.k ? w_.c.has_nan() : w_.a.has_nan() || w_.b.has_nan(); }
  bool has_infinity(int x) const {
    return x == w_.k ? w_.c.has_infinity() : w_.a.has_infinity() || w_.b.has_infinity();
  }

  std::array<std::vector<Met>, kMeetings> list() const {
    std::array<std::vector<Met>, kMeetings> all;
    const auto add = [&](Meeting m, int x, int y) { all[static_cast<std::size_t>(m)].push_back({m, x, y}); };
    constexpr int kAgain = 4, kEqual = 32;
    for (int x = 0; x < w_.places; ++x) {
      const bool invalid = x < w_.k && has_infinity(x);
      for (int n = 0; n < kAgain; ++n) {
        if (has_nan(x) && w_.places > 2) add(Meeting::nan_and_many, x, n);
        if (invalid) add(Meeting::invalid, x, n);
        add(Meeting::subnormal, x, n);
      }
      for (int y = 0; y < w_.places; ++y) {
        if (y == x) continue;
        if (has_infinity(y)) {
          if (has_nan(x)) add(Meeting::nan_and_infinity, x, y);
          if (invalid) add(Meeting::invalid_and_infinity, x, y);
        }
        if (y < x) continue;
        if (has_infinity(x) && has_infinity(y)) add(Meeting::opposed, x, y);
        for (int n = 0; n < kAgain && y < w_.k && w_.places > 2; ++n) add(Meeting::cancelling, x, y);
      }
    }
    for (int n = 0; n < kEqual; ++n) add(Meeting::equal_factors, n, n);
    return all;
  }

  DotInput made(const Met& met) {
    const auto [meeting, x, y] = met;
    DotInput in = ordinary(0);
    switch (meeting) {
      case Meeting::nan_and_infinity:
        set_nan(in, x);
        set_infinity(in, y, chance(50));
        break;
      case Meeting::invalid_and_infinity:
        set_invalid(in, x);
        set_infinity(in, y, chance(50));
        break;
      case Meeting::nan_and_many: {
        const bool negative = chance(50);
        for (int place = 0; place < w_.places; ++place)
          if (chance(50) && has_infinity(place)) set_infinity(in, place, negative);
        set_nan(in, x);
        break;
      }
      case Meeting::opposed: {
        const bool negative = chance(50);
        set_infinity(in, x, negative);
        set_infinity(in, y, !negative);
        break;
      }
      case Meeting::invalid:
        set_invalid(in, x);
        break;
      case Meeting::cancelling:
        return cancelling(x, y);
      case Meeting::subnormal:
        return subnormal(x, y % 2 == 0);
      case Meeting::equal_factors:
        return equal_factors(x % 2 == 0);
    }
    return in;
  }

  Pattern number(const FormatInfo& f, int exponent) {
    return nonzero_pattern(f, chance(50), exponent, word());
  }
  void set_number(DotInput& in, int place, int exponent) {
    if (place == w_.k) {
      in.c = number(w_.c, exponent);
      return;
    }
    const auto [a, b] = detail::split(exponent, below(5) - 2, w_);
    in.a[at(place)] = number(w_.a, a);
    in.b[at(place)] = number(w_.b, b);
  }
  /// Numbers at all places, or mostly zeros, about 2^exponent.
  DotInput ordinary(int exponent) {
    DotInput in = zero_input(w_.k);
    const bool dense = chance(60);
    for (int place = 0; place < w_.places; ++place)
      if (dense || chance(10)) set_number(in, place, exponent - below(3));
    return in;
  }

  Pattern nan(const FormatInfo& f) {
    return f.specials == Specials::nan_at_zero ? sign_pattern(f) : nan_pattern(f, word());
  }
  void set_nan(DotInput& in, int place) {
    if (place == w_.k) {
      in.c = nan(w_.c);
      return;
    }
    const bool in_a = w_.a.has_nan() && (!w_.b.has_nan() || chance(50));
    (in_a ? in.a : in.b)[at(place)] = nan(in_a ? w_.a : w_.b);
  }
  void set_infinity(DotInput& in, int place, bool negative) {
    if (place == w_.k) {
      in.c = infinity_or_largest(w_.c, negative);
      return;
    }
    const bool in_a = w_.a.has_infinity() && (!w_.b.has_infinity() || chance(50));
    const FormatInfo& f = in_a ? w_.a : w_.b;
    const FormatInfo& of_other = in_a ? w_.b : w_.a;
    Pattern& other = (in_a ? in.b : in.a)[at(place)];
    other = chance(20) ? infinity_or_largest(of_other, false) : nonzero_pattern(of_other, false, 0, word());
    const bool flipped = chance(50) && of_other.has_sign;
    if (flipped) other = negated(of_other, other);
    (in_a ? in.a : in.b)[at(place)] = infinity_or_largest(f, negative != flipped);
  }
  void set_invalid(DotInput& in, int place) {
    const bool in_a = w_.a.has_infinity() && (!w_.b.has_infinity() || chance(50));
    (in_a ? in.a : in.b)[at(place)] = infinity_or_largest(in_a ? w_.a : w_.b, chance(50));
    (in_a ? in.b : in.a)[at(place)] = zero_pattern(in_a ? w_.b : w_.a, chance(50));
  }

  /// Without these two, fewer bits of the others are lost.
  DotInput cancelling(int x, int y) {
    const int low = w_.lowest_bit_of_product(), high = std::min(w_.a.emax() + w_.b.emax(), w_.d.emax() - 2);
    const int top = chance(60) ? std::min(below(9), high) : low + below(high - low + 1);
    DotInput in = ordinary(top - 1 - below(w_.d.fraction_bits + 12));
    set_number(in, x, top);
    in.a[at(y)] = in.a[at(x)];
    in.b[at(y)] = in.b[at(x)];
    (w_.a.has_sign ? in.a : in.b)[at(y)] =
        w_.a.has_sign ? negated(w_.a, in.a[at(x)]) : negated(w_.b, in.b[at(x)]);
    return in;
  }

  /// Its other factor brings it up as far as that goes, mostly.
  DotInput subnormal(int place, bool in_a) {
    const auto small = [&](const FormatInfo& f) { return number(f, f.emin() - 1 - below(f.fraction_bits)); };
    DotInput in = zero_input(w_.k);
    const FormatInfo& f = place == w_.k ? w_.c : in_a ? w_.a : w_.b;
    const FormatInfo& other = in_a ? w_.b : w_.a;
    const int up = chance(80) ? std::min(-f.emin(), other.emax()) : below(9) - 4;
    for (int more = below(3); more > 0; --more)
      set_number(in, below(w_.places), (place == w_.k ? 0 : up) + f.emin() - below(f.fraction_bits + 3));
    if (place == w_.k) {
      in.c = small(f);
      return in;
    }
    (in_a ? in.a : in.b)[at(place)] = small(f);
    (in_a ? in.b : in.a)[at(place)] = number(other, up);
    return in;
  }

  /// Of one place each, or of all places.
  DotInput equal_factors(bool of_each) {
    DotInput in = ordinary(0);
    for (int k = 0; k < w_.k; ++k) {
      if (!of_each) in.a[at(k)] = in.a[0], in.b[at(k)] = in.b[0];
      if (of_each || chance(50)) in.b[at(k)] = like(in.a[at(k)]);
    }
    return in;
  }
  /// The pattern, or the nearest below it in b's format.
  Pattern like(Pattern a) const {
    if (w_.a.id == w_.b.id) return a;
    return product_pattern(w_.b, w_.a, a, w_.a, floating_pattern(w_.a, false, 0, 0));
  }

  static std::size_t at(int place) { return static_cast<std::size_t>(place); }

  PlanWidths w_;
};

}  // namespace

std::vector<DotInput> meeting_inputs(const PlanWidths& widths, std::size_t most, std::uint64_t seed) {
  if (!widths.a.is_floating() || !widths.b.is_floating() || !widths.d.is_floating()) return {};
  return MeetingMaker(widths, seed)(most);
}

}  // namespace mmaprint
