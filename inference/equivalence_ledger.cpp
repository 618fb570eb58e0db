#include "inference/equivalence_ledger.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "inference/equivalence.h"
#include "inference/representative.h"

namespace mmaprint {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A witness that the concrete evaluator does not confirm is an error of ours, never data.
DotInput replayed(const UnitModel& x, const UnitModel& y, const DotInput& input) {
  if (evaluate(x, input) == evaluate(y, input))
    throw std::logic_error(
        "internal error: the solver's witness does not distinguish the models when evaluated");
  return input;
}

bool is_same(const HypothesisSet& x, const HypothesisSet& y) { return x.chain == y.chain && x.box == y.box; }

}  // namespace

template <class Ask>
auto EquivalenceLedger::timed(Ask&& ask) {
  const auto at = Clock::now();
  auto answer = ask();
  seconds_ += seconds_since(at);
  return answer;
}

const SurvivorClass* EquivalenceLedger::find(const HypothesisSet& set) const {
  const auto place =
      std::ranges::find_if(noted_, [&](const SurvivorClass& c) { return is_same(c.set, set); });
  return place == noted_.end() ? nullptr : &*place;
}

SurvivorClass EquivalenceLedger::of(const HypothesisSet& set) const {
  const SurvivorClass* noted = find(set);
  return noted != nullptr ? *noted
                          : SurvivorClass{set, SurvivorClass::Standing::open, 0, 0, std::nullopt, {}};
}

void EquivalenceLedger::keep(const std::vector<HypothesisSet>& sets) {
  std::erase_if(noted_, [&](const SurvivorClass& c) {
    return std::ranges::none_of(sets, [&](const HypothesisSet& s) { return is_same(s, c.set); });
  });
}

Limits EquivalenceLedger::limits(double seconds) const {
  Limits limits;
  limits.stop = deadline_.stop();
  limits.seconds = std::clamp(seconds, 0.0, deadline_.remaining());
  return limits;
}

std::optional<DotInput> EquivalenceLedger::separate(const UnitModel& model,
                                                    const std::vector<HypothesisSet>& sets,
                                                    Experiments& experiments, const Deadline& deadline) {
  deadline_ = deadline;
  if (auto input = by_neighbours(model, sets, experiments)) return input;
  undecided_.clear();
  auto waiting = std::ranges::count_if(sets, [&](const HypothesisSet& s) { return !is_noted(s); });
  for (const HypothesisSet& set : sets) {
    if (is_noted(set)) continue;
    if (deadline_.passed()) return std::nullopt;
    const double left = proof_seconds_ * 1.5 - seconds_;
    const double share = std::max(0.3, waiting > 1 ? left / 2 : left);
    if (auto input = by_set(model, set, share)) return input;
    --waiting;
  }
  return among_undecided(model);
}

std::optional<DotInput> EquivalenceLedger::among_undecided(const UnitModel& model) {
  constexpr std::size_t kMost = 6;
  std::vector<UnitModel> others = neighbours(space_, undecided_, model);
  for (const HypothesisSet& set : undecided_) {
    UnitModel other = space_.model(set.chain, nearest(set.box, model), set.nan ? set.nan : model.nan);
    if (other.tree != model.tree) others.push_back(std::move(other));
  }
  if (others.size() > kMost) others.resize(kMost);
  ++rare_.seed;
  rare_.seconds = std::min(deadline_.remaining(), 2 * proof_seconds_);
  return rare_difference(model, others, rare_);
}

std::optional<DotInput> EquivalenceLedger::by_neighbours(const UnitModel& model,
                                                         const std::vector<HypothesisSet>& sets,
                                                         Experiments& experiments) {
  std::vector<UnitModel> others = neighbours(space_, sets, model);
  std::erase_if(others, [&](const UnitModel& other) {
    return std::ranges::find(compared_, std::pair(model, other)) != compared_.end();
  });
  // Random inputs are tried on a member of each set, too, so that no proof is begun in vain.
  constexpr std::size_t kMostSets = 32;
  std::vector<UnitModel> tried = others;
  for (const HypothesisSet& set : sets)
    if (!is_noted(set) && tried.size() < others.size() + kMostSets)
      tried.push_back(space_.model(set.chain, nearest(set.box, model), set.nan));
  if (auto input = experiments.separating(model, tried)) return input;
  for (const UnitModel& other : others) {
    if (deadline_.passed()) return std::nullopt;
    if (seconds_ >= proof_seconds_ / 4) return std::nullopt;
    compared_.emplace_back(model, other);
    if (auto input = difference(model, other)) return input;
  }
  return std::nullopt;
}

/// Node by node, where the formula is small; then where inputs are small, and so is the formula.
std::optional<DotInput> EquivalenceLedger::difference(const UnitModel& x, const UnitModel& y) {
  const auto by_nodes = timed([&] { return compare_by_nodes(*checker_, x, y, limits(0.6)); });
  if (std::holds_alternative<Equivalent>(by_nodes)) return std::nullopt;
  if (const auto* w = std::get_if<Witness>(&by_nodes)) return replayed(x, y, w->input);
  std::vector<bool> few(static_cast<std::size_t>(space_.k), false);
  for (std::size_t k = 0; k < few.size(); k += std::max<std::size_t>(1, few.size() / 3)) few[k] = true;
  Restriction c_alone;
  c_alone.products = std::vector<bool>(few.size(), false);
  Restriction small;
  small.products = few;
  small.leading_fraction_bits = 3;
  Restriction powers;
  powers.leading_fraction_bits = 0;
  const std::pair<Restriction, double> steps[] = {{c_alone, 0.2}, {small, 0.4}, {powers, 0.4}};
  for (const auto& [where, seconds] : steps) {
    const auto answer = timed([&] { return checker_->distinguish(x, y, where, limits(seconds)); });
    if (const auto* w = std::get_if<Witness>(&answer)) return replayed(x, y, w->input);
  }
  return std::nullopt;
}

std::optional<DotInput> EquivalenceLedger::by_set(const UnitModel& model, const HypothesisSet& set,
                                                  double seconds) {
  const auto at = Clock::now();
  const auto answer = timed([&] { return compare_with_set(*checker_, model, space_, set, limits(seconds)); });
  if (const auto* s = std::get_if<Separation>(&answer)) return replayed(s->left, s->right, s->input);
  SurvivorClass entry{set, SurvivorClass::Standing::open, 0, seconds_since(at), std::nullopt, {}};
  if (const auto* equal = std::get_if<Equivalent>(&answer)) {
    entry.standing = SurvivorClass::Standing::proved;
    entry.clauses = equal->clauses;
  }
  if (const auto* open = std::get_if<OpenStep>(&answer)) {
    entry.question = open->parameter ? std::string(info(*open->parameter).name) : "structure";
    undecided_.push_back(open->set);
  }
  noted_.push_back(std::move(entry));
  return std::nullopt;
}

}  // namespace mmaprint
