// What a hypothesis states, as a restriction of the space that is searched.
//
// A partial model names some features and leaves the others free. Every feature constrains the skeletons,
// or the values of parameters of one, so that what fits is again a product of parameter sets for each.
// That is what `check` asks about a partial model, and what `identify --assume` starts from.
#pragma once

#include "model/features.h"
#include "model/instruction.h"
#include "model/measured_skeletons.h"
#include "model/model_json.h"

namespace mmaprint {

/// What a run searches: a space, and what is assumed of the unit (nothing: all of the space).
struct Search {
  Space space;
  PartialFeatures assumed;

  /// The hypotheses of the space that have the assumed features.
  [[nodiscard]] VersionSpace start() const { return start_; }
  /// How many; NaN patterns not counted.
  [[nodiscard]] Count size() const;
  /// Nothing is assumed, and the space is one that is searched unless told otherwise.
  [[nodiscard]] bool is_default() const;
  /// Nothing is assumed, and the space is one of a structure that was measured.
  [[nodiscard]] bool is_measured() const;
  /// Where nothing of the default space is left: the same search in the wider one. Where nothing of a
  /// measured structure's is: the default one. nullopt for any other space, and where the wider one has
  /// nothing more.
  [[nodiscard]] std::optional<Search> wider() const;

  /// Skeletons that carry sums on and no others, as far as they have the assumed features; nullopt if there
  /// are none, or all are searched already.
  [[nodiscard]] std::optional<Search> carrying() const;

  /// These skeletons and no others, as far as they have the assumed features; nullopt if none has.
  [[nodiscard]] std::optional<Search> measured(const MeasuredSkeletons& what) const;

  /// All of a space.
  explicit Search(Space all);
  /// Throws BadInput, naming the feature, if it can't be assumed: `monotonic`, which is derived, or features
  /// that no unit has together. A stated list of blocks, F or overflow by direction that the space lacks is
  /// added to it.
  Search(Space all, PartialFeatures stated);

 private:
  /// Of another space, what has the assumed features; nullopt if nothing has.
  [[nodiscard]] std::optional<Search> in(Space other) const;

  VersionSpace start_;
};

/// Where a search goes on that was left before: in `before`, if `fresh` comes to that by merging NaN results,
/// by widening, or by both; else in `fresh`.
[[nodiscard]] Search resumed(Search fresh, const Search& before);

/// The default search for an instruction; the wider one where only that has what is stated.
[[nodiscard]] Search search_for(const std::string& instruction, int k, const Signature& formats,
                                const PartialFeatures& stated = {});

/// A model's features as a hypothesis; a full model states them all.
[[nodiscard]] PartialFeatures stated_features(const AnyModel& model);
/// The search for an instruction of which a model's features are assumed. `where` is the model's origin in
/// messages. Throws BadInput if the model has another K or other formats, or what it states can't be assumed.
[[nodiscard]] Search search_assuming(const Instruction& instruction, const AnyModel& assumed,
                                     const std::string& where);

}  // namespace mmaprint
