#include "inference/mutation_analysis.h"

#include <algorithm>

#include "base/parallel.h"
#include "inference/mutant_inputs.h"
#include "inference/mutant_kinds.h"
#include "inference/plain_form.h"
#include "inference/refutation.h"

namespace mmaprint {
namespace {

/// Mutants that one thread looks at before it takes more.
constexpr std::size_t kTogether = 8;

/// Calls job(i) for i in [0, count) on the threads.
template <class Job>
void side_by_side(std::size_t count, int threads, Job&& job) {
  in_parallel((count + kTogether - 1) / kTogether, threads, [&](std::size_t chunk) {
    for (std::size_t i = chunk * kTogether; i < std::min(count, (chunk + 1) * kTogether); ++i) job(i);
  });
}

/// The place of the first input to which the mutant answers otherwise than the model, whose results these
/// are.
std::optional<std::size_t> first_otherwise(const Mutant& mutant, std::span<const DotInput> inputs,
                                           std::span<const Pattern> results) {
  if (mutant.together != nullptr) return mutant.together->first_difference(inputs, results);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (mutant.answer(inputs[i], results[i]) != results[i]) return i;
  return std::nullopt;
}

}  // namespace

MutationAnalysis::MutationAnalysis(Original original, const MutationOptions& options)
    : original_(std::move(original)),
      options_(options),
      mutants_(mutants_of(original_, options.most_mutants, options.seed)),
      standing_(mutants_.size(), Standing::open) {
  side_by_side(mutants_.size(), options_.threads, [&](std::size_t i) {
    const auto& models = mutants_[i].models;
    if (models && mutants::is_floating(models->model) &&
        plain_form(models->model) == plain_form(models->mutant))
      standing_[i] = Standing::equal;
  });
}

bool MutationAnalysis::kill(std::span<const Observation> answered, By by, const Deadline& deadline) {
  const UnitModel& model = original_.model;
  const std::size_t before = open().size();
  std::vector<DotInput> inputs;
  std::vector<Pattern> results;
  for (const Observation& o : answered) {
    inputs.push_back(o.input);
    results.push_back(as_modelled(model, o.d));
  }
  side_by_side(mutants_.size(), options_.threads, [&](std::size_t i) {
    constexpr std::size_t kInputs = 256;
    for (std::size_t at = 0; at < inputs.size() && standing_[i] == Standing::open; at += kInputs) {
      if (deadline.passed()) return;
      const std::size_t count = std::min(kInputs, inputs.size() - at);
      if (first_otherwise(mutants_[i], std::span(inputs).subspan(at, count),
                          std::span(results).subspan(at, count)))
        standing_[i] = Standing::killed;
    }
  });
  killed_by_[static_cast<std::size_t>(by)] += before - open().size();
  return !deadline.passed();
}

std::optional<DotInput> MutationAnalysis::input_telling(std::size_t index, const Deadline& deadline) const {
  const Mutant& mutant = mutants_[index];
  MutantInputs made(original_.model, mutant.aim, options_.seed + 0x9E3779B97F4A7C15U * (index + 1));
  constexpr std::size_t kFirst = 8, kThen = 64;
  std::vector<DotInput> inputs;
  for (std::size_t left = options_.inputs_each, count = kFirst; left > 0 && !deadline.passed();
       left -= inputs.size(), count = kThen) {
    inputs.clear();
    while (inputs.size() < std::min(count, left)) inputs.push_back(made.next());
    if (auto first = first_otherwise(mutant, inputs, (*original_.evaluator)(inputs))) return inputs[*first];
  }
  return std::nullopt;
}

std::vector<DotInput> MutationAnalysis::telling(std::size_t most, const Deadline& deadline) {
  const std::vector<std::size_t> left = open();
  std::vector<std::optional<DotInput>> found(left.size());
  side_by_side(left.size(), options_.threads,
               [&](std::size_t i) { found[i] = input_telling(left[i], deadline); });
  std::vector<DotInput> chosen;
  std::vector<Pattern> results;
  for (std::size_t i = 0; i < left.size() && chosen.size() < most; ++i) {
    if (!found[i]) continue;
    const Mutant& mutant = mutants_[left[i]];
    bool told = false;
    for (std::size_t j = 0; j < chosen.size() && !told; ++j)
      told = mutant.answer(chosen[j], results[j]) != results[j];
    if (told) continue;
    results.push_back(original_.evaluator->one()(*found[i]));
    chosen.push_back(*std::move(found[i]));
  }
  return chosen;
}

std::vector<std::size_t> MutationAnalysis::open() const {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < standing_.size(); ++i)
    if (standing_[i] == Standing::open) all.push_back(i);
  return all;
}

MutantCounts MutationAnalysis::counts() const {
  const auto number_of = [&](Standing standing) {
    return static_cast<std::size_t>(std::ranges::count(standing_, standing));
  };
  return {mutants_.size(), number_of(Standing::killed), killed_by_, number_of(Standing::equal)};
}

Mutants that_explain(Mutants mutants, const Original& original, std::span<const Observation> observations,
                     Budget& budget, const Deadline& deadline) {
  const UnitModel& model = original.model;
  const std::int64_t operands = model.k + 1;
  std::vector<Pattern> results;
  results.reserve(observations.size());
  Checkpoint late(deadline);
  for (const Observation& o : observations) {
    if (budget.is_spent() || late.passed()) return {};
    results.push_back(original.evaluator->one()(o.input));
  }
  budget.spend(operands * static_cast<std::int64_t>(observations.size()) / kOperandsOfWork);
  std::erase_if(mutants, [&](const Mutant& mutant) {
    for (std::size_t i = 0; i < observations.size(); ++i) {
      if (budget.is_spent() || late.passed()) return true;
      budget.spend(operands);
      if (mutant.answer(observations[i].input, results[i]) != as_modelled(model, observations[i].d))
        return true;
    }
    return false;
  });
  return mutants;
}

}  // namespace mmaprint
