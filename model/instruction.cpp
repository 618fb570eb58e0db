#include "model/instruction.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "model/model_json.h"

namespace mmaprint {
namespace {

using Named = std::pair<std::string_view, Format>;
constexpr std::array kPtxFormats{
    Named{"f64", Format::fp64},  Named{"f32", Format::fp32},  Named{"tf32", Format::tf32},
    Named{"bf16", Format::bf16}, Named{"f16", Format::fp16},  Named{"e4m3", Format::e4m3},
    Named{"e5m2", Format::e5m2}, Named{"e3m2", Format::e3m2}, Named{"e2m3", Format::e2m3},
    Named{"e2m1", Format::e2m1}, Named{"s32", Format::int32}, Named{"s8", Format::int8},
    Named{"u8", Format::uint8},  Named{"s4", Format::int4},   Named{"u4", Format::uint4},
    Named{"b1", Format::b1},
};

/// AMD's names; its 8-bit formats on CDNA3 are the fnuz ones, XF32 reads as TF32 does.
constexpr std::array kAmdFormats{
    Named{"f64", Format::fp64},     Named{"f32", Format::fp32},  Named{"xf32", Format::tf32},
    Named{"f16", Format::fp16},     Named{"bf16", Format::bf16}, Named{"fp8", Format::e4m3fnuz},
    Named{"bf8", Format::e5m2fnuz}, Named{"i32", Format::int32}, Named{"i8", Format::int8},
};

/// PTX words that change neither formats nor K.
constexpr std::array<std::string_view, 22> kQualifiers{"sync",
                                                       "aligned",
                                                       "mma_async",
                                                       "row",
                                                       "col",
                                                       "rn",
                                                       "rz",
                                                       "rm",
                                                       "rp",
                                                       "satfinite",
                                                       "xor",
                                                       "and",
                                                       "popc",
                                                       "kind::f8f6f4",
                                                       "sp",
                                                       "sp::ordered_metadata",
                                                       "kind::f16",
                                                       "kind::tf32",
                                                       "kind::mxf8f6f4",
                                                       "kind::mxf4",
                                                       "kind::mxf4nvf4",
                                                       "block_scale"};

/// How many products have a scale in common, by what an instruction of K products says of it.
struct ScaleWord {
  std::string_view word;
  int per, of_k;  ///< `per` where K is `of_k`; 0: of any
};
constexpr std::array kScaleWords{ScaleWord{"block16", 16, 0}, ScaleWord{"block32", 32, 0},
                                 ScaleWord{"scale_vec::1X", 32, 32}, ScaleWord{"scale_vec::2X", 32, 64},
                                 ScaleWord{"scale_vec::4X", 16, 64}};
bool says_scaled(std::string_view word) { return word == "block_scale" || word.starts_with("kind::mx"); }
constexpr std::array kScaleFormats{Named{"ue8m0", Format::ue8m0}, Named{"ue4m3", Format::ue4m3}};
/// Where none is said.
constexpr int kUsualPer = 32;

struct Fixed {
  std::string_view name;
  int k;
  Signature formats;
};
constexpr Fixed fma(std::string_view name, Format f) { return {name, 1, {f, f, f, f}}; }
constexpr Fixed dot(std::string_view name, int k, Format a, Format b, Format d) {
  return {name, k, {a, b, d, d}};
}
/// Intel's mnemonics. What `..s` at the end adds is saturation; K of tile instructions is that of whole
/// tiles.
constexpr std::array kX86{
    fma("vfmadd231sh", Format::fp16),
    fma("vfmadd231ph", Format::fp16),
    fma("vfmadd231ss", Format::fp32),
    fma("vfmadd231ps", Format::fp32),
    fma("vfmadd231sd", Format::fp64),
    fma("vfmadd231pd", Format::fp64),
    dot("vdpbf16ps", 2, Format::bf16, Format::bf16, Format::fp32),
    dot("vpdpbusd", 4, Format::uint8, Format::int8, Format::int32),
    dot("vpdpbusds", 4, Format::uint8, Format::int8, Format::int32),
    dot("vpdpbssd", 4, Format::int8, Format::int8, Format::int32),
    dot("vpdpbssds", 4, Format::int8, Format::int8, Format::int32),
    dot("vpdpbsud", 4, Format::int8, Format::uint8, Format::int32),
    dot("vpdpbsuds", 4, Format::int8, Format::uint8, Format::int32),
    dot("vpdpbuud", 4, Format::uint8, Format::uint8, Format::int32),
    dot("vpdpwssd", 2, Format::int16, Format::int16, Format::int32),
    dot("vpdpwssds", 2, Format::int16, Format::int16, Format::int32),
    dot("vpdpwsud", 2, Format::int16, Format::uint16, Format::int32),
    dot("vpdpwsuds", 2, Format::int16, Format::uint16, Format::int32),
    dot("vpdpwusd", 2, Format::uint16, Format::int16, Format::int32),
    dot("vpdpwusds", 2, Format::uint16, Format::int16, Format::int32),
    dot("vpdpwuud", 2, Format::uint16, Format::uint16, Format::int32),
    dot("tdpbf16ps", 32, Format::bf16, Format::bf16, Format::fp32),
    dot("tdpfp16ps", 32, Format::fp16, Format::fp16, Format::fp32),
    dot("tdpbssd", 64, Format::int8, Format::int8, Format::int32),
    dot("tdpbsud", 64, Format::int8, Format::uint8, Format::int32),
    dot("tdpbusd", 64, Format::uint8, Format::int8, Format::int32),
    dot("tdpbuud", 64, Format::uint8, Format::uint8, Format::int32),
};
/// Arm's, and what has no name of its own.
constexpr std::array kOthers{
    dot("bfmmla", 4, Format::bf16, Format::bf16, Format::fp32),
    dot("bfdot", 2, Format::bf16, Format::bf16, Format::fp32),
    dot("tpu.column128.f32.bf16.bf16.f32", 128, Format::bf16, Format::bf16, Format::fp32),
};
/// Words that follow a mnemonic and change neither formats nor K: the direction of rounding that MXCSR holds,
/// or the instruction itself; MXCSR's other bits; the older encoding.
constexpr std::array<std::string_view, 11> kX86Qualifiers{
    "rn", "rd", "ru", "rz", "rn-sae", "rd-sae", "ru-sae", "rz-sae", "ftz", "daz", "vex"};

template <std::size_t N>
std::optional<Format> look_up(const std::array<Named, N>& table, std::string_view name) {
  const auto row = std::ranges::find(table, name, &Named::first);
  return row == table.end() ? std::nullopt : std::optional(row->second);
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = std::min(text.find(at), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole && value >= 1 && value <= kLargestK ? std::optional(value) : std::nullopt;
}

/// K of "m16n8k8".
std::optional<int> k_of_shape(std::string_view shape) {
  const std::size_t n = shape.find('n');
  const std::size_t k = shape.find('k');
  if (!shape.starts_with('m') || n == std::string_view::npos || k == std::string_view::npos || k < n)
    return std::nullopt;
  if (!number(shape.substr(1, n - 1)) || !number(shape.substr(n + 1, k - n - 1))) return std::nullopt;
  return number(shape.substr(k + 1));
}

std::optional<Signature> formats_of(const std::vector<Format>& types, bool two_suffice) {
  switch (types.size()) {
    case 2: {
      if (!two_suffice) return std::nullopt;
      return Signature{types[1], types[1], types[0], types[0]};
    }
    case 3:
      return Signature{types[1], types[2], types[0], types[0]};
    case 4:
      return Signature{types[1], types[2], types[3], types[0]};
    default:
      return std::nullopt;
  }
}

std::optional<Instruction> from_ptx(std::string_view name) {
  const auto parts = split(name, '.');
  if (parts[0] != "mma" && parts[0] != "wgmma" && parts[0] != "wmma" && parts[0] != "tcgen05")
    return std::nullopt;
  std::optional<int> k;
  std::optional<Format> scales;
  const ScaleWord* per = nullptr;
  std::vector<Format> types;
  bool sparse = false;
  for (auto part = parts.begin() + 1; part != parts.end(); ++part) {
    if (const auto format = ptx_format(*part)) {
      types.push_back(*format);
    } else if (const auto shape = k_of_shape(*part); shape && !k) {
      k = shape;
    } else if (const auto word = std::ranges::find(kScaleWords, *part, &ScaleWord::word);
               word != kScaleWords.end()) {
      per = word;
    } else if (const auto format = look_up(kScaleFormats, *part); format && !scales) {
      scales = format;
    } else if (std::ranges::find(kQualifiers, *part) != kQualifiers.end()) {
      sparse = sparse || part->starts_with("sp");
    } else {
      return std::nullopt;
    }
  }
  // With a shape, two types could as well be D and C, but for wmma's.
  auto formats = formats_of(types, !k || parts[0] == "wmma");
  if (!formats || (!k && types.size() != 2)) return std::nullopt;
  if (scales) {
    if (sparse || !k || (per != nullptr && per->of_k != 0 && per->of_k != *k)) return std::nullopt;
    formats->sa = formats->sb = Scales{*scales, per != nullptr ? per->per : kUsualPer};
  } else if (per != nullptr || std::ranges::any_of(parts, says_scaled)) {
    return std::nullopt;
  }
  // Of every four (two, for TF32) columns of a sparse A, half take part.
  return Instruction{std::string(name), sparse ? k.value_or(0) / 2 : k.value_or(0), *formats};
}

/// `mfma.f32_32x32x8_f16`, `mfma.f32_32x32x4_2b_bf16`, `mfma.f32_16x16x32_fp8_bf8`, older
/// `mfma.f32_32x32x8f16`.
std::optional<Instruction> from_mfma(std::string_view name) {
  constexpr std::string_view kHead = "mfma.";
  if (!name.starts_with(kHead)) return std::nullopt;
  auto parts = split(name.substr(kHead.size()), '_');
  if (parts.size() < 2) return std::nullopt;
  const auto d = look_up(kAmdFormats, parts[0]);
  const auto shape = split(parts[1], 'x');
  // "8f16": the type may follow the shape's k at once; "xf32" puts one more 'x' there.
  if (!d || shape.size() < 3 || !number(shape[0]) || !number(shape[1])) return std::nullopt;
  const std::size_t offset = static_cast<std::size_t>(shape[2].data() - parts[1].data());
  const std::size_t digits = std::min(parts[1].find_first_not_of("0123456789", offset), parts[1].size());
  const auto k = number(parts[1].substr(offset, digits - offset));
  std::vector<Format> types;
  if (digits < parts[1].size()) {
    const auto joined = look_up(kAmdFormats, parts[1].substr(digits));
    if (!joined) return std::nullopt;
    types.push_back(*joined);
  }
  for (auto part = parts.begin() + 2; part != parts.end(); ++part) {
    if (const auto format = look_up(kAmdFormats, *part))
      types.push_back(*format);
    else if (*part != "1k" && !(part->ends_with('b') && number(part->substr(0, part->size() - 1))))
      return std::nullopt;
  }
  if (!k || types.empty() || types.size() > 2) return std::nullopt;
  return Instruction{std::string(name), *k, {types.front(), types.back(), *d, *d}};
}

std::optional<Instruction> from_x86(std::string_view name) {
  const auto parts = split(name, '.');
  const auto row = std::ranges::find(kX86, parts[0], &Fixed::name);
  const auto known = [](std::string_view word) {
    return std::ranges::find(kX86Qualifiers, word) != kX86Qualifiers.end();
  };
  if (row == kX86.end() || !std::all_of(parts.begin() + 1, parts.end(), known)) return std::nullopt;
  return Instruction{std::string(name), row->k, row->formats};
}

}  // namespace

std::optional<Format> ptx_format(std::string_view name) { return look_up(kPtxFormats, name); }

std::optional<Instruction> instruction_from_name(std::string_view name) {
  if (auto x86 = from_x86(name)) return x86;
  if (auto ptx = from_ptx(name)) return ptx;
  if (const auto row = std::ranges::find(kOthers, name, &Fixed::name); row != kOthers.end())
    return Instruction{std::string(name), row->k, row->formats};
  return from_mfma(name);
}

}  // namespace mmaprint
