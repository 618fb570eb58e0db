#include "solver/unsat_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "solver/drat.h"
#include "solver/propagation.h"

namespace mmaprint {
namespace {

class Check {
 public:
  Check(std::span<const int> clauses, const DratProof& proof, int variables, const Deadline& deadline)
      : clauses_(clauses), proof_(proof), known_(variables), late_(deadline, 16) {}

  ProofCheck operator()() {
    give();
    if (!is_refuted_ && !forward()) return ProofUndecided{};
    if (!is_refuted_) return ProofBroken{"it does not end in a conflict"};
    return backward();
  }

 private:
  using Clause = Propagation::Clause;
  /// What a step of the proof did.
  struct Done {
    std::optional<Clause> clause;  ///< none: nothing was there to be deleted
    std::size_t assigned_before;
  };

  void give() {
    for (auto at = clauses_.begin(); at != clauses_.end() && !is_refuted_;) {
      const auto end = std::find(at, clauses_.end(), 0);
      (void)add({at, end});
      at = end == clauses_.end() ? end : end + 1;
    }
  }

  /// Adds a clause and what follows; marks what a conflict rests on.
  Clause add(std::span<const int> clause) {
    const Clause added = known_.add(clause);
    const auto own = known_.literals(added);
    auto conflict = own.empty() || known_.value(own[0]) < 0 ? std::optional(added) : known_.propagate();
    if (conflict) known_.mark_conflict(*conflict);
    is_refuted_ = conflict.has_value();
    return added;
  }

  /// False if the deadline passed.
  bool forward() {
    for (const DratStep& step : proof_.steps) {
      if (late_.passed()) return false;
      const auto clause = proof_.clause(step);
      const std::size_t before = known_.assigned();
      if (step.adds) {
        done_.push_back({add(clause), before});
        if (is_refuted_) return true;
        continue;
      }
      auto deleted = known_.find(clause);
      if (deleted && known_.is_reason(*deleted)) deleted.reset();
      if (deleted) known_.remove(*deleted);
      done_.push_back({deleted, before});
    }
    return true;
  }

  ProofCheck backward() {
    std::vector<bool> is_needed(done_.size(), false);
    for (std::size_t i = done_.size(); i-- > 0;) {
      if (late_.passed()) return ProofUndecided{};
      const auto& [clause, assigned_before] = done_[i];
      if (!clause) continue;
      if (!proof_.steps[i].adds) {
        known_.put_back(*clause);
        is_needed[i] = known_.is_marked(*clause);
        continue;
      }
      known_.remove(*clause);
      known_.take_back(assigned_before);
      if (!known_.is_marked(*clause)) continue;
      is_needed[i] = true;
      if (!follows(*clause))
        return ProofBroken{fmt::format("step {} does not follow by unit propagation", i + 1)};
    }
    std::string needed;
    for (std::size_t i = 0; i < done_.size(); ++i)
      if (is_needed[i]) append_drat(needed, proof_.steps[i].adds, proof_.clause(proof_.steps[i]));
    append_drat(needed, true, {});
    return ProofHolds{std::move(needed)};
  }

  /// Is it true wherever all clauses are that are left? Marks those that say so.
  bool follows(Clause clause) {
    const std::size_t before = known_.assigned();
    bool conflict = false;
    for (const int x : known_.literals(clause)) {
      if (known_.value(x) > 0) {
        known_.mark_reasons(x);
        conflict = true;
        break;
      }
      if (known_.value(x) == 0) known_.assume(-x);
    }
    if (!conflict) {
      const auto found = known_.propagate();
      if (found) known_.mark_conflict(*found);
      conflict = found.has_value();
    }
    known_.take_back(before);
    return conflict;
  }

  std::span<const int> clauses_;
  const DratProof& proof_;
  Propagation known_;
  std::vector<Done> done_;  ///< by step
  bool is_refuted_ = false;
  Checkpoint late_;
};

int largest_variable(std::span<const int> literals) {
  int largest = 0;
  for (const int x : literals) largest = std::max(largest, std::abs(x));
  return largest;
}

}  // namespace

ProofCheck check_proof(std::string_view proof, std::span<const int> clauses, const Deadline& deadline) {
  std::optional<DratProof> steps;
  try {
    steps = parse_drat(proof, deadline);
  } catch (const DeadlinePassed&) {
    return ProofUndecided{};
  }
  if (!steps) return ProofBroken{"it is no binary DRAT, or cut off"};
  const int variables = largest_variable(clauses);
  if (largest_variable(steps->literals) > variables)
    return ProofBroken{"it speaks of variables that the clauses do not have"};
  return Check(clauses, *steps, variables, deadline)();
}

std::optional<bool> refutes(std::string_view proof, std::span<const int> clauses, const Deadline& deadline) {
  const auto check = check_proof(proof, clauses, deadline);
  if (std::holds_alternative<ProofUndecided>(check)) return std::nullopt;
  return std::holds_alternative<ProofHolds>(check);
}

}  // namespace mmaprint
