#include "inference/scaled_sum_inputs.h"

#include <algorithm>
#include <utility>

#include "inference/scale_draws.h"
#include "model/zero_input.h"

namespace mmaprint {

ScaledSumInputs::ScaledSumInputs(const UnitModel& x, const UnitModel& y, std::uint64_t seed)
    : RandomDraws(seed), formats_(x.formats), k_(x.k) {
  for (const UnitModel* unit : {&x, &y}) {
    Blocks blocks;
    for (const Node& node : unit->tree.nodes) {
      std::vector<std::size_t> products;
      for (const Leaf& leaf : node.operands)
        if (const auto* product = std::get_if<ProductLeaf>(&leaf))
          products.push_back(static_cast<std::size_t>(product->index));
      if (!products.empty()) blocks.push_back(std::move(products));
    }
    blocks_.push_back(std::move(blocks));
  }
}

DotInput ScaledSumInputs::next() {
  constexpr int kNear = 10;
  DotInput in = zero_input(formats_, k_);
  const FormatInfo& d = info(formats_.d);
  const int exponent = chance(70) ? below(2 * kNear + 1) - kNear
                                  : d.emin() - d.fraction_bits - kNear + below(d.emax() - d.emin() + kNear);
  set_scales(exponent, in);
  // Large ones add up most often.
  const bool negative = chance(50);
  const int large = chance(50) ? 50 : 90;
  for (const auto& products : blocks_[static_cast<std::size_t>(below(2))]) {
    const bool is_large = chance(large);
    put_block(products, {is_large, negative != chance(is_large ? 10 : 50)}, in);
  }
  if (formats_.c && chance(30))
    in.c = nonzero_pattern(info(*formats_.c), chance(50), exponent - kNear + below(3 * kNear),
                           chance(30) ? 0 : word());
  return in;
}

/// The same for all blocks, or near each other.
void ScaledSumInputs::set_scales(int exponent, DotInput& input) {
  const int of_a = !formats_.sa ? 0 : formats_.sb ? exponent / 2 : exponent;
  set_role(formats_.sa, of_a, input.sa);
  set_role(formats_.sb, exponent - of_a, input.sb);
}

void ScaledSumInputs::set_role(const std::optional<Scales>& scales, int exponent,
                               std::vector<Pattern>& patterns) {
  if (!scales) return;
  const FormatInfo& f = info(scales->format);
  const Pattern all_ones = (Pattern{1} << f.fraction_bits) - 1;
  const bool are_alike = chance(60), are_largest = chance(50);
  for (Pattern& p : patterns) {
    const Pattern fraction = are_largest ? all_ones : chance(70) ? word() & all_ones : 0;
    // The largest exponent has a NaN among its numbers.
    const int e = std::clamp(exponent + (are_alike ? 0 : below(9) - 4), f.emin(), f.emax() - 1);
    p = power_of_scales(scales->format, e) | fraction;
  }
}

void ScaledSumInputs::put_block(std::span<const std::size_t> products, Block block, DotInput& input) {
  const FormatInfo &a = info(formats_.a), &b = info(formats_.b);
  const bool are_all = chance(70);
  const int few = below(4);
  const auto sign = [&] { return block.negative != (!are_all && chance(10)); };
  const auto put = [&](std::size_t k, Pattern of_a, Pattern of_b) {
    input.a[k] = sign() ? of_a ^ sign_pattern(a) : of_a;
    input.b[k] = of_b;
  };
  if (block.is_large)
    for (const std::size_t k : products)
      if (are_all || !chance(20)) put(k, largest(a), largest(b));
  // Beside large ones, or alone.
  for (int i = 0; i < few; ++i) {
    const std::size_t k = products[static_cast<std::size_t>(below(static_cast<int>(products.size())))];
    const Pattern of_a = fine(a), of_b = fine(b);
    put(k, chance(30) ? of_a ^ sign_pattern(a) : of_a, of_b);
  }
}

Pattern ScaledSumInputs::largest(const FormatInfo& f) const {
  return floating_pattern(f, false, f.emax(), f.largest_significand());
}

/// Among the smallest normal numbers or the subnormal ones most often, which have the lowest places.
Pattern ScaledSumInputs::fine(const FormatInfo& f) {
  const int exponent = chance(40)   ? f.emin()
                       : chance(50) ? f.emin() - below(f.fraction_bits + 1)
                                    : f.emin() + below(f.emax() - f.emin());
  return nonzero_pattern(f, false, exponent, word());
}

}  // namespace mmaprint
