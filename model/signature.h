// What an input and its result consist of: roles, each with a container format and how many patterns it has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/format.h"

namespace mmaprint {

/// The most products that a unit may add.
inline constexpr int kLargestK = 1024;

/// a_k and b_k of the products, the addend c, the scales of a's and of b's blocks, and the result d.
enum class Role : std::uint8_t { a, b, c, sa, sb, d };
[[nodiscard]] constexpr bool is_of_scales(Role role) { return role == Role::sa || role == Role::sb; }
/// "a", "b", "c", "sa", "sb", "d": as in documents.
[[nodiscard]] std::string_view name(Role role);

/// A scale for each `per` products that stand beside each other: product i has that of block i / per.
struct Scales {
  Format format;
  int per;
  friend bool operator==(const Scales&, const Scales&) = default;
};

/// A scale's pattern that stands for one.
[[nodiscard]] Pattern one_of_scales(Format format);

/// Factors with no larger exponent are summed exactly in a word before their sum is scaled.
inline constexpr int kLargestExponentOfScaledSums = 8;

/// The roles that a unit has, with their formats. Where there is no c it computes the products' sum alone.
struct Signature {
  Format a, b;
  std::optional<Format> c;
  Format d;
  std::optional<Scales> sa = std::nullopt;
  std::optional<Scales> sb = std::nullopt;

  [[nodiscard]] bool has_scales() const { return sa || sb; }
  friend bool operator==(const Signature&, const Signature&) = default;
};

/// One role of a unit of K products.
struct RolePatterns {
  Role role;
  Format format;
  std::size_t count;
};
/// Those that an input has, in the order a, b, c, sa, sb.
[[nodiscard]] std::vector<RolePatterns> input_roles(const Signature& signature, int k);

/// For people: "fp16·fp16 + fp32 → fp32"
[[nodiscard]] std::string formats_text(const Signature& formats);

/// Where widths are planned there is room for a c in any case: without one, for what there has to be room for
/// anyway, a result.
[[nodiscard]] constexpr Format room_for_c(const Signature& signature) {
  return signature.c.value_or(signature.d);
}

}  // namespace mmaprint
