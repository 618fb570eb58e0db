// The skeletons that are searched where a structure was measured.
#include "model/measured_skeletons.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/joining.h"
#include "model/skeletons.h"

namespace mmaprint::measured_skeletons_test {
namespace {

TEST(MeasuredSkeletons, AreSearchedOnceEach) {
  const Signature formats{Format::bf16, Format::bf16, Format::fp32, Format::fp32};
  std::size_t searched = 0;
  for (const int k : {1, 2, 3, 4, 8})
    for (const Skeleton& shape : wider_skeletons(k, formats))
      for (const MeasuredSkeletons& measured : measured_skeletons(joining_of(shape.tree), k, formats)) {
        searched += measured.skeletons.size();
        for (auto one = measured.skeletons.begin(); one != measured.skeletons.end(); ++one)
          EXPECT_EQ(std::find(one + 1, measured.skeletons.end(), *one), measured.skeletons.end())
              << "K = " << k;
      }
  EXPECT_GT(searched, 100U);
}

}  // namespace
}  // namespace mmaprint::measured_skeletons_test
