// Models, features and observations as text: exact round trips, and one clear line for whatever is wrong.
#include "model/model_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "model/instruction.h"
#include "model/observation_json.h"

namespace mmaprint::model_json_test {
namespace {

constexpr Signature kFp16ToFp32{Format::fp16, Format::fp16, Format::fp32, Format::fp32};

/// A V100-like unit: one block of 4, F = 23.
UnitModel v100() {
  ChainParameters values;
  values.block.alignment_fraction_bits = 23;
  values.block.minimum_alignment_exponent = -133;
  values.block.rounding = Rounding::toward_zero;
  values.block.output_fraction_bits = 23;
  values.final_rounding = Rounding::toward_zero;
  values.conventions.zero_sign.cancelled = ZeroSign::positive;
  return chain_model("mma.m8n8k4.f32.f16.f16.f32", 4, kFp16ToFp32, {{{0, 1, 2, 3}}, CEnters::first}, values,
                     0x7fffffff);
}

UnitModel c_last() {
  UnitModel model = v100();
  ChainParameters values{model.adders.front(), Rounding::nearest_even, model.conventions};
  values.conventions.output_subnormals = Subnormals::flushed;
  values.block.extra_carry_bits = 2;
  values.block.product = ProductKind::exact_normalised;
  values.block.normalisation = Normalisation::immediate;
  return chain_model("dot", 4, kFp16ToFp32, {{{3, 1}, {2, 0}}, CEnters::last}, values, 0xffc00001);
}

UnitModel pairwise() {
  UnitModel model = v100();
  model.tree = pairwise_tree(4);
  model.adders[0].alignment_fraction_bits.reset();
  model.conventions.overflow = Overflow::by_direction;
  return model;
}

UnitModel reread(const UnitModel& model) {
  return std::get<UnitModel>(model_from_text(to_json(model).dump(2), "file.json"));
}

/// The message of the BadInput that `act` throws.
template <class Act>
std::string complaint(Act&& act) {
  try {
    act();
  } catch (const BadInput& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    return what;
  }
  return "no complaint";
}

std::string complaint_about(const std::string& text) {
  return complaint([&] { (void)model_from_text(text, "file.json"); });
}

/// The complaint about v100() with `edit` applied to its document.
template <class Edit>
std::string complaint_after(Edit&& edit) {
  Json json = to_json(v100());
  edit(json);
  return complaint_about(json.dump(2));
}

/// The whole complaint, but for the line of a long document (`#`) and for what lists and libraries say at its
/// end (`...`).
void expect_complaint(std::string found, std::string expected) {
  const std::string place = "file.json:", hash = "#", ellipsis = "...";
  if (expected.starts_with(place + hash)) {
    expected.erase(place.size(), hash.size());
    if (found.starts_with(place))
      found.erase(place.size(), found.find_first_not_of("0123456789", place.size()) - place.size());
  }
  if (expected.ends_with(ellipsis)) {
    expected.resize(expected.size() - ellipsis.size());
    EXPECT_TRUE(found.starts_with(expected)) << found;
  } else {
    EXPECT_EQ(found, expected);
  }
}

/// A directory that is removed with all that is in it.
TEST(Patterns, AreAsWideAsTheFormatAndReadBackExactly) {
  EXPECT_EQ(pattern_text(Format::fp16, 0x3c), "003c");
  EXPECT_EQ(pattern_text(Format::fp64, 1), "0000000000000001");
  EXPECT_EQ(pattern_text(Format::e2m1, 7), "07");
  for (const FormatInfo& f : all_formats())
    for (const Pattern pattern : {Pattern{0}, Pattern{1}, f.pattern_mask()})
      EXPECT_EQ(pattern_from_text(f.id, pattern_text(f.id, pattern)), pattern) << f.name;
}

TEST(Patterns, RejectAnyOtherSpelling) {
  for (const char* text : {"3C00", "0x3c00", "3c0", "03c00", "3c0g", "", " 3c0", "-3c0"})
    EXPECT_EQ(pattern_from_text(Format::fp16, text), std::nullopt) << text;
  EXPECT_EQ(pattern_from_text(Format::e2m1, "10"), std::nullopt);
  EXPECT_EQ(pattern_from_text(Format::e3m2, "40"), std::nullopt);
}

TEST(FormatsOption, TakesExactlyFourNames) {
  EXPECT_EQ(formats_from_text("fp16,fp16,fp32,fp32"), kFp16ToFp32);
  for (const char* text :
       {"", "fp16", "fp16,fp16,fp32", "fp16,fp16,fp32,fp32,fp32", "fp16,fp16,fp32,f32", ",,,"})
    expect_complaint(complaint([&] { (void)formats_from_text(text); }),
                     "formats: expected four of a,b,c,d (fp64 ...");
}

TEST(ModelText, RoundTripsExactly) {
  for (const UnitModel& model : {v100(), c_last(), pairwise()}) EXPECT_EQ(reread(model), model);
}

TEST(ModelText, StatesTheFeaturesThatFollow) {
  const Json f = to_json(v100())["features"];
  EXPECT_EQ(f["family"], "fused-dot-add");
  EXPECT_EQ(f["blocks"], Json::parse("[[0,1,2,3]]"));
  EXPECT_EQ(f["fma_width"], 4);
  EXPECT_EQ(f["c_enters"], "first");
  EXPECT_EQ(f["alignment_fraction_bits"], 23);
  EXPECT_EQ(f["extra_alignment_bits"], 0);
  EXPECT_EQ(f["alignment_rounding"], "truncate");
  EXPECT_EQ(f["extra_carry_bits"], Json::parse(R"({"at_least":4})"));
  EXPECT_EQ(f["final_rounding"], "toward-zero");
  EXPECT_EQ(f["minimum_alignment_exponent"], -133);
  EXPECT_EQ(f["nan"], "7fffffff");
  EXPECT_EQ(
      f["zero_sign"],
      Json::parse(
          R"({"all_zero":"ieee","cancelled":"positive","rounded":"sign-of-sum","flushed":"sign-of-sum"})"));
  EXPECT_EQ(f["monotonic"], Json::parse(R"({"holds":null,"witness":null})"));
}

TEST(Features, DistinguishTheFamilies) {
  EXPECT_EQ(features_of(pairwise()).family, Family::pairwise);
  EXPECT_EQ(features_of(pairwise()).get<Parameter::alignment_rounding>(), std::nullopt);
  UnitModel exact = v100();
  exact.adders[0].alignment_fraction_bits.reset();
  EXPECT_EQ(features_of(exact).family, Family::exact);
  const auto chain = [&](std::vector<std::vector<int>> blocks) {
    return features_of(chain_model("dot", 4, kFp16ToFp32, {std::move(blocks), CEnters::first},
                                   {exact.adders.front(), Rounding::toward_zero, exact.conventions},
                                   constant_nan(exact.nan)));
  };
  EXPECT_EQ(chain({{0}, {1}, {3}, {2}}).family, Family::fma_chain);
  EXPECT_EQ(chain({{0, 1}, {3, 2}}).family, Family::fused_dot_add);
  UnitModel tree = v100();
  tree.tree = {
      {{{ProductLeaf{0}, ProductLeaf{1}, ProductLeaf{2}}, 0}, {{NodeLeaf{0}, ProductLeaf{3}, CLeaf{}}, 0}}};
  EXPECT_EQ(features_of(tree).family, Family::tree);
  EXPECT_EQ(features_of(tree).c_enters, CEnters::last);
}

TEST(Features, SayWhetherTheCarryCanWrap) {
  UnitModel model = v100();
  model.adders[0].extra_carry_bits = 3;
  EXPECT_EQ(features_of(model).get<Parameter::extra_carry_bits>(), CarryBits(Exactly{3}));
  model.adders[0].extra_carry_bits = 4;
  EXPECT_EQ(features_of(model).get<Parameter::extra_carry_bits>(), CarryBits(AtLeast{4}));
  model.adders[0].product = ProductKind::exact_normalised;
  EXPECT_EQ(features_of(model).get<Parameter::extra_carry_bits>(), CarryBits(AtLeast{3}));
}

TEST(ModelText, NamesFileLineAndFieldOfWhatIsWrong) {
  expect_complaint(complaint_after([](Json& j) { j["unit"]["adders"][0]["rounding"] = "towards-zero"; }),
                   "file.json:#: unit.adders[0].rounding: expected toward-zero, nearest-even, up, down, "
                   "nearest-away or odd, found \"towards-zero\"");
}

TEST(ModelText, FindsTheLineOfTheField) {
  const std::string text = R"({"schema": "mmaprint/model/1",
    "instruction": "x", "formats": {"a": "fp16", "b": "fp16",
      "c": "fp32", "d": "fp33"},
    "k": 4})";
  EXPECT_EQ(complaint_about(text).find("file.json:3: formats.d: expected a format"), 0U)
      << complaint_about(text);
}

TEST(ModelText, RejectsUnknownAndMissingFields) {
  expect_complaint(complaint_after([](Json& j) { j["unit"]["tre"] = 1; }),
                   "file.json:#: unit.tre: unknown field, expected ...");
  expect_complaint(complaint_after([](Json& j) { j["feature"] = 1; }),
                   "file.json:#: feature: unknown field, expected ...");
  expect_complaint(complaint_after([](Json& j) { j["features"]["roundin"] = 1; }),
                   "file.json:#: features.roundin: unknown field, expected ...");
  expect_complaint(complaint_after([](Json& j) { j["unit"].erase("nan"); }),
                   "file.json:#: unit: expected a field \"nan\"");
  expect_complaint(complaint_after([](Json& j) { j["schema"] = "mmaprint/model/2"; }),
                   "file.json:#: schema: expected \"mmaprint/model/1\", found \"mmaprint/model/2\"");
}

TEST(ModelText, RejectsIllegalUnits) {
  expect_complaint(
      complaint_after([](Json& j) { j["unit"]["tree"][0]["operands"] = Json::parse(R"(["c",0,1,2])"); }),
      "file.json:#: unit: tree: product 3 takes no part");
  expect_complaint(
      complaint_after([](Json& j) { j["unit"]["tree"][0]["operands"][1] = Json::parse(R"({"node":0})"); }),
      "file.json:#: unit.tree[0].operands[1]: expected no node here, as the first has none before it, found "
      "an object");
  expect_complaint(complaint_after([](Json& j) { j["unit"]["nan"] = "3f800000"; }),
                   "file.json:#: unit: nan: expected a NaN pattern of fp32");
  expect_complaint(
      complaint_after([](Json& j) { j["unit"]["nan"] = "7FFFFFFF"; }),
      "file.json:#: unit.nan: expected 8 lower-case hexadecimal digits (fp32), found \"7FFFFFFF\"");
  expect_complaint(complaint_after([](Json& j) { j["unit"]["adders"][0]["alignment_fraction_bits"] = 24.5; }),
                   "file.json:#: unit.adders[0].alignment_fraction_bits: expected null or an integer from 0 "
                   "to 119, found 24.5");
  expect_complaint(
      complaint_after([](Json& j) { j["unit"]["adders"][0]["output_fraction_bits"] = 24; }),
      "file.json:#: unit.adders[0].output_fraction_bits: expected an integer from 0 to 23, found 24");
  expect_complaint(complaint_after([](Json& j) { j["k"] = 1000000000; }),
                   "file.json:#: k: expected an integer from 1 to 1024, found 1000000000");
  expect_complaint(complaint_after([](Json& j) { j["k"] = UINT64_MAX; }),
                   "file.json:#: k: expected an integer from 1 to 1024, found 18446744073709551615");
}

TEST(ModelText, RejectsFeaturesThatDoNotFollowFromTheUnit) {
  expect_complaint(complaint_after([](Json& j) { j["features"]["final_rounding"] = "up"; }),
                   "file.json:#: features.final_rounding: expected the value that follows from unit");
  expect_complaint(complaint_after([](Json& j) { j["features"]["zero_sign"]["rounded"] = "positive"; }),
                   "file.json:#: features.zero_sign.rounded: expected the value that follows from unit");
  // What is established elsewhere need not follow.
  EXPECT_EQ(complaint_after([](Json& j) { j["features"]["monotonic"]["holds"] = false; }), "no complaint");
}

TEST(ModelText, RejectsTextThatIsNotJsonCleanly) {
  expect_complaint(complaint_about("{\n \"a\": ,}"), "file.json:2: expected JSON: ...");
  expect_complaint(complaint_about(""), "file.json:1: expected JSON: ...");
  expect_complaint(complaint_about("[1]"), "file.json:1: expected an object, found an array of 1");
  expect_complaint(complaint_about("{\"k\": 1e999}"), "file.json:1: expected JSON: a number is out of range");
  expect_complaint(complaint_about("{\"k\": \"\xff\"}"), "file.json:1: expected JSON: ...");
  expect_complaint(complaint_about("{\"k\":1,\n\"k\":2}"),
                   "file.json:2: \"k\": expected the field only once");
}

TEST(ModelText, RejectsAbsurdNestingWithoutFallingOver) {
  expect_complaint(complaint_about(std::string(10'000'000, '[')),
                   "file.json:1: expected JSON nested at most 64 deep");
  expect_complaint(
      complaint_about("{\"unit\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}"),
      "file.json:1: expected JSON nested at most 64 deep");
  // Brackets in strings are not nesting.
  expect_complaint(complaint_about("{\"schema\":\"" + std::string(1000, '[') + "\"}"),
                   "file.json:1: schema: expected \"mmaprint/model/1\", found \"...");
}

TEST(PartialModel, KeepsOnlyWhatIsStated) {
  const auto model = std::get<PartialModel>(model_from_text(R"({"instruction":"mma.m16n8k8.f32.f16.f16.f32",
      "features":{"final_rounding":"up","alignment_fraction_bits":null,"extra_carry_bits":{"exactly":3},
                  "zero_sign":{"rounded":"sign-of-sum"},"blocks":[[0,2,4,6],[1,3,5,7]]}})",
                                                            "f"));
  EXPECT_EQ(model.k, 8);
  EXPECT_EQ(model.formats, kFp16ToFp32);
  EXPECT_EQ(model.features.final_rounding, Rounding::up);
  ASSERT_TRUE(model.features.get<Parameter::alignment_fraction_bits>().has_value());
  EXPECT_EQ(*model.features.get<Parameter::alignment_fraction_bits>(), std::nullopt);
  EXPECT_EQ(model.features.get<Parameter::extra_carry_bits>(), CarryBits(Exactly{3}));
  EXPECT_EQ(model.features.get<Parameter::zero_rounded>(), ZeroSign::follow);
  EXPECT_EQ(model.features.get<Parameter::zero_flushed>(), std::nullopt);
  EXPECT_EQ(model.features.fma_width, 4);
  EXPECT_EQ(model.features.get<Parameter::product>(), std::nullopt);
  EXPECT_EQ(std::get<PartialModel>(model_from_text(to_json(model).dump(), "f")), model);
}

TEST(PartialModel, RejectsFeaturesThatContradictEachOther) {
  const auto with = [](const std::string& features) {
    return complaint_about(R"({"instruction":"mma.m16n8k8.f32.f16.f16.f32","features":)" + features + "}");
  };
  expect_complaint(
      with(R"({"alignment_fraction_bits":24,"extra_alignment_bits":2})"),
      "file.json:1: features.extra_alignment_bits: expected alignment_fraction_bits - 23, found 2");
  expect_complaint(with(R"({"blocks":[[0,1,2,3,4,5,6,7]],"fma_width":4})"),
                   "file.json:1: features.fma_width: expected 8, the largest block, found 4");
  expect_complaint(with(R"({"blocks":[[0,1,2,3,4,5,6,6]]})"),
                   "file.json:1: features.blocks[0][7]: expected each product once, found 6");
  expect_complaint(with(R"({"blocks":[]})"),
                   "file.json:1: features.blocks: expected all products from 0 to 7, found an array of 0");
  expect_complaint(with(R"({"extra_carry_bits":{}})"),
                   "file.json:1: features.extra_carry_bits: expected {\"at_least\": n} or {\"exactly\": n}, "
                   "found an object");
  expect_complaint(with(R"({"product":null})"),
                   "file.json:1: features.product: expected exact-unnormalised, exact-normalised or "
                   "exclusive-or, found null");
}

std::vector<ObservationRecord> records_of(const std::string& text, const ObservationRules& rules = {}) {
  std::istringstream in(text);
  std::vector<ObservationRecord> records;
  read_observations(in, "o.jsonl", rules,
                    [&](ObservationRecord record) { records.push_back(std::move(record)); });
  return records;
}
std::string complaint_about_line(const std::string& text, const ObservationRules& rules = {}) {
  return complaint([&] { (void)records_of(text, rules); });
}

const std::string kLine =
    R"({"instruction":"wmma.f32.f16","a":["3c00","4000"],"b":["3c00","3c00"],"c":"00000000","d":"40400000"})";

TEST(Observations, AreReadWithTheirPlaceAndKeepUnknownFields) {
  const auto records = records_of("\n" + kLine +
                                  "\r\n{\"instruction\":\"wmma.f32.f16\",\"a\":[\"3c00\"],\"b\":[\"3c00\"],"
                                  "\"c\":\"00000001\",\"warp\":7}");
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].place(), "o.jsonl:2");
  EXPECT_EQ(records[0].formats, kFp16ToFp32);
  EXPECT_EQ(records[0].input, (DotInput{{0x3c00, 0x4000}, {0x3c00, 0x3c00}, 0}));
  EXPECT_EQ(records[0].d, 0x40400000U);
  EXPECT_EQ(records[1].d, std::nullopt);
  const Json filled = Json::parse(with_result(records[1], 0x3f800000));
  EXPECT_EQ(filled["warp"], 7);
  EXPECT_EQ(filled["d"], "3f800000");
}

TEST(Observations, TakeFormatsFromTheLineThenTheNameThenTheCaller) {
  const std::string vectors = R"("a":["3c00"],"b":["3c00"],"c":"3c00","d":"3c00"})";
  ObservationRules rules;
  EXPECT_EQ(complaint_about_line("{" + vectors, rules).find("o.jsonl:1: expected an instruction"), 0U);
  expect_complaint(complaint_about_line(R"({"instruction":"dot8",)" + vectors, rules),
                   "o.jsonl:1: instruction: expected an instruction whose formats are known, or `formats` "
                   "here or by --formats, found \"dot8\"");
  rules.model_formats = Signature{Format::bf16, Format::bf16, Format::bf16, Format::bf16};
  EXPECT_EQ(records_of("{" + vectors, rules)[0].formats.a, Format::bf16);
  rules.stated_formats = Signature{Format::fp16, Format::bf16, Format::fp16, Format::fp16};
  EXPECT_EQ(records_of("{" + vectors, rules)[0].formats.a, Format::fp16);
  EXPECT_EQ(records_of(R"({"instruction":"wmma.f16.bf16",)" + vectors, rules)[0].formats.a, Format::bf16);
  EXPECT_EQ(records_of(
                R"({"instruction":"wmma.f16.bf16","formats":{"a":"fp16","b":"fp16","c":"fp16","d":"fp16"},)" +
                    vectors,
                rules)[0]
                .formats.a,
            Format::fp16);
}

TEST(Observations, RejectWhatDoesNotFit) {
  const auto line = [](const std::string& rest) {
    return kLine + "\n{\"instruction\":\"wmma.f32.f16\"," + rest + "}";
  };
  expect_complaint(complaint_about_line(line(R"("a":["3c00"],"b":["3c00","3c00"],"c":"00000000")")),
                   "o.jsonl:2: b: expected as many entries as a has (1), found an array of 2");
  expect_complaint(complaint_about_line(line(R"("a":["3c0"],"b":["3c00"],"c":"00000000")")),
                   "o.jsonl:2: a[0]: expected 4 lower-case hexadecimal digits (fp16), found \"3c0\"");
  expect_complaint(complaint_about_line(line(R"("a":["3c00"],"b":["3c00"],"c":"0000")")),
                   "o.jsonl:2: c: expected 8 lower-case hexadecimal digits (fp32), found \"0000\"");
  expect_complaint(complaint_about_line(line(R"("a":[],"b":[],"c":"00000000")")),
                   "o.jsonl:2: a: expected at least one pattern, found an array of 0");
  expect_complaint(complaint_about_line(line(R"("a":["3c00"],"b":["3c00"])")),
                   "o.jsonl:2: expected a field \"c\"");
  expect_complaint(complaint_about_line(line(R"("a":["3c00"],"b":["3c00"],"c":"00000000","sa":["7f"])")),
                   "o.jsonl:2: sa: expected null, as the unit has no such scales, found an array of 1");
  expect_complaint(complaint_about_line("{\"a\":"), "o.jsonl:1: expected JSON: ...");
  expect_complaint(complaint_about_line(std::string(2 << 20, ' ')),
                   "o.jsonl:1: expected a line of at most 1048576 bytes");
  ObservationRules need;
  need.need_d = true;
  expect_complaint(complaint_about_line(line(R"("a":["3c00"],"b":["3c00"],"c":"00000000")"), need),
                   "o.jsonl:2: expected a field \"d\"");
}

TEST(Observations, AreFilledUpToKOnlyWhenAsked) {
  ObservationRules rules;
  rules.k = 4;
  expect_complaint(complaint_about_line(kLine, rules),
                   "o.jsonl:1: a: expected 4 entries (or --pad-zeros), found an array of 2");
  rules.pad_zeros = true;
  EXPECT_EQ(records_of(kLine, rules)[0].input.a, (std::vector<Pattern>{0x3c00, 0x4000, 0, 0}));
  rules.k = 1;
  expect_complaint(complaint_about_line(kLine, rules),
                   "o.jsonl:1: a: expected 1 entries, found an array of 2");
}

TEST(Observations, RoundTripThroughText) {
  const Observation observation{{{0x3c00, 0x4000}, {0x3c00, 0x3c00}, 0}, 0x40400000};
  EXPECT_EQ(observation_to_json("wmma.f32.f16", kFp16ToFp32, observation).dump(), kLine);
  // Formats are added where the name does not tell them.
  const auto back = records_of(observation_to_json("dot2", kFp16ToFp32, observation).dump());
  EXPECT_EQ(back.at(0).input, observation.input);
  EXPECT_EQ(back.at(0).formats, kFp16ToFp32);
}

TEST(InstructionNames, TellKAndFormats) {
  using enum Format;
  const auto expect = [](const char* name, int k, Signature formats) {
    const auto found = instruction_from_name(name);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->k, k) << name;
    EXPECT_EQ(found->formats, formats) << name;
  };
  expect("mma.m16n8k16.f32.f16.f16.f32", 16, {fp16, fp16, fp32, fp32});
  expect("mma.m8n8k4.f32.f16.f16.f16", 4, {fp16, fp16, fp16, fp32});
  expect("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 8, {tf32, tf32, fp32, fp32});
  expect("mma.m16n8k32.kind::f8f6f4.f32.e3m2.e2m1.f32", 32, {e3m2, e2m1, fp32, fp32});
  expect("mma.sp.m16n8k64.f32.e4m3.e5m2.f32", 32, {e4m3, e5m2, fp32, fp32});
  expect("wgmma.m64n8k32.f16.e4m3.e5m2", 32, {e4m3, e5m2, fp16, fp16});
  expect("mma.m16n8k32.s32.s8.u8.s32.satfinite", 32, {int8, uint8, int32, int32});
  expect("mma.m8n8k4.row.col.f32.f16.f16.f16", 4, {fp16, fp16, fp16, fp32});
  expect("mma.m16n8k16.f64.f64.f64.f64.rz", 16, {fp64, fp64, fp64, fp64});
  expect("mma.m16n8k256.s32.b1.b1.s32.xor.popc", 256, {b1, b1, int32, int32});
  expect("mma.sp::ordered_metadata.m16n8k128.s32.s4.u4.s32.satfinite", 64, {int4, uint4, int32, int32});
  expect("mma.sp::ordered_metadata.m16n8k64.kind::f8f6f4.f16.e2m3.e4m3.f16", 32, {e2m3, e4m3, fp16, fp16});
  expect("mma.sp.m16n8k8.f32.tf32.tf32.f32", 4, {tf32, tf32, fp32, fp32});
  expect("wgmma.m64n8k256.s32.b1.b1.and.popc", 256, {b1, b1, int32, int32});
  expect("wgmma.sp.m64n8k64.s32.u8.s8.satfinite", 32, {uint8, int8, int32, int32});
  expect("wmma.m16n16k16.f32.f16", 16, {fp16, fp16, fp32, fp32});
  expect("wmma.m32n8k16.s32.u8", 16, {uint8, uint8, int32, int32});
  expect("wmma.f32.bf16", 0, {bf16, bf16, fp32, fp32});
  expect("mma.f32.e4m3", 0, {e4m3, e4m3, fp32, fp32});
  expect("mfma.f32_32x32x8_f16", 8, {fp16, fp16, fp32, fp32});
  expect("mfma.f32_32x32x8f16", 8, {fp16, fp16, fp32, fp32});
  expect("mfma.f32_32x32x16_fp8_bf8", 16, {e4m3fnuz, e5m2fnuz, fp32, fp32});
  expect("mfma.f32_16x16x8_xf32", 8, {tf32, tf32, fp32, fp32});
  expect("mfma.f32_32x32x8_bf16_1k", 8, {bf16, bf16, fp32, fp32});
  expect("vdpbf16ps", 2, {bf16, bf16, fp32, fp32});
  expect("vfmadd231ss", 1, {fp32, fp32, fp32, fp32});
  expect("vfmadd231pd.rz.ftz.daz", 1, {fp64, fp64, fp64, fp64});
  expect("vfmadd231ph.ru-sae", 1, {fp16, fp16, fp16, fp16});
  expect("vpdpbusds.vex", 4, {uint8, int8, int32, int32});
  expect("vpdpwssd", 2, {int16, int16, int32, int32});
  expect("tdpbusd", 64, {uint8, int8, int32, int32});
}

TEST(InstructionNames, OfAnyOtherShapeAreUnknown) {
  for (const char* name :
       {"", "dot8", "mma", "mma.", "mma.m16n8k16", "mma.m16n8k16.f32", "mma.m16n8k16.f32.f16",
        "mma.m16n8k99999.f32.f16.f16.f32", "mma.m16n8k.f32.f16.f16.f32", "mma.f32.f16.f16.f32.f32",
        "mma.m16n8k16.f32.f17.f16.f32", "mma.m16n8k8.m16n8k8.f32.f16.f16.f32", "mfma.f32_32x32_f16",
        "mfma.f32_32x32x8_f99", "mma.m16n8k32.block_scale.f32.e4m3.e4m3.f32"})
    EXPECT_EQ(instruction_from_name(name), std::nullopt) << name;
}

}  // namespace
}  // namespace mmaprint::model_json_test
