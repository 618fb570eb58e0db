// What is known of models that were compared: sets of hypotheses that are alike in all that matters lead to
// the same two models in the end, and the solver need not be asked twice.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "inference/derivation.h"

namespace mmaprint {

[[nodiscard]] inline bool has_the_tree_of(const UnitModel& x, const UnitModel& y) {
  return x.tree == y.tree && x.paths == y.paths;
}

class ComparedModels {
 public:
  /// That two compute alike.
  struct Known {
    std::int64_t clauses = 0;        ///< of the formulas that were refuted for it
    std::vector<ModelStep> steps{};  ///< from x to y, each with a model of the next
  };
  /// If these were proved to compute alike.
  [[nodiscard]] std::optional<Known> equal(const UnitModel& x, const UnitModel& y) const;
  /// That the models of these steps compute as the model does, by formulas of so many clauses. Each step has
  /// a model of the next, and the last one the model, or one that is known to compute as it does.
  void add_equal(const UnitModel& model, std::span<const ModelStep> steps, std::int64_t clauses);

  /// That the other computes as the model does, by a proof that is kept elsewhere.
  void add_alike(const UnitModel& model, const UnitModel& other);
  /// One that is known to compute as the model does, and has the tree of the other; null if there is none.
  [[nodiscard]] const UnitModel* alike(const UnitModel& model, const UnitModel& other) const;

  /// Was this question given up with so many steps, or more?
  [[nodiscard]] bool is_given_up(const UnitModel& x, const UnitModel& y, std::int64_t steps) const;
  void give_up(const UnitModel& x, const UnitModel& y, std::int64_t steps);

 private:
  /// More are not remembered: looking for one among many thousands would cost more than it saves.
  static constexpr std::size_t kMost = 500, kMostClasses = 16;
  struct Link {
    std::size_t left, right;  ///< models
    ModelStep step;
  };
  /// Models that compute alike, joined by links.
  struct Equal {
    std::vector<UnitModel> models;
    std::vector<Link> links;
    std::int64_t clauses;  ///< of all proofs among them
    [[nodiscard]] std::optional<std::size_t> place_of(const UnitModel& model) const;
    [[nodiscard]] std::vector<ModelStep> way(std::size_t from, std::size_t to) const;
    void add(const ModelStep& step);
  };
  struct GivenUp {
    UnitModel x, y;
    std::int64_t steps;
  };

  std::vector<Equal> equal_;
  std::vector<std::pair<UnitModel, UnitModel>> alike_;  ///< one of each tree
  std::vector<GivenUp> given_up_;
};

}  // namespace mmaprint
