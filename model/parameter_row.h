// What a row of the table of parameters is made from (model/parameter_table.h says what each column means).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/format.h"
#include "model/index_set.h"
#include "model/signature.h"

namespace mmaprint {

/// Listed in the table.
enum class Parameter : std::uint8_t;

/// Whose parameter it is: each class of nodes has its own, or it is the whole unit's.
enum class Scope : std::uint8_t { adder, unit };

struct RowDefaults {
  static constexpr bool plainest_is_last = false;
  static constexpr bool monotone = false;
  static constexpr bool is_newer = false;
  static constexpr bool about_c = false;
};
template <Parameter Id, auto Member>
struct OfAdder : RowDefaults {
  static constexpr Parameter id = Id;
  static constexpr Scope scope = Scope::adder;
  static constexpr auto& in(auto& adder, auto& /*unit*/) { return adder.*Member; }
};
/// `Path`: members of members.
template <Parameter Id, auto... Path>
struct OfUnit : RowDefaults {
  static constexpr Parameter id = Id;
  static constexpr Scope scope = Scope::unit;
  static constexpr auto& in(auto& /*adder*/, auto& unit) { return (unit.*....*Path); }
};

/// A parameter whose first value nearly every unit has: the others are searched where nothing else is left.
template <class Base>
struct Rare : Base {
  static constexpr bool is_newer = true;
  static ValueSet in_floats(const Signature& /*formats*/) { return ValueSet::single(0); }
  static bool widens(int /*index*/) { return true; }
};

template <class... Words>
constexpr std::array<std::string_view, sizeof...(Words)> words_are(Words... words) {
  return {words...};
}

}  // namespace mmaprint
