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
/// - `wmma.m16n16k16.f32.f16` (D, A; B as A, C as D), the instruction of C++'s `nvcuda::wmma`;
/// - `mfma.f32_32x32x8_f16`;
/// - Intel's mnemonics with what they depend on besides: `vdpbf16ps`, `vfmadd231ps.rz.ftz.daz`, `tdpbssd`;
/// - recorded names without a shape, `wmma.f32.f16` (D, A; B as A, C as D): formats only.
/// Block-scaled instructions are not among them: their scales are operands that this form lacks.
[[nodiscard]] std::optional<Instruction> instruction_from_name(std::string_view name);

}  // namespace mmaprint
