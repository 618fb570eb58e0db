#include "inference/experiments.h"

#include <algorithm>
#include <array>
#include <cmath>

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

int random_member(const ValueSet& set, std::mt19937_64& random) {
  auto skip = random() % static_cast<std::uint64_t>(set.size());
  int i = set.first();
  while (skip-- > 0) i = set.next(i);
  return i;
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

std::vector<UnitModel> Sampler::some(const VersionSpace& sets, int count) {
  Shares shares;
  double total = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    shares.sums.push_back(total += approximate(sets[i].box.size()));
    shares.by_skeleton[sets[i].skeleton].push_back(i);
  }
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

std::optional<DotInput> Experiments::best(const VersionSpace& sets, InputFamily family, int candidates,
                                          int sample, double least) {
  std::vector<Evaluator> hypotheses;
  for (const UnitModel& model : sampler_.some(sets, sample)) {
    if (deadline_.passed()) return std::nullopt;
    hypotheses.emplace_back(model);
  }
  std::optional<DotInput> best;
  double most = least;
  std::vector<Pattern> answers(hypotheses.size());
  Checkpoint late(deadline_);
  for (int n = 0; n < candidates; ++n) {
    const bool vary = family != InputFamily::few_addends && !interesting_.empty() && n % 3 == 0;
    DotInput input =
        vary ? inputs_.mutated(interesting_[turn_++ % interesting_.size()]) : inputs_.next(family);
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
      if (late.passed()) return std::nullopt;
      answers[i] = hypotheses[i](input);
    }
    // Among equals the input with fewer operands is easier to read, and cheaper to draw conclusions from.
    const double score = information(answers) - 0.002 * operands_in_use(input);
    if (score > most) {
      most = score;
      best = std::move(input);
    }
  }
  return best;
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
  constexpr int kChainedTies = 4000;
  const Evaluator expected(model);
  std::vector<Evaluator> evaluators;
  for (const UnitModel& other : others) {
    if (deadline_.passed()) return std::nullopt;
    evaluators.emplace_back(other);
  }
  Checkpoint late(deadline_);
  const auto separates = [&](const DotInput& input) {
    const Pattern d = expected(input);
    return std::ranges::any_of(evaluators,
                               [&](const Evaluator& e) { return !late.passed() && e(input) != d; });
  };
  for (int batch = 0; batch < kBatches && !late.passed(); ++batch)
    for (DotInput& input : various(kBatch))
      if (separates(input)) return std::move(input);
  if (model.tree.nodes.size() < 3 || others.empty()) return std::nullopt;
  for (int n = 0; n < kChainedTies && !late.passed(); ++n) {
    DotInput input = inputs_.next(InputFamily::chained_ties);
    if (separates(input)) return input;
  }
  return std::nullopt;
}

void Experiments::remember(const DotInput& input) {
  constexpr std::size_t kMost = 24;
  interesting_.push_front(input);
  if (interesting_.size() > kMost) interesting_.pop_back();
}

}  // namespace mmaprint
