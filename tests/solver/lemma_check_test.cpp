// What a question takes for granted of products is checked when it is posed again.
#include <gtest/gtest.h>

#include "solver/encoding.h"

namespace mmaprint::lemma_check_test {
namespace {

/// One product of FP16 and c.
UnitModel fma(std::optional<int> f) {
  ChainParameters values;
  values.block = exact_adder(Format::fp16, Rounding::nearest_even);
  values.block.alignment_fraction_bits = f;
  return chain_model("fma", 1, {Format::fp16, Format::fp16, Format::fp16, Format::fp16},
                     Chain{{{0}}, CEnters::first}, values, canonical_nan(Format::fp16));
}

std::string refused(const ProductLemma& lemma, Products products = Products::free) {
  try {
    (void)encode(fma(std::nullopt), fma(20), NodeQuestion{0, {}, {products, {lemma}}}, Deadline());
    return "";
  } catch (const WrongLemma& wrong) {
    return wrong.what();
  }
}

TEST(Lemmas, ThatHoldOfAllFactorsAreTaken) {
  // 2^21 + 1 = 3 * 3 * 43 * 5419.
  EXPECT_EQ(refused({0, {{}, {}, {(1 << 22) - 1, (1 << 21) + 1}}}), "");
}

TEST(Lemmas, ThatSomeFactorsContradictAreRefused) {
  EXPECT_EQ(refused({0, {{}, {}, {(1 << 22) - 1, (1 << 20) - 1}}}),
            "there are factors of which it says there are none");
  EXPECT_EQ(refused({0, {}}), "there are factors of which it says there are none");
}

TEST(Lemmas, OfBitsThatWordsDoNotHaveAreRefused) {
  constexpr std::string_view kBeyond = "it speaks of bits that words do not have";
  EXPECT_EQ(refused({0, {{}, {1 << 20, 1 << 20}, {}}}), kBeyond);
  EXPECT_EQ(refused({0, {{1 << 11, 1 << 11}, {}, {(1 << 22) - 1, 1}}}), kBeyond);
  EXPECT_EQ(refused({0, {{}, {}, {1 << 23, 1 << 23}}}), kBeyond);
}

TEST(Lemmas, OfProductsThatThereAreNotAreRefused) {
  EXPECT_EQ(refused({1, {{}, {}, {1, 1}}}), "there is no such product");
  EXPECT_EQ(refused({0, {{}, {}, {1, 1}}}, Products::exact), "there is no such product");
}

}  // namespace
}  // namespace mmaprint::lemma_check_test
