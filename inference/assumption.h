// What a hypothesis states, as a restriction of the space that is searched.
//
// A partial model names some features and leaves the others free. Every feature constrains the chains, or the
// values of parameters within a chain, so that what fits is again a product of parameter sets for each chain.
// That is what `check` asks about a partial model, and what `identify --assume` starts from.
#pragma once

#include "model/features.h"
#include "model/hypotheses.h"
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
  /// Nothing is assumed, and the space is the one that is searched unless told otherwise.
  [[nodiscard]] bool is_default() const;

  /// All of a space.
  explicit Search(Space all);
  /// Throws BadInput, naming the feature, if it can't be assumed: `monotonic`, which is derived, a family
  /// outside the space (`outside_space`), or features that no unit has together. A stated list of blocks, F
  /// or overflow by direction that the space lacks is added to it.
  Search(Space all, PartialFeatures stated);

 private:
  VersionSpace start_;
};

/// The stated feature that only units outside every space have (pairwise and other trees), in words; nullopt
/// if none.
[[nodiscard]] std::optional<std::string> outside_space(const PartialFeatures& stated);

}  // namespace mmaprint
