// What is known of models that were compared: sets of hypotheses that are alike in all that matters lead to
// the same two models in the end, and the solver need not be asked twice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "model/unit_model.h"

namespace mmaprint {

class ComparedModels {
 public:
  /// Were these proved to compute alike?
  [[nodiscard]] bool are_equal(const UnitModel& x, const UnitModel& y) const {
    return x == y || std::ranges::any_of(equal_, [&](const std::vector<UnitModel>& models) {
             return contains(models, x) && contains(models, y);
           });
  }
  /// That all these compute as the model does.
  void add_equal(const UnitModel& model, std::span<const UnitModel> others) {
    auto models = std::ranges::find_if(equal_, [&](const auto& all) { return contains(all, model); });
    if (models == equal_.end()) models = equal_.insert(equal_.end(), {model});
    for (const UnitModel& other : others)
      if (!contains(*models, other)) models->push_back(other);
  }

  /// Was this question given up with so many steps, or more?
  [[nodiscard]] bool is_given_up(const UnitModel& x, const UnitModel& y, std::int64_t steps) const {
    return std::ranges::any_of(given_up_, [&](const GivenUp& g) {
      return g.steps >= steps && ((g.x == x && g.y == y) || (g.x == y && g.y == x));
    });
  }
  void give_up(const UnitModel& x, const UnitModel& y, std::int64_t steps) {
    given_up_.push_back({x, y, steps});
  }

 private:
  struct GivenUp {
    UnitModel x, y;
    std::int64_t steps;
  };
  [[nodiscard]] static bool contains(const std::vector<UnitModel>& models, const UnitModel& x) {
    return std::ranges::find(models, x) != models.end();
  }

  std::vector<std::vector<UnitModel>> equal_;
  std::vector<GivenUp> given_up_;
};

}  // namespace mmaprint
