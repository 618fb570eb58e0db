#include "inference/tie_inputs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <utility>

#include "inference/exact_numbers.h"
#include "model/pattern.h"
#include "model/value.h"

namespace mmaprint {
namespace {

constexpr int kAttempts = 20;
/// So few operands seldom make up a sum that was chosen first: some inputs start from a product instead.
constexpr std::size_t kFew = 2;
/// Operands that come by way of earlier nodes.
constexpr std::size_t kMostBefore = 3;

}  // namespace

InputsAtTies::InputsAtTies(const UnitModel& x, const UnitModel& y, std::uint64_t seed)
    : RandomDraws(seed),
      x_(x.adders),
      y_(y.adders),
      plan_(x.formats, x.k, skeleton_of(x)),
      a_(plan_.from_a.format),
      b_(plan_.from_b.format),
      c_(plan_.from_c.format),
      has_c_(x.formats.c.has_value()) {
  const std::function<bool(const PlannedNode&)> differ = [&](const PlannedNode& node) {
    const auto adder = static_cast<std::size_t>(node.adder);
    return x.adders[adder] != y.adders[adder] || std::ranges::any_of(node.runs, [&](const OperandRun& run) {
             return std::ranges::any_of(run.carried, differ);
           });
  };
  for (const PlannedNode& node : plan_.nodes)
    if (!node.is_carried && differ(node)) nodes_.push_back(&node);
  const auto is_unnormalised = [](const Adder& adder) {
    return adder.product == ProductKind::exact_unnormalised;
  };
  // A number that is subnormal as a factor may be none once it is converted.
  moves_exponents_ = std::ranges::any_of(plan_.nodes, [&](const PlannedNode& node) {
    const auto adder = static_cast<std::size_t>(node.adder);
    return x.adders[adder].product != y.adders[adder].product ||
           (x.paths != y.paths && node.products > 0 && is_unnormalised(x.adders[adder]));
  });
  has_deep_products_ = std::ranges::any_of(x_, is_unnormalised) || std::ranges::any_of(y_, is_unnormalised);
  flushes_results_ = x.conventions.output_subnormals == Subnormals::flushed ||
                     y.conventions.output_subnormals == Subnormals::flushed;
  if (!nodes_.empty()) return;
  for (const PlannedNode& node : plan_.nodes)
    if (!node.is_carried) nodes_.push_back(&node);
}

std::optional<std::size_t> InputsAtTies::product_by_way_of(const OperandRun& run) const {
  if (run.kind != OperandRun::Kind::node) return std::nullopt;
  const PlannedNode& earlier = plan_.nodes[run.node];
  if (earlier.products != 1 || earlier.operands != 1) return std::nullopt;
  return earlier.runs.front().products.front();
}
bool InputsAtTies::adds_products(const PlannedNode& node) const {
  return node.products > 0 || std::ranges::any_of(node.runs, [&](const OperandRun& run) {
           return product_by_way_of(run) || std::ranges::any_of(run.carried, &PlannedNode::products);
         });
}

std::optional<DotInput> InputsAtTies::next() {
  const bool is_of_few = ++inputs_ % 2 == 0;
  for (int i = 0; i < kAttempts && !nodes_.empty(); ++i) {
    if (!attempt(is_of_few)) continue;
    if (is_rounded_again(*aimed_at_) && chance(80)) show(*aimed_at_);
    return input_;
  }
  return std::nullopt;
}

bool InputsAtTies::attempt(bool is_of_few) {
  const auto k = static_cast<std::size_t>(plan_.k);
  input_ = DotInput{std::vector<Pattern>(k, chance(30) ? zero_pattern(a_, true) : 0),
                    std::vector<Pattern>(k, 0), chance(30) ? zero_pattern(c_, true) : 0};
  if (!has_c_) input_.c = 0;
  Edge edge = any_edge();
  aimed_at_ = edge.node;
  const auto adder = static_cast<std::size_t>(edge.node->adder);
  // What is carried shows where all operands are large.
  if (x_[adder].extra_carry_bits == y_[adder].extra_carry_bits && chance(25))
    if (const auto* earlier = earlier_of(*edge.node)) return put_beside_earlier(edge, *earlier);
  unit_ = edge.top - kReach + edge.growth;
  if (edge.kept_from < unit_ || edge.kept_from - unit_ > kReach) return false;
  std::vector<Place> places = places_of(*edge.node);
  if (chance(20)) {
    put_largest(edge, places);
    return true;
  }
  if (is_of_few && places.size() <= kFew)
    return chance(30)                       ? put_cancelled(edge, places)
           : chance(30)                     ? put_on_own_tie(edge, places)
           : chance(40)                     ? put_beside_own_tie(edge, places)
           : flushes_results_ && chance(50) ? put_beside_smallest(edge, places)
                                            : put_near_product(edge, places);
  if (moves_exponents_ && chance(30))
    return chance(50) ? put_beside_deep(edge, places) : put_wide_beside_edge(edge, places);
  if (has_deep_products_ && chance(20)) return put_beside_deep(edge, places);
  const Units wide = moves_exponents_ && chance(60) ? put_wide(edge, places) : 0;
  // What loses something may as well be what the sum is made up by.
  const std::optional<Units> sum = chance(25) ? Units{0} : put_losers(edge, places);
  if (!sum) return false;
  Units target = chance(6) ? Units{0} : any_target(edge);
  if (takes_most_ && (target < 0) != (*sum < 0)) target = -target;
  const Units of_c = target == 0 && wide == 0 && *sum == 0 ? put_small_c(places) : 0;
  return make_up(target - *sum - wide - of_c, edge, places);
}

// ---- Which edge.

InputsAtTies::Edge InputsAtTies::any_edge() {
  const PlannedNode& node = *nodes_[static_cast<std::size_t>(below(static_cast<int>(nodes_.size())))];
  const auto adder = static_cast<std::size_t>(node.adder);
  const Adder& own = (chance(50) ? x_ : y_)[adder];
  const int kept = own.alignment_fraction_bits.value_or(2 * node.result.fraction_bits);
  Edge edge{0, 0, bits_rounded_to(node, own), own.alignment_rounding, &node};
  if (chance(40)) edge.growth = below(static_cast<int>(std::bit_width(node.operands)));
  takes_most_ = edge.growth > 0 && chance(50);
  const auto clamp = x_[adder].minimum_alignment_exponent;
  const auto other = y_[adder].minimum_alignment_exponent;
  const int lowest = a_.emin() + b_.emin(), highest = a_.emax() + b_.emax();
  Adder but_for_clamp = y_[adder];
  but_for_clamp.minimum_alignment_exponent = clamp;
  if (clamp == other || (but_for_clamp != x_[adder] && chance(40))) {
    edge.top = std::clamp(any_top(node.result), lowest, highest);
    edge.kept_from = edge.top - kept + (moves_exponents_ && chance(40) ? 1 : below(3));
  } else {
    const int higher = std::max(clamp.value_or(lowest), other.value_or(lowest));
    // Of subnormal factors, too.
    const int finest = lowest - a_.fraction_bits - b_.fraction_bits;
    edge.top = std::clamp(higher - 1 - below(chance(70) ? 4 : 20), finest, highest);
    edge.kept_from = higher - kept;
  }
  return edge;
}

/// What shows of a result of more bits than D has is what is left when it is rounded to D's.
int InputsAtTies::bits_rounded_to(const PlannedNode& node, const Adder& own) {
  const int bits = std::min(own.output_fraction_bits, node.result.fraction_bits);
  return chance(50) ? bits : std::min(bits, plan_.d.fraction_bits);
}

int InputsAtTies::any_top(const FormatInfo& result) {
  const int lowest = a_.emin() + b_.emin();
  switch (below(5)) {
    case 0:
      return a_.emax() + b_.emax() - below(2);
    case 3:
      return result.emax() - below(3);
    case 1:
      return lowest + below(a_.emax() + b_.emax() - lowest + 1);
    case 2:
      return result.emin() - result.fraction_bits - 3 + below(result.fraction_bits + 8);
    default:
      return below(9) - 4;
  }
}

/// A multiple of half of the last place of results about as large as a sum of these operands, most often.
InputsAtTies::Units InputsAtTies::any_target(const Edge& edge) {
  const int leading =
      edge.top + 2 + edge.growth - (chance(60) ? below(4) : below(edge.top - edge.kept_from + 5));
  // What is flushed may be decided by rounding as if there were smaller exponents.
  const int last_place =
      (chance(70) ? std::max(leading, edge.node->result.emin()) : leading) - edge.rounds_to;
  const int half = std::max(last_place - 1, edge.kept_from);
  const int bits = leading - half;
  // No sum is as large as that, but its sign may show.
  if (bits < -2) return Units{below(3) - 1} * (Units{1} << (edge.kept_from - unit_));
  Units halves = 1;
  if (bits > 0 && bits < 60) {
    halves = Units{1} << bits;
    switch (below(5)) {
      case 0:
        break;
      case 1:
        halves += 1;
        break;
      case 3:  // just below where places are twice as large
        halves += halves - 1;
        break;
      case 2:
        halves += word() & ((std::uint64_t{1} << bits) - 1);
        break;
      default:
        halves += Units{1} << below(bits);
        if (chance(50)) halves |= 1;
    }
  } else if (chance(20)) {
    halves = 0;
  }
  const Units target = halves << (half - unit_);
  return chance(50) ? target : -target;
}

// ---- Places.

/// A few of those that earlier nodes hand on come among its own. Of a node without products, one of each
/// earlier result is as good as its own: what is zero beside it leaves it as it is.
std::vector<InputsAtTies::Place> InputsAtTies::places_of(const PlannedNode& node) {
  std::vector<Place> places, before;
  const bool has_products = adds_products(node);
  for (const OperandRun& run : node.runs) {
    for (const std::size_t k : run.products) places.push_back({k, true});
    // Nothing of a sum that is carried on is rounded before it comes here.
    for (const PlannedNode& carried : run.carried)
      for (const OperandRun& of_it : carried.runs)
        for (const std::size_t k : of_it.products) places.push_back({k, true});
    if (run.kind == OperandRun::Kind::c && has_c_) places.push_back({std::nullopt, true});
    if (const auto k = product_by_way_of(run)) {
      places.push_back({k, true});
    } else if (run.kind == OperandRun::Kind::node) {
      std::vector<Place> of_it;
      collect_places(plan_.nodes[run.node], of_it);
      if (!has_products && !of_it.empty()) {
        std::swap(of_it[static_cast<std::size_t>(below(static_cast<int>(of_it.size())))], of_it.back());
        places.push_back({of_it.back().product, true});
        of_it.pop_back();
      }
      before.insert(before.end(), of_it.begin(), of_it.end());
    }
  }
  std::ranges::shuffle(before, engine());
  if (before.size() > kMostBefore) before.resize(kMostBefore);
  places.insert(places.end(), before.begin(), before.end());
  std::ranges::shuffle(places, engine());
  return places;
}

void InputsAtTies::collect_places(const PlannedNode& earlier, std::vector<Place>& places) const {
  for (const OperandRun& run : earlier.runs) {
    for (const std::size_t k : run.products) places.push_back({k, false});
    if (run.kind == OperandRun::Kind::c && has_c_) places.push_back({std::nullopt, false});
    if (run.kind == OperandRun::Kind::node) collect_places(plan_.nodes[run.node], places);
  }
}

/// One or two operands that have bits below what is kept, and what is kept of them, or all of it. Their
/// places are gone after that.
std::optional<InputsAtTies::Units> InputsAtTies::put_losers(const Edge& edge, std::vector<Place>& places) {
  if (chance(20)) return put_odd(edge, places);
  const bool all_of_it = chance(30), any_place = chance(40);
  Units sum = 0;
  for (int count = chance(30) ? 2 : 1; count > 0; --count) {
    const auto place =
        std::ranges::find_if(places, [&](const Place& p) { return any_place || (p.product && p.is_own); });
    if (place == places.end()) break;
    const int bits = place->product ? a_.fraction_bits + b_.fraction_bits : c_.fraction_bits;
    const int finest = place->product ? a_.emin() + b_.emin() : c_.emin() - c_.fraction_bits;
    const int lowest = std::max(finest, edge.kept_from - 1);
    const int highest = std::min(edge.top, edge.kept_from - 1 + bits);
    if (lowest > highest) return std::nullopt;
    // Often the last bit that it may have is the one that only one of the models keeps.
    const int exponent = chance(40) ? (chance(50) ? highest : lowest) : lowest + below(highest - lowest + 1);
    const Units value = place->product ? put_any(*place->product, exponent) : put_any_c(exponent);
    sum += all_of_it ? value : aligned(value, edge.kept_from - unit_, edge.rounding);
    places.erase(place);
  }
  return sum;
}

/// The same of one whose last bit is the first that is lost, all of it: another one makes it up, and has such
/// a bit, too. Each is rounded for itself where the sum is a result, or a tie, for the model that keeps both.
std::optional<InputsAtTies::Units> InputsAtTies::put_odd(const Edge& edge, std::vector<Place>& places) {
  const auto place = std::ranges::find_if(places, [](const Place& p) { return p.product && p.is_own; });
  const int last = edge.kept_from - 1 - (chance(70) ? 0 : below(3));
  if (place == places.end() || last < unit_) return std::nullopt;
  const int bits = 1 + below(std::clamp(edge.top - last, 1, a_.fraction_bits));
  const Units odd = Units{(word() & ((Pattern{1} << bits) - 1)) | 1} << (last - unit_);
  const Units value = chance(50) ? odd : -odd;
  if (!put(*place, value, edge.top)) return std::nullopt;
  places.erase(place);
  return value;
}

/// Puts operands that add up to this. False where it does not work out.
bool InputsAtTies::make_up(Units missing, const Edge& edge, std::span<const Place> places) {
  const int lowest = std::max(a_.emin() + b_.emin(), edge.kept_from - 1);
  for (std::size_t i = 0; i < places.size() && missing != 0; ++i) {
    // So much is made up by many large products only, and a few more may not fit.
    if (leading_bit(magnitude(missing)) > kReach + 4) return false;
    const Place& place = places[i];
    const int highest = place.is_own ? edge.top : a_.emax() + b_.emax();
    if (place.product && chance(50) && put(place, missing + any_lost(edge), highest)) return true;
    if (place.product && put(place, missing, highest)) return true;
    const bool is_last = i + 1 == places.size();
    // No product of normal factors is as small as operands are below some clamps.
    if (!is_last && place.is_own && place.product && lowest <= edge.top && !takes_most_ &&
        chance(edge.growth > 0 ? 15 : 40)) {
      missing -= put_any(*place.product, chance(50) ? edge.top : lowest + below(edge.top - lowest + 1));
      continue;
    }
    if (!is_last && !(place.is_own && place.product) && chance(50)) continue;
    const int of_c = leading_bit(magnitude(missing)) + unit_ - (c_.emin() - c_.fraction_bits);
    const int bits =
        place.product ? std::min(a_.fraction_bits, edge.rounds_to) : std::clamp(of_c, 0, c_.fraction_bits);
    // A sum beyond the largest exponent takes two that have it.
    const int most = std::min(edge.top, a_.emax() + b_.emax());
    const bool is_beyond = leading_bit(magnitude(missing)) + unit_ > most && (place.is_own || chance(50));
    const Units one_of_top = any_of_top(most);
    const Units largest = missing < 0 ? -one_of_top : one_of_top;
    const Units part = is_beyond ? largest : leading_part(missing, bits, chance(50));
    if (put(place, part, highest)) missing -= part;
  }
  return missing == 0;
}

/// 2^exponent, or more, where products are added with their factors' exponents: then few may be enough.
InputsAtTies::Units InputsAtTies::any_of_top(int exponent) {
  const int ones = std::min({3, a_.fraction_bits, b_.fraction_bits});
  if (!has_deep_products_ || exponent - 2 * ones < unit_ || (!takes_most_ && chance(40)))
    return Units{1} << (exponent - unit_);
  const Units factor = (Units{2} << ones) - 1;
  return (factor * factor) << (exponent - 2 * ones - unit_);
}

/// A c of a few of the smallest units: what cancels it, but for what is lost, is a zero of either sign.
InputsAtTies::Units InputsAtTies::put_small_c(std::vector<Place>& places) {
  const auto place = std::ranges::find_if(places, [](const Place& p) { return !p.product; });
  const int finest = c_.emin() - c_.fraction_bits - unit_;
  if (place == places.end() || finest < 0 || finest > kReach - 8) return 0;
  const Units value = Units{1 + below(1 << below(7))} << finest;
  if (!put_c(chance(50) ? value : -value)) return 0;
  places.erase(place);
  return (input_.c & sign_pattern(c_)) != 0 ? -value : value;
}

/// What is lost of an operand that is beside the edge for the other model.
InputsAtTies::Units InputsAtTies::any_lost(const Edge& edge) {
  const int finest = std::max(a_.emin() - a_.fraction_bits + b_.emin() - b_.fraction_bits, unit_);
  const int highest = edge.kept_from - 1;
  if (highest < finest) return 0;
  const int place = highest - below(std::min(highest - finest, 5) + 1);
  const Units lost = Units{1} << (place - unit_);
  return chance(50) ? lost : -lost;
}

/// Operands of one sign, about as large as they may be with this exponent: what a sum carries then is most.
/// An earlier result has only ones, so that it is not rounded to more.
void InputsAtTies::put_largest(const Edge& edge, std::span<const Place> places) {
  const bool negative = chance(50);
  bool has_earlier = false;
  for (const Place& place : places) {
    if (chance(10) || (!place.is_own && std::exchange(has_earlier, true))) continue;
    if (!place.product) {
      input_.c = has_c_ ? floating_pattern(c_, negative, edge.top, ~Pattern{0}) : 0;
      continue;
    }
    const auto exponents = split(place.is_own && chance(50) ? edge.top - 1 : edge.top);
    const int zeros = place.is_own ? 0 : std::max(0, a_.fraction_bits - edge.rounds_to);
    if (exponents && (!place.is_own || chance(50)))
      set_product(*place.product, negative, *exponents,
                  {~Pattern{0} << zeros, place.is_own ? ~Pattern{0} : 0});
    else
      put_below(*place.product, negative, edge.top + 1);
  }
}

/// Any factor, subnormal ones among them, and with it the largest product below 2^exponent.
void InputsAtTies::put_below(std::size_t k, bool negative, int exponent) {
  const int of_a = std::max(a_.emin() - a_.fraction_bits,
                            exponent / 2 + below(2 * a_.fraction_bits + 3) - a_.fraction_bits);
  const Pattern a = floating_pattern(a_, false, of_a, word());
  const Value value = decode(a_.id, a);
  const double factor = std::ldexp(static_cast<double>(value.significand), value.exponent - a_.fraction_bits);
  const double most = std::nextafter(std::ldexp(1.0, exponent) / factor, 0.0);
  if (!std::isnormal(most)) return;
  int of_b = 0;
  const double fraction = std::frexp(most, &of_b);  // from 1/2 to 1
  input_.a[k] = a | (negative ? sign_pattern(a_) : 0);
  input_.b[k] =
      floating_pattern(b_, false, of_b - 1, static_cast<Pattern>(std::ldexp(fraction, b_.fraction_bits + 1)));
}

}  // namespace mmaprint
