#include "model/signature.h"

#include <fmt/format.h>

#include <array>

namespace mmaprint {

std::string_view name(Role role) {
  static constexpr std::array<std::string_view, 6> kNames{"a", "b", "c", "sa", "sb", "d"};
  return kNames[static_cast<std::size_t>(role)];
}

Pattern one_of_scales(Format format) {
  const FormatInfo& f = info(format);
  return static_cast<Pattern>(f.bias) << f.fraction_bits;
}

std::vector<RolePatterns> input_roles(const Signature& signature, int k) {
  const auto products = static_cast<std::size_t>(k);
  std::vector<RolePatterns> roles{{Role::a, signature.a, products}, {Role::b, signature.b, products}};
  if (signature.c) roles.push_back({Role::c, *signature.c, 1});
  const auto add = [&](Role role, const std::optional<Scales>& scales) {
    if (!scales) return;
    const auto per = static_cast<std::size_t>(scales->per);
    roles.push_back({role, scales->format, (products + per - 1) / per});
  };
  add(Role::sa, signature.sa);
  add(Role::sb, signature.sb);
  return roles;
}

std::string formats_text(const Signature& f) {
  const auto word = [](Format format) { return std::string(name(format)); };
  const auto factor = [&](Format format, const std::optional<Scales>& scales) {
    return word(format) + (scales ? fmt::format(" ({} per {})", word(scales->format), scales->per) : "");
  };
  return factor(f.a, f.sa) + "·" + factor(f.b, f.sb) + (f.c ? " + " + word(*f.c) : "") + " → " + word(f.d);
}

}  // namespace mmaprint
