// Observations in little room are the observations that were put there.
#include "model/observation_table.h"

#include <gtest/gtest.h>

#include <random>

namespace mmaprint::observation_table_test {
namespace {

TEST(ObservationTable, GivesBackWhatWasAdded) {
  constexpr std::uint64_t kSeed = 5;
  std::mt19937_64 random(kSeed);
  for (const Signature& formats : {Signature{Format::fp64, Format::fp64, Format::fp64, Format::fp64},
                                   Signature{Format::tf32, Format::tf32, Format::fp32, Format::fp32},
                                   Signature{Format::fp16, Format::fp16, std::nullopt, Format::fp32},
                                   Signature{Format::e2m1, Format::e4m3, Format::fp16, Format::fp32}}) {
    const int k = 3;
    ObservationTable table(formats, k);
    std::vector<Observation> all;
    const auto any = [&](Format f) { return random() & info(f).pattern_mask(); };
    for (int i = 0; i < 10'000; ++i) {
      Observation seen;
      for (int j = 0; j < k; ++j) seen.input.a.push_back(any(formats.a));
      for (int j = 0; j < k; ++j) seen.input.b.push_back(any(formats.b));
      if (formats.c) seen.input.c = any(*formats.c);
      seen.d = any(formats.d);
      table.add(seen);
      all.push_back(seen);
    }
    ASSERT_EQ(table.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      ASSERT_EQ(table[i], all[i]) << "seed " << kSeed << ", " << i;
      ASSERT_EQ(table.d(i), all[i].d);
    }
  }
}

TEST(ObservationTable, TellsInputsApartWhateverTheirResults) {
  ObservationTable table({Format::fp16, Format::fp16, Format::fp32, Format::fp32}, 1);
  table.add({{{0x3c00}, {0x3c00}, 0}, 1});
  table.add({{{0x3c00}, {0x3c00}, 0}, 2});
  table.add({{{0x3c00}, {0x3c01}, 0}, 1});
  EXPECT_TRUE(table.same_input(0, 1));
  EXPECT_EQ(table.input_hash(0), table.input_hash(1));
  EXPECT_FALSE(table.same_input(0, 2));
  table.remove_last();
  EXPECT_EQ(table.size(), 2U);
}

}  // namespace
}  // namespace mmaprint::observation_table_test
