#include <algorithm>
#include <limits>

#include "model/plan.h"

namespace mmaprint {
namespace {

/// What a sum can be before it is clipped.
struct Range {
  std::int64_t low = 0, high = 0;
  Range& operator+=(const Range& x) {
    low += x.low;
    high += x.high;
    return *this;
  }
};

Range range_of(const FormatInfo& f) {
  const std::int64_t count = std::int64_t{1} << f.fraction_bits;
  return {f.has_sign ? -count : 0, count - 1};
}

Range product_range(const FormatInfo& a, const FormatInfo& b) {
  const Range x = range_of(a);
  const Range y = range_of(b);
  const auto [low, high] = std::minmax({x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high});
  return {low, high};
}

/// A node on its way to becoming a sum of its own, or a part of a later one.
struct Terms {
  IntegerSum sum;
  Range range;
  bool has_c = false;  ///< also inside of earlier sums
};

void join(Terms& to, const Terms& part) {
  to.sum.products.insert(to.sum.products.end(), part.sum.products.begin(), part.sum.products.end());
  to.sum.sums.insert(to.sum.sums.end(), part.sum.sums.begin(), part.sum.sums.end());
  to.sum.c = to.sum.c || part.sum.c;
  to.range += part.range;
  to.has_c = to.has_c || part.has_c;
}

}  // namespace

/// A node's result joins the node that uses it without a trace where it can't be clipped; and where nothing
/// negative is added later, neither products nor c, since what is clipped at the top then stays there.
std::vector<IntegerSum> integer_sums(const Plan& plan) {
  const Range result = range_of(plan.d);
  const Range product = product_range(plan.a, plan.b);
  std::vector<IntegerSum> sums;
  std::vector<Terms> open;
  for (const PlannedNode& node : plan.nodes) {
    Terms terms;
    node.visit(
        plan,
        [&](const std::vector<std::size_t>& products) {
          const auto count = static_cast<std::int64_t>(products.size());
          join(terms, {{products, {}, false}, {product.low * count, product.high * count}});
        },
        [&](std::size_t earlier, const FormatInfo& /*format*/) { join(terms, open[earlier]); },
        [](std::size_t, const PlannedNode& /*carried*/) {},  // integers carry none
        [&] {
          join(terms, {{{}, {}, true}, range_of(plan.c), true});
        },
        [](ZeroOperand) {});
    const bool clipped_stays = product.low >= 0 && terms.has_c;
    const bool fits = terms.range.low >= result.low && (clipped_stays || terms.range.high <= result.high);
    if (!fits || &node == &plan.nodes.back()) {
      std::ranges::sort(terms.sum.products);
      sums.push_back(std::move(terms.sum));
      terms = {{{}, {sums.size() - 1}, false}, result, terms.has_c};
    }
    open.push_back(std::move(terms));
  }
  return sums;
}

}  // namespace mmaprint
