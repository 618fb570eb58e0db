#include "outside_units/outside_unit.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "inference/inputs.h"
#include "model/evaluator.h"
#include "random_units/random_unit.h"

namespace mmaprint::test {
namespace {

constexpr int kBatch = 500;

/// Compares until `enough` inputs differ; the first that does becomes the example.
template <class Next>
int differing(OutsideUnit& unit, const Evaluator& model, int inputs, int enough, Next next,
              std::optional<Observation>& example) {
  int n = 0;
  std::vector<DotInput> batch;
  for (int done = 0; done < inputs && n < enough; done += static_cast<int>(batch.size())) {
    batch.clear();
    while (static_cast<int>(batch.size()) < std::min(kBatch, inputs - done)) batch.push_back(next());
    const auto seen = unit.answers(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (model(batch[i]) == as_modelled(model.model(), seen[i])) continue;
      if (n++ == 0 && !example) example = {batch[i], seen[i]};
    }
  }
  return n;
}

bool differs_often(OutsideUnit& unit, std::uint64_t seed) {
  const Evaluator base(unit.base());
  std::optional<Observation> example;
  // A tenth of the inputs is enough to see that most will never do.
  const auto often = [&](int inputs, int enough) {
    return std::ranges::any_of(kDistributions, [&](Distribution distribution) {
      DistributionInputs generator(distribution, unit.base().k, unit.base().formats, seed);
      return differing(
                 unit, base, inputs, enough, [&] { return generator.next(); }, example) >= enough;
    });
  };
  return often(kInputsOfEach / 10, 1) && often(kInputsOfEach, kDifferencesOfEach);
}

}  // namespace

OutsideUnit::OutsideUnit(const DeviationKind& kind, Deviant deviant)
    : kind_(kind), deviant_(std::move(deviant)), unit_(deviant_.base) {
  if (deviant_.tree) unit_.tree = *deviant_.tree;
  validate(deviant_.base);
  validate(unit_);
}

std::string OutsideUnit::name() const { return "outside:" + std::string(kind_.name); }

Instruction OutsideUnit::instruction() const { return {unit_.instruction, unit_.k, unit_.formats}; }

std::vector<InstructionInfo> OutsideUnit::instructions() const {
  return {{instruction(), true, std::nullopt, {}}};
}

std::vector<Pattern> OutsideUnit::answers(std::span<const DotInput> inputs) {
  std::vector<Pattern> all;
  all.reserve(inputs.size());
  for (const DotInput& input : inputs) {
    Pattern d = oracle::evaluate(unit_, input, deviant_.at);
    if (deviant_.answer) d = deviant_.answer(d, {input, all.size(), previous_});
    all.push_back(previous_ = d);
  }
  return all;
}

RunResult OutsideUnit::run(const Instruction& instruction, std::span<const DotInput> inputs) {
  if (auto failure = check_batch(instruction, inputs)) return *failure;
  return answers(inputs);
}

std::unique_ptr<OutsideUnit> outside_unit(const DeviationKind& kind, std::uint64_t seed, int largest_k) {
  constexpr std::uint64_t kMostDraws = 1000;
  for (std::uint64_t n = 0; n < kMostDraws; ++n) {
    Random random(seed + n);
    const int k = std::min(largest_k, random.pick({4, 4, 8, 8, 8, 16, 16, 32}));
    Deviant deviant{random_unit(random, k, random.pick(kind.formats)), std::nullopt, {}, {}};
    if (!kind.step(deviant, random)) continue;
    auto unit = std::make_unique<OutsideUnit>(kind, std::move(deviant));
    if (differs_often(*unit, seed + n)) return unit;
  }
  throw std::runtime_error("no unit of kind " + std::string(kind.name) + " differs often enough, from seed " +
                           std::to_string(seed) + " on");
}

int Disagreements::total() const { return std::accumulate(of.begin(), of.end(), generated); }

Disagreements disagreements(OutsideUnit& unit, const UnitModel& model, std::uint64_t seed, int inputs) {
  Disagreements found;
  const Evaluator evaluator(model);
  for (std::size_t i = 0; i < kDistributions.size(); ++i) {
    DistributionInputs generator(kDistributions[i], model.k, model.formats, seed);
    found.of[i] = differing(
        unit, evaluator, inputs, inputs, [&] { return generator.next(); }, found.example);
  }
  InputGenerator generator(model.k, model.formats, seed);
  found.generated = differing(
      unit, evaluator, inputs, inputs, [&] { return generator.next(); }, found.example);
  return found;
}

}  // namespace mmaprint::test
