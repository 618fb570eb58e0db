#include "inference/mutant_inputs.h"

#include <algorithm>
#include <array>

#include "inference/plain_conventions.h"

namespace mmaprint {
namespace {

int lowest_exponent(const Container& from, const FormatInfo& as) {
  return ComputedOperand(from, as).lowest_exponent;
}

}  // namespace

MutantInputs::MutantInputs(const UnitModel& model, const Aim& aim, std::uint64_t seed)
    : RandomDraws(seed + 1),
      k_(model.k),
      widths_(model.formats, model.k, {}),
      aim_(aim),
      has_c_(model.formats.c.has_value()),
      of_c_(std::ranges::find(aim.places, model.k) != aim.places.end()),
      edges_(aim.edges.value_or(edges_of(model))),
      generator_(model.k, model.formats, seed),
      seed_(seed) {
  const PlanWidths computed(model.formats, model.k, model.paths);
  lowest_exponent_a_ = lowest_exponent(computed.from_a, computed.a);
  lowest_exponent_b_ = lowest_exponent(computed.from_b, computed.b);
  lowest_exponent_c_ = lowest_exponent(computed.from_c, computed.c);
  for (const int place : aim.places)
    if (place < k_) products_.push_back(static_cast<std::size_t>(place));
}

std::size_t MutantInputs::any_product() {
  if (products_.empty() || chance(10)) return static_cast<std::size_t>(below(k_));
  return products_[static_cast<std::size_t>(below(static_cast<int>(products_.size())))];
}

/// Of a product or of c.
int MutantInputs::any_exponent() {
  if (aim_.exponent && chance(80)) return *aim_.exponent + below(5) - 3;
  const FormatInfo& d = widths_.d;
  switch (below(4)) {
    case 0:
      return d.emin() - d.fraction_bits - 3 + below(d.fraction_bits + 8);
    case 1:
      return d.emax() - below(6);
    case 2: {
      const int low = widths_.a.emin() + widths_.b.emin();
      return low + below(widths_.a.emax() + widths_.b.emax() - low + 1);
    }
    default:
      return below(9) - 4;
  }
}

/// Of a large operand that small ones lose bits beside, or nearly; any, where there is none, or one is aimed
/// at.
int MutantInputs::exponent_of_loss() {
  const FormatInfo& d = widths_.d;
  const int smallest = std::max(d.emin() - d.fraction_bits, widths_.lowest_bit_of_product());
  const int low = smallest + kept_bits() - 2, high = widths_.a.emax() + widths_.b.emax();
  return aim_.exponent || low > high || chance(40) ? any_exponent() : low + below(high - low + 1);
}

/// With the largest F, as far as it is known.
int MutantInputs::kept_bits() const {
  return edges_.alignment_fraction_bits == TileEdges::kNone ? 2 * widths_.d.fraction_bits
                                                            : edges_.alignment_fraction_bits;
}

Pattern MutantInputs::number(const FormatInfo& f, int exponent) {
  const Pattern all = (Pattern{1} << f.fraction_bits) - 1;
  const std::array<Pattern, 4> fractions{0, all, word() & all, Pattern{1} << below(f.fraction_bits)};
  return nonzero_pattern(f, chance(40), exponent, fractions[static_cast<std::size_t>(below(4))]);
}

void MutantInputs::set_product(DotInput& in, std::size_t k, int exponent) {
  const auto [a, b] = detail::split(exponent, below(9) - 4, widths_);
  in.a[k] = number(widths_.a, a);
  in.b[k] = number(widths_.b, b);
}

/// The place's product keeps about its exponent where its other factor reaches.
void MutantInputs::make_subnormal(DotInput& in, int place) {
  const auto subnormal = [&](const FormatInfo& f) {
    return number(f, f.emin() - below(f.fraction_bits + 1));
  };
  if (place == k_) {
    in.c = subnormal(widths_.c);
    return;
  }
  const auto k = static_cast<std::size_t>(place);
  const bool in_a = chance(50);
  (in_a ? in.a : in.b)[k] = subnormal(in_a ? widths_.a : widths_.b);
  const FormatInfo& other = in_a ? widths_.b : widths_.a;
  (in_a ? in.b : in.a)[k] = number(other, chance(50) ? other.emax() - below(5) : below(9) - 4);
}

DotInput MutantInputs::moved(const DotInput& input) {
  if (products_.empty()) return input;
  std::vector<std::size_t> used;
  for (std::size_t k = 0; k < input.a.size(); ++k)
    if (input.a[k] != 0 || input.b[k] != 0) used.push_back(k);
  if (used.size() == input.a.size() && chance(50)) return input;
  DotInput in = zeros();
  in.c = input.c;
  std::vector<bool> taken(input.a.size(), false);
  for (const std::size_t from : used) {
    const std::size_t to = any_product();
    if (taken[to]) continue;
    taken[to] = true;
    in.a[to] = input.a[from];
    in.b[to] = input.b[from];
  }
  return in;
}

DotInput MutantInputs::generated() {
  constexpr std::array kFamilies{InputFamily::any, InputFamily::edges, InputFamily::few_addends,
                                 InputFamily::chained_ties, InputFamily::any};
  return moved(generator_.next(kFamilies[turn_ / 4 % kFamilies.size()]));
}

DotInput MutantInputs::focused() {
  if (aim_.grows && chance(60)) return grown_and_back();
  if (aim_.overflows_by_rounding && chance(60)) return overflowing_by_rounding();
  if (aim_.largest && chance(80)) return with_largest(*aim_.largest);
  if (aim_.rounds_to && aim_.rounds_first_to && chance(50))
    return tie_beside_what_is_lost(*aim_.rounds_to, *aim_.rounds_first_to);
  if (aim_.rounds_to && chance(40)) return nested_ties(*aim_.rounds_to);
  if (aim_.least && chance(80)) return chance(50) ? beside_a_tie(*aim_.least) : under_a_pair(*aim_.least);
  if (chance(20)) return under_a_pair(of_c_ && chance(30) ? k_ : static_cast<int>(any_product()));
  DotInput in = zeros();
  const int main = any_exponent();
  const bool by_c = of_c_ && (products_.empty() || chance(50));
  const int bits = std::max(widths_.d.fraction_bits, edges_.alignment_fraction_bits);
  const auto beside = [&] { return main + below(2 * bits + 8) - bits - 4; };
  const std::size_t k = any_product();
  if (!by_c) set_product(in, k, main);
  for (int more = below(4); more > 0; --more)
    if (const std::size_t other = any_product(); by_c || other != k) set_product(in, other, beside());
  if (chance(25)) {  // a zero with a factor that is large
    const std::size_t zero = any_product();
    in.a[zero] = zero_pattern(widths_.a, chance(50));
    in.b[zero] = number(widths_.b, widths_.b.emax() - below(3));
  }
  if (by_c || chance(50)) in.c = number(widths_.c, by_c ? main : beside());
  if (aim_.subnormals) make_subnormal(in, by_c ? k_ : static_cast<int>(k));
  return in;
}

/// A power of two, half of its last place, and about the lowest bit that is kept beside it.
DotInput MutantInputs::beside_a_tie(int least) {
  DotInput in = zeros();
  const FormatInfo& d = widths_.d;
  const int top = chance(50) ? below(9) - 4 : any_exponent();
  const int kept = kept_bits();
  const auto place = [&](int at, int exponent, bool power) {
    put(in, at, exponent, power, !power && chance(40));
  };
  const auto other = [&] { return of_c_ && chance(30) ? k_ : static_cast<int>(any_product()); };
  place(other(), top, true);
  if (chance(70)) place(other(), top - d.fraction_bits - 1, true);
  place(least, top - kept + below(4) - 1, chance(50));
  return in;
}

/// Two that cancel each other, and about the lowest bits that are kept beside them.
DotInput MutantInputs::under_a_pair(int least) {
  DotInput in = zeros();
  const int top = exponent_of_loss();
  const auto one = any_product(), other = any_product();
  const int low = chance(70) ? top - kept_bits() + below(4) - 2 : top - below(kept_bits() + 2);
  put(in, static_cast<int>(one), top, chance(30), chance(50));
  in.a[other] = negated(widths_.a, in.a[one]);
  in.b[other] = in.b[one];
  for (int more = below(3); more > 0; --more)
    if (const auto next = any_product(); next != one && next != other)
      put(in, static_cast<int>(next), low + below(3) - 1, chance(50), chance(50));
  put(in, least, low, chance(40), chance(50));
  return in;
}

/// The sum of equal products, a small one before them, with as many of the other sign after them.
DotInput MutantInputs::grown_and_back() {
  DotInput in = zeros();
  std::vector<std::size_t> places = products_;
  if (places.empty())
    for (std::size_t k = 0; k < in.a.size(); ++k) places.push_back(k);
  std::ranges::sort(places);
  const int most = (static_cast<int>(places.size()) - 1) / 2;
  if (most < 1) return under_a_pair(static_cast<int>(any_product()));
  const int top = exponent_of_loss(), count = chance(50) ? most : 1 + below(most);
  const bool negative = chance(50);
  put(in, static_cast<int>(places[0]), top - kept_bits() + below(4) - 1, chance(40), chance(50));
  put(in, static_cast<int>(places[1]), top, chance(50), negative);
  for (int i = 1; i <= 2 * count; ++i) {
    const std::size_t k = places[static_cast<std::size_t>(i)];
    in.a[k] = i <= count ? in.a[places[1]] : negated(widths_.a, in.a[places[1]]);
    in.b[k] = in.b[places[1]];
  }
  return in;
}

/// Less than the first power of two beyond D's range by half a last place at most: as a product that is that
/// power and something of the other sign, or as D's largest number and something of its own.
DotInput MutantInputs::overflowing_by_rounding() {
  DotInput in = zeros();
  const FormatInfo& d = widths_.d;
  const bool negative = chance(50), from_above = !has_c_ || chance(50);
  const int half = d.emax() - edges_.result_fraction_bits - 1;
  if (from_above) {
    put(in, static_cast<int>(any_product()), d.emax() + 1, true, negative);
  } else {
    const bool same = widths_.c.emax() == d.emax() && widths_.c.fraction_bits == d.fraction_bits;
    put(in, k_, d.emax(), true, negative);
    if (same) in.c |= d.largest_significand() & ((Pattern{1} << d.fraction_bits) - 1);
  }
  const int other = from_above && has_c_ && chance(50) ? k_ : static_cast<int>(any_product());
  put(in, other, half - (chance(70) ? 0 : below(3)), chance(50), from_above != negative);
  return in;
}

void MutantInputs::put(DotInput& in, int place, int exponent, bool power, bool negative) {
  const auto operand = [&](const FormatInfo& f, int e, bool minus) {
    return power ? floating_pattern(f, minus, e, 0)
                 : (number(f, e) & ~sign_pattern(f)) | (minus ? sign_pattern(f) : 0);
  };
  if (place == k_) {
    in.c = operand(widths_.c, exponent, negative);
    return;
  }
  const auto k = static_cast<std::size_t>(place);
  const auto [a, b] = detail::split(exponent, below(9) - 4, widths_);
  in.a[k] = operand(widths_.a, a, negative);
  in.b[k] = operand(widths_.b, b, false);
}

/// A power of two and half a last place of what a node rounds to, which another result or rounding makes more
/// of: the power is cancelled elsewhere, or half a last place of D is beside it.
DotInput MutantInputs::nested_ties(int rounds_to) {
  const auto n = static_cast<std::size_t>(k_);
  DotInput in = zeros();
  std::vector<int> places(n + (has_c_ ? 1 : 0));
  fill_with_any_order(places);
  const auto take = [&](int exponent, bool negative, bool power) {
    if (places.empty()) return;
    put(in, places.back(), exponent, power, negative);
    places.pop_back();
  };
  const bool negative = chance(50), cancels = chance(50);
  const int top = below(9) - 4;
  take(top, negative, true);
  take(top - rounds_to - 1, negative, true);
  if (chance(60)) take(top - rounds_to - 1 - below(5), chance(50), chance(70));
  if (cancels || rounds_to == widths_.d.fraction_bits)
    take(top, !negative, true);
  else
    take(top - widths_.d.fraction_bits - 1, negative, true);
  return in;
}

/// A tie of the last rounding, decided by something that a first one to more bits loses: as far below as that
/// takes, where the formats reach so far.
DotInput MutantInputs::tie_beside_what_is_lost(int rounds_to, int first) {
  const bool by_c = has_c_ && chance(50);
  const int lowest =
      by_c ? widths_.c.emin() - below(widths_.c.fraction_bits + 1) : widths_.a.emin() + widths_.b.emin();
  const int highest = std::min(widths_.d.emax() - 1, widths_.a.emax() + widths_.b.emax());
  const int down = first + 1 + below(3);
  const int room = highest - lowest - down;
  std::vector<int> places(static_cast<std::size_t>(k_));
  fill_with_any_order(places);
  if (has_c_ && !by_c) places.insert(places.begin(), k_);
  if (room < 0 || places.size() < (by_c ? 2U : 3U)) return nested_ties(rounds_to);
  const int top = lowest + down + below(room + 1);
  const bool negative = chance(50);
  DotInput in = zeros();
  put(in, places[0], top, chance(70), negative);
  put(in, places[1], top - rounds_to - 1, true, negative);
  put(in, by_c ? k_ : places[2], top - down, chance(50), chance(70) ? negative : !negative);
  return in;
}

/// One operand, subnormal (or with a subnormal factor) where that is aimed at, most of it cancelled by
/// another, and about the lowest bit that is kept beside it: what is left of that depends on the first one's
/// exponent.
DotInput MutantInputs::with_largest(int largest) {
  DotInput in = zeros();
  int exponent = exponent_of_loss();  // as it takes part in E
  int top = exponent;                 // of the leading bit
  const bool negative = chance(50);
  if (!aim_.subnormals) {
    put(in, largest, exponent, chance(30), negative);
    if (chance(50)) top += below(2);
  } else {
    const bool in_a = chance(50);
    const FormatInfo& f = largest == k_ ? widths_.c : in_a ? widths_.a : widths_.b;
    const FormatInfo& g = in_a ? widths_.b : widths_.a;
    const int down = 1 + (chance(50) ? 0 : below(f.fraction_bits));
    const int other = largest == k_ ? 0
                      : chance(70)  ? g.emax() - below(4)
                                    : g.emin() + below(g.emax() - g.emin());
    const Pattern subnormal = floating_pattern(f, negative, f.emin() - down, 0);
    const int lowest = largest == k_ ? lowest_exponent_c_ : in_a ? lowest_exponent_a_ : lowest_exponent_b_;
    top = f.emin() - down + other;
    exponent = std::max(f.emin() - down, lowest) + other;
    if (largest == k_) {
      in.c = subnormal;
    } else {
      const auto k = static_cast<std::size_t>(largest);
      (in_a ? in.a : in.b)[k] = subnormal;
      (in_a ? in.b : in.a)[k] = floating_pattern(g, false, other, 0);
    }
  }
  const auto another = [&] {
    const bool is_c = of_c_ && largest != k_ && chance(40);
    return is_c ? k_ : static_cast<int>(any_product());
  };
  const int kept = kept_bits();
  if (const int by = another(); by == largest || chance(15)) {
  } else if (by != k_ && largest != k_ && chance(30)) {
    const auto from = static_cast<std::size_t>(largest), to = static_cast<std::size_t>(by);
    in.a[to] = negated(widths_.a, in.a[from]);
    in.b[to] = in.b[from];
  } else {
    put(in, by, top - (chance(60) ? 0 : below(3)), chance(60), !negative);
  }
  for (int more = 1 + below(2); more > 0; --more)
    if (const int low = another(); low != largest)
      put(in, low, exponent - kept + below(4) - 2, chance(30), chance(50));
  return in;
}

DotInput MutantInputs::at_edges() {
  const KindAndTurn which{TileKind::edge, turn_ / 4};
  return tile_input({widths_, theme_of(which, widths_, edges_, seed_, turn_)}, 0, 0);
}

DotInput MutantInputs::special() {
  constexpr std::array kKinds{TileKind::with_specials, TileKind::opposed, TileKind::zeros,
                              TileKind::half_zero};
  const KindAndTurn which{kKinds[turn_ / 4 % kKinds.size()], turn_ / 4};
  DotInput in = tile_input({widths_, theme_of(which, widths_, edges_, seed_, turn_)}, 0, 0);
  const auto one = [&](const FormatInfo& f) -> Pattern {
    const Pattern sign = chance(50) ? sign_pattern(f) : 0;
    if (f.has_nan() && chance(40)) return canonical_nan(f.id) ^ (word() & 3U) << f.ignored_low_bits;
    return (f.has_infinity() && chance(70) ? infinity_pattern(f) : 0) ^ sign;
  };
  if (of_c_) in.c = one(widths_.c);
  if (products_.empty()) return in;
  const std::size_t k = any_product();
  (chance(50) ? in.a[k] : in.b[k]) = one(widths_.a);
  return in;
}

DotInput MutantInputs::next() {
  if (aim_.example && turn_ == 0) {
    ++turn_;
    return *aim_.example;
  }
  DotInput in = any();
  if (!has_c_) in.c = 0;
  return in;
}

DotInput MutantInputs::any() {
  const std::uint32_t turn = turn_++;
  if (!widths_.d.is_floating()) return moved(generator_.next());
  switch (turn % 4) {
    case 0:
      return generated();
    case 1:
      return aim_.specials ? special() : at_edges();
    case 2:
      return aim_.specials ? special() : focused();
    default:
      return focused();
  }
}

}  // namespace mmaprint
