// Trees of chains written as their blocks.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/hypotheses.h"
#include "model/model_json.h"

namespace mmaprint::chain_text_test {
namespace {

constexpr Signature kFp16ToFp32{Format::fp16, Format::fp16, Format::fp32, Format::fp32};

UnitModel model_of(const Chain& chain, int k) {
  ChainParameters values;
  values.block.output_fraction_bits = 23;
  return chain_model("wide", k, kFp16ToFp32, chain, values, 0x7fffffff);
}

UnitModel reread(const Json& json) {
  return std::get<UnitModel>(model_from_text(json.dump(1), "model.json"));
}

std::string complaint(const Json& json) {
  try {
    (void)reread(json);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(ChainText, HoldsTheBlocksOfWideUnitsAlone) {
  for (const int k : {64, 128, 1024})
    for (const Skeleton& skeleton : default_space("wide", k, kFp16ToFp32).skeletons) {
      const Chain chain = chain_of(skeleton.tree).value();
      const UnitModel model = model_of(chain, k);
      const Json json = to_json(model);
      ASSERT_EQ(json["unit"]["tree"].is_object(), k > 64);
      // Whether read back whole is tried on some: the widest have hundreds of chains.
      if (chain.blocks.size() <= 2 || chain.blocks.back().size() == 1) {
        ASSERT_EQ(reread(json), model);
      }
    }
}

TEST(ChainText, IsReadForNarrowUnitsToo) {
  for (const CEnters c : {CEnters::first, CEnters::last}) {
    const Chain chain{{{2, 3}, {0, 1}}, c};
    const UnitModel model = model_of(chain, 4);
    Json json = to_json(model);
    json["unit"]["tree"] = {{"blocks", chain.blocks}, {"c_enters", c == CEnters::first ? "first" : "last"}};
    EXPECT_EQ(reread(json), model);
  }
}

TEST(ChainText, IsRefusedWhereItIsNoChainOfTheProducts) {
  const Json whole = to_json(model_of({{{0, 1}, {2, 3}}, CEnters::first}, 4));
  const auto after = [&](const char* tree) {
    Json json = whole;
    json["unit"]["tree"] = Json::parse(tree);
    return complaint(json);
  };
  const auto expect = [](const std::string& found, const char* message) {
    EXPECT_EQ(found.substr(found.find(' ') + 1), message) << found;  // what follows file and line
    EXPECT_TRUE(found.starts_with("model.json:")) << found;
  };
  expect(after(R"({"blocks":[[0,1],[2]],"c_enters":"first"})"), "unit: tree: product 3 takes no part");
  expect(after(R"({"blocks":[[0,1],[2,3,3]],"c_enters":"first"})"),
         "unit: tree[1].operands: product 3 takes part twice");
  expect(after(R"({"blocks":[[0,1],[2,4]],"c_enters":"first"})"),
         "unit.tree.blocks[1][1]: expected an integer from 0 to 3, found 4");
  expect(after(R"({"blocks":[[0,1,2,3],[]],"c_enters":"first"})"),
         "unit.tree.blocks[1]: expected at least one product, found an array of 0");
  expect(after(R"({"blocks":[],"c_enters":"first"})"),
         "unit.tree.blocks: expected at least one block, found an array of 0");
  expect(after(R"({"blocks":[[0,1,2,3]]})"), "unit.tree: expected a field \"c_enters\"");
  // The root that adds c last has an adder of its own.
  expect(after(R"({"blocks":[[0,1,2,3]],"c_enters":"last"})"),
         "unit: tree[1].adder: expected an index into adders (1), got 1");
}

}  // namespace
}  // namespace mmaprint::chain_text_test
