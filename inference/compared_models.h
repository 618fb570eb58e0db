// What is known of models that were compared: sets of hypotheses that are alike in all that matters lead to
// the same two models in the end, and the solver need not be asked twice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/unit_model.h"

namespace mmaprint {

class ComparedModels {
 public:
  /// If these were proved to compute alike: how many clauses the formulas had that were refuted for it.
  [[nodiscard]] std::optional<std::int64_t> clauses_of(const UnitModel& x, const UnitModel& y) const {
    if (x == y) return 0;
    const auto place = std::ranges::find_if(
        equal_, [&](const Equal& e) { return contains(e.models, x) && contains(e.models, y); });
    return place == equal_.end() ? std::nullopt : std::optional(place->clauses);
  }
  /// That all these compute as the model does, by formulas of so many clauses.
  void add_equal(const UnitModel& model, std::span<const UnitModel> others, std::int64_t clauses) {
    auto place = std::ranges::find_if(equal_, [&](const Equal& e) { return contains(e.models, model); });
    if (place == equal_.end() && equal_.size() == kMostClasses) return;
    if (place == equal_.end()) place = equal_.insert(equal_.end(), {{model}, 0});
    place->clauses += clauses;
    for (const UnitModel& other : others)
      if (place->models.size() < kMost && !contains(place->models, other)) place->models.push_back(other);
  }

  /// Was this question given up with so many steps, or more?
  [[nodiscard]] bool is_given_up(const UnitModel& x, const UnitModel& y, std::int64_t steps) const {
    return std::ranges::any_of(given_up_, [&](const GivenUp& g) {
      return g.steps >= steps && ((g.x == x && g.y == y) || (g.x == y && g.y == x));
    });
  }
  void give_up(const UnitModel& x, const UnitModel& y, std::int64_t steps) {
    if (given_up_.size() < kMost) given_up_.push_back({x, y, steps});
  }

 private:
  /// More are not remembered: looking for one among many thousands would cost more than it saves.
  static constexpr std::size_t kMost = 500, kMostClasses = 16;
  struct Equal {
    std::vector<UnitModel> models;
    std::int64_t clauses;  ///< of all proofs among them
  };
  struct GivenUp {
    UnitModel x, y;
    std::int64_t steps;
  };
  [[nodiscard]] static bool contains(const std::vector<UnitModel>& models, const UnitModel& x) {
    return std::ranges::find(models, x) != models.end();
  }

  std::vector<Equal> equal_;
  std::vector<GivenUp> given_up_;
};

}  // namespace mmaprint
