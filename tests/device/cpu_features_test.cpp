// Which instructions a processor has, from CPUID's leaves as they are given. No processor is asked.
#include <gtest/gtest.h>

#include "device/cpu/features.h"
#include "device/cpu/table.h"

namespace mmaprint::cpu::cpu_features_test {
namespace {

constexpr std::uint64_t kAvxSaved = 0x7, kAvx512Saved = 0xe7, kTilesSaved = 0x600e7;

std::uint32_t bits(std::initializer_list<int> which) {
  std::uint32_t word = 0;
  for (const int bit : which) word |= 1U << bit;
  return word;
}

/// As Intel's Sapphire Rapids has it: AVX512-FP16, -BF16, -VNNI, AVX-VNNI, AMX-BF16 and -INT8.
Processor sapphire_rapids() {
  Processor processor;
  processor.leaf_1.ecx = bits({12, 26, 27, 28});
  processor.leaf_7_0 = {1, bits({5, 16, 30, 31}), bits({11}), bits({22, 23, 24, 25})};
  processor.leaf_7_1.eax = bits({4, 5});
  processor.xcr0 = kTilesSaved;
  return processor;
}
/// AMD's Zen 4: AVX512-BF16 and -VNNI, no tiles.
Processor zen4() {
  Processor processor;
  processor.leaf_1.ecx = bits({12, 26, 27, 28});
  processor.leaf_7_0 = {1, bits({5, 16, 30, 31}), bits({11}), 0};
  processor.leaf_7_1.eax = bits({5});
  processor.xcr0 = kAvx512Saved;
  return processor;
}

std::vector<std::string> available_mnemonics(const Processor& processor) {
  std::vector<std::string> all;
  for (const TableRow& row : table()) {
    const std::string mnemonic = row.instruction.name.substr(0, row.instruction.name.find('.'));
    if (why_not(row.needs, processor).empty() && (all.empty() || all.back() != mnemonic))
      all.push_back(mnemonic);
  }
  return all;
}

TEST(CpuFeatures, OfAZen4AreFmaBf16AndVnni) {
  EXPECT_EQ(available_mnemonics(zen4()),
            (std::vector<std::string>{"vfmadd231ss", "vfmadd231ps", "vfmadd231sd", "vfmadd231pd",
                                      "vfmadd231ps", "vfmadd231pd", "vdpbf16ps", "vpdpbusd", "vpdpbusds",
                                      "vpdpwssd", "vpdpwssds"}));
  EXPECT_EQ(why_not(Feature::amx_fp16, zen4()), "needs AMX-FP16, which this processor lacks");
  EXPECT_EQ(why_not(Feature::avx_vnni, zen4()), "needs AVX-VNNI, which this processor lacks");
}

TEST(CpuFeatures, OfASapphireRapidsAreTilesTooButOfFp16) {
  const Processor processor = sapphire_rapids();
  for (const Feature feature :
       {Feature::fma, Feature::avx512f, Feature::avx512_fp16, Feature::avx512_bf16, Feature::avx512_vnni,
        Feature::avx_vnni, Feature::amx_bf16, Feature::amx_int8})
    EXPECT_EQ(why_not(feature, processor), "");
  for (const Feature feature : {Feature::amx_fp16, Feature::avx_vnni_int8, Feature::avx_vnni_int16})
    EXPECT_NE(why_not(feature, processor), "");
  EXPECT_TRUE(has_tiles(processor));
  EXPECT_FALSE(has_tiles(zen4()));
}

TEST(CpuFeatures, EachHaveABitOfTheirOwn) {
  struct Case {
    Feature feature;
    CpuidRegisters Processor::*leaf;
    std::uint32_t CpuidRegisters::*in;
    int bit;
  };
  const Case cases[] = {
      {Feature::fma, &Processor::leaf_1, &CpuidRegisters::ecx, 12},
      {Feature::avx512f, &Processor::leaf_7_0, &CpuidRegisters::ebx, 16},
      {Feature::avx512_fp16, &Processor::leaf_7_0, &CpuidRegisters::edx, 23},
      {Feature::avx512_bf16, &Processor::leaf_7_1, &CpuidRegisters::eax, 5},
      {Feature::avx512_vnni, &Processor::leaf_7_0, &CpuidRegisters::ecx, 11},
      {Feature::avx_vnni, &Processor::leaf_7_1, &CpuidRegisters::eax, 4},
      {Feature::avx_vnni_int8, &Processor::leaf_7_1, &CpuidRegisters::edx, 4},
      {Feature::avx_vnni_int16, &Processor::leaf_7_1, &CpuidRegisters::edx, 10},
      {Feature::amx_bf16, &Processor::leaf_7_0, &CpuidRegisters::edx, 22},
      {Feature::amx_fp16, &Processor::leaf_7_1, &CpuidRegisters::eax, 21},
      {Feature::amx_int8, &Processor::leaf_7_0, &CpuidRegisters::edx, 25},
  };
  const CpuidRegisters all{~0U, ~0U, ~0U, ~0U};
  for (const Case& c : cases) {
    Processor processor{all, all, all, kTilesSaved, "", ""};
    EXPECT_EQ(why_not(c.feature, processor), "");
    processor.*c.leaf.*c.in &= ~(1U << c.bit);
    EXPECT_NE(why_not(c.feature, processor), "") << name_of(c.feature);
  }
}

TEST(CpuFeatures, NeedRegistersThatTheOperatingSystemSaves) {
  Processor processor = sapphire_rapids();
  processor.xcr0 = kAvx512Saved;
  EXPECT_EQ(why_not(Feature::amx_int8, processor),
            "needs AMX-INT8, whose registers the operating system does not save");
  EXPECT_FALSE(has_tiles(processor));
  EXPECT_EQ(why_not(Feature::avx512_vnni, processor), "");
  processor.xcr0 = kAvxSaved;
  EXPECT_EQ(why_not(Feature::avx512_vnni, processor),
            "needs AVX512_VNNI, whose registers the operating system does not save");
  EXPECT_EQ(why_not(Feature::avx_vnni, processor), "");
  processor.xcr0 = 0;
  EXPECT_EQ(why_not(Feature::fma, processor),
            "needs FMA, whose registers the operating system does not save");
}

TEST(CpuFeatures, OfTilesNeedTheKernelsPermission) {
  Processor processor = sapphire_rapids();
  processor.no_tiles = "Operation not permitted";
  EXPECT_EQ(why_not(Feature::amx_bf16, processor),
            "needs AMX-BF16, and the kernel gives no tiles: Operation not permitted");
  EXPECT_EQ(why_not(Feature::avx512_bf16, processor), "");
}

TEST(CpuFeatures, OfNoProcessorAreNone) {
  for (const TableRow& row : table()) EXPECT_NE(why_not(row.needs, Processor()), "");
}

TEST(ProcessorName, HasFamilyAndModelAsIntelPutsThemTogether) {
  EXPECT_EQ(described("AMD EPYC 9124          ", 0x00a10f11),
            "AMD EPYC 9124, family 25, model 17, stepping 1");
  EXPECT_EQ(described(std::string_view("  Intel(R) Xeon(R)\0\0", 20), 0x000806f8),
            "Intel(R) Xeon(R), family 6, model 143, stepping 8");
  EXPECT_EQ(described("", 0x00000543), "x86-64, family 5, model 4, stepping 3");
}

}  // namespace
}  // namespace mmaprint::cpu::cpu_features_test
