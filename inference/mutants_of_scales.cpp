// Mutants that read a scale otherwise than the model.
#include <fmt/format.h>

#include <array>

#include "inference/mutant_kinds.h"
#include "model/zero_input.h"

namespace mmaprint::mutants {
namespace {

/// A scale of a role, with an input on which it decides: a product of ones that has it, and no other.
struct ScalePlace {
  Role role;
  Format format;
  std::size_t index, count;
  int product;

  [[nodiscard]] static std::vector<Pattern>& row(DotInput& in, Role role) {
    return role == Role::sa ? in.sa : in.sb;
  }
  [[nodiscard]] Pattern& in(DotInput& input) const { return row(input, role)[index]; }
  [[nodiscard]] std::string name() const { return fmt::format("{}{}", mmaprint::name(role), index); }
  [[nodiscard]] DotInput example(const UnitModel& model, Pattern scale) const {
    DotInput in = with_all_scales(zero_input(model.k), model.formats);
    const auto one = [](Format f) { return floating_pattern(info(f), false, 0, 0); };
    in.a[static_cast<std::size_t>(product)] = one(model.formats.a);
    in.b[static_cast<std::size_t>(product)] = one(model.formats.b);
    this->in(in) = scale;
    return in;
  }
};

std::vector<ScalePlace> all_scales(const UnitModel& model) {
  std::vector<ScalePlace> all;
  for (const auto& [role, format, count] : input_roles(model.formats, model.k)) {
    if (!is_of_scales(role)) continue;
    const int per = (role == Role::sa ? model.formats.sa : model.formats.sb)->per;
    for (std::size_t i = 0; i < count; ++i)
      all.push_back({role, format, i, count, static_cast<int>(i) * per});
  }
  return all;
}

/// 2^exponent, as far as the format has it.
Pattern power(Format format, int exponent) {
  const FormatInfo& f = info(format);
  return static_cast<Pattern>(exponent + f.bias) << f.fraction_bits;
}

void add_scale_change(const Original& original, const ScalePlace& at, Pattern example, std::string name,
                      std::function<bool(DotInput&)> change, Mutants& mutants) {
  const Signature formats = original.model.formats;
  add_change(
      original,
      [formats, change = std::move(change)](DotInput& in) {
        in = with_all_scales(std::move(in), formats);
        return change(in);
      },
      std::move(name), {.places = {at.product}, .example = at.example(original.model, example)}, mutants);
}

}  // namespace

void scale_of_another_block(const Original& original, Mutants& mutants) {
  for (const ScalePlace& at : all_scales(original.model))
    if (at.count > 1)
      add_scale_change(
          original, at, power(at.format, 1), fmt::format("{} is the next block's", at.name()),
          [at](DotInput& in) {
            const Pattern other = ScalePlace::row(in, at.role)[(at.index + 1) % at.count];
            return std::exchange(at.in(in), other) != other;
          },
          mutants);
}

void scale_bit_ignored(const Original& original, Mutants& mutants) {
  for (const ScalePlace& at : all_scales(original.model)) {
    const FormatInfo& f = info(at.format);
    for (int bit = 0; bit < f.exponent_bits + f.fraction_bits; ++bit) {
      const Pattern mask = Pattern{1} << bit;
      const Pattern example = one_of_scales(at.format) | mask;
      add_scale_change(
          original, at, is_nan(f, example) ? mask : example,
          fmt::format("bit {} of {} ignored", bit, at.name()),
          [at, mask](DotInput& in) { return std::exchange(at.in(in), at.in(in) & ~mask) & mask; }, mutants);
    }
  }
}

void scale_taken_for_another(const Original& original, Mutants& mutants) {
  /// At the ends of a format's range, and where subnormals, zeros and the unread sign are.
  struct Taken {
    Format format;
    Pattern scale, for_what;
  };
  constexpr std::array kTaken{Taken{Format::ue8m0, 0x00, 0x01}, Taken{Format::ue8m0, 0xfe, 0xff},
                              Taken{Format::ue4m3, 0x00, 0x01}, Taken{Format::ue4m3, 0x01, 0x00},
                              Taken{Format::ue4m3, 0x07, 0x00}, Taken{Format::ue4m3, 0x7e, 0x7f},
                              Taken{Format::ue4m3, 0xb8, 0x7f}, Taken{Format::ue4m3, 0xff, 0x7e}};
  for (const ScalePlace& at : all_scales(original.model))
    for (const auto& [format, scale, for_what] : kTaken)
      if (format == at.format)
        add_scale_change(
            original, at, scale, fmt::format("{:02x} in {} taken for {:02x}", scale, at.name(), for_what),
            [at, from = scale, to = for_what](DotInput& in) {
              const bool is_it = at.in(in) == from;
              if (is_it) at.in(in) = to;
              return is_it;
            },
            mutants);
}

void scale_nan_ignored(const Original& original, Mutants& mutants) {
  for (const ScalePlace& at : all_scales(original.model))
    add_scale_change(
        original, at, canonical_nan(at.format), fmt::format("NaN in {} ignored", at.name()),
        [at](DotInput& in) {
          const bool nan = is_nan(at.format, at.in(in));
          if (nan) at.in(in) = one_of_scales(at.format);
          return nan;
        },
        mutants);
}

}  // namespace mmaprint::mutants
