// Sets of hypotheses as products of parameter sets, and the space that an identification searches.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/count.h"
#include "model/index_set.h"
#include "model/unit_model.h"

namespace mmaprint {

/// A product of parameter sets, one for each parameter of each class of nodes.
class Box {
 public:
  explicit Box(int classes = 1) : classes_(classes), sets_(all_keys(classes).size()) {}
  /// One hypothesis, of at most kMostClasses.
  explicit Box(const ParameterValues& values);

  [[nodiscard]] int classes() const { return classes_; }
  [[nodiscard]] std::span<const ParameterKey> keys() const { return all_keys(classes_); }
  [[nodiscard]] ValueSet& operator[](const ParameterKey& key) { return sets_[place_of(key)]; }
  [[nodiscard]] const ValueSet& operator[](const ParameterKey& key) const { return sets_[place_of(key)]; }
  [[nodiscard]] ValueSet& operator[](Parameter p) { return (*this)[ParameterKey{p}]; }
  [[nodiscard]] const ValueSet& operator[](Parameter p) const { return (*this)[ParameterKey{p}]; }
  /// In the order of keys().
  [[nodiscard]] const std::vector<ValueSet>& sets() const { return sets_; }
  [[nodiscard]] std::vector<ValueSet>& sets() { return sets_; }

  /// How many hypotheses.
  [[nodiscard]] Count size() const;
  /// Requires values of as many classes.
  [[nodiscard]] bool contains(const ParameterValues& values) const;
  /// The hypothesis with the lowest index everywhere. Requires non-empty sets.
  [[nodiscard]] ParameterValues lowest() const;
  friend bool operator==(const Box&, const Box&) = default;

 private:
  int classes_;
  std::vector<ValueSet> sets_;
};

/// Hypotheses that share a skeleton: which of the space's, the parameters, and the NaN pattern once one
/// was seen (the canonical one where the space does not tell them apart, 0 for integers).
struct HypothesisSet {
  int skeleton = 0;
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

/// What is searched of nodes that are of a later class than the first, and neither carry sums on nor add
/// such.
enum class LaterClasses : std::uint8_t {
  exact,  ///< they add exactly and round once to all bits, in any direction
  free,   ///< all that class 0 may have; those that only convert are exact
};

/// What an identification searches: any of the skeletons with any of the parameters and any NaN pattern.
struct Space {
  std::string instruction;
  int k = 0;
  Signature formats{};
  std::vector<Skeleton> skeletons;
  /// Of class 0. Later ones that carry sums on or add such have all that class 0 may have, and others what
  /// `later_classes` says.
  Box box;
  NanResults nan_results = NanResults::one_pattern;
  LaterClasses later_classes = LaterClasses::exact;

  [[nodiscard]] const Skeleton& skeleton(const HypothesisSet& set) const {
    return skeletons[static_cast<std::size_t>(set.skeleton)];
  }
  /// The whole of one skeleton.
  [[nodiscard]] HypothesisSet whole(int skeleton) const;
  /// Disjoint sets of each skeleton; together the whole space. Where zeros take part in E there is no clamp,
  /// which in most nodes is the same.
  [[nodiscard]] VersionSpace whole() const;
  [[nodiscard]] UnitModel model(int skeleton, const ParameterValues& values,
                                std::optional<Pattern> nan) const;
  /// Adds the models `count` of them; NaN patterns not counted.
  [[nodiscard]] Count size() const;
};

/// How many hypotheses there are; NaN patterns not counted.
[[nodiscard]] Count count(const VersionSpace& sets);

/// The space that is searched unless told otherwise: every block pattern, c first or last or not there, F
/// 0..40 or none, clamp -300..0 or none, f 1..p-1, carry bits 0..6 or never, and every other parameter in
/// full; some have rare values, of which K of one and two has overflow's and the flush test's. For integers:
/// every block pattern, c first or last, wrapping or saturating, single bits joined by and or exclusive or.
[[nodiscard]] Space default_space(std::string instruction, int k, Signature formats);
/// What is searched where nothing of that explains a unit: the same, and wider skeletons
/// (model/skeletons.h).
[[nodiscard]] Space wider_space(std::string instruction, int k, Signature formats);
/// And where nothing of that does: the same, still wider skeletons, and the rarer values of parameters.
[[nodiscard]] Space widest_space(std::string instruction, int k, Signature formats);
/// Values of parameters: those that the default space has; operands that are flushed to +0, too; or all the
/// rarer ones.
enum class Values : std::uint8_t { usual, flushed_positive_too, rare_too };
/// What is searched of a structure that was measured: these skeletons, with all parameters.
[[nodiscard]] Space measured_space(std::string instruction, int k, Signature formats,
                                   std::vector<Skeleton> skeletons, LaterClasses later, Values values);
/// The same, and skeletons whose nodes carry sums on: for hypotheses that state one of these.
[[nodiscard]] Space carrying_space(std::string instruction, int k, Signature formats);

}  // namespace mmaprint
