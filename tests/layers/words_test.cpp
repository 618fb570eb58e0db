// Machine words of every width: what shifts give, whatever their count.
#include <gtest/gtest.h>

#include "model/concrete.h"
#include "support/random.h"

namespace mmaprint::words_test {
namespace {

template <class W>
class Words : public testing::Test {};

using Widths = testing::Types<std::uint32_t, std::uint64_t, Word128, Word256, WideWord<320>, WideWord<640>>;
TYPED_TEST_SUITE(Words, Widths);

template <class W>
W random_word(test::Random& random) {
  W x{};
  for (int bit = 0; bit < kWordBits<W>; ++bit)
    if (random.chance(1, 2)) x = W(x | W(W(1) << bit));
  return x;
}

/// As exponents may differ by more than any word has bits, counts go beyond the width, and beyond its
/// doubles.
TYPED_TEST(Words, ShiftedRightAreThoseShiftedByOneAsOften) {
  test::Random random(test::starting_seed(77));
  NoParameters none;
  const Concrete<TypeParam, NoParameters> a(none);
  for (int i = 0; i < 4; ++i) {
    const auto x = random_word<TypeParam>(random);
    TypeParam rest = x;
    bool lost = false;
    for (int count = 0; count <= 5 * kWordBits<TypeParam>; ++count) {
      ASSERT_TRUE(shifted_right(x, count) == rest) << "by " << count;
      const auto [shifted, sticky] = a.shift_right_sticky({x}, {count});
      ASSERT_TRUE(shifted.value == rest) << "by " << count;
      ASSERT_EQ(sticky.value, lost) << "by " << count;
      lost = lost || (low_word(rest) & 1U) != 0;
      rest = TypeParam(rest >> 1);
    }
  }
}

TYPED_TEST(Words, HaveAsManyOnesAsAskedFor) {
  TypeParam ones{};
  for (int count = 0; count <= kWordBits<TypeParam>; ++count) {
    ASSERT_TRUE(low_ones<TypeParam>(count) == ones) << count;
    ASSERT_EQ(bit_length(ones), count);
    ones = TypeParam(TypeParam(ones << 1) | TypeParam(1));
  }
}

}  // namespace
}  // namespace mmaprint::words_test
