// Sets of hypotheses as products of parameter sets, and the space that an identification searches.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "model/count.h"
#include "model/index_set.h"
#include "model/unit_model.h"

namespace mmaprint {

/// A product of parameter sets.
struct Box {
  std::array<ValueSet, kParameterCount> sets;
  [[nodiscard]] ValueSet& operator[](Parameter p) { return sets[static_cast<std::size_t>(p)]; }
  [[nodiscard]] const ValueSet& operator[](Parameter p) const { return sets[static_cast<std::size_t>(p)]; }
  /// How many hypotheses.
  [[nodiscard]] Count size() const;
  [[nodiscard]] bool contains(const ParameterValues& values) const;
  /// The hypothesis with the lowest index everywhere. Requires non-empty sets.
  [[nodiscard]] ParameterValues lowest() const;
  friend bool operator==(const Box&, const Box&) = default;
};

/// Hypotheses that share a structure: which chain of the space, the parameters, and the NaN pattern once one
/// was seen (the canonical one where the space does not tell them apart, 0 for integers).
struct HypothesisSet {
  int chain = 0;
  Box box;
  std::optional<Pattern> nan;
};

/// The hypotheses that no observation has refuted (Mitchell 1982): disjoint sets of them.
using VersionSpace = std::vector<HypothesisSet>;

/// What NaN results are taken for.
enum class NanResults : std::uint8_t {
  one_pattern,  ///< the same in all of them, any that the format has
  several,      ///< not told apart
};

/// What an identification searches: any of the chains with any of the parameters and any NaN pattern.
struct Space {
  std::string instruction;
  int k = 0;
  OperandFormats formats{};
  std::vector<Chain> chains;
  Box box;  ///< final_rounding is free only where c enters last: see `whole`
  NanResults nan_results = NanResults::one_pattern;

  /// One set per chain; together the whole space.
  [[nodiscard]] VersionSpace whole() const;
  [[nodiscard]] UnitModel model(int chain, const ParameterValues& values, std::optional<Pattern> nan) const;
  /// Adds the models `count` of them; NaN patterns not counted.
  [[nodiscard]] Count size() const;
};

/// How many hypotheses there are; NaN patterns not counted.
[[nodiscard]] Count count(const VersionSpace& sets);

/// The space that is searched unless told otherwise: every block pattern, c first or last, F 0..40
/// or none, clamp -300..0 or none, f 1..p-1, carry bits 0..6 or never, and every other parameter in
/// full. For integers: every block pattern, c first or last, wrapping or saturating, single bits joined by
/// and or exclusive or.
[[nodiscard]] Space default_space(std::string instruction, int k, OperandFormats formats);

}  // namespace mmaprint
