// Instructions by the vendors' own names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/format.h"
#include "model/signature.h"

namespace mmaprint {

/// One dot product of an instruction: K products (those that take part, where it is sparse) and the formats.
struct Instruction {
  std::string name;
  int k = 0;  ///< 0 where a name tells only the formats
  Signature formats{};
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

/// The format that PTX calls so: "f16", "bf16", "tf32", "e4m3", "s32", ...
[[nodiscard]] std::optional<Format> ptx_format(std::string_view name);

/// What a vendor's name says, if it is one that is known:
/// - `mma.m16n8k16.f32.f16.f16.f32` (D, A, B, C), `mma.sp....` (K counts half the shape's k), with PTX's
/// qualifiers;
/// - `wgmma.m64n8k32.f32.e4m3.e4m3` (D, A, B; C as D), likewise `wgmma.sp`;
/// - block-scaled `mma.m16n8k64.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3` (the
/// scales' format last), also with `block16` or `block32`, so many products a scale;
/// - `tcgen05.m64n8k16.kind::f16.f32.bf16.bf16` (D, A, B; C as D), block-scaled likewise;
/// - `wmma.m16n16k16.f32.f16` (D, A; B as A, C as D), the instruction of C++'s `nvcuda::wmma`;
/// - `mfma.f32_32x32x8_f16`;
/// - Arm's `bfmmla` and `bfdot`; `tpu.column128.f32.bf16.bf16.f32`, a column of a systolic array;
/// - Intel's mnemonics with what they depend on besides: `vdpbf16ps`, `vfmadd231ps.rz.ftz.daz`, `tdpbssd`;
/// - recorded names without a shape, `wmma.f32.f16` (D, A; B as A, C as D): formats only.
/// Sparse instructions with block scales are not among them.
[[nodiscard]] std::optional<Instruction> instruction_from_name(std::string_view name);

}  // namespace mmaprint
