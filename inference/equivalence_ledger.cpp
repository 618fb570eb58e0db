#include "inference/equivalence_ledger.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "base/stopwatch.h"
#include "inference/edge_inputs.h"
#include "inference/equivalence.h"
#include "inference/plain_form.h"
#include "inference/representative.h"
#include "model/spelling.h"
#include "model/structure_text.h"
#include "solver/by_nodes.h"

namespace mmaprint {
namespace {

/// A witness that the concrete evaluator does not confirm is an error of ours, never data.
DotInput replayed(const UnitModel& x, const UnitModel& y, const DotInput& input) {
  if (evaluate(x, input) == evaluate(y, input))
    throw std::logic_error(
        "internal error: the solver's witness does not distinguish the models when evaluated");
  return input;
}

// Steps of single questions.
constexpr std::int64_t kFirstLook = 2'000;
constexpr std::int64_t kByNodes = 20'000;
constexpr std::int64_t kCAlone = 7'000;
constexpr std::int64_t kSmall = 14'000;
/// However much was spent before.
constexpr std::int64_t kLeastOfSet = 10'000;

/// Inputs that undecided sets are run on, and products (and as good as 8 more for each input) of all models.
constexpr std::uint64_t kMostRareInputs = std::uint64_t{1} << 22;
constexpr std::uint64_t kMostRareProducts = 600'000'000;
constexpr double kLongestRare = 120;  // seconds

/// The parameters of a set that are not decided, with how many values each has.
std::string undecided_in(const HypothesisSet& set) {
  std::string all;
  for (const ParameterKey& key : set.box.keys()) {
    const auto values = set.box[key].values();
    if (values.size() < 2) continue;
    all += fmt::format("{}{} ({})", all.empty() ? "" : ", ", name_of(key, set.box.classes()), values.size());
  }
  return all.empty() ? "two models" : all;
}
/// In which parameters two models of one skeleton differ, a text for each.
template <class Text>
std::string differing(const UnitModel& x, const UnitModel& y, Text&& text) {
  if (skeleton_of(x) != skeleton_of(y)) return "structure";
  const ParameterValues left = values_of(x), right = values_of(y);
  std::string all;
  const int classes = static_cast<int>(left.adders.size());
  for (const ParameterKey& key : all_keys(classes)) {
    const int one = value_index(left, key), other = value_index(right, key);
    if (one != other) all += (all.empty() ? "" : ", ") + text(key, name_of(key, classes), one, other);
  }
  return all.empty() ? "nan" : all;
}
std::string differing_values(const UnitModel& x, const UnitModel& y) {
  if (skeleton_of(x) != skeleton_of(y))
    return fmt::format("structure {} or {}", structure_text(x.tree), structure_text(y.tree));
  return differing(x, y, [](const ParameterKey& key, const std::string& name, int one, int other) {
    return fmt::format("{} {} or {}", name, value_text(key.parameter, one), value_text(key.parameter, other));
  });
}
std::string differing_parameters(const UnitModel& x, const UnitModel& y) {
  return differing(x, y, [](const ParameterKey&, const std::string& name, int, int) { return name; });
}

using Pairs = std::vector<std::pair<UnitModel, UnitModel>>;
bool is_among(const Pairs& pairs, const UnitModel& x, const UnitModel& y) {
  return std::ranges::any_of(pairs, [&](const auto& pair) { return pair.first == x && pair.second == y; });
}

bool is_same(const HypothesisSet& x, const HypothesisSet& y) {
  return x.skeleton == y.skeleton && x.box == y.box;
}

}  // namespace

template <class Ask>
auto EquivalenceLedger::counted(std::int64_t steps, Ask&& ask) {
  const Stopwatch watch;
  const std::int64_t before = steps_;
  const double longest =
      kLongestStep * 1.5 * static_cast<double>(std::max(proof_steps_, kProofSteps)) - seconds_;
  Limits limits;
  limits.steps = std::max<std::int64_t>(0, steps);
  limits.seconds = std::clamp(longest, 0.0, deadline_.remaining());
  limits.stop = deadline_.stop();
  limits.spent = &steps_;
  limits.threads = one_by_one_ ? 1 : rare_.threads;
  auto answer = ask(limits);
  const double took = watch.seconds();
  seconds_ += took;
  if (log_ == nullptr) return answer;
  log_->debug("{}: the solver took {} steps of {}, {:.2f} s", space_.instruction, steps_ - before,
              *limits.steps, took);
  if (took >= longest && !deadline_.passed() && !std::exchange(warned_, true))
    log_->warn("{}: the clock ended a proof after {:.0f} s, so another run may prove more",
               space_.instruction, seconds_);
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

void EquivalenceLedger::keep(const VersionSpace& sets) {
  std::erase_if(noted_, [&](const SurvivorClass& c) {
    return std::ranges::none_of(sets, [&](const HypothesisSet& s) { return is_same(s, c.set); });
  });
}

/// Those that are not noted. First those whose nodes are the model's: what differs from others of their
/// structure is looked for beside them then.
std::vector<const HypothesisSet*> EquivalenceLedger::in_order(const UnitModel& model,
                                                              const VersionSpace& sets) const {
  std::vector<std::pair<std::ptrdiff_t, const HypothesisSet*>> all;
  for (const HypothesisSet& set : sets) {
    if (is_noted(set)) continue;
    const auto others = std::ranges::count_if(nearest(set.box, model).adders, [&](const Adder& adder) {
      return std::ranges::find(model.adders, adder) == model.adders.end();
    });
    all.emplace_back(others, &set);
  }
  std::ranges::stable_sort(all, {}, [](const auto& pair) { return pair.first; });
  std::vector<const HypothesisSet*> sorted(all.size());
  std::ranges::transform(all, sorted.begin(), [](const auto& pair) { return pair.second; });
  return sorted;
}

std::optional<DotInput> EquivalenceLedger::prove(const UnitModel& model, const VersionSpace& sets,
                                                 const Deadline& deadline) {
  deadline_ = deadline;
  undecided_.clear();
  const std::vector<const HypothesisSet*> waiting = in_order(model, sets);
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (deadline_.passed()) return std::nullopt;
    const std::int64_t left = steps_left();
    const bool is_last = i + 1 == waiting.size();
    const std::int64_t share = std::max(is_last ? left : left / 2, std::min(kLeastOfSet, proof_steps_));
    if (auto input = by_set(model, *waiting[i], share)) return input;
  }
  if (auto input = among_undecided(model)) return input;
  return among_small_inputs(model);
}

bool all_proved(const std::vector<SurvivorClass>& survivors) {
  return std::ranges::all_of(
      survivors, [](const SurvivorClass& s) { return s.standing == SurvivorClass::Standing::proved; });
}

std::string open_questions(const std::vector<SurvivorClass>& survivors) {
  std::string all;
  for (const SurvivorClass& s : survivors)
    if (!s.question.empty() && all.find(s.question) == std::string::npos)
      all += (all.empty() ? "" : ", ") + s.question;
  return all;
}

std::optional<DotInput> EquivalenceLedger::among_undecided(const UnitModel& model) {
  constexpr std::size_t kMost = 6;
  std::vector<UnitModel> others = neighbours(space_, undecided_, model);
  for (const HypothesisSet& set : undecided_) {
    UnitModel other =
        space_.model(set.skeleton, nearest(set.box, model), set.nan ? set.nan : constant_nan(model.nan));
    if (skeleton_of(other) != skeleton_of(model)) others.push_back(std::move(other));
  }
  if (others.size() > kMost) others.resize(kMost);
  if (others.empty()) return std::nullopt;
  ++rare_.seed;
  // Who spends less on proofs spends less on this, too.
  const double effort = std::min(1.0, static_cast<double>(proof_steps_) / static_cast<double>(kProofSteps));
  const auto products = static_cast<std::uint64_t>(effort * static_cast<double>(kMostRareProducts));
  rare_.inputs =
      std::min(kMostRareInputs, products / ((others.size() + 1) * (static_cast<std::size_t>(model.k) + 8)));
  rare_.seconds = std::min(deadline_.remaining(), kLongestRare);
  const Stopwatch watch;
  auto input = rare_difference(model, others, rare_);
  if (log_ == nullptr) return input;
  log_->debug("{}: {} models run beside it on {} random inputs at most, {:.2f} s", space_.instruction,
              others.size(), rare_.inputs, watch.seconds());
  if (!deadline_.passed() && watch.seconds() >= kLongestRare)
    log_->warn("{}: the clock ended a search for rare differences, so another run may find more",
               space_.instruction);
  return input;
}

/// Neighbours in what is not decided, with the solver alone and where inputs are small.
std::optional<DotInput> EquivalenceLedger::among_small_inputs(const UnitModel& model) {
  for (const UnitModel& other : neighbours(space_, undecided_, model)) {
    if (deadline_.passed() || steps_ >= proof_steps_ * 7 / 4) return std::nullopt;
    if (auto input = difference(model, other)) return input;
  }
  return std::nullopt;
}

std::optional<DotInput> EquivalenceLedger::among_neighbours(const UnitModel& model, const VersionSpace& sets,
                                                            Experiments& experiments,
                                                            const Deadline& deadline) {
  deadline_ = deadline;
  std::vector<UnitModel> others = neighbours(space_, sets, model);
  std::erase_if(others, [&](const UnitModel& other) { return is_among(compared_, model, other); });
  const auto is_tried = [&](const UnitModel& other) { return is_among(tried_, model, other); };
  std::vector<UnitModel> untried = others;
  std::erase_if(untried, is_tried);
  const std::size_t at_edges = untried.size();
  // Random inputs are tried on a member of each set, too, so that no proof is begun in vain.
  constexpr std::size_t kMostSets = 32;
  std::size_t members = 0;
  for (const HypothesisSet& set : sets) {
    if (is_noted(set) || members == kMostSets) continue;
    ++members;
    UnitModel member = space_.model(set.skeleton, nearest(set.box, model), set.nan);
    if (!is_tried(member)) untried.push_back(std::move(member));
  }
  if (auto input = experiments.separating(model, untried)) return input;
  for (const UnitModel& other : std::span(untried).first(at_edges)) {
    if (deadline_.passed()) return std::nullopt;
    if (auto input = difference_at_edges(model, other, rare_.seed)) return input;
  }
  for (UnitModel& other : untried) tried_.emplace_back(model, std::move(other));
  for (const UnitModel& other : others) {
    if (deadline_.passed()) return std::nullopt;
    if (steps_ >= proof_steps_ / 4) return std::nullopt;
    compared_.emplace_back(model, other);
    const auto answer = by_nodes(model, other, kFirstLook);
    if (const auto* w = std::get_if<Witness>(&answer)) return w->input;
  }
  return std::nullopt;
}

std::vector<Distinction> EquivalenceLedger::compare(const std::vector<Question>& questions,
                                                    std::int64_t steps, int threads,
                                                    const Deadline& deadline) {
  deadline_ = deadline;
  const auto count = static_cast<std::int64_t>(questions.size());
  std::vector<Distinction> answers(questions.size(), Unknown{});
  return counted(count * steps, [&](const Limits& all) {
    std::vector<std::int64_t> spent(questions.size(), 0);
    in_parallel(questions.size(), one_by_one_ ? 1 : threads, [&](std::size_t i) {
      const auto [x, y] = questions[i];
      Limits limits = all;
      limits.steps = steps;
      limits.spent = &spent[i];
      limits.threads = 1;
      if (have_the_same_plain_form(*x, *y))
        answers[i] = Equivalent{};
      else if (x->tree == y->tree && x->paths == y->paths)
        answers[i] = compare_by_nodes(*checker_, *x, *y, limits);
      else
        answers[i] = checker_->distinguish(*x, *y, {}, limits);
      if (const auto* witness = std::get_if<Witness>(&answers[i])) (void)replayed(*x, *y, witness->input);
    });
    for (const std::int64_t s : spent) *all.spent += s;
    return std::move(answers);
  });
}

/// A witness was replayed.
Distinction EquivalenceLedger::by_nodes(const UnitModel& x, const UnitModel& y, std::int64_t steps) {
  auto answer =
      counted(steps, [&](const Limits& limits) { return compare_by_nodes(*checker_, x, y, limits); });
  if (const auto* w = std::get_if<Witness>(&answer)) (void)replayed(x, y, w->input);
  return answer;
}

/// Node by node, where the formula is small; then where inputs are small, and so is the formula.
std::optional<DotInput> EquivalenceLedger::difference(const UnitModel& x, const UnitModel& y) {
  const auto of_nodes = by_nodes(x, y, kByNodes);
  if (std::holds_alternative<Equivalent>(of_nodes)) return std::nullopt;
  if (const auto* w = std::get_if<Witness>(&of_nodes)) return w->input;
  std::vector<bool> few(static_cast<std::size_t>(space_.k), false);
  for (std::size_t k = 0; k < few.size(); k += std::max<std::size_t>(1, few.size() / 3)) few[k] = true;
  Restriction c_alone;
  c_alone.products = std::vector<bool>(few.size(), false);
  Restriction small;
  small.products = few;
  small.leading_fraction_bits = 3;
  Restriction powers;
  powers.leading_fraction_bits = 0;
  const std::pair<Restriction, std::int64_t> questions[] = {
      {c_alone, kCAlone}, {small, kSmall}, {powers, kSmall}};
  for (const auto& [where, steps] : questions) {
    const auto answer = counted(steps, [&, &restriction = where](const Limits& limits) {
      return checker_->distinguish(x, y, restriction, limits);
    });
    if (const auto* w = std::get_if<Witness>(&answer)) return replayed(x, y, w->input);
  }
  return std::nullopt;
}

std::optional<DotInput> EquivalenceLedger::by_set(const UnitModel& model, const HypothesisSet& set,
                                                  std::int64_t steps) {
  const Stopwatch watch;
  const auto answer = counted(steps, [&](const Limits& limits) {
    return compare_with_set(*checker_, model, space_, set, limits, compared_models_);
  });
  if (const auto* s = std::get_if<Separation>(&answer)) {
    if (log_ != nullptr)
      log_->debug("{}: told apart by the solver: {}", space_.instruction,
                  differing_values(s->left, s->right));
    return replayed(s->left, s->right, s->input);
  }
  SurvivorClass entry{set, SurvivorClass::Standing::open, 0, watch.seconds(), std::nullopt, {}};
  const UnitModel nearest_one =
      space_.model(set.skeleton, nearest(set.box, model), set.nan ? set.nan : constant_nan(model.nan));
  if (const auto* equal = std::get_if<EquivalentSet>(&answer)) {
    compared_models_.add_alike(model, nearest_one);
    entry.standing = SurvivorClass::Standing::proved;
    entry.clauses = equal->clauses;
    if (keeps_proofs_) entry.derivation = std::make_shared<Derivation>(equal->derivation);
  }
  if (const auto* open = std::get_if<OpenStep>(&answer)) {
    entry.question = open->parameter ? name_of(*open->parameter, open->set.box.classes())
                                     : differing_parameters(model, nearest_one);
    undecided_.push_back(open->set);
    if (log_ != nullptr)
      log_->debug("{}: not decided: {}; beside the model: {}", space_.instruction, undecided_in(open->set),
                  differing_values(model, nearest_one));
  }
  noted_.push_back(std::move(entry));
  return std::nullopt;
}

}  // namespace mmaprint
