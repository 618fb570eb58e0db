// Inputs at ties by one operand that decides most, and others that bring it to an edge: an earlier result
// that is larger than any product, or a product whose exponent is another in one of the models.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <utility>

#include "inference/exact_numbers.h"
#include "inference/tie_inputs.h"
#include "model/pattern.h"

namespace mmaprint {

/// An earlier node among its operands that has products of its own.
const PlannedNode* InputsAtTies::earlier_of(const PlannedNode& node) const {
  for (const OperandRun& run : node.runs)
    if (run.kind == OperandRun::Kind::node && plan_.nodes[run.node].products > 0 &&
        !plan_.nodes[run.node].is_carried)
      return &plan_.nodes[run.node];
  return nullptr;
}

/// An earlier result that is larger than any product, as large products add up to, or about as large. It is
/// on an edge itself, and another operand loses what moves the sum off it; or more operands bring it to
/// another.
bool InputsAtTies::put_beside_earlier(Edge edge, const PlannedNode& earlier) {
  const int highest = a_.emax() + b_.emax();
  unit_ = highest + 8 - kReach;
  std::vector<std::size_t> own;
  for (const OperandRun& run : earlier.runs) own.insert(own.end(), run.products.begin(), run.products.end());
  std::ranges::shuffle(own, engine());
  const bool negative = chance(50);
  Units sum = 0;
  for (int count = 1 + below(std::min(4, static_cast<int>(own.size()))); count > 0; --count) {
    const std::size_t k = own[static_cast<std::size_t>(count) - 1];
    Units value = put_any(k, highest - (chance(60) ? 0 : below(8)));
    if ((value < 0) != negative && chance(80)) {
      input_.a[k] ^= sign_pattern(a_);
      value = -value;
    }
    sum += value;
  }
  if (sum == 0) return false;
  const Adder& adder = (chance(50) ? x_ : y_)[static_cast<std::size_t>(earlier.adder)];
  const bool is_up = adder.rounding == Rounding::up     ? sum > 0
                     : adder.rounding == Rounding::down ? sum < 0
                                                        : chance(50);
  const Units result =
      leading_part(sum, std::min(adder.output_fraction_bits, earlier.result.fraction_bits), is_up);
  const int top = leading_bit(magnitude(result)) + unit_;
  edge.kept_from += top - edge.top;
  edge.top = top;
  if (edge.kept_from < unit_ || edge.kept_from - unit_ > kReach) return false;
  std::vector<Place> places = places_of(*edge.node);
  std::erase_if(places, [](const Place& place) { return !place.is_own; });
  const auto lost = put_losers(edge, places);
  const Units target = chance(60) ? result : any_target(edge);
  return lost && make_up(target - result - *lost, edge, places);
}

/// A product of 2^(top+1) or more, whose exponent depends on whether it is normalised.
InputsAtTies::Units InputsAtTies::put_wide(const Edge& edge, std::vector<Place>& places) {
  const auto is_product = [](const Place& p) { return p.product && p.is_own; };
  const auto place = std::ranges::find_if(places, is_product);
  if (std::ranges::count_if(places, is_product) < 2) return 0;
  const Units two = Units{2} << (edge.top - unit_);
  Units value = 0;
  for (int i = 0; i < 4 && magnitude(value) < two; ++i) value = put_any(*place->product, edge.top);
  places.erase(place);
  return value;
}

/// A product far below 2^top, by a subnormal factor, and another operand that brings it to an edge, and has
/// bits below what is kept beside a product of that exponent.
bool InputsAtTies::put_beside_deep(const Edge& edge, std::vector<Place>& places) {
  const auto is_product = [](const Place& p) { return p.product && p.is_own; };
  const auto place = std::ranges::find_if(places, is_product);
  if (place == places.end() || places.size() < 2) return false;
  const bool is_a = chance(50);
  const FormatInfo &small = is_a ? a_ : b_, &large = is_a ? b_ : a_;
  const int of_large = edge.top - small.emin();
  const int last_place = edge.top - a_.fraction_bits - b_.fraction_bits;
  if (of_large < large.emin() || of_large > large.emax() || last_place < unit_) return false;
  const Pattern subnormal = chance(30)   ? Pattern{1}
                            : chance(50) ? Pattern{1} << below(small.fraction_bits)
                                         : (word() & ((Pattern{1} << small.fraction_bits) - 1)) | 1;
  const Pattern normal = any_significand(large);
  set_with_subnormal(*place->product, is_a, subnormal, of_large, normal);
  const Units value = Units{subnormal} * Units{normal} << (last_place - unit_);
  places.erase(place);
  if (chance(moves_exponents_ ? 30 : 60) && put_loser(edge, places.front())) return true;
  // What is just below a power of two has one place more.
  const int leading = leading_bit(value) + unit_ - below(2);
  const int half = std::max(leading, edge.node->result.emin()) - edge.rounds_to - 1;
  if (half < unit_ || half - unit_ > kReach) return false;
  // No more bits than Units have above that half.
  const int reach = std::min({edge.kept_from + c_.fraction_bits - half, 60, kReach - (half - unit_)});
  const std::uint64_t mask = (std::uint64_t{1} << below(reach)) - 1;
  const Units halves = reach <= 0 ? 0 : Units{word() & mask};
  const Units target = aligned(value, half - unit_, AlignmentRounding::truncate) +
                       (chance(50) ? halves : -halves) * (Units{1} << (half - unit_));
  return put(places.front(), target - value + any_lost(edge), edge.top);
}

/// A product of any value whose last bit, or the last two, is what is lost.
bool InputsAtTies::put_loser(const Edge& edge, const Place& place) {
  const int exponent = edge.kept_from - 1 - (chance(30) ? 1 : 0) + a_.fraction_bits + b_.fraction_bits;
  return place.product && exponent <= edge.top && put_any(*place.product, exponent) != 0;
}

/// A product of 2^(top+1) or more that lies so near to an edge that another operand brings it there, and has
/// bits below what is kept. No such product lies on an edge of few fraction bits itself.
bool InputsAtTies::put_wide_beside_edge(const Edge& edge, std::vector<Place>& places) {
  const auto is_product = [](const Place& p) { return p.product && p.is_own; };
  const auto place = std::ranges::find_if(places, is_product);
  const auto exponents = split(edge.top);
  if (place == places.end() || places.size() < 2 || !exponents) return false;
  const int last_place = edge.top - a_.fraction_bits - b_.fraction_bits;
  const int half = std::max(edge.top + 1, edge.node->result.emin()) - edge.rounds_to - 1 - last_place;
  // In units of the product's last place: how far another operand reaches that has the lost bits, too.
  const int reach = edge.kept_from + c_.fraction_bits - last_place;
  if (last_place < unit_ || half < 1 || half > 60 || reach < 1) return false;
  const Units two = Units{2} << (a_.fraction_bits + b_.fraction_bits);
  constexpr int kTries = 200;
  for (int i = 0; i < kTries; ++i) {
    const Pattern a = any_significand(a_);
    const Units about = Units{a} * Units{any_significand(b_)};
    const Units target = ((about >> half) + below(2)) << half;
    const auto b = static_cast<Pattern>((target + Units{a} / 2) / Units{a});
    const Units product = Units{a} * Units{b}, rest = target - product;
    if (b >> b_.fraction_bits != 1 || product < two ||
        leading_bit(magnitude(rest) | 1) >= std::min(reach, 60))
      continue;
    const bool negative = chance(50);
    set_product(*place->product, negative, *exponents, {a, b});
    places.erase(place);
    const Units missing = rest * (Units{1} << (last_place - unit_));
    return put(places.front(), (negative ? -missing : missing) + any_lost(edge), edge.top);
  }
  return false;
}

/// Beside an odd multiple of 2^boundary; null where there is none, or where too many factors would have to be
/// gone through.
const NearProduct* InputsAtTies::any_near_product(int boundary) {
  const auto* all = near_products(a_.fraction_bits, b_.fraction_bits);
  if (all == nullptr || boundary < 1 || std::cmp_greater_equal(boundary, all->size())) return nullptr;
  const NearProducts& of_power = (*all)[static_cast<std::size_t>(boundary)];
  const auto& some = of_power[static_cast<std::size_t>(below(static_cast<int>(of_power.size())))];
  return some.empty() ? nullptr : &some[static_cast<std::size_t>(below(static_cast<int>(some.size())))];
}

/// The first product among a node's operands; null where there is none.
const InputsAtTies::Place* InputsAtTies::product_among(std::span<const Place> places) {
  const auto place = std::ranges::find_if(places, [](const Place& p) { return p.product.has_value(); });
  return place == places.end() ? nullptr : &*place;
}
bool InputsAtTies::takes_c(std::span<const Place> places) const {
  return has_c_ && std::ranges::any_of(places, [](const Place& p) { return !p.product; });
}
/// The same; null as well where c is not among them.
const InputsAtTies::Place* InputsAtTies::product_beside_c(std::span<const Place> places) const {
  return takes_c(places) ? product_among(places) : nullptr;
}

/// A product that lies beside what sums are rounded by: places of the smallest results, or of those as large
/// as c is, or halves of these.
bool InputsAtTies::put_near_product(const Edge& edge, const std::vector<Place>& places) {
  const int bits = a_.fraction_bits + b_.fraction_bits;
  const Place* place = product_among(places);
  // Beside the largest powers, which few products lie at, any more bits of alignment show.
  const int power = chance(40) ? bits + below(2) : b_.fraction_bits + below(a_.fraction_bits + 2);
  const auto* near = place == nullptr ? nullptr : any_near_product(power);
  if (near == nullptr) return false;
  const int emin = edge.node->result.emin();
  const int of_c = chance(50) ? emin - 2 + below(6) : c_.emin() + below(c_.emax() - c_.emin() + 1);
  const int boundary = std::max(of_c, emin) - edge.rounds_to + 1 - below(4);
  const auto exponents = split(boundary - power + bits);
  if (!exponents) return false;
  set_product(*place->product, chance(50), *exponents, {near->a, near->b});
  if (takes_c(places) && chance(85)) {
    const std::array<Pattern, 3> significands{0, ~Pattern{0}, word()};
    const Pattern significand = significands[static_cast<std::size_t>(below(3))];
    input_.c = nonzero_pattern(c_, chance(50), of_c, significand);
  }
  return true;
}

/// The smallest normal c, and a product that nearly brings the sum to the tie below it: on one side of that
/// the sum is rounded up to a normal result, on the other it is flushed. As no smaller result is told from a
/// zero, bits of a product that lie so far down show nowhere else.
bool InputsAtTies::put_beside_smallest(const Edge& edge, const std::vector<Place>& places) {
  const Place* place = product_beside_c(places);
  if (place == nullptr) return false;
  const int bits = a_.fraction_bits + b_.fraction_bits;
  const int power = bits + 1 - below(chance(60) ? 2 : 6);
  const auto* near = any_near_product(power);
  const int smallest = edge.node->result.emin();
  const auto exponents = split(smallest - edge.rounds_to - below(3) - power + bits);
  if (near == nullptr || !exponents || smallest < c_.emin() - c_.fraction_bits) return false;
  const bool negative = chance(50);
  set_product(*place->product, negative, *exponents, {near->a, near->b});
  input_.c = floating_pattern(c_, negative == chance(20), smallest, Pattern{0});
  return true;
}

/// A product a few of its last places beside a number or one of the halves that it is rounded by itself, and
/// a c of that size and the other sign, or one that is its last place more or less.
bool InputsAtTies::put_beside_own_tie(const Edge& edge, const std::vector<Place>& places) {
  const Place* place = product_beside_c(places);
  const int bits = a_.fraction_bits + b_.fraction_bits;
  const auto* near = any_near_product(bits - edge.rounds_to - 1 + below(3));
  if (place == nullptr || near == nullptr) return false;
  const auto size = static_cast<Pattern>(std::abs(near->distance));
  const int leading = static_cast<int>(std::bit_width(size)) - 1;
  const int of_c = c_.emin() + below(chance(50) ? 4 : c_.emax() - c_.emin());
  const auto exponents = split(of_c - leading + bits);
  if (!exponents || leading > c_.fraction_bits) return false;
  const bool negative = chance(50);
  set_product(*place->product, negative, *exponents, {near->a, near->b});
  const Pattern fraction = size << (c_.fraction_bits - leading);
  input_.c = floating_pattern(c_, negative == (near->distance < 0), of_c, fraction) + Pattern{1} -
             static_cast<Pattern>(below(3));
  return true;
}

/// A product that lies on a number or one of the halves that it is rounded by itself, and a c all of which,
/// or nearly all, is lost beside it.
bool InputsAtTies::put_on_own_tie(const Edge& edge, const std::vector<Place>& places) {
  const Place* place = product_beside_c(places);
  const auto exponents = split(edge.top);
  const int power = a_.fraction_bits + b_.fraction_bits - edge.rounds_to - 1 + below(3);
  const int least = std::max(0, power - b_.fraction_bits), most = std::min(power, a_.fraction_bits);
  if (place == nullptr || !exponents || least > most) return false;
  const int of_a = least + below(most - least + 1);
  const auto ending_in = [&](const FormatInfo& f, int zeros) {
    return (any_significand(f) >> zeros | 1) << zeros;
  };
  const std::pair<Pattern, Pattern> significands{ending_in(a_, of_a), ending_in(b_, power - of_a)};
  set_product(*place->product, chance(50), *exponents, significands);
  const Pattern fraction = word();
  const int of_c = std::max(c_.emin() - c_.fraction_bits, edge.kept_from - 1 - below(3));
  input_.c = floating_pattern(c_, chance(50), of_c, fraction);
  return true;
}

/// A product, and a c that leaves as little of it as it can; or the power of two above it, which has an
/// exponent more, so that the product loses another place.
bool InputsAtTies::put_cancelled(const Edge& edge, const std::vector<Place>& places) {
  const Place* place = product_beside_c(places);
  if (place == nullptr) return false;
  Units value = put_any(*place->product, edge.top - below(3));
  // The one that is nearest to a number of few bits, often.
  const auto exponents = split(edge.top);
  const int last_place = edge.top - a_.fraction_bits - b_.fraction_bits;
  if (chance(20) && exponents && last_place >= unit_) {
    const Pattern a = (Pattern{2} << a_.fraction_bits) - 1, b = (Pattern{2} << b_.fraction_bits) - 1;
    set_product(*place->product, false, *exponents, {a, b});
    value = Units{a} * Units{b} << (last_place - unit_);
  }
  if (value == 0) return false;
  if (chance(70)) return put_c(-leading_part(value, c_.fraction_bits, chance(50)));
  const Units above = Units{2} << leading_bit(magnitude(value));
  return put_c(value < 0 ? above : -above);
}

}  // namespace mmaprint
