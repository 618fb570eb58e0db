// Catalogued units, model files and recordings as devices.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "device/catalogue.h"
#include "device/one_at_a_time.h"
#include "device/open.h"

namespace mmaprint::devices_test {
namespace {

/// A file that is removed again.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    std::string pattern = (std::filesystem::temp_directory_path() / "mmaprint-device-XXXXXX").string();
    const int fd = mkstemp(pattern.data());
    close(fd);
    path_ = pattern;
    std::ofstream(path_) << text;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::unique_ptr<MatmulUnit> opened(const std::string& spec, const DeviceOptions& options = {}) {
  return std::get<std::unique_ptr<MatmulUnit>>(open_device(spec, options));
}

template <class Act>
std::string complaint(Act&& act) {
  try {
    act();
  } catch (const BadInput& error) {
    return error.what();
  }
  return "no complaint";
}
std::string complaint_of(const std::string& spec) {
  return complaint([&] { (void)open_device(spec); });
}

void expect_mentions(const std::string& text, std::initializer_list<std::string> parts) {
  for (const auto& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "no " << part << " in: " << text;
}

TEST(Simulated, ComputesThePublishedTestRows) {
  // Fasi et al.: 1 + 4 addends of 2^-24, the 1 being c: lost with F = 23, kept with F = 24.
  const auto d = [](const char* spec, const char* instruction, std::size_t k) {
    auto unit = opened(spec);
    DotInput input{std::vector<Pattern>(k, 0), std::vector<Pattern>(k, 0), 0x3f800000};
    for (std::size_t i = 0; i < 4; ++i) {
      input.a[i] = 0x0c00;  // 2^-12
      input.b[i] = 0x0c00;
    }
    const auto found = find_instruction(*unit, instruction);
    return std::get<std::vector<Pattern>>(unit->run(found.value().instruction, {&input, 1})).at(0);
  };
  EXPECT_EQ(d("sim:v100", "mma.m8n8k4.f32.f16.f16.f32", 4), 0x3f800000U);
  EXPECT_EQ(d("sim:a100", "mma.m16n8k8.f32.f16.f16.f32", 8), 0x3f800002U);
}

TEST(Simulated, Fp64IsAChainOfFusedMultiplyAdds) {
  auto unit = opened("sim:a100");
  const Instruction instruction = find_instruction(*unit, "mma.m8n8k4.f64.f64.f64.f64").value().instruction;
  const std::array<double, 4> a{1.1, -3.7e10, 2.3e-5, 0x1p-1074};
  const std::array<double, 4> b{-0.3, 1e-10, 5.5e7, 0x1p1000};
  double expected = 1.0 / 3;
  DotInput input{{}, {}, std::bit_cast<Pattern>(expected)};
  for (std::size_t i = 0; i < a.size(); ++i) {
    expected = std::fma(a[i], b[i], expected);
    input.a.push_back(std::bit_cast<Pattern>(a[i]));
    input.b.push_back(std::bit_cast<Pattern>(b[i]));
  }
  EXPECT_EQ(unit->run(instruction, {&input, 1}),
            RunResult(std::vector<Pattern>{std::bit_cast<Pattern>(expected)}));
}

TEST(Simulated, RunsModelFiles) {
  const UnitModel model = *catalogued_model("t4", "mma.m16n8k8.f32.f16.f16.f32");
  const TemporaryFile file(to_json(model).dump());
  auto unit = opened("model:" + file.path());
  const Instruction instruction = unit->instructions().at(0).instruction;
  const DotInput input{std::vector<Pattern>(8, 0x3c00), std::vector<Pattern>(8, 0x3c00), 0};
  EXPECT_EQ(unit->run(instruction, {&input, 1}), RunResult(std::vector<Pattern>{0x41000000}));
  EXPECT_TRUE(std::holds_alternative<DeviceFailure>(unit->run({"other", 8, {}}, {&input, 1})));

  const TemporaryFile partial(R"({"instruction":"mma.m16n8k8.f32.f16.f16.f32","features":{}})");
  expect_mentions(complaint_of("model:" + partial.path()), {partial.path(), "unit", "full model"});
}

TEST(OpenDevice, RejectsUnknownNamesAndListsTheKnown) {
  expect_mentions(complaint_of("sim:a1000"), {"sim:a1000", "v100, t4, a100, ada, h100"});
  expect_mentions(complaint_of("a100"), {"expected sim:NAME"});
  expect_mentions(complaint_of("replay:/nonexistent"), {"/nonexistent", "readable"});
  expect_mentions(complaint_of("cuda:first"), {"expected cuda:N", "cuda:first"});
  expect_mentions(complaint_of("cuda:-1"), {"expected cuda:N"});
  EXPECT_TRUE(std::holds_alternative<DeviceFailure>(open_device("cuda:1000")));
}

TEST(OpenModel, FindsCataloguedUnitsByDeviceAndInstruction) {
  EXPECT_EQ(std::get<UnitModel>(open_model("sim:a100#mma.m16n8k8.f32.f16.f16.f32")),
            catalogued_model("a100", "mma.m16n8k8.f32.f16.f16.f32"));
  const auto complaint_about = [](const std::string& spec) {
    return complaint([&] { (void)open_model(spec); });
  };
  expect_mentions(complaint_about("sim:x#y"), {"catalogued units"});
  expect_mentions(complaint_about("sim:v100#y"), {"mma.m8n8k4.f32.f16.f16.f32"});
  expect_mentions(complaint_about("sim:v100"), {"#INSTRUCTION"});
}

const std::string kFirst =
    R"({"instruction":"wmma.f32.f16","a":["3c00"],"b":["3c00"],"c":"00000000","d":"3f800000"})";
const std::string kSecond =
    R"({"instruction":"wmma.f32.f16","a":["3c00"],"b":["3c00"],"c":"3f800000","d":"40000000"})";

Recording recording(const std::string& path) { return std::get<Recording>(open_device("replay:" + path)); }

TEST(Recording, HasEveryObservationOnceInTheFilesOrder) {
  const TemporaryFile file(kSecond + "\n" + kFirst + "\n" + kSecond + "\n");
  const Recording recorded = recording(file.path());
  EXPECT_EQ(recorded.name(), "replay:" + file.path());
  ASSERT_EQ(recorded.instructions().size(), 1U);
  EXPECT_EQ(recorded.instructions().front().instruction.k, 1);
  const std::vector<Observation> expected{{{{0x3c00}, {0x3c00}, 0x3f800000}, 0x40000000},
                                          {{{0x3c00}, {0x3c00}, 0}, 0x3f800000}};
  EXPECT_EQ(recorded.of("wmma.f32.f16"), expected);
  EXPECT_TRUE(recorded.of("other").empty());
}

TEST(Recording, KeepsTwoResultsForOneInput) {
  std::string other = kFirst;
  other.replace(other.find("3f800000"), 8, "3f800001");
  const TemporaryFile file(kFirst + "\n" + kSecond + "\n" + other);
  const Recording recorded = recording(file.path());
  const auto& all = recorded.of("wmma.f32.f16");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all.front().input, all.back().input);
  EXPECT_NE(all.front().d, all.back().d);
}

TEST(Recording, IsASourceThatDescribesItselfAsADeviceDoes) {
  const TemporaryFile file(kFirst + "\n");
  const DeviceDescription device = described(recording(file.path()));
  EXPECT_EQ(device.name, "replay:" + file.path());
  EXPECT_EQ(device.description, device.name);
  EXPECT_TRUE(find_instruction(device.instructions, "wmma.f32.f16").has_value());
  EXPECT_FALSE(find_instruction(device.instructions, "wmma.f32.f17").has_value());
}

TEST(Recording, RejectsAnInstructionThatChangesAndLinesWithoutResult) {
  const TemporaryFile longer(kFirst + R"(
{"instruction":"wmma.f32.f16","a":["3c00","0000"],"b":["3c00","0000"],"c":"00000000","d":"3f800000"})");
  expect_mentions(complaint_of("replay:" + longer.path()), {":2:", "line 1"});
  const TemporaryFile open(R"({"instruction":"wmma.f32.f16","a":["3c00"],"b":["3c00"],"c":"00000000"})");
  expect_mentions(complaint_of("replay:" + open.path()), {":1:", "\"d\""});
}

TEST(Recording, TakesFormatsFromTheCallerWhereLinesTellNone) {
  const TemporaryFile file(R"({"a":["3c00"],"b":["3c00"],"c":"00000000","d":"3f800000"})");
  expect_mentions(complaint_of("replay:" + file.path()), {":1:", "--formats"});
  DeviceOptions options;
  options.formats = Signature{Format::fp16, Format::fp16, Format::fp32, Format::fp32};
  const auto recorded = std::get<Recording>(open_device("replay:" + file.path(), options));
  EXPECT_EQ(recorded.instructions().at(0).instruction.name, "unnamed");
  EXPECT_EQ(recorded.instructions().at(0).instruction.formats, *options.formats);
}

/// Answers once it may.
class Occupied final : public MatmulUnit {
 public:
  [[nodiscard]] std::string name() const override { return "occupied"; }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override { return {}; }
  [[nodiscard]] RunResult run(const Instruction& /*instruction*/,
                              std::span<const DotInput> /*inputs*/) override {
    asked.set_value();
    may.get_future().wait();
    return std::vector<Pattern>{};
  }
  std::promise<void> asked, may;
};

TEST(OneAtATime, WaitsForItsTurnUntilTheDeadline) {
  Occupied unit;
  OneAtATime device(unit);
  const std::jthread first([&] { (void)device.run({}, {}); });
  unit.asked.get_future().wait();
  EXPECT_EQ(device.run_until(Deadline(0), {}, {}), RunResult(DeviceInterrupted{}));
  unit.may.set_value();
}

TEST(SimulatedUnit, EndsWithinABatch) {
  const auto unit = std::get<std::unique_ptr<MatmulUnit>>(open_device("sim:a100"));
  const Instruction instruction = unit->instructions().front().instruction;
  const auto k = static_cast<std::size_t>(instruction.k);
  const std::vector<DotInput> batch(1000, {std::vector<Pattern>(k), std::vector<Pattern>(k), 0});
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(unit->run_until(Deadline(std::nullopt, source.get_token()), instruction, batch),
            RunResult(DeviceInterrupted{}));
  EXPECT_TRUE(std::holds_alternative<std::vector<Pattern>>(unit->run_until(Deadline(), instruction, batch)));
}

}  // namespace
}  // namespace mmaprint::devices_test
