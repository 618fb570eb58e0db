// The concrete algebra on several inputs at once: the datapath on the lanes of a vector unit, one input each,
// by Highway for the instructions that a source is compiled for.
//
// Every primitive does in each lane what model/concrete.h does on words of its width, void results excepted.
// What is known of a truth value is what all lanes have in common: so where no input is special, nothing is
// computed for special ones.
#pragma once

#include <optional>
#include <utility>

#include "model/lanes/vectors.h"
#include "model/merged.h"
#include "model/parameters.h"
#include "model/wide.h"

namespace mmaprint {

template <class ParameterSource>
class Lanes {
 public:
  using Bool = LanesBool;
  using Int = LanesInt;
  using Word = LanesWord;
  using Sum = LanesSum;
  static constexpr int kBits = MMAPRINT_LANE_BITS;

  explicit Lanes(ParameterSource& source) : source_(&source) {}

  // Truth values.
  [[nodiscard]] Bool truth(bool b) const { return {lanes::every(b ? ~std::uint64_t{0} : 0)}; }
  [[nodiscard]] [[gnu::always_inline]] std::optional<bool> known(Bool b) const {
    if (lanes::is_constant(b.value, 0)) return false;
    if (lanes::is_constant(b.value, -1)) return true;
    const auto mask = lanes::hn::MaskFromVec(b.value);
    if (lanes::hn::AllFalse(lanes::Words(), mask)) return false;
    if (lanes::hn::AllTrue(lanes::Words(), mask)) return true;
    return std::nullopt;
  }
  [[nodiscard]] Bool no(Bool x) const { return {lanes::hn::Not(x.value)}; }
  template <class... More>
  [[nodiscard]] Bool all(Bool x, More... more) const {
    ((x.value = lanes::hn::And(x.value, more.value)), ...);
    return x;
  }
  template <class... More>
  [[nodiscard]] Bool any(Bool x, More... more) const {
    ((x.value = lanes::hn::Or(x.value, more.value)), ...);
    return x;
  }
  [[nodiscard]] Bool differ(Bool x, Bool y) const { return {lanes::hn::Xor(x.value, y.value)}; }

  [[nodiscard]] Bool mux(Bool c, Bool yes, Bool otherwise) const {
    return {lanes::hn::IfVecThenElse(c.value, yes.value, otherwise.value)};
  }
  [[nodiscard]] Int mux(Bool c, Int yes, Int otherwise) const {
    return {lanes::hn::IfVecThenElse(lanes::as_ints(c.value), yes.value, otherwise.value)};
  }
  [[nodiscard]] Word mux(Bool c, const Word& yes, const Word& otherwise) const {
    return {lanes::hn::IfVecThenElse(c.value, yes.value, otherwise.value)};
  }
  [[nodiscard]] Sum mux(Bool c, const Sum& yes, const Sum& otherwise) const {
    return {lanes::hn::IfVecThenElse(c.value, yes.value, otherwise.value)};
  }
  template <class X, class Y>
  [[nodiscard]] std::pair<X, Y> mux(Bool c, const std::pair<X, Y>& yes,
                                    const std::pair<X, Y>& otherwise) const {
    return {mux(c, yes.first, otherwise.first), mux(c, yes.second, otherwise.second)};
  }
  template <class Yes, class No>
  [[nodiscard]] auto choose(Bool condition, Yes&& yes, No&& otherwise) const {
    if (const auto k = known(condition)) return *k ? yes() : otherwise();
    const auto if_so = yes();
    return merged(*this, condition, if_so, otherwise());
  }

  // Small signed integers.
  [[nodiscard]] Int integer(int v) const { return {lanes::every_int(v)}; }
  [[nodiscard]] Int add(Int x, Int y) const { return {lanes::hn::Add(x.value, y.value)}; }
  [[nodiscard]] Int subtract(Int x, Int y) const { return {lanes::hn::Sub(x.value, y.value)}; }
  [[nodiscard]] Int maximum(Int x, Int y) const { return {lanes::hn::Max(x.value, y.value)}; }
  [[nodiscard]] Bool at_least(Int x, int bound) const {
    return of_mask(lanes::hn::Gt(x.value, lanes::every_int(bound - 1)));
  }
  [[nodiscard]] Bool equals(Int x, int v) const {
    return of_mask(lanes::hn::Eq(x.value, lanes::every_int(v)));
  }
  [[nodiscard]] Int from_bit(Bool b) const {
    return {lanes::as_ints(lanes::hn::And(b.value, lanes::every(1)))};
  }
  [[nodiscard]] Int to_int(const Word& x, int /*width*/) const { return {lanes::as_ints(x.value)}; }
  [[nodiscard]] Word to_word(Int x, int /*width*/) const { return {lanes::as_words(x.value)}; }

  // Unsigned words.
  [[nodiscard]] Word word(int /*width*/, std::uint64_t v) const { return {lanes::every(v)}; }
  [[nodiscard]] Bool bit(const Word& x, int i) const {
    return is_negative(Sum{lanes::hn::ShiftLeftSame(x.value, kBits - 1 - i)});
  }
  [[nodiscard]] Bool is_zero(const Word& x) const { return is_zero_word(x); }
  [[nodiscard]] Bool greater(const Word& x, const Word& y) const {
    return of_mask(lanes::hn::Gt(x.value, y.value));
  }
  [[nodiscard]] Word slice(const Word& x, int low, int count) const {
    if (count <= 0 || low >= kBits) return {};
    return {
        lanes::hn::And(lanes::hn::ShiftRightSame(x.value, low), lanes::every(low_ones<lanes::Word>(count)))};
  }
  [[nodiscard]] Word drop_low(const Word& x, int count) const {
    return count >= kBits ? Word{} : Word{lanes::hn::ShiftRightSame(x.value, count)};
  }
  [[nodiscard]] Word concat(const Word& high, const Word& low, int low_width) const {
    return {lanes::hn::Or(lanes::hn::ShiftLeftSame(high.value, low_width), low.value)};
  }
  [[nodiscard]] Word append_bit(Bool high, const Word& low, int low_width) const {
    return {
        lanes::hn::Or(lanes::hn::And(high.value, lanes::every(std::uint64_t{1} << low_width)), low.value)};
  }
  [[nodiscard]] Word shift_left(const Word& x, int count) const {
    return {lanes::hn::ShiftLeftSame(x.value, count)};
  }
  /// Vector units shift by counts beyond the word, which negative ones are too, to zero.
  [[nodiscard]] Word shift_right(const Word& x, Int count) const {
    return {lanes::hn::Shr(x.value, lanes::as_words(count.value))};
  }
  [[nodiscard]] std::pair<Word, Bool> shift_right_sticky(const Word& x, Int count) const {
    const Word moved = shift_right(x, count);
    const auto back = lanes::hn::Shl(moved.value, lanes::as_words(count.value));
    return {moved, of_mask(lanes::hn::Ne(back, x.value))};
  }
  [[nodiscard]] std::pair<Word, Int> normalise(const Word& x, int width) const {
    const auto at_top = lanes::hn::ShiftLeftSame(x.value, kBits - width);
    // Zero counts as if its lowest bit were one.
    const auto count =
        lanes::hn::Min(lanes::leading_zeros(at_top), lanes::every(static_cast<std::uint64_t>(width - 1)));
    const auto moved = lanes::hn::Shl(at_top, count);
    return {{lanes::hn::ShiftRightSame(moved, kBits - width)}, {lanes::as_ints(count)}};
  }
  /// Requires factors of at most half a lane.
  [[nodiscard]] Word multiply(const Word& x, const Word& y) const {
    return {lanes::product_of_halves(x.value, y.value)};
  }
  [[nodiscard]] Word increment(const Word& x, Bool by, int /*width*/) const {
    return {lanes::hn::Sub(x.value, by.value)};
  }
  [[nodiscard]] Word set_lowest(const Word& x, Bool b) const {
    return {lanes::hn::Or(x.value, lanes::hn::And(b.value, lanes::every(1)))};
  }

  // Signed sums.
  [[nodiscard]] Sum zero_sum(int /*width*/) const { return {}; }
  [[nodiscard]] Sum add_signed(const Sum& s, const Word& magnitude, Bool negative) const {
    return {lanes::hn::Sub(lanes::hn::Add(s.value, lanes::hn::Xor(magnitude.value, negative.value)),
                           negative.value)};
  }
  [[nodiscard]] Bool is_negative(const Sum& s) const {
    return {lanes::as_words(lanes::hn::BroadcastSignBit(lanes::as_ints(s.value)))};
  }
  [[nodiscard]] Word magnitude(const Sum& s) const {
    return {lanes::as_words(lanes::hn::Abs(lanes::as_ints(s.value)))};
  }
  [[nodiscard]] Word low_bits(const Sum& s, int bits) const {
    return {lanes::hn::And(s.value, lanes::every(low_ones<lanes::Word>(bits)))};
  }
  [[nodiscard]] Sum wrap(const Sum& s, int bits) const {
    if (bits >= kBits) return s;
    const auto low = lanes::as_ints(lanes::hn::ShiftLeftSame(s.value, kBits - bits));
    return {lanes::as_words(lanes::hn::ShiftRightSame(low, kBits - bits))};
  }

  // Parameters.
  template <auto P, class Fn>
  [[nodiscard]] auto select(int adder, Fn&& fn) const {
    return source_->template select<P>(adder, fn);
  }
  /// (value_or would take kNoClamp's address, and make of it a symbol that stays seen: cmake/Lanes.cmake.)
  template <auto P, class Fn>
  [[nodiscard]] auto select_exponent(int adder, Fn&& fn) const {
    return select<P>(adder, [&](std::optional<int> value) { return fn(integer(value ? *value : kNoClamp)); });
  }
  template <auto P, class Key, class Fn>
  [[nodiscard]] auto branch(int adder, Key&& /*key*/, Fn&& fn) const {
    return select<P>(adder, fn);
  }
  template <auto P, class Predicate>
  [[nodiscard]] bool always(int adder, Predicate&& holds) const {
    return source_->template always<P>(adder, holds);
  }
  /// Of units whose words are narrower than a lane.
  template <class Fn>
  [[nodiscard]] auto with_width(int /*bits*/, Fn&& fn) const {
    return fn(*this);
  }
  [[nodiscard]] const Word& import(const Word& x) const { return x; }

 private:
  ParameterSource* source_;
};

}  // namespace mmaprint
