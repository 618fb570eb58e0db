// Every primitive of docs/algebra.md, exhaustively at small widths, over every instance, against plain
// integers.
#include <gtest/gtest.h>

#include "solver/algebra_instances.h"

namespace mmaprint::algebra_test {
namespace {

using test::AlgebraOver;
using test::InstanceNames;
using test::Instances;
TYPED_TEST_SUITE(AlgebraOver, Instances, InstanceNames);

std::uint64_t ones(int count) { return (std::uint64_t{1} << count) - 1; }

TYPED_TEST(AlgebraOver, TruthValuesFollowTheirTables) {
  auto& i = this->instance;
  EXPECT_EQ(this->a().known(this->a().truth(true)), std::optional(true));
  EXPECT_EQ(this->a().known(this->a().truth(false)), std::optional(false));
  for (int row = 0; row < 8; ++row) {
    i.restart();
    const bool x = (row & 1) != 0, y = (row & 2) != 0, z = (row & 4) != 0;
    const auto bx = i.truth(x), by = i.truth(y), bz = i.truth(z);
    const auto& a = this->a();
    EXPECT_EQ(i.value(a.no(bx)), !x);
    EXPECT_EQ(i.value(a.no(a.no(bx))), x);
    EXPECT_EQ(i.value(a.all(bx)), x);
    EXPECT_EQ(i.value(a.all(bx, by)), x && y);
    EXPECT_EQ(i.value(a.all(bx, by, bz)), x && y && z);
    EXPECT_EQ(i.value(a.all(bx, a.no(bx))), false);
    EXPECT_EQ(i.value(a.any(bx)), x);
    EXPECT_EQ(i.value(a.any(bx, by)), x || y);
    EXPECT_EQ(i.value(a.any(bx, by, bz)), x || y || z);
    EXPECT_EQ(i.value(a.differ(bx, by)), x != y);
    EXPECT_EQ(i.value(a.differ(bx, a.no(bx))), true);
    EXPECT_EQ(i.value(a.mux(bx, by, bz)), x ? y : z);
    for (const bool k : {false, true}) {  // constants among unknowns
      EXPECT_EQ(i.value(a.all(bx, a.truth(k))), x && k);
      EXPECT_EQ(i.value(a.all(a.truth(k), bx)), x && k);
      EXPECT_EQ(i.value(a.differ(bx, a.truth(k))), x != k);
      EXPECT_EQ(i.value(a.differ(a.truth(k), bx)), x != k);
      EXPECT_EQ(i.value(a.mux(bx, a.truth(k), bz)), x ? k : z);
      EXPECT_EQ(i.value(a.mux(bx, by, a.truth(k))), x ? y : k);
      EXPECT_EQ(i.value(a.mux(a.truth(k), by, bz)), k ? y : z);
    }
  }
}

TYPED_TEST(AlgebraOver, MuxTakesOneOfTwoWordsOfAnyWidths) {
  auto& i = this->instance;
  for (const bool c : {false, true})
    this->for_words([&](int wx, std::uint64_t x) {
      this->for_words([&](int wy, std::uint64_t y) {
        i.restart();
        const auto r = this->a().mux(i.truth(c), i.word(wx, x), i.word(wy, y));
        ASSERT_EQ(i.value(r), c ? x : y);
        ASSERT_TRUE(i.fits(r, std::max(wx, wy)));
      });
    });
}

TYPED_TEST(AlgebraOver, MuxOfIntegersUnitesTheirRanges) {
  auto& i = this->instance;
  for (const bool c : {false, true})
    this->for_integers(3, [&](int x, int xl, int xh) {
      this->for_integers(2, [&](int y, int yl, int yh) {
        i.restart();
        const auto r = this->a().mux(i.truth(c), i.integer(x, xl, xh), i.integer(y, yl, yh));
        ASSERT_EQ(i.value(r), c ? x : y);
        ASSERT_TRUE(i.fits(r));
      });
    });
}

TYPED_TEST(AlgebraOver, MuxTakesOneOfTwoSumsOrPairs) {
  auto& i = this->instance;
  for (const bool c : {false, true}) {
    i.restart();
    const auto& a = this->a();
    const auto one = a.add_signed(a.zero_sum(5), i.word(3, 5), i.truth(true));
    const auto other = a.add_signed(a.zero_sum(5), i.word(3, 6), i.truth(false));
    const auto condition = i.truth(c);
    EXPECT_EQ(i.value(a.mux(condition, one, other), 5), c ? -5 : 6);
    const auto pair = a.mux(condition, std::pair(i.word(2, 1), i.integer(-1, -2, 1)),
                            std::pair(i.word(2, 2), i.integer(2, 0, 3)));
    EXPECT_EQ(i.value(pair.first), c ? 1U : 2U);
    EXPECT_EQ(i.value(pair.second), c ? -1 : 2);
  }
}

TYPED_TEST(AlgebraOver, IntegersAreExactWithinTheirRanges) {
  auto& i = this->instance;
  for (int v = -70; v <= 70; ++v) {
    i.restart();
    const auto x = this->a().integer(v);
    ASSERT_EQ(i.value(x), v);
    ASSERT_TRUE(i.fits(x));
  }
  this->for_integers(3, [&](int x, int xl, int xh) {
    this->for_integers(3, [&](int y, int yl, int yh) {
      i.restart();
      const auto ix = i.integer(x, xl, xh), iy = i.integer(y, yl, yh);
      const auto& a = this->a();
      const auto sum = a.add(ix, iy), difference = a.subtract(ix, iy), larger = a.maximum(ix, iy);
      ASSERT_EQ(i.value(sum), x + y);
      ASSERT_EQ(i.value(difference), x - y);
      ASSERT_EQ(i.value(larger), std::max(x, y))
          << x << " in " << xl << ".." << xh << ", " << y << " in " << yl << ".." << yh;
      ASSERT_TRUE(i.fits(sum) && i.fits(difference) && i.fits(larger));
    });
  });
}

TYPED_TEST(AlgebraOver, MaximaOfThreeAreTheLargestInAnyOrder) {
  auto& i = this->instance;
  this->for_integers(2, [&](int x, int xl, int xh) {
    this->for_integers(2, [&](int y, int yl, int yh) {
      for (const int z : {-2, 0, 1}) {
        i.restart();
        const auto ix = i.integer(x, xl, xh), iy = i.integer(y, yl, yh), iz = i.integer(z, z, 1);
        const auto& a = this->a();
        const int largest = std::max({x, y, z});
        for (const auto& m : {a.maximum(a.maximum(ix, iy), iz), a.maximum(iz, a.maximum(ix, iy)),
                              a.maximum(a.maximum(ix, iz), a.maximum(iy, iz))}) {
          ASSERT_EQ(i.value(m), largest) << x << ' ' << y << ' ' << z;
          ASSERT_TRUE(i.fits(m));
        }
      }
    });
  });
}

TYPED_TEST(AlgebraOver, IntegersCompareWithConstantsAlsoOutsideTheirRanges) {
  auto& i = this->instance;
  this->for_integers(5, [&](int x, int low, int high) {
    for (int bound = -9; bound <= 9; ++bound) {
      i.restart();
      const auto ix = i.integer(x, low, high);
      ASSERT_EQ(i.value(this->a().at_least(ix, bound)), x >= bound);
      ASSERT_EQ(i.value(this->a().equals(ix, bound)), x == bound);
    }
  });
}

TYPED_TEST(AlgebraOver, IntegersAndWordsTurnIntoEachOther) {
  auto& i = this->instance;
  for (const bool b : {false, true}) {
    i.restart();
    const auto x = this->a().from_bit(i.truth(b));
    EXPECT_EQ(i.value(x), b ? 1 : 0);
    EXPECT_TRUE(i.fits(x));
  }
  this->for_words([&](int width, std::uint64_t v) {
    for (int wider = 0; wider < 3; ++wider) {
      i.restart();
      const auto x = this->a().to_int(i.word(width, v), width + wider);
      ASSERT_EQ(i.value(x), static_cast<int>(v));
      ASSERT_TRUE(i.fits(x));
    }
  });
  this->for_integers(6, [&](int x, int low, int high) {
    for (int width = 0; width <= 5; ++width) {
      if (x < 0 || x >= 1 << width) continue;
      i.restart();
      const auto w = this->a().to_word(i.integer(x, low, high), width);
      ASSERT_EQ(i.value(w), static_cast<std::uint64_t>(x));
      ASSERT_TRUE(i.fits(w, width));
    }
  });
}

TYPED_TEST(AlgebraOver, WordsCompareAndShowTheirBits) {
  auto& i = this->instance;
  this->for_words([&](int width, std::uint64_t x) {
    i.restart();
    const auto constant = this->a().word(width, x);
    ASSERT_EQ(i.value(constant), x);
    ASSERT_TRUE(i.fits(constant, width));
    const auto w = i.word(width, x);
    ASSERT_EQ(i.value(this->a().is_zero(w)), x == 0);
    for (int n = 0; n < width + 3; ++n) ASSERT_EQ(i.value(this->a().bit(w, n)), ((x >> n) & 1) != 0);
  });
  EXPECT_EQ(this->a().known(this->a().is_zero(this->a().word(0, 0))), std::optional(true));
  this->for_words([&](int wx, std::uint64_t x) {
    this->for_words([&](int wy, std::uint64_t y) {
      i.restart();
      const auto p = i.word(wx, x), q = i.word(wy, y);
      ASSERT_EQ(i.value(this->a().greater(p, q)), x > y);
    });
  });
}

TYPED_TEST(AlgebraOver, SlicesReachBeyondAWordAndMayBeEmpty) {
  auto& i = this->instance;
  this->for_words([&](int width, std::uint64_t x) {
    for (int low = 0; low <= width + 2; ++low)
      for (int size = 0; size <= width + 2; ++size) {
        i.restart();
        const auto part = this->a().slice(i.word(width, x), low, size);
        ASSERT_EQ(i.value(part), (x >> low) & ones(size));
        ASSERT_TRUE(i.fits(part, size));
        const auto twice = this->a().slice(part, 1, size);
        ASSERT_EQ(i.value(twice), ((x >> low) & ones(size)) >> 1);
      }
  });
}

TYPED_TEST(AlgebraOver, WordsJoinAboveALowPartOfAGivenWidth) {
  auto& i = this->instance;
  this->for_words([&](int wx, std::uint64_t x) {
    this->for_words([&](int wy, std::uint64_t y) {
      for (int low = wy; low <= wy + 1; ++low) {
        i.restart();
        const auto& a = this->a();
        const auto joined = a.concat(i.word(wx, x), i.word(wy, y), low);
        ASSERT_EQ(i.value(joined), x << low | y);
        ASSERT_TRUE(i.fits(joined, wx + low));
        for (int from = 0; from <= wx + low; ++from)  // slices across the seam
          for (int size = 0; size <= 2; ++size)
            ASSERT_EQ(i.value(a.slice(joined, from, size)), ((x << low | y) >> from) & ones(size));
      }
    });
    for (const bool b : {false, true})
      for (int low = wx; low <= wx + 1; ++low) {
        i.restart();
        const auto joined = this->a().append_bit(i.truth(b), i.word(wx, x), low);
        ASSERT_EQ(i.value(joined), (b ? std::uint64_t{1} << low : 0) | x);
        ASSERT_TRUE(i.fits(joined, low + 1));
      }
  });
}

TYPED_TEST(AlgebraOver, ShiftsByConstantsGrowAndByIntegersDropBits) {
  auto& i = this->instance;
  this->for_words([&](int width, std::uint64_t x) {
    for (int n = 0; n <= 5; ++n) {
      i.restart();
      const auto moved = this->a().shift_left(i.word(width, x), n);
      ASSERT_EQ(i.value(moved), x << n);
      ASSERT_TRUE(i.fits(moved, width + n));
    }
    for (int n = 0; n <= width + 4; ++n)
      for (const int low : {n, 0, -3})
        for (const int high : {n, n + 1, 9, 70}) {
          i.restart();
          const auto w = i.word(width, x);
          const auto by = i.integer(n, low, high);
          const auto moved = this->a().shift_right(w, by);
          ASSERT_EQ(i.value(moved), x >> n);
          ASSERT_TRUE(i.fits(moved, width));
          const auto [same, lost] = this->a().shift_right_sticky(w, by);
          ASSERT_EQ(i.value(same), x >> n);
          ASSERT_EQ(i.value(lost), (x & ones(n)) != 0) << x << " of " << width << " bits by " << n;
        }
  });
}

TYPED_TEST(AlgebraOver, ShiftsBeyondEveryWordLeaveZeroAndTheSticky) {
  auto& i = this->instance;
  for (const int n : {63, 64, 65, 127, 128, 129, 319, 320, 321, 5000}) {
    i.restart();
    const auto by = i.integer(n, 0, 8191);
    const auto [moved, lost] = this->a().shift_right_sticky(i.word(3, 5), by);
    EXPECT_EQ(i.value(moved), 0U);
    EXPECT_EQ(i.value(lost), true);
    EXPECT_EQ(i.value(this->a().shift_right(i.word(3, 5), by)), 0U);
    EXPECT_EQ(i.value(this->a().shift_right_sticky(i.word(3, 0), by).second), false);
  }
}

TYPED_TEST(AlgebraOver, NormaliseMovesTheLeadingOneToTheTopBit) {
  auto& i = this->instance;
  this->for_words([&](int width, std::uint64_t x) {
    for (int target = std::max(width, 1); target <= width + 4; ++target) {
      i.restart();
      const auto [leading, by] = this->a().normalise(i.word(width, x), target);
      ASSERT_TRUE(i.fits(leading, target));
      if (x == 0) {
        ASSERT_EQ(i.value(leading), 0U);
      } else {
        const int moved = target - static_cast<int>(std::bit_width(x));
        ASSERT_EQ(i.value(leading), x << moved);
        ASSERT_EQ(i.value(by), moved);
        ASSERT_TRUE(i.fits(by));
      }
    }
  });
}

TYPED_TEST(AlgebraOver, ArithmeticOnWordsIsExact) {
  auto& i = this->instance;
  this->for_words([&](int wx, std::uint64_t x) {
    this->for_words([&](int wy, std::uint64_t y) {
      i.restart();
      const auto product = this->a().multiply(i.word(wx, x), i.word(wy, y));
      ASSERT_EQ(i.value(product), x * y);
      ASSERT_TRUE(i.fits(product, wx + wy));
    });
    for (const bool b : {false, true}) {
      for (int width = std::max(wx, 1); width <= wx + 2; ++width) {
        if (x + (b ? 1 : 0) > ones(width)) continue;
        i.restart();
        const auto next = this->a().increment(i.word(wx, x), i.truth(b), width);
        ASSERT_EQ(i.value(next), x + (b ? 1 : 0));
        ASSERT_TRUE(i.fits(next, width));
      }
      if (wx == 0) continue;
      i.restart();
      const auto set = this->a().set_lowest(i.word(wx, x), i.truth(b));
      ASSERT_EQ(i.value(set), x | (b ? 1 : 0));
      ASSERT_TRUE(i.fits(set, wx));
    }
  });
}

TYPED_TEST(AlgebraOver, SignedSumsAreExactAndWrapWhereTold) {
  auto& i = this->instance;
  constexpr int kWidth = TypeParam::kWidest + 2;
  this->for_words([&](int wx, std::uint64_t x) {
    this->for_words(TypeParam::kWidest - 1, [&](int wy, std::uint64_t y) {
      for (int signs = 0; signs < 4; ++signs) {
        i.restart();
        const auto& a = this->a();
        const bool nx = (signs & 1) != 0, ny = (signs & 2) != 0;
        const auto first = a.add_signed(a.zero_sum(kWidth), i.word(wx, x), i.truth(nx));
        const auto sum = a.add_signed(first, i.word(wy, y), i.truth(ny));
        const auto expected =
            (nx ? -1 : 1) * static_cast<std::int64_t>(x) + (ny ? -1 : 1) * static_cast<std::int64_t>(y);
        ASSERT_EQ(i.value(sum, kWidth), expected);
        ASSERT_EQ(i.value(a.is_negative(sum)), expected < 0);
        const auto size = a.magnitude(sum);
        ASSERT_EQ(i.value(size), static_cast<std::uint64_t>(std::abs(expected)));
        ASSERT_TRUE(i.fits(size, kWidth));
        for (int bits = 1; bits <= kWidth; ++bits)
          ASSERT_EQ(i.value(a.low_bits(sum, bits)),
                    static_cast<std::uint64_t>(expected) & ((std::uint64_t{1} << bits) - 1));
        for (int bits = 1; bits <= kWidth + 1; ++bits) {
          const auto modulus = std::int64_t{1} << bits;
          auto wrapped = ((expected % modulus) + modulus) % modulus;
          if (wrapped >= modulus / 2) wrapped -= modulus;
          ASSERT_EQ(i.value(a.wrap(sum, bits), kWidth), wrapped) << expected << " in " << bits << " bits";
        }
      }
    });
  });
}

TYPED_TEST(AlgebraOver, EqualConstructionsCompareEqual) {
  auto& i = this->instance;
  i.restart();
  const auto x = i.word(3, 5), y = i.word(3, 2);
  const auto& a = this->a();
  EXPECT_TRUE(a.multiply(x, y) == a.multiply(x, y));
  EXPECT_TRUE(a.slice(a.concat(y, x, 3), 0, 3) == x);
  EXPECT_FALSE(a.multiply(x, y) == a.shift_left(x, 3));
  EXPECT_TRUE(a.import(x) == x);
}

TEST(ConcreteWords, CrossWidthsWithoutLosingBits) {
  NoParameters none;
  const Concrete<std::uint64_t, NoParameters> narrow(none);
  for (const int bits : {3, 64, 65, 128, 129, 320, 321, 640, 641, 4480}) {
    const auto back = narrow.with_width(bits, [&](const auto& wide) {
      const auto top = wide.shift_left(wide.import(narrow.word(3, 5)), bits - 3);
      EXPECT_EQ(wide.length(top), bits);
      EXPECT_EQ(wide.lowest_one(top), bits - 3);
      return narrow.import(wide.shift_right(top, wide.integer(bits - 3)));
    });
    EXPECT_EQ(back.value, 5U) << bits;
  }
}

}  // namespace
}  // namespace mmaprint::algebra_test
