#include "inference/experiments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>

#include "base/parallel.h"
#include "inference/by_need.h"

namespace mmaprint {
namespace {

/// In bits: how much the answer to a question would tell about which hypothesis holds.
double information(std::vector<Pattern>& answers) {
  std::ranges::sort(answers);
  const auto n = static_cast<double>(answers.size());
  double bits = 0;
  for (std::size_t i = 0; i < answers.size();) {
    std::size_t j = i;
    while (j < answers.size() && answers[j] == answers[i]) ++j;
    const double share = static_cast<double>(j - i) / n;
    bits -= share * std::log2(share);
    i = j;
  }
  return bits;
}

/// The same of an answer that is known, which so many of the hypotheses give: the rarer, the more.
double surprise(std::size_t explained_by, std::size_t hypotheses) {
  return std::log2(static_cast<double>(hypotheses + 1) / static_cast<double>(explained_by + 1));
}

int random_member(const ValueSet& set, std::mt19937_64& random) {
  auto skip = random() % static_cast<std::uint64_t>(set.size());
  int i = set.first();
  while (skip-- > 0) i = set.next(i);
  return i;
}

/// Operands that nodes may be run on to sift all sets by one input: the least is tried first.
constexpr std::array kAffordable{4e5, 1e6, 4e6, 1e7, 4e7};
/// Operands that nodes are run on to choose one input, at most: some seconds.
constexpr double kMostTried = 1e7;

/// Bits an operand: where an input tells as much, looking for a better one is not worth what it costs.
constexpr double kGood = 2e-7;

/// Some of a list, from its first to its last, denser at the beginning.
template <class T>
std::vector<T> spread(const std::vector<T>& all) {
  constexpr std::size_t kFirst = 4, kOthers = 12;
  const std::size_t first = std::min(kFirst, all.size());
  std::vector<T> some(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(first));
  const std::size_t rest = all.size() - first;
  for (std::size_t n = 0; n < std::min(kOthers, rest); ++n)
    some.push_back(all[first + n * rest / std::min(kOthers, rest)]);
  return some;
}

int operands_in_use(const DotInput& in) {
  int n = in.c != 0 ? 1 : 0;
  for (std::size_t k = 0; k < in.a.size(); ++k) n += in.a[k] != 0 && in.b[k] != 0 ? 1 : 0;
  return n;
}

}  // namespace

std::size_t Sampler::pick(const Shares& shares) {
  if (random_() % 2 == 0) {
    const double at = shares.sums.back() * static_cast<double>(random_() >> 11) / 9007199254740992.0;
    const auto above = std::ranges::upper_bound(shares.sums, at);
    return std::min(static_cast<std::size_t>(above - shares.sums.begin()), shares.sums.size() - 1);
  }
  auto skeleton = shares.by_skeleton.begin();
  std::advance(skeleton, static_cast<std::ptrdiff_t>(random_() % shares.by_skeleton.size()));
  return skeleton->second[random_() % skeleton->second.size()];
}

Sampler::Shares Sampler::shares_of(const VersionSpace& sets) {
  Shares shares;
  double total = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    shares.sums.push_back(total += approximate(sets[i].box.size()));
    shares.by_skeleton[sets[i].skeleton].push_back(i);
  }
  return shares;
}

VersionSpace Sampler::some_sets(const VersionSpace& sets, std::size_t count) {
  if (sets.size() <= count) return sets;
  const Shares shares = shares_of(sets);
  std::set<std::size_t> drawn;
  for (std::size_t n = 0; n < count; ++n) drawn.insert(pick(shares));
  VersionSpace some;
  for (const std::size_t i : drawn) some.push_back(sets[i]);
  return some;
}

std::vector<UnitModel> Sampler::some(const VersionSpace& sets, int count) {
  const Shares shares = shares_of(sets);
  std::vector<UnitModel> models;
  for (int n = 0; n < count; ++n) {
    const HypothesisSet& set = sets[pick(shares)];
    ParameterValues values = set.box.lowest();
    for (const ParameterKey& key : set.box.keys())
      set_value(values, key, random_member(set.box[key], random_));
    models.push_back(space_->model(set.skeleton, values, set.nan));
  }
  return models;
}

const Skeleton& Sampler::structure(const VersionSpace& sets) {
  return space_->skeleton(sets[random_() % sets.size()]);
}

std::optional<DotInput> Experiments::best(const VersionSpace& sets, std::span<const Look> looks) {
  for (const Look& look : looks) {
    std::vector<DotInput> inputs = drawn(sets, look);
    const auto ranks = ranked(sets, inputs, {}, look.sample, look.least_bits);
    if (!ranks.empty()) return std::move(inputs[ranks.front().input]);
  }
  return std::nullopt;
}

std::optional<DotInput> Experiments::best_again(const VersionSpace& sets, std::span<const Look> looks) {
  auto input = best(sets, nothing_told_ ? looks.first(1) : looks);
  nothing_told_ = !input;
  return input;
}

std::optional<DotInput> Experiments::most_for_its_cost(const VersionSpace& sets,
                                                       std::span<const Look> looks) {
  struct Found {
    std::vector<DotInput> inputs;
    std::vector<Rank> ranks;
  };
  std::vector<Found> found;
  const double until = tried_ + kMostTried;
  for (const double most : kAffordable) {
    std::optional<DotInput> best;
    double worth = 0;
    for (std::size_t i = 0; i < looks.size() && worth < kGood; ++i) {
      if (i == found.size()) {
        found.push_back({drawn(sets, looks[i]), {}});
        found[i].ranks = ranked(sets, found[i].inputs, {}, looks[i].sample, looks[i].least_bits);
      }
      const auto choice = frugal(sets, found[i].inputs, found[i].ranks, {most, until});
      if (!choice || choice->worth <= worth) continue;
      worth = choice->worth;
      best = found[i].inputs[choice->input];
    }
    if (best) return best;
  }
  return std::nullopt;
}

std::optional<std::size_t> Experiments::most_for_its_cost(const VersionSpace& sets,
                                                          std::span<const Observation> known, int sample,
                                                          Patience patience) {
  std::vector<DotInput> inputs;
  std::vector<Pattern> answers;
  for (const Observation& one : known) {
    inputs.push_back(one.input);
    answers.push_back(one.d);
  }
  const auto ranks = ranked(sets, inputs, answers, sample, 0);
  const double until = tried_ + kMostTried;
  std::optional<Choice> best;
  for (const double most : kAffordable) {
    best = frugal(sets, inputs, ranks, {most, until}, best);
    if (patience == Patience::little || (best && best->worth >= kGood)) break;
  }
  return best ? std::optional(best->input) : std::nullopt;
}

std::optional<Experiments::Choice> Experiments::frugal(const VersionSpace& sets,
                                                       std::span<const DotInput> inputs,
                                                       const std::vector<Rank>& ranks, const Affordable& what,
                                                       std::optional<Choice> chosen) {
  constexpr std::size_t kSets = 12;
  constexpr double kAnyway = 200'000;  // operands: what choosing and asking take about as long as
  constexpr double kOfOneSet = 2'000;  // operands: what sifting a set takes from then on
  const VersionSpace some = sampler_.some_sets(sets, kSets);
  const double share = static_cast<double>(some.size()) / static_cast<double>(sets.size());
  for (const Rank& rank : spread(ranks)) {
    // No more than makes it better than the best so far.
    const double affordable = chosen ? std::min(what.most, rank.bits / chosen->worth - kAnyway) : what.most;
    if (affordable <= 0) continue;
    if (tried_ >= what.until) break;
    const auto cost = cost_of_sifting(*space_, some, inputs[rank.input],
                                      static_cast<std::int64_t>(affordable * share), threads_, deadline_);
    tried_ += cost ? static_cast<double>(cost->operands) : affordable * share;
    if (deadline_.passed()) return std::nullopt;
    if (!cost) continue;
    // Sets that are split into more than the answer refutes have to be sifted again and again.
    const double split = static_cast<double>(cost->sets) / static_cast<double>(some.size());
    const double more = static_cast<double>(sets.size()) * std::max(0.0, split / std::exp2(rank.bits) - 1);
    const double worth =
        rank.bits / (kAnyway + static_cast<double>(cost->operands) / share + kOfOneSet * more);
    if (!chosen || worth > chosen->worth) chosen = {rank.input, worth};
  }
  return chosen;
}

std::vector<DotInput> Experiments::drawn(const VersionSpace& sets, const Look& look) {
  std::vector<DotInput> inputs;
  if (look.meet == Look::Meet::at_one_node) {
    for (int n = 0; n < look.inputs; ++n)
      inputs.push_back(at_nodes_.next(sampler_.structure(sets).tree, look.family));
    return inputs;
  }
  const bool is_few = look.family != InputFamily::any && look.family != InputFamily::edges;
  for (int n = 0; n < look.inputs; ++n) {
    const bool vary = !is_few && !interesting_.empty() && n % 3 == 0;
    inputs.push_back(vary ? inputs_.mutated(interesting_[turn_++ % interesting_.size()])
                          : inputs_.next(look.family));
  }
  return inputs;
}

std::vector<Experiments::Rank> Experiments::ranked(const VersionSpace& sets, std::span<const DotInput> inputs,
                                                   std::span<const Pattern> known, int sample, double least) {
  const std::vector<UnitModel> hypotheses = sampler_.some(sets, sample);
  std::vector<std::vector<Pattern>> results(hypotheses.size());
  in_parallel(hypotheses.size(), threads_, [&](std::size_t i) {
    if (!deadline_.passed()) results[i] = BatchEvaluator(hypotheses[i])(inputs);
  });
  if (deadline_.passed()) return {};
  std::vector<Rank> ranks;
  std::vector<Pattern> answers(hypotheses.size());
  for (std::size_t n = 0; n < inputs.size(); ++n) {
    std::size_t explained_by = 0;
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
      answers[i] = results[i][n];
      if (!known.empty() && answers[i] == as_modelled(hypotheses[i], known[n])) ++explained_by;
    }
    // Among equals the input with fewer operands is easier to read, and cheaper to draw conclusions from.
    const double score = known.empty() ? information(answers) - 0.002 * operands_in_use(inputs[n])
                                       : surprise(explained_by, hypotheses.size());
    if (score > least) ranks.push_back({score, n});
  }
  std::ranges::stable_sort(ranks, std::greater(), &Rank::bits);
  return ranks;
}

std::vector<DotInput> Experiments::various(std::size_t count) {
  constexpr std::array kFamilies{InputFamily::any, InputFamily::edges, InputFamily::few_addends};
  std::vector<DotInput> inputs;
  inputs.reserve(count);
  for (std::size_t n = 0; n < count; ++n, ++various_)
    inputs.push_back(!interesting_.empty() && various_ % 4 == 3
                         ? inputs_.mutated(interesting_[turn_++ % interesting_.size()])
                         : inputs_.next(kFamilies[various_ % kFamilies.size()]));
  return inputs;
}

std::optional<DotInput> Experiments::separating(const UnitModel& model,
                                                const std::vector<UnitModel>& others) {
  constexpr std::size_t kBatch = 256;
  constexpr int kBatches = 40;
  constexpr int kBatchesOfTies = 16;
  const BatchEvaluator expected(model);
  std::vector<BatchEvaluator> evaluators;
  for (const UnitModel& other : others) {
    if (deadline_.passed()) return std::nullopt;
    evaluators.emplace_back(other);
  }
  const auto separating = [&](std::vector<DotInput> inputs) -> std::optional<DotInput> {
    const std::vector<Pattern> results = expected(inputs);
    std::size_t first = inputs.size();
    for (const BatchEvaluator& e : evaluators) {
      if (deadline_.passed()) return std::nullopt;
      first = e.first_difference(std::span(inputs).first(first), results).value_or(first);
    }
    if (first == inputs.size()) return std::nullopt;
    return std::move(inputs[first]);
  };
  for (int batch = 0; batch < kBatches && !deadline_.passed(); ++batch)
    if (auto input = separating(various(kBatch))) return input;
  if (model.tree.nodes.size() < 3 || others.empty()) return std::nullopt;
  for (int batch = 0; batch < kBatchesOfTies && !deadline_.passed(); ++batch) {
    std::vector<DotInput> inputs;
    for (std::size_t n = 0; n < kBatch; ++n) inputs.push_back(inputs_.next(InputFamily::chained_ties));
    if (auto input = separating(std::move(inputs))) return input;
  }
  return std::nullopt;
}

void Experiments::remember(const DotInput& input) {
  constexpr std::size_t kMost = 24;
  interesting_.push_front(input);
  if (interesting_.size() > kMost) interesting_.pop_back();
}

}  // namespace mmaprint
