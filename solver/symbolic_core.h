// What the symbolic algebra computes with, without its parameters (solver/symbolic.h).
//
// A backend `G` provides truth values and fixed-width bit-vectors (solver/aig_gates.h lists what it must
// offer); this layer adds what both backends share: words that grow as their contents do, and small signed
// integers that carry the range they can have. The ranges are what makes parameters that nobody can observe
// vanish while the formula is built: a clamp below every exponent, a shift past the word.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/parameters.h"

namespace mmaprint {

template <class G>
class SymbolicCore {
 public:
  using Bool = typename G::Bool;
  struct Word {
    typename G::Bits bits;
    friend bool operator==(const Word& x, const Word& y) { return G::same(x.bits, y.bits); }
  };
  struct Sum {
    typename G::Bits bits;
    friend bool operator==(const Sum& x, const Sum& y) { return G::same(x.bits, y.bits); }
  };
  /// Two's complement, as wide as its range needs. A constant has low == high.
  struct Int {
    typename G::Bits bits;
    int low, high;
    std::vector<Int> maximum_of = {};  ///< where it is one, of two at least
    friend bool operator==(const Int& x, const Int& y) {
      return x.low == y.low && x.high == y.high && G::same(x.bits, y.bits);
    }
  };

  explicit SymbolicCore(G& gates) : g_(&gates) {}
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
  [[nodiscard]] Word mux(const Bool& c, const Word& yes, const Word& otherwise) const {
    const int width = std::max(G::width(yes.bits), G::width(otherwise.bits));
    return {g_->mux(c, resized(yes, width).bits, resized(otherwise, width).bits)};
  }
  [[nodiscard]] Sum mux(const Bool& c, const Sum& yes, const Sum& otherwise) const {
    return {g_->mux(c, yes.bits, otherwise.bits)};
  }
  [[nodiscard]] Int mux(const Bool& c, const Int& yes, const Int& otherwise) const {
    if (const auto k = known(c)) return *k ? yes : otherwise;
    const int low = std::min(yes.low, otherwise.low);
    const int high = std::max(yes.high, otherwise.high);
    const int width = signed_width(low, high);
    return {g_->mux(c, sign_extended(yes, width), sign_extended(otherwise, width)), low, high};
  }
  template <class X, class Y>
  [[nodiscard]] std::pair<X, Y> mux(const Bool& c, const std::pair<X, Y>& yes,
                                    const std::pair<X, Y>& otherwise) const {
    return {mux(c, yes.first, otherwise.first), mux(c, yes.second, otherwise.second)};
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
  [[nodiscard]] Int to_int(const Word& x, int width) const {
    const int high = (1 << width) - 1;
    return settled({resized(x, signed_width(0, high)).bits, 0, high});
  }
  /// Requires a value in [0, 2^width).
  [[nodiscard]] Word to_word(const Int& x, int width) const {
    return {g_->slice(sign_extended(x, std::max(width, G::width(x.bits))), 0, width)};
  }

  [[nodiscard]] Word word(int width, std::uint64_t v) const { return {g_->word(width, v)}; }
  [[nodiscard]] Bool bit(const Word& x, int i) const {
    return i < G::width(x.bits) ? g_->bit(x.bits, i) : truth(false);
  }
  [[nodiscard]] Bool is_zero(const Word& x) const { return g_->is_zero(x.bits); }
  [[nodiscard]] Bool greater(const Word& x, const Word& y) const {
    const int width = std::max(G::width(x.bits), G::width(y.bits));
    return g_->less(resized(y, width).bits, resized(x, width).bits);
  }
  [[nodiscard]] Word slice(const Word& x, int low, int count) const {
    if (count <= 0 || low >= G::width(x.bits)) return word(std::max(count, 0), 0);
    return {g_->slice(resized(x, std::max(low + count, G::width(x.bits))).bits, low, count)};
  }
  [[nodiscard]] Word concat(const Word& high, const Word& low, int low_width) const {
    return {g_->concat(high.bits, resized(low, low_width).bits)};
  }
  [[nodiscard]] Word append_bit(const Bool& high, const Word& low, int low_width) const {
    return {g_->concat(g_->from_bool(high), resized(low, low_width).bits)};
  }
  [[nodiscard]] Word shift_left(const Word& x, int count) const {
    return {g_->concat(x.bits, g_->word(count, 0))};
  }
  [[nodiscard]] Word shift_right(const Word& x, const Int& count) const { return shifted(x, count, nullptr); }
  [[nodiscard]] std::pair<Word, Bool> shift_right_sticky(const Word& x, const Int& count) const {
    Bool lost = truth(false);
    Word moved = shifted(x, count, &lost);
    return {moved, lost};
  }
  [[nodiscard]] std::pair<Word, Int> normalise(const Word& x, int width) const {
    Word w = resized(x, width);
    Word count = word(0, 0);
    for (int step = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::max(width - 1, 1))));
         step >= 1; step /= 2) {
      if (step >= width) {
        count = {g_->concat(count.bits, g_->word(1, 0))};
        continue;
      }
      const Bool move = g_->is_zero(g_->slice(w.bits, width - step, step));
      const Word moved{g_->concat(g_->slice(w.bits, 0, width - step), g_->word(step, 0))};
      w = mux(move, moved, w);
      count = {g_->concat(count.bits, g_->from_bool(move))};
    }
    const int high = width - 1;
    return {w, settled({resized(count, signed_width(0, high)).bits, 0, high})};
  }
  [[nodiscard]] Word multiply(const Word& x, const Word& y) const { return {g_->multiply(x.bits, y.bits)}; }
  [[nodiscard]] Word increment(const Word& x, const Bool& by, int width) const {
    return {g_->add(resized(x, width).bits, g_->word(width, 0), by)};
  }
  [[nodiscard]] Word set_lowest(const Word& x, const Bool& b) const {
    const int width = G::width(x.bits);
    return {g_->concat(g_->slice(x.bits, 1, width - 1), g_->from_bool(any(g_->bit(x.bits, 0), b)))};
  }

  [[nodiscard]] Sum zero_sum(int width) const { return {g_->word(width, 0)}; }
  [[nodiscard]] Sum add_signed(const Sum& s, const Word& magnitude, const Bool& negative) const {
    const int width = G::width(s.bits);
    return {g_->add(s.bits, g_->flip(resized(magnitude, width).bits, negative), negative)};
  }
  [[nodiscard]] Bool is_negative(const Sum& s) const { return g_->bit(s.bits, G::width(s.bits) - 1); }
  [[nodiscard]] Word magnitude(const Sum& s) const {
    const Bool negative = is_negative(s);
    const int width = G::width(s.bits);
    return {g_->add(g_->flip(s.bits, negative), g_->word(width, 0), negative)};
  }
  [[nodiscard]] Word low_bits(const Sum& s, int bits) const { return {g_->slice(s.bits, 0, bits)}; }
  [[nodiscard]] Sum wrap(const Sum& s, int bits) const {
    const int width = G::width(s.bits);
    if (bits >= width) return s;
    return {g_->sign_extend(g_->slice(s.bits, 0, bits), width)};
  }

  [[nodiscard]] const Word& import(const Word& x) const { return x; }

 private:
  [[nodiscard]] static int signed_width(int low, int high) {
    const auto magnitude = static_cast<unsigned>(std::max(high, -(low + 1)));
    return static_cast<int>(std::bit_width(magnitude)) + 1;
  }
  [[nodiscard]] typename G::Bits sign_extended(const Int& x, int width) const {
    return g_->sign_extend(x.bits, width);
  }
  [[nodiscard]] Word resized(const Word& x, int width) const {
    const int now = G::width(x.bits);
    if (now == width) return x;
    if (now > width) return {g_->slice(x.bits, 0, width)};
    return {g_->concat(g_->word(width - now, 0), x.bits)};
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
  /// x >> count for count >= 0; what falls out is collected in *lost where that is asked for.
  [[nodiscard]] Word shifted(Word w, const Int& count, Bool* lost) const {
    const int width = G::width(w.bits);
    if (width == 0) return w;
    if (count.low >= width) {
      if (lost != nullptr) *lost = any(*lost, no(is_zero(w)));
      return word(width, 0);
    }
    const int usable = G::width(count.bits) - 1;  // without the sign
    for (int i = 0; i < usable; ++i) {
      const Bool move = g_->bit(count.bits, i);
      if (known(move) == std::optional(false)) continue;
      const int step = i < 20 ? std::min(1 << i, width) : width;
      if (lost != nullptr) *lost = any(*lost, all(move, no(g_->is_zero(g_->slice(w.bits, 0, step)))));
      const Word moved = step == width
                             ? word(width, 0)
                             : Word{g_->concat(g_->word(step, 0), g_->slice(w.bits, step, width - step))};
      w = mux(move, moved, w);
    }
    return w;
  }

  G* g_;
};

}  // namespace mmaprint
