#include "library/conversion.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/json_source.h"
#include "model/model_json.h"

namespace mmaprint {
namespace {

Format format_of(const std::string& text, const char* field) {
  if (const auto format = format_named(text)) return *format;
  throw BadInput(
      fmt::format("formats: {}: expected one of {}, found {}", field, format_names(), in_quotes(text)));
}

std::optional<Scales> scales_of(const std::optional<ScaleFormat>& scales, const char* field) {
  if (!scales) return std::nullopt;
  if (scales->per < 1)
    throw BadInput(fmt::format("formats: {}: expected a scale for one product at least, found per {}", field,
                               scales->per));
  return Scales{format_of(scales->format, field), scales->per};
}

std::optional<ScaleFormat> public_scales(const std::optional<Scales>& scales) {
  if (!scales) return std::nullopt;
  return ScaleFormat{std::string(name(scales->format)), scales->per};
}

/// A batch's patterns of one role.
template <class Batch>
auto& column(Batch& batch, Role role) {
  switch (role) {
    case Role::a:
      return batch.a;
    case Role::b:
      return batch.b;
    case Role::c:
      return batch.c;
    case Role::sa:
      return batch.sa;
    case Role::sb:
      return batch.sb;
    case Role::d:
      break;
  }
  throw std::logic_error("an input has no d");
}

/// Where the first pattern stands that is wider than the format; nullopt if none is.
std::optional<std::size_t> first_too_wide(std::span<const Pattern> patterns, Format format) {
  const Pattern outside = ~info(format).pattern_mask();
  const auto found = std::ranges::find_if(patterns, [&](Pattern p) { return (p & outside) != 0; });
  if (found == patterns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - patterns.begin());
}

std::string too_wide(const std::string& place, Format format, Pattern found) {
  return fmt::format("{}: expected a pattern of {} bits ({}), found 0x{:x}", place,
                     info(format).container_bits, name(format), found);
}

void require_count(std::string_view name, std::size_t found, std::size_t n, std::size_t each) {
  const bool fits = each == 0 ? found == 0 : found % each == 0 && found / each == n;
  if (!fits)
    throw BadInput(fmt::format("{}: expected {} patterns, {} for each of {} inputs, found {}", name, n * each,
                               each, n, found));
}

void require(const InputBatch& batch, const std::vector<RolePatterns>& roles) {
  for (const Role role : {Role::a, Role::b, Role::c, Role::sa, Role::sb}) {
    const auto& patterns = column(batch, role);
    const auto has = std::ranges::find(roles, role, &RolePatterns::role);
    const std::size_t each = has == roles.end() ? 0 : has->count;
    require_count(name(role), patterns.size(), batch.n, each);
    if (has == roles.end()) continue;
    if (const auto wide = first_too_wide(patterns, has->format))
      throw BadInput(too_wide(fmt::format("{}[{}]", name(role), *wide), has->format, patterns[*wide]));
  }
}

/// The patterns of a role that has `each` for each of n inputs.
Elements required(const PatternView& view, const char* name, Format format, std::size_t n, std::size_t each) {
  if (view.bytes != 1 && view.bytes != 2 && view.bytes != 4 && view.bytes != 8)
    throw BadInput(fmt::format("{}: expected patterns of 1, 2, 4 or 8 bytes, found {}", name, view.bytes));
  require_count(name, view.size, n, each);
  const Elements patterns(view.data, view.size, view.bytes);
  const FormatInfo& f = info(format);
  if (view.bytes * 8 == f.container_bits) return patterns;
  for (std::size_t i = 0; i < patterns.size(); ++i)
    if (const Pattern p = patterns[i]; (p & ~f.pattern_mask()) != 0)
      throw BadInput(too_wide(fmt::format("{}[{}]", name, i), format, p));
  return patterns;
}

}  // namespace

Signature signature_of(const Formats& formats) {
  return {format_of(formats.a, "a"),
          format_of(formats.b, "b"),
          formats.c ? std::optional(format_of(*formats.c, "c")) : std::nullopt,
          format_of(formats.d, "d"),
          scales_of(formats.sa, "sa"),
          scales_of(formats.sb, "sb")};
}

Formats public_formats(const Signature& signature) {
  const auto word = [](Format format) { return std::string(name(format)); };
  return {word(signature.a),
          word(signature.b),
          signature.c ? std::optional(word(*signature.c)) : std::nullopt,
          word(signature.d),
          public_scales(signature.sa),
          public_scales(signature.sb)};
}

PatternRows required_rows(const InputView& inputs, const Signature& signature, int k) {
  if (signature.has_scales()) throw BadInput("expected a unit without scales for arrays as they are");
  const auto each = static_cast<std::size_t>(k);
  return {required(inputs.a, "a", signature.a, inputs.n, each),
          required(inputs.b, "b", signature.b, inputs.n, each),
          required(inputs.c, "c", signature.c.value_or(signature.d), inputs.n, signature.c ? 1U : 0U)};
}

void require_inputs(const InputBatch& batch, const Signature& signature, int k) {
  require(batch, input_roles(signature, k));
}

std::vector<DotInput> unpacked(const InputBatch& batch, const Signature& signature, int k) {
  const auto roles = input_roles(signature, k);
  require(batch, roles);
  std::vector<DotInput> inputs(batch.n, zero_input(signature, k));
  for (const RolePatterns& role : roles) {
    const auto& from = column(batch, role.role);
    for (std::size_t i = 0; i < batch.n; ++i)
      std::ranges::copy(std::span(from).subspan(i * role.count, role.count), inputs[i].of(role.role).begin());
  }
  return inputs;
}

std::vector<Observation> unpacked(const ObservedBatch& batch, const Signature& signature, int k) {
  std::vector<DotInput> inputs = unpacked(batch.inputs, signature, k);
  if (const std::string wrong = wrong_results(batch.d, inputs.size(), signature.d); !wrong.empty())
    throw BadInput(wrong);
  std::vector<Observation> all(inputs.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = {std::move(inputs[i]), batch.d[i]};
  return all;
}

InputBatch packed(std::span<const DotInput> inputs, const Signature& signature, int k) {
  InputBatch batch;
  batch.n = inputs.size();
  for (const RolePatterns& role : input_roles(signature, k))
    column(batch, role.role) = beside_each_other(inputs, role.role);
  return batch;
}

ObservedBatch packed(std::span<const Observation> observations, const Signature& signature, int k) {
  std::vector<DotInput> inputs;
  ObservedBatch batch;
  inputs.reserve(observations.size());
  batch.d.reserve(observations.size());
  for (const Observation& o : observations) {
    inputs.push_back(o.input);
    batch.d.push_back(o.d);
  }
  batch.inputs = packed(inputs, signature, k);
  return batch;
}

void require_within(std::span<const Pattern> patterns, const char* name, Format format) {
  if (const auto wide = first_too_wide(patterns, format))
    throw BadInput(too_wide(fmt::format("{}[{}]", name, *wide), format, patterns[*wide]));
}

std::string wrong_results(std::span<const Pattern> results, std::size_t n, Format d) {
  if (results.size() != n)
    return fmt::format("d: expected a result for each of {} inputs, found {}", n, results.size());
  if (const auto wide = first_too_wide(results, d))
    return too_wide(fmt::format("d[{}]", *wide), d, results[*wide]);
  return {};
}

int threads_of(int asked) {
  constexpr int kMost = 256;
  if (asked < 0) throw BadInput(fmt::format("threads: expected a count, found {}", asked));
  const auto cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return std::min(asked == 0 ? cores : asked, kMost);
}

}  // namespace mmaprint
