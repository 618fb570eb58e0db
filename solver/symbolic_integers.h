// Truth values and small signed integers of formulas, over any backend (solver/symbolic_core.h). Integers
// carry the range that they can have. The ranges are what makes parameters that nobody can observe vanish
// while the formula is built: a clamp below every exponent, a shift past the word.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace mmaprint {

template <class G>
class SymbolicIntegers {
 public:
  using Bool = typename G::Bool;
  /// Two's complement, as wide as its range needs. A constant has low == high.
  struct Int {
    typename G::Bits bits;
    int low, high;
    std::vector<Int> maximum_of = {};  ///< where it is one, of two at least
    friend bool operator==(const Int& x, const Int& y) {
      return x.low == y.low && x.high == y.high && G::same(x.bits, y.bits);
    }
  };

  explicit SymbolicIntegers(G& gates) : g_(&gates) {}
  [[nodiscard]] G& gates() const { return *g_; }

  [[nodiscard]] Bool truth(bool b) const { return g_->truth(b); }
  [[nodiscard]] std::optional<bool> known(const Bool& b) const { return g_->known(b); }
  [[nodiscard]] Bool no(const Bool& x) const { return g_->no(x); }
  template <class... More>
  [[nodiscard]] Bool all(Bool x, const More&... more) const {
    ((x = g_->both(x, more)), ...);
    return x;
  }
  template <class... More>
  [[nodiscard]] Bool any(Bool x, const More&... more) const {
    ((x = g_->no(g_->both(g_->no(x), g_->no(more)))), ...);
    return x;
  }
  [[nodiscard]] Bool differ(const Bool& x, const Bool& y) const { return g_->differ(x, y); }

  [[nodiscard]] Bool mux(const Bool& c, const Bool& yes, const Bool& otherwise) const {
    return g_->mux(c, yes, otherwise);
  }
  [[nodiscard]] Int mux(const Bool& c, const Int& yes, const Int& otherwise) const {
    if (const auto k = known(c)) return *k ? yes : otherwise;
    const int low = std::min(yes.low, otherwise.low);
    const int high = std::max(yes.high, otherwise.high);
    const int width = signed_width(low, high);
    return {g_->mux(c, sign_extended(yes, width), sign_extended(otherwise, width)), low, high};
  }

  [[nodiscard]] Int integer(int v) const {
    const int width = signed_width(v, v);
    return {g_->word(width, static_cast<std::uint64_t>(static_cast<std::int64_t>(v))), v, v};
  }
  [[nodiscard]] Int add(const Int& x, const Int& y) const {
    return combined(x, y, x.low + y.low, x.high + y.high, false);
  }
  [[nodiscard]] Int subtract(const Int& x, const Int& y) const {
    return combined(x, y, x.low - y.high, x.high - y.low, true);
  }
  /// Of several, what a later one makes pointless is left out from the start: so the same maxima are the same
  /// gates whatever else was looked at on the way.
  [[nodiscard]] Int maximum(const Int& x, const Int& y) const {
    if (x.low >= y.high) return x;
    if (y.low >= x.high) return y;
    std::vector<Int> parts = parts_of(x);
    Int largest = x;
    if (std::erase_if(parts, [&](const Int& part) { return part.high <= y.low; }) > 0) {
      largest = parts.front();
      for (std::size_t i = 1; i < parts.size(); ++i) largest = larger(largest, parts[i]);
    }
    largest = larger(largest, y);
    const std::vector<Int> of_y = parts_of(y);
    parts.insert(parts.end(), of_y.begin(), of_y.end());
    largest.maximum_of = std::move(parts);
    return largest;
  }
  [[nodiscard]] Bool at_least(const Int& x, int bound) const {
    if (x.low >= bound) return truth(true);
    if (x.high < bound) return truth(false);
    return no(less(x, integer(bound)));
  }
  /// x, known to lie in low .. high. Void where it does not.
  [[nodiscard]] Int within(Int x, int low, int high) const {
    x.maximum_of.clear();
    x.low = std::max(x.low, low);
    x.high = std::min(x.high, high);
    x.bits = g_->slice(x.bits, 0, signed_width(x.low, x.high));
    return x;
  }
  [[nodiscard]] Bool equals(const Int& x, int v) const {
    if (x.low > v || x.high < v) return truth(false);
    const int width = G::width(x.bits);
    return g_->is_zero(
        g_->exclusive(x.bits, g_->word(width, static_cast<std::uint64_t>(static_cast<std::int64_t>(v)))));
  }
  [[nodiscard]] Int from_bit(const Bool& b) const { return mux(b, integer(1), integer(0)); }

 protected:
  [[nodiscard]] static int signed_width(int low, int high) {
    const auto magnitude = static_cast<unsigned>(std::max(high, -(low + 1)));
    return static_cast<int>(std::bit_width(magnitude)) + 1;
  }
  [[nodiscard]] typename G::Bits sign_extended(const Int& x, int width) const {
    return g_->sign_extend(x.bits, width);
  }
  /// An Int whose bits are all constant has that constant's range.
  [[nodiscard]] Int settled(Int x) const {
    if (const auto v = g_->constant(x.bits)) {
      const int width = G::width(x.bits);
      const auto raw = static_cast<std::int64_t>(*v << (64 - width)) >> (64 - width);
      x.low = x.high = static_cast<int>(raw);
      x.bits = g_->slice(x.bits, 0, signed_width(x.low, x.high));
    }
    return x;
  }

 private:
  [[nodiscard]] static std::vector<Int> parts_of(const Int& x) {
    if (!x.maximum_of.empty()) return x.maximum_of;
    return {x};
  }
  [[nodiscard]] Int larger(const Int& x, const Int& y) const {
    if (x.low >= y.high) return x;
    if (y.low >= x.high) return y;
    Int larger = mux(less(x, y), y, x);
    larger.low = std::max(x.low, y.low);
    larger.bits = g_->slice(larger.bits, 0, signed_width(larger.low, larger.high));
    return larger;
  }
  [[nodiscard]] Bool less(const Int& x, const Int& y) const {
    const int width = std::max(G::width(x.bits), G::width(y.bits));
    const Bool flip = truth(true);
    // Signed order is unsigned order with the sign bits complemented.
    const auto biased = [&](const Int& v) {
      const auto bits = sign_extended(v, width);
      return g_->concat(g_->flip(g_->slice(bits, width - 1, 1), flip), g_->slice(bits, 0, width - 1));
    };
    return g_->less(biased(x), biased(y));
  }
  [[nodiscard]] Int combined(const Int& x, const Int& y, int low, int high, bool subtract) const {
    const int width = signed_width(low, high);
    const int wide = std::max({width, G::width(x.bits), G::width(y.bits)});
    const auto other = sign_extended(y, wide);
    const Bool carry = truth(subtract);
    const auto sum = g_->add(sign_extended(x, wide), g_->flip(other, carry), carry);
    return settled({g_->slice(sum, 0, width), low, high});
  }

 protected:
  G* g_;
};

}  // namespace mmaprint
