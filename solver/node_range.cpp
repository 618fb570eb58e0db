#include "solver/node_range.h"

#include <algorithm>
#include <vector>

namespace mmaprint {
namespace {

class Ranges {
 public:
  explicit Ranges(const OperandFormats& formats)
      : a_(info(formats.a)), b_(info(formats.b)), c_(info(formats.c)), d_(info(formats.d)) {}

  [[nodiscard]] NodeRange of(const Node& node, const std::vector<NodeRange>& earlier) const {
    // A clamp may raise the alignment exponent up to 0.
    NodeRange range{d_.emax(), 0};
    const auto join = [&](int lowest_bit, int largest_exponent) {
      range.lowest_bit = std::min(range.lowest_bit, lowest_bit);
      range.largest_exponent = std::max(range.largest_exponent, largest_exponent);
    };
    for (const Leaf& leaf : node.operands) {
      if (std::holds_alternative<ProductLeaf>(leaf)) {
        join(a_.emin() + b_.emin() - a_.fraction_bits - b_.fraction_bits, a_.emax() + b_.emax() + 1);
      } else if (std::holds_alternative<CLeaf>(leaf)) {
        join(c_.emin() - c_.fraction_bits, c_.emax());
      } else if (const auto* child = std::get_if<NodeLeaf>(&leaf)) {
        const NodeRange& r = earlier[static_cast<std::size_t>(child->node)];
        join(r.lowest_bit, r.largest_exponent);
      } else {
        join(d_.emax(), 0);
      }
    }
    // Rounding a partial sum away from zero at most doubles it.
    const int addends = static_cast<int>(node.operands.size());
    range.largest_exponent = std::min(d_.emax(), range.largest_exponent + 2 * addends + 2);
    return range;
  }

 private:
  FormatInfo a_, b_, c_, d_;
};

}  // namespace

Box box_of(const Side& side) {
  if (const auto* hypotheses = std::get_if<Hypotheses>(&side)) return hypotheses->set.box;
  return Box(values_of(std::get<UnitModel>(side)));
}

NodeRange node_range(const Side& side) {
  std::vector<NodeRange> ranges;
  const Ranges of(formats_of(side));
  const Tree tree = tree_of(side);
  ranges.reserve(tree.nodes.size());
  for (const Node& node : tree.nodes) ranges.push_back(of.of(node, ranges));
  if (ranges.size() > 1) ranges.pop_back();  // the root's result is nobody's operand
  NodeRange all = ranges.front();
  for (const NodeRange& range : ranges) {
    all.lowest_bit = std::min(all.lowest_bit, range.lowest_bit);
    all.largest_exponent = std::max(all.largest_exponent, range.largest_exponent);
  }
  return all;
}

}  // namespace mmaprint
