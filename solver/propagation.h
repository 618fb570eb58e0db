// Unit propagation over a set of clauses that come and go: what checks proofs (solver/unsat_proof.h).
//
// Two literals of each clause are watched (Moskewicz et al. 2001). Clauses that are marked, as a conflict
// rests on them, are propagated before all others (Wetzler, Heule, Hunt 2014): so few others get marked. What
// is assigned is a trail, which is taken back from its end. Lists of watches hold what is no longer true of a
// clause that was removed, put back or marked; such entries are dropped when they are met.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace mmaprint {

class Propagation {
 public:
  using Clause = std::uint32_t;  ///< a clause, by the order in which they were added

  explicit Propagation(int variables);

  /// A clause of these variables, active from now on; a literal that it makes true is assigned, but nothing
  /// propagated. What conflicts, if all its literals are false, is the clause itself.
  Clause add(std::span<const int> clause);
  /// One that is active and has these literals; nullopt if there is none.
  [[nodiscard]] std::optional<Clause> find(std::span<const int> clause) const;
  /// Is it why a literal is true?
  [[nodiscard]] bool is_reason(Clause clause) const;
  /// What it made true has to be taken back next.
  void remove(Clause clause) { clauses_[clause].is_active = false; }
  /// As it was before it was removed. Requires the same literals assigned as then.
  void put_back(Clause clause);

  /// Makes a literal true that is not assigned.
  void assume(int literal) { assign(literal, kNone); }
  /// True 1, false -1, not assigned 0.
  [[nodiscard]] int value(int literal) const { return values_[index(literal)]; }
  /// Everything that follows from what is assigned: at a conflict, the clause whose literals are all false.
  [[nodiscard]] std::optional<Clause> propagate();
  [[nodiscard]] std::size_t assigned() const { return trail_.size(); }
  /// Takes back all but the first `count` assignments.
  void take_back(std::size_t count);

  /// Marks the clause, and all that made its literals false.
  void mark_conflict(Clause clause);
  /// Marks all that made a literal true.
  void mark_reasons(int literal);
  [[nodiscard]] bool is_marked(Clause clause) const { return clauses_[clause].is_marked; }

  [[nodiscard]] std::span<const int> literals(Clause clause) const {
    const Header& header = clauses_[clause];
    return std::span(arena_).subspan(header.begin, header.size);
  }

 private:
  static constexpr Clause kNone = 0xFFFFFFFF;
  struct Header {
    std::size_t begin;  ///< in the arena; the two that are watched come first
    std::uint32_t size;
    bool is_active = true;
    bool is_marked = false;
  };
  struct Watcher {
    int other;  ///< where this is true there is nothing to do
    Clause clause;
  };
  using Watches = std::vector<std::vector<Watcher>>;  ///< by literal

  [[nodiscard]] static std::size_t index(int literal) {
    const auto variable = static_cast<std::size_t>(literal < 0 ? -literal : literal);
    return 2 * variable + (literal < 0 ? 1U : 0U);
  }
  [[nodiscard]] static std::size_t variable(int literal) {
    return static_cast<std::size_t>(literal < 0 ? -literal : literal);
  }
  [[nodiscard]] std::span<int> literals_of(Clause clause) {
    const Header& header = clauses_[clause];
    return std::span(arena_).subspan(header.begin, header.size);
  }
  void assign(int literal, Clause reason);
  void watch(Clause clause);
  void mark(Clause clause);
  void explain(int literal);
  void mark_open();
  /// Visits the clauses that watch a literal which has become false; at a conflict one of them.
  [[nodiscard]] std::optional<Clause> visit(int literal, bool marked);

  std::vector<int> arena_;
  std::vector<Header> clauses_;
  std::unordered_multimap<std::uint64_t, Clause> places_;  ///< by the hash of a clause
  Watches watches_[2];                                     ///< of clauses that are not marked, and that are
  std::vector<std::int8_t> values_;                        ///< by literal
  std::vector<Clause> reasons_;                            ///< by variable
  std::vector<std::uint32_t> places_on_trail_;             ///< by variable
  std::vector<int> trail_;
  std::size_t next_[2] = {0, 0};    ///< the first on the trail whose consequences are open
  std::vector<bool> is_explained_;  ///< by variable: what made it true or false is marked
  std::vector<Clause> open_;        ///< reasons that are to be marked
};

}  // namespace mmaprint
