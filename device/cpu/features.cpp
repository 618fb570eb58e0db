#include "device/cpu/features.h"

#include <fmt/format.h>

#include <array>

namespace mmaprint::cpu {
namespace {

constexpr std::uint64_t kVectors = 0x6;       // XCR0: SSE, AVX
constexpr std::uint64_t kLongVectors = 0xe6;  // and opmask, ZMM_Hi256, Hi16_ZMM
constexpr std::uint64_t kTiles = 0x60000;     // TILECFG, TILEDATA
constexpr std::uint32_t kAmxTile = 1U << 24;  // leaf 7.0, edx
constexpr std::uint32_t kAvx512f = 1U << 16;  // leaf 7.0, ebx

struct FeatureRow {
  Feature id;
  std::string_view name;
  CpuidRegisters Processor::*leaf;
  std::uint32_t CpuidRegisters::*in;
  int bit;
  std::uint64_t saved;  ///< in XCR0
};

using R = CpuidRegisters;
using P = Processor;
// clang-format off
constexpr std::array kFeatureTable{
  FeatureRow{Feature::fma,            "FMA",            &P::leaf_1,   &R::ecx, 12, kVectors},
  FeatureRow{Feature::avx512f,        "AVX512F",        &P::leaf_7_0, &R::ebx, 16, kLongVectors},
  FeatureRow{Feature::avx512_fp16,    "AVX512_FP16",    &P::leaf_7_0, &R::edx, 23, kLongVectors},
  FeatureRow{Feature::avx512_bf16,    "AVX512_BF16",    &P::leaf_7_1, &R::eax,  5, kLongVectors},
  FeatureRow{Feature::avx512_vnni,    "AVX512_VNNI",    &P::leaf_7_0, &R::ecx, 11, kLongVectors},
  FeatureRow{Feature::avx_vnni,       "AVX-VNNI",       &P::leaf_7_1, &R::eax,  4, kVectors},
  FeatureRow{Feature::avx_vnni_int8,  "AVX-VNNI-INT8",  &P::leaf_7_1, &R::edx,  4, kVectors},
  FeatureRow{Feature::avx_vnni_int16, "AVX-VNNI-INT16", &P::leaf_7_1, &R::edx, 10, kVectors},
  FeatureRow{Feature::amx_bf16,       "AMX-BF16",       &P::leaf_7_0, &R::edx, 22, kVectors | kTiles},
  FeatureRow{Feature::amx_fp16,       "AMX-FP16",       &P::leaf_7_1, &R::eax, 21, kVectors | kTiles},
  FeatureRow{Feature::amx_int8,       "AMX-INT8",       &P::leaf_7_0, &R::edx, 25, kVectors | kTiles},
};
// clang-format on

constexpr bool feature_table_is_in_order() {
  for (std::size_t i = 0; i < kFeatureTable.size(); ++i)
    if (static_cast<std::size_t>(kFeatureTable[i].id) != i) return false;
  return true;
}
static_assert(feature_table_is_in_order(), "the table is indexed by the enumerator");

const FeatureRow& row_of(Feature feature) { return kFeatureTable[static_cast<std::size_t>(feature)]; }

bool is_tiles(const FeatureRow& row) { return (row.saved & kTiles) != 0; }
bool is_long(const FeatureRow& row) { return row.saved == kLongVectors; }

/// The feature itself, and what its registers belong to.
bool has(const FeatureRow& row, const Processor& processor) {
  return (processor.*row.leaf.*row.in >> row.bit & 1U) != 0 &&
         (!is_tiles(row) || (processor.leaf_7_0.edx & kAmxTile) != 0) &&
         (!is_long(row) || (processor.leaf_7_0.ebx & kAvx512f) != 0);
}

bool saves(std::uint64_t registers, const Processor& processor) {
  return (processor.xcr0 & registers) == registers;
}

}  // namespace

std::string_view name_of(Feature feature) { return row_of(feature).name; }

bool has_tiles(const Processor& processor) {
  return (processor.leaf_7_0.edx & kAmxTile) != 0 && saves(kTiles, processor);
}

std::string why_not(Feature feature, const Processor& processor) {
  const FeatureRow& row = row_of(feature);
  if (!has(row, processor)) return fmt::format("needs {}, which this processor lacks", row.name);
  if (!saves(row.saved, processor))
    return fmt::format("needs {}, whose registers the operating system does not save", row.name);
  if (is_tiles(row) && !processor.no_tiles.empty())
    return fmt::format("needs {}, and the kernel gives no tiles: {}", row.name, processor.no_tiles);
  return "";
}

std::string described(std::string_view brand, std::uint32_t leaf_1_eax) {
  const auto field = [&](int from, int bits) { return leaf_1_eax >> from & ((1U << bits) - 1); };
  const std::uint32_t base = field(8, 4);
  const std::uint32_t family = base + (base == 0xf ? field(20, 8) : 0);
  const bool extended = base == 0xf || base == 6;
  const std::uint32_t model = field(4, 4) + (extended ? field(16, 4) << 4 : 0);
  const std::string_view ends(" \0", 2);
  const std::size_t first = brand.find_first_not_of(ends);
  const std::size_t last = brand.find_last_not_of(ends);
  const std::string_view trimmed =
      first == std::string_view::npos ? "x86-64" : brand.substr(first, last - first + 1);
  return fmt::format("{}, family {}, model {}, stepping {}", trimmed, family, model, field(0, 4));
}

}  // namespace mmaprint::cpu
