// This processor's own instructions, as far as it has them: what they answer is compared with an independent
// evaluator of what Intel's manual says that they compute.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <thread>

#include "device/cpu/table.h"
#include "device/open.h"
#include "oracle/oracle.h"
#include "support/generate.h"

#ifdef __x86_64__
#include "device/cpu/kernels.h"
#include "device/cpu/mxcsr.h"
#endif

namespace mmaprint::cpu::cpu_test {
namespace {

using test::Random;

#ifdef __x86_64__

std::unique_ptr<MatmulUnit> opened() { return std::get<std::unique_ptr<MatmulUnit>>(open_device("cpu")); }

bool has_word(std::string_view name, std::string_view word) {
  return ("." + std::string(name) + ".").find("." + std::string(word) + ".") != std::string::npos;
}

Rounding direction(std::string_view name) {
  const auto named = [&](std::string_view word) {
    return has_word(name, word) || has_word(name, std::string(word) + "-sae");
  };
  if (named("rd")) return Rounding::down;
  if (named("ru")) return Rounding::up;
  return named("rz") ? Rounding::toward_zero : Rounding::nearest_even;
}

/// IEEE 754's fused multiply-add; MXCSR's FTZ and DAZ, which FP16 ignores.
UnitModel fma(const Instruction& of) {
  const Format f = of.formats.d;
  ChainParameters values;
  values.block = exact_adder(f, direction(of.name));
  values.final_rounding = values.block.rounding;
  values.conventions.overflow = Overflow::by_direction;
  if (f != Format::fp16 && has_word(of.name, "ftz")) {
    values.conventions.output_subnormals = Subnormals::flushed;
    values.conventions.flush_test = FlushTest::after_unbounded;
  }
  if (f != Format::fp16 && has_word(of.name, "daz"))
    values.conventions.input_subnormals = values.conventions.c_subnormals = Subnormals::flushed;
  return chain_model(of.name, 1, of.formats, {{{0}}, CEnters::first}, values, std::nullopt);
}

/// Two of these, the odd product first, always to nearest-even, FTZ and DAZ.
UnitModel bf16_pair(const Instruction& of) {
  ChainParameters values;
  values.block = exact_adder(Format::fp32, Rounding::nearest_even);
  values.conventions.input_subnormals = values.conventions.c_subnormals = Subnormals::flushed;
  values.conventions.output_subnormals = Subnormals::flushed;
  values.conventions.flush_test = FlushTest::after_unbounded;
  return chain_model(of.name, 2, of.formats, {{{1}, {0}}, CEnters::first}, values, std::nullopt);
}

/// All products and c at once, exactly.
UnitModel exact(const Instruction& of) {
  ChainParameters values;
  values.block = exact_adder(of.formats.d, Rounding::nearest_even);
  std::vector<int> all;
  for (int k = 0; k < of.k; ++k) all.push_back(k);
  if (info(of.formats.d).is_integer())
    values.conventions.overflow =
        of.name.find("ds") != std::string::npos ? Overflow::saturate : Overflow::wrap;
  return chain_model(of.name, of.k, of.formats, {{all}, CEnters::first}, values, std::nullopt);
}

/// What the manual says that an instruction computes.
UnitModel documented(const TableRow& row) {
  if (row.instruction.k == 1) return fma(row.instruction);
  return row.instruction.name == "vdpbf16ps" ? bf16_pair(row.instruction) : exact(row.instruction);
}

Pattern small_integer(Random& random, Format format) {
  return info(format).is_integer() ? random.bits() & info(format).pattern_mask()
                                   : oracle::pattern_of(format, random.between(-8, 8));
}

/// Integers, and any values where the order of additions is documented.
DotInput input_for(Random& random, const TableRow& row, const UnitModel& model) {
  const Signature& f = row.instruction.formats;
  if (!info(f.d).is_integer() && row.registers != Registers::tile) return test::random_input(random, model);
  DotInput input;
  for (int k = 0; k < row.instruction.k; ++k) {
    input.a.push_back(small_integer(random, f.a));
    input.b.push_back(small_integer(random, f.b));
  }
  const Pattern near_the_end = 0x7fffffffU + random.bits() % 0x20000U - 0x10000U;
  input.c = !info(f.d).is_integer() || random.chance(1, 2) ? small_integer(random, f.d) : near_the_end;
  return input;
}

/// NaNs have payloads, which processors need not choose alike.
bool same(Format d, Pattern x, Pattern y) { return x == y || (is_nan(d, x) && is_nan(d, y)); }

class OfRow : public testing::TestWithParam<TableRow> {};

TEST_P(OfRow, ComputesWhatIsDocumentedOnRandomInputs) {
  const TableRow& row = GetParam();
  const auto unit = opened();
  const InstructionInfo info = find_instruction(*unit, row.instruction.name).value();
  if (!info.available) GTEST_SKIP() << info.reason;
  const UnitModel model = documented(row);
  Random random(test::starting_seed(5));
  std::vector<DotInput> inputs;
  for (long i = 0; i < test::count(5000); ++i) inputs.push_back(input_for(random, row, model));
  const auto answers = std::get<std::vector<Pattern>>(unit->run(row.instruction, inputs));
  ASSERT_EQ(answers.size(), inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    ASSERT_TRUE(same(row.instruction.formats.d, answers[i], oracle::evaluate(model, inputs[i])))
        << row.instruction.name << " gives " << std::hex << answers[i] << ", expected "
        << oracle::evaluate(model, inputs[i]) << " for a " << inputs[i].a[0] << " b " << inputs[i].b[0]
        << " c " << inputs[i].c;
}

INSTANTIATE_TEST_SUITE_P(Cpu, OfRow, testing::ValuesIn(table().begin(), table().end()), [](const auto& of) {
  std::string name = of.param.instruction.name;
  for (char& letter : name)
    if (letter == '.' || letter == '-') letter = '_';
  return name;
});

template <class Float>
void expect_std_fma(const char* name) {
  const auto unit = opened();
  const InstructionInfo info = find_instruction(*unit, name).value();
  if (!info.available) GTEST_SKIP() << info.reason;
  using Bits = std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t>;
  Random random(test::starting_seed(6));
  std::vector<DotInput> inputs;
  const auto any = [&] { return Pattern{static_cast<Bits>(random.bits())}; };
  for (long i = 0; i < test::count(100000); ++i) inputs.push_back({{any()}, {any()}, any()});
  const auto answers = std::get<std::vector<Pattern>>(unit->run(info.instruction, inputs));
  const auto number = [](Pattern p) { return std::bit_cast<Float>(static_cast<Bits>(p)); };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Float expected = std::fma(number(inputs[i].a[0]), number(inputs[i].b[0]), number(inputs[i].c));
    ASSERT_TRUE(same(info.instruction.formats.d, answers[i], std::bit_cast<Bits>(expected))) << i;
  }
}

TEST(CpuFma, IsTheLibrarysOnRandomInputsOfFp32) { expect_std_fma<float>("vfmadd231ps.rn"); }
TEST(CpuFma, IsTheLibrarysOnRandomInputsOfFp64) { expect_std_fma<double>("vfmadd231sd.rn"); }

std::uint32_t read_mxcsr() {
  std::uint32_t mxcsr = 0;
  asm volatile("stmxcsr %0" : "=m"(mxcsr));
  return mxcsr;
}

TEST(Mxcsr, IsWhatAnInstructionsNameSays) {
  EXPECT_EQ(mxcsr_of("vdpbf16ps"), 0x1f80U);
  EXPECT_EQ(mxcsr_of("vfmadd231ss.rn"), 0x1f80U);
  EXPECT_EQ(mxcsr_of("vfmadd231ss.rd"), 0x3f80U);
  EXPECT_EQ(mxcsr_of("vfmadd231ss.ru.daz"), 0x5fc0U);
  EXPECT_EQ(mxcsr_of("vfmadd231ss.rz.ftz.daz"), 0xffc0U);
  EXPECT_EQ(mxcsr_of("vfmadd231ps.rz-sae"), 0x1f80U);
}

/// Of the smallest normal number and a ten-thousandth: overflow, underflow and a result that each direction
/// rounds otherwise.
const std::vector<DotInput> kTelling{{{0x7f7fffff}, {0x7f7fffff}, 0}, {{0x00800000}, {0x38d1b717}, 0}};

TEST(Mxcsr, IsTheThreadsOwnAgainAfterwards) {
  const auto unit = opened();
  const InstructionInfo info = find_instruction(*unit, "vfmadd231ss.ru.ftz.daz").value();
  if (!info.available) GTEST_SKIP() << info.reason;
  const std::uint32_t before = read_mxcsr();
  for (const std::uint32_t mxcsr : {0x1f80U, 0x7fc0U, 0x9fbfU}) {
    std::uint32_t after = 0;
    {
      const MxcsrScope scope(mxcsr);
      (void)unit->run(info.instruction, kTelling);
      after = read_mxcsr();
    }
    EXPECT_EQ(after, mxcsr);
  }
  EXPECT_EQ(read_mxcsr(), before);
}

TEST(CpuUnit, AnswersSeveralThreadsEachInItsOwnDirection) {
  const auto unit = opened();
  const auto ask = [&](const char* name) {
    return unit->run(find_instruction(*unit, name).value().instruction, kTelling);
  };
  if (const auto info = find_instruction(*unit, "vfmadd231ss.rn").value(); !info.available)
    GTEST_SKIP() << info.reason;
  const auto repeat = [&](const char* name, const std::vector<Pattern>& expected) {
    for (int i = 0; i < 2000; ++i)
      if (ask(name) != RunResult(expected)) ADD_FAILURE() << name;
  };
  const std::jthread first([&] { repeat("vfmadd231ss.rz.ftz.daz", {0x7f7fffff, 0}); });
  const std::jthread second([&] { repeat("vfmadd231ss.ru", {0x7f800000, 0x00000347}); });
  repeat("vfmadd231ss.rd", {0x7f7fffff, 0x00000346});
}

TEST(CpuUnit, ListsEveryRowAndRunsThoseThatTheProcessorHas) {
  const auto unit = opened();
  EXPECT_EQ(unit->name(), "cpu");
  EXPECT_TRUE(unit->concurrent());
  const auto all = unit->instructions();
  ASSERT_EQ(all.size(), table().size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const InstructionInfo& info = all[i];
    EXPECT_EQ(info.instruction, table()[i].instruction);
    EXPECT_NE(find_kernel(info.instruction.name), nullptr);
    EXPECT_EQ(info.available, info.reason.empty());
    const auto k = static_cast<std::size_t>(info.instruction.k);
    const std::vector<DotInput> zero{{std::vector<Pattern>(k), std::vector<Pattern>(k), 0}};
    EXPECT_EQ(std::holds_alternative<std::vector<Pattern>>(unit->run(info.instruction, zero)),
              info.available);
  }
  EXPECT_TRUE(std::holds_alternative<DeviceFailure>(unit->run({"vfmadd231xx", 1, {}}, {})));
  EXPECT_EQ(find_kernel("vfmadd231xx"), nullptr);
}

TEST(CpuUnit, RefusesInputsOfAnotherShapeAndStopsInTime) {
  const auto unit = opened();
  const InstructionInfo info = find_instruction(*unit, "vfmadd231ss.rn").value();
  if (!info.available) GTEST_SKIP() << info.reason;
  const std::vector<DotInput> longer{{{0, 0}, {0, 0}, 0}}, wider{{{0x100000000}, {0}, 0}};
  EXPECT_TRUE(std::holds_alternative<DeviceFailure>(unit->run(info.instruction, longer)));
  EXPECT_TRUE(std::holds_alternative<DeviceFailure>(unit->run(info.instruction, wider)));
  EXPECT_EQ(unit->run_until(Deadline(0), info.instruction, kTelling), RunResult(DeviceInterrupted{}));
  EXPECT_EQ(unit->run(info.instruction, {}), RunResult(std::vector<Pattern>{}));
}

#else

TEST(Cpu, IsNoDeviceWhereItsInstructionsAreNotKnown) {
  EXPECT_TRUE(std::holds_alternative<DeviceFailure>(open_device("cpu")));
}

#endif

}  // namespace
}  // namespace mmaprint::cpu::cpu_test
