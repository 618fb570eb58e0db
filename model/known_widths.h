// Where an instance of the datapath that is compiled ahead finds the widths of a unit's operands: in the
// unit, or among its own constants. With the formats known, decoding and rounding take a fraction of the
// instructions.
#pragma once

#include "model/format_table.h"
#include "model/plan.h"

namespace mmaprint {

/// Any formats.
struct AnyWidths {
  static constexpr const PlanWidths& of(const PlanWidths& unit) { return unit; }
};

/// These formats, of a unit with c, and this K or, of 0, the unit's.
template <Format A, Format B, Format C, Format D, int K = 0>
struct WidthsOf {
  template <int Products>
  using OfK = WidthsOf<A, B, C, D, Products>;

  [[nodiscard]] static constexpr bool fit(const PlanWidths& unit) {
    return !unit.converts() && unit.a.id == A && unit.b.id == B && unit.c.id == C && unit.d.id == D &&
           unit.places == unit.k + 1 && (K == 0 || unit.k == K);
  }
  static constexpr PlanWidths of(const PlanWidths& unit) {
    // Copies: device code has no address of the table.
    constexpr FormatInfo kA = row(A), kB = row(B), kC = row(C), kD = row(D);
    return {kA, kB, kC, kD, K == 0 ? unit.k : K};
  }

 private:
  static consteval FormatInfo row(Format format) { return kFormatTable[static_cast<std::size_t>(format)]; }
};

}  // namespace mmaprint
