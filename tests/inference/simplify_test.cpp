// Shrinking: inputs become simpler as long as they show the same.
#include "inference/simplify.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/evaluator.h"
#include "samples.h"

namespace mmaprint::simplify_test {
namespace {

const Signature kFormats = samples::kFp16ToFp32;

int used_products(const DotInput& input) {
  int n = 0;
  for (std::size_t k = 0; k < input.a.size(); ++k) n += input.a[k] != 0 || input.b[k] != 0 ? 1 : 0;
  return n;
}

/// Shows it where `holds` does; counts what it was asked.
Shows where(const std::function<bool(const DotInput&)>& holds, std::size_t* asked = nullptr) {
  return [=](std::span<const DotInput> inputs) -> std::optional<std::vector<bool>> {
    if (asked != nullptr) *asked += inputs.size();
    std::vector<bool> all;
    for (const DotInput& input : inputs) all.push_back(holds(input));
    return all;
  };
}

TEST(Simplified, TakesAwayAllThatIsNotNeeded) {
  const DotInput full{{0x3c01, 0xbc02, 0x3f55, 0x4123}, {0x3c03, 0x3c04, 0xbf55, 0x4321}, 0xbf812345};
  const DotInput left = simplified(kFormats, full, where([](const DotInput&) { return true; }));
  EXPECT_EQ(used_products(left), 0);
  EXPECT_EQ(left.c, 0U);
}

TEST(Simplified, LeavesAnInputThatNothingSimplerShows) {
  const DotInput full{{0x3c01, 0xbc02, 0x3f55, 0x4123}, {0x3c03, 0x3c04, 0xbf55, 0x4321}, 0xbf812345};
  EXPECT_EQ(simplified(kFormats, full, where([&](const DotInput& in) { return in == full; })), full);
}

TEST(Simplified, KeepsWhatIsNeededAndNoMore) {
  const DotInput full{{0x3c01, 0xbc02, 0x3f55, 0x4123}, {0x3c03, 0x3c04, 0xbf55, 0x4321}, 0xbf812345};
  const DotInput left = simplified(
      kFormats, full, where([](const DotInput& in) { return (in.a[2] & 0x0001U) != 0 && in.c >> 31 != 0; }));
  EXPECT_EQ(left.a[2] & 0x0001U, 1U);
  EXPECT_EQ(left.c >> 31, 1U);
  EXPECT_EQ(used_products(left), 1);
  EXPECT_EQ(left.c & 0x7fffffU, 0U) << "fraction bits that show nothing go";
  EXPECT_EQ(left.a[2] & 0x3feU, 0U);
}

TEST(Simplified, StillTellsTwoUnitsApart) {
  const Evaluator unit(samples::unit()), stranger(samples::stranger());
  int shrunk = 0;
  for (const Observation& o : samples::observations(samples::unit(), 400, 5)) {
    const auto differs = [&](const DotInput& in) { return unit(in) != stranger(in); };
    if (!differs(o.input)) continue;
    const DotInput left = simplified(kFormats, o.input, where(differs));
    EXPECT_TRUE(differs(left));
    EXPECT_LE(used_products(left), used_products(o.input));
    ++shrunk;
  }
  EXPECT_GT(shrunk, 5);
}

TEST(Simplified, StopsWhereNobodyCanSayAnyMore) {
  const DotInput full{{0x3c01, 0xbc02, 0x3f55, 0x4123}, {0x3c03, 0x3c04, 0xbf55, 0x4321}, 0xbf812345};
  const Shows nobody = [](std::span<const DotInput>) { return std::nullopt; };
  EXPECT_EQ(simplified(kFormats, full, nobody), full);
}

TEST(Simplified, AsksManyAtATimeButFewInAll) {
  const DotInput full{{0x3c01, 0xbc02, 0x3f55, 0x4123}, {0x3c03, 0x3c04, 0xbf55, 0x4321}, 0xbf812345};
  std::size_t asked = 0;
  (void)simplified(kFormats, full, where([&](const DotInput& in) { return in == full; }, &asked));
  EXPECT_GT(asked, 10U);
  EXPECT_LT(asked, 1000U) << "one round of candidates";
}

TEST(Simplified, TakesBitsFromIntegersToo) {
  const Signature bytes{Format::int8, Format::int8, Format::int32, Format::int32};
  const DotInput full{{0x7f, 0x81}, {0x55, 0x01}, 0x12345678};
  const DotInput left =
      simplified(bytes, full, where([](const DotInput& in) { return (in.a[0] & 0x40U) != 0; }));
  EXPECT_EQ(left, (DotInput{{0x40, 0}, {0, 0}, 0}));
}

}  // namespace
}  // namespace mmaprint::simplify_test
