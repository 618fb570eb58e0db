// The tables of NVIDIA's instructions: complete, and each row what its name says.
#include <gtest/gtest.h>

#include <set>

#include "device/cuda/sass.h"
#include "device/cuda/table.h"
#ifdef MMAPRINT_HAS_CUDA
#include "device/cuda/kernels.h"
#endif

namespace mmaprint::cuda::cuda_table_test {
namespace {

/// ptxas takes these in PTX 9.1 only.
bool is_later_ptx(const TableRow& row) {
  return row.instruction.name.ends_with("::4X.f32.e2m1.e2m1.f32.ue8m0");
}

/// Rows of PTX instructions that code for `target` can have.
int count(Target target, std::string_view head = "") {
  int rows = 0;
  for (const TableRow& row : table())
    if (row.group != Group::wmma && runs_on(row.needs, target) && !is_later_ptx(row) &&
        row.instruction.name.starts_with(head))
      ++rows;
  return rows;
}

TEST(CudaTable, HoldsWhatTheAssemblerAcceptsForHopper) {
  EXPECT_EQ(count(specific(90), "mma.m"), 106);
  EXPECT_EQ(count(specific(90), "mma.sp.m"), 44);
  EXPECT_EQ(count(specific(90), "mma.sp::ordered_metadata.m"), 44);
  EXPECT_EQ(count(specific(90), "wgmma.m"), 21);
  EXPECT_EQ(count(specific(90), "wgmma.sp.m"), 20);
  EXPECT_EQ(count(specific(90)), 235);
}

TEST(CudaTable, HoldsWhatTheAssemblerAcceptsForOtherArchitectures) {
  EXPECT_EQ(count(common(75)), 31);
  EXPECT_EQ(count(common(80)), 158);
  EXPECT_EQ(count(common(86)), 158);
  EXPECT_EQ(count(common(89)), 182);
  EXPECT_EQ(count(common(90)), 194);
  EXPECT_EQ(count(common(120)), 194);
  EXPECT_EQ(count(family(100)), 206);
  EXPECT_EQ(count(family(120)), 351);
  EXPECT_EQ(count(specific(120)), 354);
}

TEST(CudaTable, HasNamesThatTellShapeAndFormats) {
  std::set<std::string> names;
  for (const TableRow& row : table()) {
    const std::string& name = row.instruction.name;
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(row.instruction.k, row.sparse ? row.shape.k / 2 : row.shape.k) << name;
    EXPECT_NE(name.find("m" + std::to_string(row.shape.m) + "n" + std::to_string(row.shape.n) + "k" +
                        std::to_string(row.shape.k) + "."),
              std::string::npos)
        << name;
    const auto parsed = instruction_from_name(name);
    EXPECT_EQ(parsed.has_value(), row.group != Group::block_scaled || !row.sparse) << name;
    if (parsed) {
      EXPECT_EQ(*parsed, row.instruction) << name;
    }
  }
}

TEST(CudaTable, SaysWhyARowCanNotRun) {
  const auto find = [](std::string_view name) {
    for (const TableRow& row : table())
      if (row.instruction.name == name) return row;
    throw std::runtime_error("no such row");
  };
  const TableRow wgmma = find("wgmma.m64n8k16.f32.f16.f16");
  EXPECT_EQ(why_not(wgmma, specific(90), specific(90)), "");
  EXPECT_EQ(why_not(wgmma, common(80), specific(80)), "needs sm_90a");
  EXPECT_EQ(why_not(wgmma, common(90), specific(90)), "needs sm_90a, and this build has sm_90");
  EXPECT_EQ(why_not(wgmma, common(120), specific(120)), "needs sm_90a");
  const TableRow fp6 = find("mma.m16n8k32.kind::f8f6f4.f32.e3m2.e3m2.f32");
  EXPECT_EQ(why_not(fp6, family(120), specific(120)), "");
  EXPECT_EQ(why_not(fp6, family(100), specific(100)), "needs sm_120f");
  const TableRow scaled = find("mma.m16n8k32.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0");
  EXPECT_NE(why_not(scaled, specific(120), specific(120)).find("block scales"), std::string::npos);
}

#ifdef MMAPRINT_HAS_CUDA
TEST(CudaTable, HasAKernelForEveryRowButBlockScaledOnes) {
  std::set<const void*> functions;
  for (const TableRow& row : table()) {
    const Kernel* kernel = find_kernel(row.instruction.name);
    ASSERT_EQ(kernel != nullptr, row.group != Group::block_scaled) << row.instruction.name;
    if (kernel == nullptr) continue;
    EXPECT_EQ(kernel->tile.m, row.shape.m) << row.instruction.name;
    EXPECT_EQ(kernel->tile.n, row.shape.n) << row.instruction.name;
    EXPECT_EQ(kernel->tile.k, row.instruction.k) << row.instruction.name;
    EXPECT_TRUE(functions.insert(kernel->function).second) << row.instruction.name;
  }
}
#endif

constexpr std::string_view kListing = R"(
Fatbin elf code:
================
arch = sm_90a

	code for sm_90a
		Function : _Z5denseILi7EEv9TileBatch
	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_ACCELERATORS EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;                      /* 0x00000a00ff017b82 */
                                                                               /* 0x000fe20000000800 */
        /*0150*/                   HMMA.16816.F32 R4, R8, R12, R4 ;            /* 0x0000000c0804723c */
        /*0160*/              @!P0 HMMA.16816.F32 R4, R8, R14, R4 ;            /* 0x0000000c0804723c */
        /*0170*/               @P1 EXIT ;                                      /* 0x000000000000794d */
        /*0180*/                   IMMA.8816.U8.S8.SAT R2, R3.ROW, R4.COL, R2;
		..........

		Function : _Z5wgmmaILi8EEv9TileBatch
        /*0b30*/                   HGMMA.64x8x16.F32 R24, R4, gdesc[UR4], R24, gsb0 ;  /* 0x0020000004187df0 */
		Function : _Z4quadv
        /*0010*/                   FFMA R4, R4, R5, R6 ;                       /* 0x000000050404723c */
        /*0020*/                   NOHMMAX R4 ;
)";

TEST(Sass, TellsTheTensorInstructionsOfEachFunction) {
  const auto found = tensor_instructions(kListing);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found.at("_Z5denseILi7EEv9TileBatch"), "2x HMMA.16816.F32, IMMA.8816.U8.S8.SAT");
  EXPECT_EQ(found.at("_Z5wgmmaILi8EEv9TileBatch"), "HGMMA.64x8x16.F32");
  EXPECT_EQ(found.at("_Z4quadv"), "no tensor op");
  EXPECT_TRUE(tensor_instructions("").empty());
  EXPECT_TRUE(tensor_instructions("cuobjdump fatal   : No kernel image").empty());
}

}  // namespace
}  // namespace mmaprint::cuda::cuda_table_test
