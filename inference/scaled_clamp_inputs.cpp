#include "inference/scaled_clamp_inputs.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <utility>

#include "inference/scale_draws.h"
#include "model/value.h"
#include "model/zero_input.h"

namespace mmaprint {
namespace {

/// Formats of more bits have too many products to list.
constexpr int kMostFactorBits = 8;
constexpr int kMostOnes = 24;
/// Of E5M2 some are beyond 2^63, and a block adds up a thousand at most.
constexpr std::int64_t kMostUnits = std::int64_t{1} << 48;

}  // namespace

ScaledClampInputs::ScaledClampInputs(const UnitModel& model, const Adder& adder, std::uint64_t seed)
    : RandomDraws(seed),
      formats_(model.formats),
      k_(model.k),
      clamp_(adder.minimum_alignment_exponent.value()) {
  const FormatInfo &a = info(formats_.a), &b = info(formats_.b), &d = info(formats_.d);
  kept_from_ = clamp_ - adder.alignment_fraction_bits.value_or(2 * d.fraction_bits);
  lowest_bit_ = a.emin() - a.fraction_bits + b.emin() - b.fraction_bits;
  least_result_ = d.emin() - std::min(adder.output_fraction_bits, d.fraction_bits);
  const int of_a = formats_.sa ? formats_.sa->per : k_, of_b = formats_.sb ? formats_.sb->per : k_;
  of_block_ = static_cast<std::size_t>(std::min({of_a, of_b, k_}));
  if (a.container_bits <= kMostFactorBits && b.container_bits <= kMostFactorBits) add_products();
}

void ScaledClampInputs::add_products() {
  const FormatInfo &a = info(formats_.a), &b = info(formats_.b);
  const auto units_of = [](const FormatInfo& f, Pattern p) -> std::int64_t {
    const Value x = decode(f.id, p);
    if (x.nan || x.infinite || x.negative || x.significand == 0) return 0;
    return static_cast<std::int64_t>(x.significand) << (x.exponent - f.emin());
  };
  for (Pattern p = 0; p <= a.pattern_mask(); ++p) {
    const std::int64_t of_a = units_of(a, p);
    for (Pattern q = 0; of_a > 0 && q <= b.pattern_mask(); ++q)
      if (const std::int64_t of_b = units_of(b, q); of_b > 0 && of_b <= kMostUnits / of_a)
        products_.push_back({of_a * of_b, p, q});
  }
  std::ranges::stable_sort(products_, {}, &Product::units);
  const auto again = std::ranges::unique(products_, {}, &Product::units);
  products_.erase(again.begin(), again.end());
  if (products_.empty() || products_.front().units != 1) return products_.clear();
  // The most that is made by taking the largest product that is left, again and again.
  const auto products_for = [&](std::int64_t units) {
    std::size_t n = 0;
    for (; units > 0; ++n)
      units -= std::prev(std::ranges::upper_bound(products_, units, {}, &Product::units))->units;
    return n;
  };
  while (most_ones_ < kMostOnes && products_for((std::int64_t{2} << most_ones_) - 1) <= of_block_)
    ++most_ones_;
}

DotInput ScaledClampInputs::next() {
  const bool is_one_block = of_block_ == static_cast<std::size_t>(k_);
  return most_ones_ == 0 || chance(is_one_block ? 60 : 40) ? all_alike() : with_sums();
}

/// Products of one scale, of small factors or of the largest, and of one sign most often.
DotInput ScaledClampInputs::all_alike() {
  constexpr int kBelow = 5;
  DotInput in = zero_input(formats_, k_);
  const int exponent = kept_from_ - 1 - below(kBelow) - lowest_bit_;
  const bool are_two = formats_.sa && formats_.sb;
  const int of_a = !formats_.sa ? 0 : are_two ? exponent / 2 + below(kBelow) - kBelow / 2 : exponent;
  for (Pattern& p : in.sa) p = power_of_scales(formats_.sa->format, of_a);
  for (Pattern& p : in.sb) p = power_of_scales(formats_.sb->format, exponent - of_a);
  const int largest = chance(70) ? below(101) : 0, negative = chance(70) ? 0 : below(101);
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    const bool is_largest = chance(largest);
    in.a[i] = factor(info(formats_.a), chance(negative), is_largest);
    in.b[i] = factor(info(formats_.b), false, is_largest);
  }
  return in;
}

Pattern ScaledClampInputs::factor(const FormatInfo& f, bool negative, bool is_largest) {
  if (is_largest) return floating_pattern(f, negative, f.emax(), f.largest_significand());
  return nonzero_pattern(
      f, negative, f.emin() - f.fraction_bits + below(f.emax() - f.emin() + f.fraction_bits + 1), word());
}

DotInput ScaledClampInputs::with_sums() {
  DotInput in = zero_input(formats_, k_);
  std::vector<std::size_t> blocks(in.a.size() / of_block_);
  fill_with_any_order(blocks);
  const std::vector<Scaled> sums = chance(50) ? ones_that_add_up() : small_beside_large();
  const bool in_order = chance(50);
  if (in_order) std::ranges::sort(blocks);
  // Blocks of zeros have scales as well, which need not be ones.
  for (const std::size_t block : blocks) set_scales(block, sums.front().exponent, in);
  for (std::size_t i = 0; i < std::min(sums.size(), blocks.size()); ++i) put(blocks[i], sums[i], in);
  if (formats_.c) put_c(in);
  return in;
}

/// 2^n - 2^m, 2^m - 2^l, 2^l: down to where the clamp leaves nothing. All is 2^n, a result or half of one, or
/// some number below the clamp; of the rest, less.
std::vector<ScaledClampInputs::Scaled> ScaledClampInputs::ones_that_add_up() {
  int from = chance(60) ? least_result_ - below(2) + below(3) : clamp_ - below(6);
  const int to = std::min(kept_from_ - 1 - below(3), from - 1);
  const std::int64_t sign = chance(50) ? 1 : -1;
  // Products of one block may be aligned one by one as well.
  if (from - to <= most_ones_ && chance(of_block_ == static_cast<std::size_t>(k_) ? 80 : 15))
    return {{sign * (std::int64_t{1} << (from - to)), to - lowest_bit_}};
  std::vector<Scaled> sums;
  while (from > to) {
    const int step = std::min(from - to, chance(60) ? most_ones_ : 1 + below(most_ones_));
    from -= step;
    sums.push_back({sign * ((std::int64_t{1} << step) - 1), from - lowest_bit_});
  }
  if (chance(80)) sums.push_back({sign, to - lowest_bit_});
  if (chance(20)) sums.erase(sums.begin() + below(static_cast<int>(sums.size())));
  if (sums.empty()) sums.push_back({sign, to - lowest_bit_});
  return sums;
}

std::int64_t ScaledClampInputs::any_units() {
  const int ones = 1 + below(most_ones_);
  switch (below(4)) {
    case 0:
      return std::int64_t{1} << (ones - 1);
    case 1:
      return products_.back().units * (1 + below(static_cast<int>(of_block_)));
    default:
      return 1 + static_cast<std::int64_t>(word() & ((std::uint64_t{1} << ones) - 2));
  }
}

/// The large one below the clamp, or with scales that are, or a result; the small one at the last places that
/// are kept.
std::vector<ScaledClampInputs::Scaled> ScaledClampInputs::small_beside_large() {
  const std::int64_t large = any_units(), small = any_units();
  const auto bits = [](std::int64_t units) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(units)));
  };
  const int top = chance(60) ? clamp_ - 1 - below(5) : least_result_ - 1 + below(8);
  const int scale = chance(50) ? clamp_ - 1 - below(4) : top + 1 - bits(large) - lowest_bit_;
  const int low = kept_from_ - 3 + below(6);
  const std::int64_t sign = chance(50) ? 1 : -1;
  std::vector<Scaled> sums{{sign * large, scale},
                           {chance(70) ? -sign * small : sign * small, low + 1 - bits(small) - lowest_bit_}};
  if (chance(30)) sums.insert(sums.begin() + 1 + below(2), {-sums[0].units, sums[0].exponent});
  if (chance(20)) sums.erase(sums.begin());
  return sums;
}

/// The largest products that are left, one after the other; after some that are any.
void ScaledClampInputs::put(std::size_t block, const Scaled& sum, DotInput& input) {
  std::int64_t left = sum.units < 0 ? -sum.units : sum.units;
  const Pattern sign = sum.units < 0 ? sign_pattern(info(formats_.a)) : 0;
  std::vector<std::size_t> places(of_block_);
  std::iota(places.begin(), places.end(), block * of_block_);
  if (chance(50)) draw(places, places.size());
  int any = chance(50) ? below(5) : 0;
  for (const std::size_t k : places) {
    if (left == 0) break;
    const auto fit = std::ranges::upper_bound(products_, left, {}, &Product::units) - products_.begin();
    const Product& product =
        products_[static_cast<std::size_t>(any-- > 0 ? below(static_cast<int>(fit)) : fit - 1)];
    input.a[k] = product.a | sign;
    input.b[k] = product.b;
    left -= product.units;
  }
  set_scales(block, sum.exponent, input);
}

/// Or for several blocks?
bool ScaledClampInputs::is_of_block(const std::optional<Scales>& scales) const {
  return scales && std::cmp_equal(std::min(scales->per, k_), of_block_);
}
/// A scale that is for several blocks is a one, and the other decides.
void ScaledClampInputs::set_scales(std::size_t block, int exponent, DotInput& input) const {
  const std::size_t k = block * of_block_;
  const bool of_a = is_of_block(formats_.sa), of_b = is_of_block(formats_.sb);
  const int of_first = of_a && of_b ? exponent / 2 : exponent;
  if (of_a)
    input.sa[k / static_cast<std::size_t>(formats_.sa->per)] = power_of_scales(formats_.sa->format, of_first);
  if (of_b)
    input.sb[k / static_cast<std::size_t>(formats_.sb->per)] =
        power_of_scales(formats_.sb->format, of_a ? exponent - of_first : exponent);
}

void ScaledClampInputs::put_c(DotInput& input) {
  const FormatInfo& f = info(*formats_.c);
  const bool negative = chance(50);
  if (chance(60))
    input.c = zero_pattern(f, negative);
  else
    input.c = nonzero_pattern(f, negative, chance(50) ? clamp_ - 2 + below(5) : least_result_ + below(6),
                              chance(50) ? 0 : word());
}

}  // namespace mmaprint
