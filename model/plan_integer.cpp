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
};

void join(Terms& to, const Terms& part) {
  to.sum.products.insert(to.sum.products.end(), part.sum.products.begin(), part.sum.products.end());
  to.sum.sums.insert(to.sum.sums.end(), part.sum.sums.begin(), part.sum.sums.end());
  to.sum.c = to.sum.c || part.sum.c;
  to.range += part.range;
}

}  // namespace

/// A node's result joins the node that uses it without a trace where it can't be clipped; and where nothing
/// negative is added later, since what is clipped at the top then stays there.
void Plan::cut_into_sums() {
  const Range result = range_of(d);
  const Range product = product_range(a, b);
  const bool clipped_stays = product.low >= 0;
  std::vector<Terms> open;
  for (const PlannedNode& node : nodes) {
    Terms terms;
    for (const OperandRun& run : node.runs) {
      switch (run.kind) {
        case OperandRun::Kind::products:
          join(terms, {{run.products, {}, false},
                       {product.low * static_cast<std::int64_t>(run.products.size()),
                        product.high * static_cast<std::int64_t>(run.products.size())}});
          break;
        case OperandRun::Kind::c:
          join(terms, {{{}, {}, true}, range_of(c)});
          break;
        case OperandRun::Kind::node:
          join(terms, open[run.node]);
          break;
        case OperandRun::Kind::zero:
          break;
      }
    }
    const bool fits = terms.range.low >= result.low && (clipped_stays || terms.range.high <= result.high);
    if (!fits || &node == &nodes.back()) {
      std::ranges::sort(terms.sum.products);
      sums.push_back(std::move(terms.sum));
      terms = {{{}, {sums.size() - 1}, false}, result};
    }
    open.push_back(std::move(terms));
  }
  whole_sum_.c = true;
  for (int i = 0; i < k; ++i) whole_sum_.products.push_back(static_cast<std::size_t>(i));
  const auto largest = std::max(-product.low, product.high) * k + (std::int64_t{1} << (d.fraction_bits + 2));
  integer_width_ = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(largest))) + 2;
}

}  // namespace mmaprint
