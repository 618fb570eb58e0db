#include <gtest/gtest.h>
#include <mmaprint/mmaprint.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

namespace mmaprint::library_test {
namespace {

const std::string kA100 = "sim:a100#mma.m16n8k8.f32.f16.f16.f32";
const std::string kV100 = "sim:v100#mma.m8n8k4.f32.f16.f16.f32";
constexpr std::uint64_t kOneHalf = 0x3800, kOne = 0x3c00, kTwo = 0x4000;

Formats half_products() { return formats_of("fp16,fp16,fp32,fp32"); }

/// The message of the InputError that `work` throws.
template <class Work>
std::string refusal(Work&& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

IdentifySettings quick() {
  IdentifySettings settings;
  settings.time_limit = 120;
  settings.threads = 2;
  return settings;
}

float as_float(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

/// d = fma(a, b, c), in FP32, K = 1.
std::vector<std::uint64_t> fused(const InputBatch& inputs) {
  std::vector<std::uint64_t> d;
  for (std::size_t i = 0; i < inputs.n; ++i)
    d.push_back(std::bit_cast<std::uint32_t>(
        std::fma(as_float(inputs.a[i]), as_float(inputs.b[i]), as_float(inputs.c[i]))));
  return d;
}

TEST(LibraryGemm, MultipliesAsTheUnitWouldAndPadsItsLastStep) {
  const Model model = Model::open(kV100);
  const Matrix a{2, 6, std::vector<std::uint64_t>(12, kOne)}, b{6, 3, std::vector<std::uint64_t>(18, kTwo)};
  const Matrix d = gemm(model, a, b);
  ASSERT_EQ(d.rows, 2U);
  ASSERT_EQ(d.columns, 3U);
  for (const std::uint64_t pattern : d.patterns) EXPECT_EQ(as_float(pattern), 12.0F);
  const Matrix one{2, 3, std::vector<std::uint64_t>(6, 0x3f800000)};
  EXPECT_EQ(as_float(gemm(model, a, b, one, 1).patterns.back()), 13.0F);
}

TEST(LibraryGemm, RefusesMatricesThatDoNotFit) {
  const Model model = Model::open(kV100);
  const Matrix a{2, 4, std::vector<std::uint64_t>(8, kOne)}, b{4, 1, std::vector<std::uint64_t>(4, kTwo)};
  EXPECT_EQ(refusal([&] { (void)gemm(model, a, a); }), "b: expected 4 rows, as a has 4 columns, found 2");
  EXPECT_EQ(refusal([&] { (void)gemm(model, a, b, b); }), "c: expected 2 x 1, found 4 x 1");
  EXPECT_EQ(refusal([&] { (void)gemm(model, Matrix{2, 4, {}}, b); }), "a: expected 2 x 4 patterns, found 0");
  EXPECT_EQ(refusal([&] {
              (void)gemm(model, a, Matrix{4, 1, {0, 0, 0x10000, 0}});
            }),
            "b[2]: expected a pattern of 16 bits (fp16), found 0x10000");
  EXPECT_EQ(refusal([&] {
              (void)gemm(Model::open("sim:v100#mma.m8n8k4.f32.f16.f16.f16"), Matrix{1, 5, {0, 0, 0, 0, 0}},
                         Matrix{5, 1, {0, 0, 0, 0, 0}});
            }),
            "mma.m8n8k4.f32.f16.f16.f16 multiplies no such matrices: its c is fp16, its d fp32, and an "
            "element has 5 products, of which it adds 4");
}

TEST(LibraryModels, EvaluateOneInputAndMany) {
  const Model model = Model::open(kV100);
  EXPECT_EQ(model.k(), 4);
  EXPECT_EQ(model.formats(), half_products());
  EXPECT_FALSE(model.is_partial());
  EXPECT_EQ(as_float(model({kOne, kTwo, 0, kOne}, {kOne, kTwo, kOne, kOneHalf}, 0x3f800000)), 6.5F);
  InputBatch two{
      2, std::vector<std::uint64_t>(8, kOne), std::vector<std::uint64_t>(8, kTwo), {0, 0x3f800000}, {}, {}};
  const auto d = model(two);
  ASSERT_EQ(d.size(), 2U);
  EXPECT_EQ(as_float(d[0]), 8.0F);
  EXPECT_EQ(as_float(d[1]), 9.0F);
}

TEST(LibraryModels, EvaluateArraysAsTheyLieInMemory) {
  constexpr std::size_t kInputs = 20'000, kFactors = 4 * kInputs;  // more than one thread takes
  const Model model = Model::open(kV100);
  std::vector<std::uint16_t> a(kFactors), b(kFactors);
  std::vector<std::uint32_t> c(kInputs);
  for (std::size_t i = 0; i < kFactors; ++i) {
    a[i] = static_cast<std::uint16_t>(i * 40'503U);
    b[i] = static_cast<std::uint16_t>(i * 51'967U >> 3U);
  }
  for (std::size_t i = 0; i < kInputs; ++i) c[i] = static_cast<std::uint32_t>(i * 2'654'435'761U);
  const InputBatch batch{kInputs, {a.begin(), a.end()}, {b.begin(), b.end()}, {c.begin(), c.end()}, {}, {}};
  EXPECT_EQ(
      model(InputView{kInputs, {a.data(), kFactors, 2}, {b.data(), kFactors, 2}, {c.data(), kInputs, 4}}),
      model(batch));
  const auto d = model(batch);
  for (std::size_t i = 0; i < kInputs; i += 97) {
    const auto of = [&](const std::vector<std::uint64_t>& all) {
      return std::vector<std::uint64_t>(all.begin() + static_cast<std::ptrdiff_t>(4 * i),
                                        all.begin() + static_cast<std::ptrdiff_t>(4 * i + 4));
    };
    ASSERT_EQ(d[i], model(of(batch.a), of(batch.b), batch.c[i])) << i;
  }
  EXPECT_TRUE(model(InputView()).empty());
}

TEST(LibraryModels, RefuseArraysOfAnotherShapeOrWiderPatterns) {
  const Model model = Model::open(kV100);
  const std::vector<std::uint32_t> four{0, 0, 0x10000, 0};
  const PatternView good{four.data(), 2, 2}, wide{four.data(), 4, 4}, zero{four.data(), 1, 4};
  const PatternView halves{four.data(), 4, 2};
  EXPECT_EQ(refusal([&] {
              (void)model(InputView{1, halves, good, zero});
            }),
            "b: expected 4 patterns, 4 for each of 1 inputs, found 2");
  EXPECT_EQ(refusal([&] {
              (void)model(InputView{1, wide, halves, zero});
            }),
            "a[2]: expected a pattern of 16 bits (fp16), found 0x10000");
  EXPECT_EQ(refusal([&] {
              (void)model(InputView{1, {four.data(), 4, 3}, halves, zero});
            }),
            "a: expected patterns of 1, 2, 4 or 8 bytes, found 3");
}

TEST(LibraryModels, AreReadFromTheTextThatTheyWrite) {
  const Model model = Model::open(kA100);
  const Model again = Model::from_json(model.to_json());
  EXPECT_EQ(again, model);
  EXPECT_NE(again, Model::open(kV100));
  EXPECT_EQ(nlohmann::json::parse(model.features_json()).at("fma_width"), 8);
  EXPECT_NE(model.text().find("mma.m16n8k8.f32.f16.f16.f32"), std::string::npos);
}

TEST(LibraryModels, AreCataloguedUnderNamesThatOpen) {
  const auto names = catalogued_names();
  EXPECT_NE(std::ranges::find(names, kA100), names.end());
  EXPECT_EQ(Model::open(names.back()).to_json(), Model::open(names.back()).to_json());
}

TEST(LibraryModels, RefuseWhatTheyCannotReadInOneLine) {
  EXPECT_EQ(refusal([] { (void)Model::open("/nonexistent"); }),
            "/nonexistent: expected a readable file: No such file or directory");
  EXPECT_NE(refusal([] { (void)Model::from_json("{\n\"schema\": 1}"); }).find("model:2: schema: expected"),
            std::string::npos);
  EXPECT_NE(refusal([] { (void)formats_of("fp16,fp16"); }).find("expected"), std::string::npos);
}

TEST(LibraryModels, RefuseInputsOfAnotherShapeOrWiderPatterns) {
  const Model model = Model::open(kV100);
  EXPECT_EQ(refusal([&] { (void)model({kOne}, {kOne}, 0); }),
            "a: expected 4 patterns, 4 for each of 1 inputs, found 1");
  EXPECT_EQ(refusal([&] {
              (void)model({0, 0, 0x10000, 0}, {0, 0, 0, 0}, 0);
            }),
            "a[2]: expected a pattern of 16 bits (fp16), found 0x10000");
  InputBatch scaled{1, {0, 0, 0, 0}, {0, 0, 0, 0}, {0}, {1}, {}};
  EXPECT_EQ(refusal([&] { (void)model(scaled); }),
            "sa: expected 0 patterns, 0 for each of 1 inputs, found 1");
}

TEST(LibraryModels, OfHypothesesHaveNoResults) {
  const Model partial = Model::from_json(
      R"({"instruction":"mma.m16n8k8.f32.f16.f16.f32","features":{"alignment_fraction_bits":24}})");
  EXPECT_TRUE(partial.is_partial());
  EXPECT_EQ(refusal([&] { (void)partial(InputBatch()); }),
            "model: unit: expected a full model, as a partial one has no results");
}

TEST(LibraryModels, TakeScalesWhereTheirFormatsHaveThem) {
  const auto names = catalogued_names();
  const auto scaled = std::ranges::find_if(
      names, [](const std::string& name) { return name.ends_with(".block32.f32.e4m3.e4m3.f32.ue8m0"); });
  ASSERT_NE(scaled, names.end());
  const Model model = Model::open(*scaled);
  EXPECT_EQ(model.formats().sa, (ScaleFormat{"ue8m0", 32}));
  constexpr std::uint64_t kOneAsE4m3 = 0x38, kTwoAsScale = 128, kOneAsScale = 127;
  const std::vector<std::uint64_t> ones(32, kOneAsE4m3);
  const InputBatch inputs{1, ones, ones, {0x3f800000}, {kTwoAsScale}, {kOneAsScale}};
  ASSERT_EQ(model.k(), 32);
  EXPECT_EQ(as_float(model(inputs).front()), 65.0F);
  EXPECT_EQ(refusal([&] { (void)model(ones, ones, 0); }),
            "sa: expected 1 patterns, 1 for each of 1 inputs, found 0");
}

TEST(LibraryIdentify, FindsTheModelOfACallable) {
  std::size_t asked = 0, shown = 0;
  IdentifySettings settings = quick();
  settings.instruction = "fused";
  settings.progress = [&](const IdentifyProgress& p) { shown += p.seconds >= 0 ? 1 : 0; };
  const auto counting = [&](const InputBatch& inputs) {
    asked += inputs.n;
    return fused(inputs);
  };
  const IdentifyOutcome found = identify(counting, 1, formats_of("fp32,fp32,fp32,fp32"), settings);
  EXPECT_TRUE(found.verdict == IdentifyVerdict::unique || found.verdict == IdentifyVerdict::equivalent)
      << found.text;
  EXPECT_GT(asked, 9000U);
  EXPECT_GT(shown, 0U);
  ASSERT_TRUE(found.model);
  EXPECT_EQ(found.model->instruction(), "fused");
  EXPECT_EQ((*found.model)(found.observed.inputs), found.observed.d);
  const auto document = nlohmann::json::parse(found.document);
  EXPECT_EQ(document.at("verdict"), word(found.verdict));
  EXPECT_EQ(document.at("observations"), found.observed.inputs.n);
  EXPECT_NE(found.text.find("identified"), std::string::npos);
}

TEST(LibraryIdentify, GivesTheSameForTheSameSeed) {
  const Model unit = Model::open(kV100);
  const auto once = [&] { return identify(unit, 4, half_products(), quick()); };
  const IdentifyOutcome first = once(), second = once();
  EXPECT_EQ(first.observed, second.observed);
  EXPECT_EQ(first.model, second.model);
}

TEST(LibraryIdentify, HandsOnWhatTheCallableThrows) {
  struct Broken {};
  int asked = 0;
  const auto unit = [&](const InputBatch& inputs) -> std::vector<std::uint64_t> {
    if (++asked == 3) throw Broken();
    return fused(inputs);
  };
  EXPECT_THROW((void)identify(unit, 1, formats_of("fp32,fp32,fp32,fp32"), quick()), Broken);
  EXPECT_EQ(asked, 3);
}

TEST(LibraryIdentify, ReportsAnswersThatAreNone) {
  const Formats formats = formats_of("fp32,fp32,fp32,fp32");
  const auto none = [](const InputBatch&) { return std::vector<std::uint64_t>(); };
  const auto wide = [](const InputBatch& inputs) {
    return std::vector<std::uint64_t>(inputs.n, std::uint64_t{1} << 32);
  };
  EXPECT_THROW((void)identify(none, 1, formats, quick()), DeviceError);
  EXPECT_THROW((void)identify(wide, 1, formats, quick()), DeviceError);
}

TEST(LibraryIdentify, RefusesWhatNoUnitHas) {
  EXPECT_EQ(refusal([] { (void)identify(fused, 0, half_products()); }),
            "k: expected a number of products from 1 to 1024, found 0");
  EXPECT_NE(refusal([] {
              (void)identify(fused, 1, Formats{"fp16", "fp16", "fp32", "fp61"});
            }).find("formats: d: expected one of fp64 "),
            std::string::npos);
  EXPECT_NE(
      refusal([] { (void)identify(fused, 1, formats_of("fp16,fp16,fp32,e4m3")); }).find("formats: expected"),
      std::string::npos);
}

TEST(LibraryIdentify, StopsWhenItIsTold) {
  std::stop_source stop;
  IdentifySettings settings = quick();
  settings.stop = stop.get_token();
  const Model model = Model::open(kA100);
  int asked = 0;
  const auto unit = [&](const InputBatch& inputs) {
    if (++asked == 2) stop.request_stop();
    return model(inputs);
  };
  const IdentifyOutcome found = identify(unit, 8, half_products(), settings);
  EXPECT_EQ(found.verdict, IdentifyVerdict::unknown);
  EXPECT_EQ(found.reason, "interrupted");
}

TEST(LibraryIdentify, GoesOnFromWhatIsKnownAndAssumed) {
  const Model unit = Model::open(kV100);
  const IdentifyOutcome first = identify(unit, 4, half_products(), quick());
  IdentifySettings settings = quick();
  settings.known = first.observed;
  settings.assume = first.model;
  const IdentifyOutcome second = identify(unit, 4, half_products(), settings);
  EXPECT_EQ(second.verdict, IdentifyVerdict::equivalent) << second.text;
  EXPECT_NE(second.text.find("assumed"), std::string::npos);
  EXPECT_EQ(second.observed, first.observed);
  EXPECT_EQ(second.model, first.model);
}

TEST(LibraryIdentify, ConcludesFromARecordingAlone) {
  const Model unit = Model::open(kV100);
  const IdentifyOutcome asked = identify(unit, 4, half_products(), quick());
  IdentifySettings settings = quick();
  settings.known = asked.observed;  // the same once more, which counts once
  const IdentifyOutcome recorded = identify_recorded(asked.observed, 4, half_products(), settings);
  EXPECT_EQ(recorded.observed.inputs.n, asked.observed.inputs.n);
  ASSERT_TRUE(recorded.model);
  EXPECT_EQ((*recorded.model)(asked.observed.inputs), asked.observed.d);
}

TEST(LibraryCheck, ShowsTheObservationThatRefutes) {
  const Model model = Model::open(kV100);
  InputBatch inputs{
      3, std::vector<std::uint64_t>(12, kOne), std::vector<std::uint64_t>(12, kOne), {0, 0, 0}, {}, {}};
  inputs.a[4] = kTwo;
  inputs.a[8] = kOneHalf;
  ObservedBatch observed{inputs, model(inputs)};
  EXPECT_EQ(check(model, observed).verdict, CheckVerdict::consistent);
  const std::uint64_t right = observed.d[1];
  observed.d[1] ^= 1;
  const CheckOutcome refuted = check(model, observed);
  EXPECT_EQ(refuted.verdict, CheckVerdict::inconsistent);
  ASSERT_EQ(refuted.refuting.size(), 1U);
  EXPECT_EQ(refuted.refuting[0].index, 1U);
  EXPECT_EQ(refuted.refuting[0].predicted, right);
  EXPECT_EQ(nlohmann::json::parse(refuted.document).at("refuting")[0].at("line"), 2);
  EXPECT_EQ(refusal([&] { (void)check(model, ObservedBatch()); }), "observations: expected at least one");
}

TEST(LibraryCheck, FindsACompletionOfAHypothesis) {
  const Model unit = Model::open(kV100);
  InputBatch inputs{1, std::vector<std::uint64_t>(4, kOne), std::vector<std::uint64_t>(4, kOne), {0}, {}, {}};
  const Model hypothesis = Model::from_json(
      R"({"k":4,"instruction":"dot4","formats":{"a":"fp16","b":"fp16","c":"fp32","d":"fp32"},"features":{"fma_width":4}})");
  const CheckOutcome found = check(hypothesis, {inputs, unit(inputs)});
  EXPECT_EQ(found.verdict, CheckVerdict::consistent);
  ASSERT_TRUE(found.completion);
  EXPECT_EQ((*found.completion)(inputs), unit(inputs));
}

TEST(LibraryDistinguish, ShowsASmallestInputOrProvesThatThereIsNone) {
  const Model v100 = Model::open(kV100), a100 = Model::open(kA100);
  const DistinguishOutcome found =
      distinguish(v100, a100);  // two steps of four products against one of eight
  ASSERT_EQ(found.verdict, DistinguishVerdict::different) << found.text;
  ASSERT_TRUE(found.difference);
  EXPECT_EQ(found.difference->input.a.size(), 8U);
  EXPECT_EQ(a100(found.difference->input).front(), found.difference->second);
  EXPECT_NE(found.difference->first, found.difference->second);
  EXPECT_EQ(distinguish(a100, a100).verdict, DistinguishVerdict::equivalent);
  EXPECT_NE(refusal([&] {
              (void)distinguish(a100, Model::open("sim:a100#mma.m16n8k8.f16.f16.f16.f16"));
            }).find("second: expected the first model's formats and K"),
            std::string::npos);
}

TEST(LibraryRecordings, AreReadAsBatches) {
  const std::string file = testing::TempDir() + "library_recording.jsonl";
  std::ofstream(file)
      << R"({"instruction":"wmma.f32.f16","a":["3c00","4000"],"b":["3c00","3c00"],"c":"00000000","d":"40400000"})"
      << "\n";
  const ObservedBatch read = read_observed(file, 2, half_products());
  EXPECT_EQ(read, (ObservedBatch{{1, {kOne, kTwo}, {kOne, kOne}, {0}, {}, {}}, {0x40400000}}));
  EXPECT_NE(refusal([&] { (void)read_observed(file, 3, half_products()); }).find(file + ":1: a: expected"),
            std::string::npos);
}

TEST(LibraryFormats, TellWidthsAndKinds) {
  EXPECT_EQ(format_facts("fp16").bits, 16);
  EXPECT_TRUE(format_facts("uint8").is_integer);
  EXPECT_FALSE(format_facts("uint8").is_signed);
  EXPECT_THROW((void)format_facts("fp17"), InputError);
  EXPECT_EQ(formats_of("fp16,fp16,none,fp32").c, std::nullopt);
}

}  // namespace
}  // namespace mmaprint::library_test
