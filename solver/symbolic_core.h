// What the symbolic algebra computes with, without its parameters (solver/symbolic.h).
//
// A backend `G` provides truth values and fixed-width bit-vectors (solver/aig_gates.h lists what it must
// offer). What both backends share is added here, words that grow as their contents do, and by
// solver/symbolic_integers.h.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>

#include "model/parameters.h"
#include "solver/symbolic_integers.h"

namespace mmaprint {

template <class G>
class SymbolicCore : public SymbolicIntegers<G> {
 public:
  using Integers = SymbolicIntegers<G>;
  using typename Integers::Bool;
  using typename Integers::Int;
  struct Word {
    typename G::Bits bits;
    friend bool operator==(const Word& x, const Word& y) { return G::same(x.bits, y.bits); }
  };
  struct Sum {
    typename G::Bits bits;
    friend bool operator==(const Sum& x, const Sum& y) { return G::same(x.bits, y.bits); }
  };

  explicit SymbolicCore(G& gates) : Integers(gates) {}

  using Integers::all;
  using Integers::any;
  using Integers::known;
  using Integers::mux;
  using Integers::no;
  using Integers::truth;
  [[nodiscard]] Word mux(const Bool& c, const Word& yes, const Word& otherwise) const {
    const int width = std::max(G::width(yes.bits), G::width(otherwise.bits));
    return {g_->mux(c, resized(yes, width).bits, resized(otherwise, width).bits)};
  }
  [[nodiscard]] Sum mux(const Bool& c, const Sum& yes, const Sum& otherwise) const {
    return {g_->mux(c, yes.bits, otherwise.bits)};
  }
  template <class X, class Y>
  [[nodiscard]] std::pair<X, Y> mux(const Bool& c, const std::pair<X, Y>& yes,
                                    const std::pair<X, Y>& otherwise) const {
    return {mux(c, yes.first, otherwise.first), mux(c, yes.second, otherwise.second)};
  }

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
  using Integers::g_;
  using Integers::settled;
  using Integers::sign_extended;
  using Integers::signed_width;

  [[nodiscard]] Word resized(const Word& x, int width) const {
    const int now = G::width(x.bits);
    if (now == width) return x;
    if (now > width) return {g_->slice(x.bits, 0, width)};
    return {g_->concat(g_->word(width - now, 0), x.bits)};
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
};

}  // namespace mmaprint
