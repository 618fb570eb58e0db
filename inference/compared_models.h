// What is known of models that were compared: sets of hypotheses that are alike in all that matters lead to
// the same two models in the end, and the solver need not be asked twice.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "inference/derivation.h"

namespace mmaprint {

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
  std::vector<GivenUp> given_up_;
};

}  // namespace mmaprint
