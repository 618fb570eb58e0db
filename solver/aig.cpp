#include "solver/aig.h"

#include <utility>

namespace mmaprint {

std::size_t Aig::GateHash::operator()(const Gate& g) const {
  std::uint64_t h = static_cast<std::uint64_t>(g.kind);
  for (const Literal x : g.x) h = (h ^ x.code) * 0x9E3779B97F4A7C15ULL;
  return h ^ (h >> 29);
}

Literal Aig::input() {
  inputs_.push_back(static_cast<std::uint32_t>(gates_.size()));
  gates_.push_back({Kind::input, {}});
  return {inputs_.back() * 2};
}

Literal Aig::hashed(const Gate& gate) {
  const auto [entry, added] = known_.try_emplace(gate, static_cast<std::uint32_t>(gates_.size()));
  if (added) gates_.push_back(gate);
  return {entry->second * 2};
}

Literal Aig::conjunction(Literal x, Literal y) {
  require_time();
  if (x == y) return x;
  if (x == !y || x == kFalse || y == kFalse) return kFalse;
  if (x == kTrue) return y;
  if (y == kTrue) return x;
  // Two levels: the other operand already decides one conjunction, or makes part of it redundant.
  for (int turn = 0; turn < 2; ++turn, std::swap(x, y)) {
    const Gate inner = gates_[y.node()];
    if (inner.kind == Kind::conjunction) {
      const auto [p, q, unused] = inner.x;
      if (!y.complemented()) {
        if (x == p || x == q) return y;
        if (x == !p || x == !q) return kFalse;
      } else {
        if (x == !p || x == !q) return x;       // x & !(!x & q) = x
        if (x == p) return conjunction(x, !q);  // x & !(x & q) = x & !q
        if (x == q) return conjunction(x, !p);
      }
    } else if (inner.kind == Kind::exclusive) {
      const auto [p, q, unused] = inner.x;
      const bool odd = y.complemented();
      if (x.regular() == p) return conjunction(x, (x.complemented() != odd) ? q : !q);
      if (x.regular() == q) return conjunction(x, (x.complemented() != odd) ? p : !p);
    } else if (inner.kind == Kind::multiplexer && x.regular() == inner.x[0].regular()) {
      const Literal taken = x == inner.x[0] ? inner.x[1] : inner.x[2];
      return conjunction(x, y.complemented() ? !taken : taken);
    }
  }
  // Both are conjunctions (complemented or not) with contradicting or shared parts.
  const Gate gx = gates_[x.node()];
  const Gate gy = gates_[y.node()];
  if (gx.kind == Kind::conjunction && gy.kind == Kind::conjunction) {
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        if (gx.x[i] != !gy.x[j]) continue;
        if (!x.complemented() && !y.complemented()) return kFalse;
        if (!x.complemented() && y.complemented()) return x;  // y's part is false under x
        if (x.complemented() && !y.complemented()) return y;
      }
    if (x.complemented() && y.complemented())
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          // !(p & q) & !(p & !q) = !p
          if (gx.x[i] == gy.x[j] && gx.x[1 - i] == !gy.x[1 - j]) return !gx.x[i];
  }
  if (y < x) std::swap(x, y);
  return hashed({Kind::conjunction, {x, y, kFalse}});
}

Literal Aig::exclusive(Literal x, Literal y) {
  require_time();
  const bool odd = x.complemented() != y.complemented();
  x = x.regular();
  y = y.regular();
  Literal result;
  if (x == y) return odd ? kTrue : kFalse;
  if (x == kFalse)
    result = y;
  else if (y == kFalse)
    result = x;
  else {
    // x ^ (x ^ q) = q
    for (int turn = 0; turn < 2; ++turn, std::swap(x, y)) {
      const Gate inner = gates_[y.node()];
      if (inner.kind != Kind::exclusive) continue;
      if (inner.x[0] == x) return odd ? !inner.x[1] : inner.x[1];
      if (inner.x[1] == x) return odd ? !inner.x[0] : inner.x[0];
    }
    if (y < x) std::swap(x, y);
    result = hashed({Kind::exclusive, {x, y, kFalse}});
  }
  return odd ? !result : result;
}

Literal Aig::multiplexer(Literal c, Literal yes, Literal no) {
  require_time();
  if (c == kTrue || yes == no) return yes;
  if (c == kFalse) return no;
  if (c.complemented()) {
    c = !c;
    std::swap(yes, no);
  }
  if (yes == kTrue || yes == c) return disjunction(c, no);
  if (yes == kFalse || yes == !c) return conjunction(!c, no);
  if (no == kFalse || no == c) return conjunction(c, yes);
  if (no == kTrue || no == !c) return disjunction(!c, yes);
  if (yes == !no) return exclusive(c, no);
  // A branch that asks the same condition again has its answer.
  const auto resolved = [&](Literal x, int branch) {
    const Gate inner = gates_[x.node()];
    if (inner.kind != Kind::multiplexer || inner.x[0] != c) return x;
    return x.complemented() ? !inner.x[branch] : inner.x[branch];
  };
  const Literal y = resolved(yes, 1);
  const Literal n = resolved(no, 2);
  if (y != yes || n != no) return multiplexer(c, y, n);
  if (yes.complemented()) return !hashed({Kind::multiplexer, {c, !yes, !no}});
  return hashed({Kind::multiplexer, {c, yes, no}});
}

}  // namespace mmaprint
