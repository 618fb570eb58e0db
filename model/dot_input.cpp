#include "model/dot_input.h"

#include <algorithm>
#include <utility>

#include "model/pattern.h"

namespace mmaprint {
namespace {

/// Of a const input or another.
template <class Input>
auto patterns_of(Input& input, Role role) {
  switch (role) {
    case Role::a:
      return std::span(input.a);
    case Role::b:
      return std::span(input.b);
    case Role::c:
      return std::span(&input.c, 1);
    case Role::sa:
      return std::span(input.sa);
    case Role::sb:
      return std::span(input.sb);
    case Role::d:
      break;
  }
  return decltype(std::span(input.a))();
}

}  // namespace

std::span<const Pattern> DotInput::of(Role role) const { return patterns_of(*this, role); }
std::span<Pattern> DotInput::of(Role role) { return patterns_of(*this, role); }

DotInput zero_input(const Signature& signature, int k) {
  DotInput input;
  for (const auto& [role, format, count] : input_roles(signature, k)) {
    if (role == Role::a) input.a.resize(count);
    if (role == Role::b) input.b.resize(count);
  }
  return with_all_scales(std::move(input), signature);
}

DotInput negative_zeros(const Signature& signature, int k) {
  DotInput input = zero_input(signature, k);
  std::ranges::fill(input.a, floating_pattern(info(signature.a), true, 0, 0));
  if (signature.c) input.c = zero_pattern(info(*signature.c), true);
  return input;
}

DotInput with_all_scales(DotInput input, const Signature& signature) {
  if (!signature.has_scales()) return input;
  for (const auto& [role, format, count] : input_roles(signature, static_cast<int>(input.a.size()))) {
    if (role == Role::sa) input.sa.resize(count, one_of_scales(format));
    if (role == Role::sb) input.sb.resize(count, one_of_scales(format));
  }
  return input;
}

bool fits(const DotInput& input, std::span<const RolePatterns> roles) {
  std::size_t patterns = 0;
  for (const auto& [role, format, count] : roles) {
    const auto all = input.of(role);
    const Pattern beyond = ~info(format).pattern_mask();
    if (all.size() != count || std::ranges::any_of(all, [&](Pattern p) { return (p & beyond) != 0; }))
      return false;
    patterns += count;
  }
  const bool has_c = std::ranges::find(roles, Role::c, &RolePatterns::role) != roles.end();
  const std::size_t there = input.a.size() + input.b.size() + input.sa.size() + input.sb.size();
  return there == patterns - (has_c ? 1 : 0) && (has_c || input.c == 0);
}

}  // namespace mmaprint
