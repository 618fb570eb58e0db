// The instances of the algebra, as one test sees them: machine words, gates and terms, with their words
// known, unknown, or both.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <string>

#include "model/concrete.h"
#include "solver/simulation.h"
#include "solver/symbolic.h"

namespace mmaprint::test {

/// Fewest bits of two's complement that hold low .. high.
int signed_width(int low, int high) {
  int width = 1;
  while (low < -(1 << (width - 1)) || high >= 1 << (width - 1)) ++width;
  return width;
}

/// The algebra on machine words.
template <class W>
class Machine {
 public:
  using Algebra = Concrete<W, NoParameters>;
  static constexpr int kWidest = 4;
  static constexpr bool kKnowsAll = true;

  const Algebra& algebra() const { return algebra_; }
  auto word(int /*width*/, std::uint64_t v) { return algebra_.word(0, v); }
  auto truth(bool b) { return algebra_.truth(b); }
  auto integer(int v, int /*low*/, int /*high*/) { return algebra_.integer(v); }
  bool value(ConcreteBool x) { return x.value; }
  int value(ConcreteInt x) { return x.value; }
  std::uint64_t value(const ConcreteWord<W>& x) {
    EXPECT_TRUE(x.value == W(low_word(x.value)));
    return low_word(x.value);
  }
  std::int64_t value(const ConcreteSum<W>& x, int /*width*/) {
    return static_cast<std::int64_t>(low_word(x.value));
  }
  bool fits(const ConcreteWord<W>& x, int width) { return bit_length(x.value) <= width; }
  bool fits(ConcreteInt) { return true; }
  void restart() {}

 private:
  NoParameters none_;
  Algebra algebra_{none_};
};

/// Which bits of operands are unknowns of the formula. All constant: formulas must come to constants.
enum class Unknown : std::uint8_t { none, all, every_other };

template <class Backend, Unknown unknown, int Widest>
class Formula {
 public:
  using Gates = typename Backend::Gates;
  using Algebra = SymbolicCore<Gates>;
  using Bits = typename Gates::Bits;
  static constexpr int kWidest = Widest;
  static constexpr bool kKnowsAll = unknown == Unknown::none;

  Formula() : algebra_(backend_.gates()) {}
  const Algebra& algebra() const { return algebra_; }
  typename Algebra::Word word(int width, std::uint64_t v) { return {bits(width, v)}; }
  typename Algebra::Bool truth(bool b) { return backend_.gates().bit(bits(1, b ? 1 : 0), 0); }
  typename Algebra::Int integer(int v, int low, int high) {
    if (low == high) return algebra_.integer(v);
    return {bits(signed_width(low, high), static_cast<std::uint64_t>(v)), low, high};
  }
  bool value(const typename Algebra::Bool& x) {
    EXPECT_TRUE(!kKnowsAll || algebra_.known(x).has_value());
    if (const auto known = algebra_.known(x)) return *known;
    return backend_.value(x);
  }
  std::uint64_t value(const typename Algebra::Word& x) { return raw(x.bits); }
  int value(const typename Algebra::Int& x) {
    const int width = Gates::width(x.bits);
    return static_cast<int>(extended(raw(x.bits), width));
  }
  std::int64_t value(const typename Algebra::Sum& x, int width) {
    EXPECT_EQ(Gates::width(x.bits), width);
    return extended(raw(x.bits), width);
  }
  bool fits(const typename Algebra::Word& x, int width) { return Gates::width(x.bits) == width; }
  /// As wide as the range needs, and within it.
  bool fits(const typename Algebra::Int& x) {
    const int v = value(x);
    return x.low <= v && v <= x.high && Gates::width(x.bits) == signed_width(x.low, x.high);
  }
  void restart() {
    backend_.restart();
    algebra_ = Algebra(backend_.gates());
  }

 private:
  Bits bits(int width, std::uint64_t v) {
    Gates& gates = backend_.gates();
    if (unknown == Unknown::none) return gates.word(width, v);
    if (unknown == Unknown::all) return backend_.unknown(width, v);
    Bits all = gates.word(0, 0);
    for (int i = 0; i < width; ++i) {
      const std::uint64_t b = (v >> i) & 1;
      free_ = !free_;
      all = gates.concat(free_ ? backend_.unknown(1, b) : gates.word(1, b), all);
    }
    return all;
  }
  std::uint64_t raw(const Bits& x) {
    const auto constant = backend_.gates().constant(x);
    EXPECT_TRUE(!kKnowsAll || constant.has_value());
    return constant ? *constant : backend_.value(x);
  }
  static std::int64_t extended(std::uint64_t v, int width) {
    return static_cast<std::int64_t>(v << (64 - width)) >> (64 - width);
  }

  Backend backend_;
  Algebra algebra_;
  bool free_ = false;
};

template <class Instance>
class AlgebraOver : public testing::Test {
 protected:
  /// Calls fn(width, value) for every word of up to `widest` bits.
  template <class Fn>
  void for_words(int widest, Fn&& fn) {
    for (int width = 0; width <= widest; ++width)
      for (std::uint64_t v = 0; v < std::uint64_t{1} << width; ++v) fn(width, v);
  }
  template <class Fn>
  void for_words(Fn&& fn) {
    for_words(Instance::kWidest, fn);
  }
  /// Calls fn(value, low, high) for every value of every range within -reach .. reach.
  template <class Fn>
  void for_integers(int reach, Fn&& fn) {
    for (int low = -reach; low <= reach; ++low)
      for (int high = low; high <= reach; ++high)
        for (int v = low; v <= high; ++v) fn(v, low, high);
  }

  const auto& a() const { return instance.algebra(); }
  Instance instance;
};

using Instances = testing::Types<Machine<std::uint64_t>, Machine<Word128>, Machine<WideWord<320>>,
                                 Formula<Graph, Unknown::none, 4>, Formula<Graph, Unknown::all, 4>,
                                 Formula<Graph, Unknown::every_other, 4>, Formula<Terms, Unknown::none, 3>,
                                 Formula<Terms, Unknown::all, 3>, Formula<Terms, Unknown::every_other, 3>>;

struct InstanceNames {
  template <class T>
  static std::string GetName(int i) {
    static constexpr std::array kNames{"Words64",          "Words128",        "Words320",
                                       "GraphOfConstants", "GraphOfUnknowns", "GraphOfBoth",
                                       "TermsOfConstants", "TermsOfUnknowns", "TermsOfBoth"};
    return kNames[static_cast<std::size_t>(i)];
  }
};

}  // namespace mmaprint::test
