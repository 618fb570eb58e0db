#include "solver/aig_gates.h"

#include <algorithm>
#include <utility>

namespace mmaprint {

AigGates::Bits AigGates::inputs(int width, std::string_view name) {
  Bits bits;
  for (int i = 0; i < width; ++i) bits.push_back(aig_->input());
  this->name(bits, name);
  return bits;
}

void AigGates::name(Bits bits, std::string_view text) {
  if (bits.empty()) return;
  std::string unique(text.empty() ? "x" : text);
  const int earlier = names_[unique]++;
  if (earlier > 0) unique += "_" + std::to_string(earlier);
  named_.push_back({std::move(unique), std::move(bits)});
}

AigGates::Bits AigGates::word(int width, std::uint64_t value) const {
  Bits bits(static_cast<std::size_t>(width), kFalse);
  for (std::size_t i = 0; i < bits.size() && i < 64; ++i)
    if (((value >> i) & 1) != 0) bits[i] = kTrue;
  return bits;
}

std::optional<std::uint64_t> AigGates::constant(const Bits& x) const {
  if (x.size() > 64) return std::nullopt;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!is_constant(x[i])) return std::nullopt;
    if (x[i] == kTrue) value |= std::uint64_t{1} << i;
  }
  return value;
}

AigGates::Bool AigGates::is_zero(const Bits& x) {
  // From the top: the same high parts recur at every width.
  Literal any = kFalse;
  for (auto b = x.rbegin(); b != x.rend(); ++b) any = aig_->disjunction(any, *b);
  return !any;
}

AigGates::Bool AigGates::less(const Bits& x, const Bits& y) {
  Literal result = kFalse;
  for (std::size_t i = 0; i < x.size(); ++i)
    result = aig_->multiplexer(aig_->exclusive(x[i], y[i]), y[i], result);
  return result;
}

AigGates::Bits AigGates::mux(Bool c, const Bits& yes, const Bits& otherwise) {
  Bits out(yes.size());
  for (std::size_t i = 0; i < yes.size(); ++i) out[i] = aig_->multiplexer(c, yes[i], otherwise[i]);
  return out;
}

AigGates::Bits AigGates::exclusive(const Bits& x, const Bits& y) {
  Bits out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = aig_->exclusive(x[i], y[i]);
  return out;
}

AigGates::Bits AigGates::flip(const Bits& x, Bool b) {
  Bits out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = aig_->exclusive(x[i], b);
  return out;
}

AigGates::Bits AigGates::add(const Bits& x, const Bits& y, Bool carry) {
  Bits out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Literal half = aig_->exclusive(x[i], y[i]);
    out[i] = aig_->exclusive(half, carry);
    carry = aig_->multiplexer(half, carry, x[i]);
  }
  return out;
}

AigGates::Bits AigGates::multiply(const Bits& x, const Bits& y) {
  // The operands' order is made canonical, so that x·y and y·x are the same gates.
  const Bits& p = x <= y ? x : y;
  const Bits& q = x <= y ? y : x;
  if (products_are_free_ && !constant(p) && !constant(q)) return free_product(p, q);
  Bits sum(x.size() + y.size(), kFalse);
  for (std::size_t i = 0; i < p.size(); ++i) {
    Bits row(sum.size(), kFalse);
    for (std::size_t j = 0; j < q.size(); ++j) row[i + j] = aig_->conjunction(p[i], q[j]);
    sum = add(sum, row, kFalse);
  }
  return sum;
}

AigGates::Bits AigGates::free_product(const Bits& p, const Bits& q) {
  const auto [place, is_new] = products_.try_emplace({p, q}, made_.size());
  if (!is_new) return made_[place->second].product;
  const auto zeros_below = [](const Bits& x) {
    return static_cast<std::size_t>(std::ranges::find_if(x, [](Literal b) { return b != kFalse; }) -
                                    x.begin());
  };
  const Literal zero = aig_->disjunction(is_zero(p), is_zero(q));
  Bits product(p.size() + q.size(), kFalse);
  const std::size_t lowest = zeros_below(p) + zeros_below(q);
  Bits unknown;
  for (std::size_t i = lowest; i < product.size(); ++i) {
    unknown.push_back(aig_->input());
    product[i] = aig_->conjunction(unknown.back(), !zero);
  }
  name(unknown, "product");
  const std::size_t top = product.size() - 1;
  const Literal is_long = aig_->disjunction(product[top], product[top - 1]);
  facts_ = aig_->conjunction(facts_, aig_->disjunction(zero, !is_zero(product)));
  facts_ = aig_->conjunction(facts_, aig_->disjunction(is_long, !aig_->conjunction(p.back(), q.back())));
  made_.push_back({p, q, std::move(product), std::move(unknown)});
  return made_.back().product;
}

AigGates::Bool AigGates::said_by(const ProductLemma& lemma) {
  const FreeProduct& free = made_.at(lemma.product);
  Literal is_such = kTrue;
  const auto& [x, y, product] = lemma.excluded;
  for (const auto& [word, known] : {std::pair(&free.x, &x), {&free.y, &y}, {&free.product, &product}})
    for (const Literal bit : literals(*word, *known)) is_such = aig_->conjunction(is_such, bit);
  return !is_such;
}

std::vector<Literal> AigGates::literals(const Bits& word, const KnownBits& known) {
  std::vector<Literal> all;
  for (std::size_t i = 0; i < std::min<std::size_t>(word.size(), 64); ++i)
    if (((known.mask >> i) & 1) != 0) all.push_back(((known.value >> i) & 1) != 0 ? word[i] : !word[i]);
  return all;
}

}  // namespace mmaprint
