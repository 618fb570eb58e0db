#include "oracle/nan_journey.h"

#include <algorithm>

namespace mmaprint::oracle {
namespace {

bool is_product(const Leaf& leaf) { return std::holds_alternative<ProductLeaf>(leaf); }

}  // namespace

NanJourney::Passenger NanJourney::outside(Format container, const OperandPath& path, Pattern pattern) const {
  const FormatInfo& f = info(container);
  Passenger x{false, (pattern >> f.sign_bit() & 1U) != 0, false, {}};
  for (int i = f.fraction_bits - 1; i >= 0; --i)
    x.digits += (pattern >> (i + f.ignored_low_bits) & 1U) != 0 ? '1' : '0';
  x.signalling = f.specials == Specials::ieee && x.digits.front() == '0';
  if (path) x.digits.resize(static_cast<std::size_t>(info(path->compute).fraction_bits), '0');
  return x;
}

bool NanJourney::reaches_c(int node) const {
  const auto& operands = model_.tree.nodes[static_cast<std::size_t>(node)].operands;
  return std::ranges::any_of(operands, [&](const Leaf& leaf) {
    if (const auto* earlier = std::get_if<NodeLeaf>(&leaf)) return reaches_c(earlier->node);
    return std::holds_alternative<CLeaf>(leaf);
  });
}

bool NanJourney::is_running(const Node& node, const Leaf& leaf) const {
  if (const auto* earlier = std::get_if<NodeLeaf>(&leaf))
    return std::ranges::any_of(node.operands, is_product) || reaches_c(earlier->node);
  return std::holds_alternative<CLeaf>(leaf);
}

// The NaN that a factor brings, if it is one.
std::vector<NanJourney::Passenger> NanJourney::factor(bool is_a, int product) const {
  const auto k = static_cast<std::size_t>(product);
  if ((is_a ? facts_.a : facts_.b)[k] != Kind::nan) return {};
  if (is_a) return {outside(model_.formats.a, model_.paths.a, input_.a[k])};
  return {outside(model_.formats.b, model_.paths.b, input_.b[k])};
}

NanJourney::Passenger NanJourney::leaving(int index) const {
  const Node& node = model_.tree.nodes[static_cast<std::size_t>(index)];
  std::vector<Leaf> order = node.operands;
  if (rule_.products == NanRule::Products::descending) std::ranges::reverse(order);
  // Three queues, joined in the end: running sums, other operands, and second factors where they wait apart.
  std::vector<Passenger> sums, others, second_factors;
  const auto add = [](std::vector<Passenger>& queue, const std::vector<Passenger>& some) {
    queue.insert(queue.end(), some.begin(), some.end());
  };
  const bool apart = rule_.sum == NanRule::Sum::between;
  bool jumps_the_queue = false;
  for (const Leaf& leaf : order) {
    std::vector<Passenger>& queue = is_running(node, leaf) ? sums : others;
    if (const auto* product = std::get_if<ProductLeaf>(&leaf)) {
      const auto k = static_cast<std::size_t>(product->index);
      const bool a_first = rule_.factors == NanRule::Factors::a_first;
      const auto first = factor(a_first, product->index), second = factor(!a_first, product->index);
      add(queue, first);
      add(apart ? second_factors : queue, second);
      const bool infinite = facts_.a[k] == Kind::infinite || facts_.b[k] == Kind::infinite;
      if (!first.empty() || !second.empty() || !infinite || !facts_.zero_factor[k]) continue;
      if (rule_.invalid == NanRule::Invalid::in_order) queue.emplace_back();
      if (rule_.invalid == NanRule::Invalid::first) jumps_the_queue = true;
    } else if (const auto* earlier = std::get_if<NodeLeaf>(&leaf)) {
      if (facts_.nan_results[static_cast<std::size_t>(earlier->node)])
        queue.push_back(leaving(earlier->node));
    } else if (std::holds_alternative<CLeaf>(leaf) && facts_.c == Kind::nan) {
      queue.push_back(outside(model_.formats.c.value(), model_.paths.c, input_.c));
    }
  }
  std::vector<Passenger> queue;
  if (rule_.sum == NanRule::Sum::first) add(queue, sums);
  add(queue, others);
  if (rule_.sum != NanRule::Sum::first) add(queue, sums);
  add(queue, second_factors);
  auto next = queue.begin();
  if (rule_.signalling == NanRule::Signalling::first) {
    const auto loud = std::ranges::find(queue, true, &Passenger::signalling);
    if (loud != queue.end()) {
      next = loud;
      jumps_the_queue = false;
    }
  }
  if (jumps_the_queue || next == queue.end() || next->own) return {};
  Passenger chosen = *next;
  const FormatInfo& f = info(node.result.value_or(model_.formats.d));
  chosen.digits.resize(static_cast<std::size_t>(f.fraction_bits), '0');
  chosen.digits.front() = '1';
  chosen.signalling = false;
  return chosen;
}

Pattern NanJourney::result() const {
  const Passenger last = leaving(static_cast<int>(model_.tree.nodes.size()) - 1);
  if (last.own) return rule_.generated;
  const FormatInfo& d = info(model_.formats.d);
  Pattern pattern = last.negative ? 1 : 0;
  for (int i = 0; i < d.exponent_bits; ++i) pattern = pattern << 1 | 1U;
  for (const char digit : last.digits) pattern = pattern << 1 | (digit == '1' ? 1U : 0U);
  return pattern << d.ignored_low_bits;
}

}  // namespace mmaprint::oracle
