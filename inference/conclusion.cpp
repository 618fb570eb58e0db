#include "inference/conclusion.h"

#include "inference/by_need.h"

namespace mmaprint {

namespace {

SurvivorClass unless_told(SurvivorClass entry, const Untold& untold, const Deadline& deadline) {
  if (entry.standing == SurvivorClass::Standing::proved) return entry;
  const auto alike = refine(*untold.space, {entry.set}, untold.as_modelled, untold.threads, deadline);
  if (!alike || count(*alike) == entry.set.box.size()) return entry;
  entry.standing = SurvivorClass::Standing::undecided;
  entry.witness = untold.as_modelled.input;
  return entry;
}

}  // namespace

std::vector<SurvivorClass> standings(const EquivalenceLedger& ledger, const VersionSpace& sets,
                                     const std::optional<Untold>& untold, const Deadline& deadline) {
  std::vector<SurvivorClass> all;
  for (const HypothesisSet& set : sets)
    all.push_back(untold ? unless_told(ledger.of(set), *untold, deadline) : ledger.of(set));
  return all;
}

Ending ending_of(const Evidence& evidence, const std::vector<SurvivorClass>& survivors, bool confirmed,
                 bool time_up) {
  const auto& sets = evidence.sets();
  if (evidence.unused() != 0) return ending::TooManySets{};
  if (!confirmed) return ending::NotConfirmed{};
  if (!evidence.nan_is_settled()) return ending::NanUnseen{};
  if (sets.size() == 1 && sets.front().box.size() == 1) return ending::Unique{};
  if (all_proved(survivors)) return ending::ProvedAlike{};
  return ending::SomeOpen{open_questions(survivors), time_up};
}

}  // namespace mmaprint
