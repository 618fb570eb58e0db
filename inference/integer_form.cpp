#include "inference/integer_form.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "inference/used_nodes.h"

namespace mmaprint {
namespace {

bool is_zero(const Leaf& leaf) {
  return std::holds_alternative<ZeroLeaf>(leaf) || std::holds_alternative<PaddingLeaf>(leaf);
}

class IntegerForm {
 public:
  explicit IntegerForm(const UnitModel& model) : model_(model) {
    const FormatInfo &a = info(model.formats.a), &b = info(model.formats.b), &d = info(model.formats.d);
    product_ = std::int64_t{1} << (a.fraction_bits + b.fraction_bits);
    largest_ = (std::int64_t{1} << d.fraction_bits) - 1;
    if (model.formats.c) c_ = std::int64_t{1} << info(*model.formats.c).fraction_bits;
    for (Node& node : model_.tree.nodes) take_in(node);
  }

  [[nodiscard]] UnitModel model() && {
    drop_unused_nodes(model_.tree);
    // Only how products are formed, and what becomes of sums beyond D's range, has a meaning.
    Adder adder;
    adder.product = model_.adders.front().product;
    adder.output_fraction_bits = model_.adders.front().output_fraction_bits;
    model_.adders = {adder};
    Conventions conventions;
    conventions.overflow = any_overflows_ ? model_.conventions.overflow : Overflow::wrap;
    model_.conventions = conventions;
    return std::move(model_);
  }

 private:
  /// In place of nodes that are operands, theirs; and then, how large the sum can be.
  void take_in(Node& node) {
    node.adder = 0;
    std::vector<Leaf> operands;
    std::int64_t bound = 0;
    for (const Leaf& leaf : node.operands) {
      const auto* of = std::get_if<NodeLeaf>(&leaf);
      const bool is_taken = of != nullptr && goes_on_as_it_is(static_cast<std::size_t>(of->node));
      if (is_taken) {
        const auto& inner = model_.tree.nodes[static_cast<std::size_t>(of->node)].operands;
        operands.insert(operands.end(), inner.begin(), inner.end());
      } else {
        operands.push_back(leaf);
      }
      bound += bound_of(leaf);
    }
    std::erase_if(operands, is_zero);
    if (operands.empty()) operands.emplace_back(ZeroLeaf{});
    std::ranges::sort(operands);
    node.operands = std::move(operands);
    any_overflows_ = any_overflows_ || bound > largest_;
    bounds_.push_back(bound);
  }
  [[nodiscard]] bool goes_on_as_it_is(std::size_t n) const {
    return model_.conventions.overflow == Overflow::wrap || bounds_[n] <= largest_;
  }
  /// |x| at most.
  [[nodiscard]] std::int64_t bound_of(const Leaf& leaf) const {
    if (std::holds_alternative<ProductLeaf>(leaf)) return product_;
    if (std::holds_alternative<CLeaf>(leaf)) return c_;
    const auto* of = std::get_if<NodeLeaf>(&leaf);
    return of != nullptr ? std::min(bounds_[static_cast<std::size_t>(of->node)], largest_ + 1) : 0;
  }

  UnitModel model_;
  std::int64_t product_ = 0, c_ = 0, largest_ = 0;
  std::vector<std::int64_t> bounds_;  ///< of each node's sum, before it wraps or saturates
  bool any_overflows_ = false;
};

}  // namespace

UnitModel integer_form(const UnitModel& model) { return IntegerForm(model).model(); }

}  // namespace mmaprint
