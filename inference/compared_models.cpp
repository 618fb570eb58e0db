#include "inference/compared_models.h"

#include <algorithm>
#include <ranges>

namespace mmaprint {

std::optional<ComparedModels::Known> ComparedModels::equal(const UnitModel& x, const UnitModel& y) const {
  if (x == y) return Known{};
  for (const Equal& e : equal_) {
    const auto from = e.place_of(x), to = e.place_of(y);
    if (from && to) return Known{e.clauses, e.way(*from, *to)};
  }
  return std::nullopt;
}

void ComparedModels::add_equal(const UnitModel& model, std::span<const ModelStep> steps,
                               std::int64_t clauses) {
  auto place = std::ranges::find_if(equal_, [&](const Equal& e) { return e.place_of(model).has_value(); });
  if (place == equal_.end() && equal_.size() == kMostClasses) return;
  if (place == equal_.end()) place = equal_.insert(equal_.end(), {{model}, {}, 0});
  place->clauses += clauses;
  for (const ModelStep& step : std::views::reverse(steps)) place->add(step);
}

void ComparedModels::add_alike(const UnitModel& model, const UnitModel& other) {
  if (!has_the_tree_of(model, other) && alike(model, other) == nullptr) alike_.emplace_back(model, other);
}

const UnitModel* ComparedModels::alike(const UnitModel& model, const UnitModel& other) const {
  const auto place = std::ranges::find_if(
      alike_, [&](const auto& pair) { return pair.first == model && has_the_tree_of(pair.second, other); });
  return place == alike_.end() ? nullptr : &place->second;
}

bool ComparedModels::is_given_up(const UnitModel& x, const UnitModel& y, std::int64_t steps) const {
  return std::ranges::any_of(given_up_, [&](const GivenUp& g) {
    return g.steps >= steps && ((g.x == x && g.y == y) || (g.x == y && g.y == x));
  });
}

void ComparedModels::give_up(const UnitModel& x, const UnitModel& y, std::int64_t steps) {
  if (given_up_.size() < kMost) given_up_.push_back({x, y, steps});
}

std::optional<std::size_t> ComparedModels::Equal::place_of(const UnitModel& model) const {
  const auto place = std::ranges::find(models, model);
  return place == models.end() ? std::nullopt
                               : std::optional(static_cast<std::size_t>(place - models.begin()));
}

/// One that is not known is joined to one that is, while there is room.
void ComparedModels::Equal::add(const ModelStep& step) {
  auto left = place_of(step.left), right = place_of(step.right);
  if (left.has_value() == right.has_value() || models.size() == kMost) return;
  auto& fresh = left ? right : left;
  fresh = models.size();
  models.push_back(fresh == left ? step.left : step.right);
  links.push_back({*left, *right, step});
}

/// Links are a tree: each model but the first was joined to an earlier one.
std::vector<ModelStep> ComparedModels::Equal::way(std::size_t from, std::size_t to) const {
  // Model n was joined by link n - 1. From both ends toward the first, the later one first.
  std::vector<ModelStep> before, after;
  while (from != to) {
    std::size_t& later = from > to ? from : to;
    const Link& link = links[later - 1];
    (from > to ? before : after).push_back(link.step);
    later = std::min(link.left, link.right);
  }
  before.insert(before.end(), after.rbegin(), after.rend());
  return before;
}

}  // namespace mmaprint
