#include "solver/unsat_proof.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace mmaprint {
namespace {

class Propagation {
 public:
  /// A clause that is given, or was shown to follow.
  void add(std::span<const int> clause) {
    for (const int x : clause) grow(x);
    literals_.assign(clause.begin(), clause.end());
    std::ranges::sort(literals_);
    literals_.erase(std::ranges::unique(literals_).begin(), literals_.end());
    const Reference at = arena_.size();
    places_.emplace(hash(literals_), at);
    // Two that are not false come first, if there are such.
    std::ranges::partition(literals_, [&](int x) { return value(x) >= 0; });
    arena_.push_back(static_cast<int>(literals_.size()));
    arena_.insert(arena_.end(), literals_.begin(), literals_.end());
    if (literals_.empty() || value(literals_.front()) < 0) {
      refuted_ = true;
      return;
    }
    if (literals_.size() > 1) {
      watches(literals_[0]).push_back({literals_[1], at});
      watches(literals_[1]).push_back({literals_[0], at});
    }
    if ((literals_.size() == 1 || value(literals_[1]) < 0) && value(literals_[0]) == 0) {
      assign(literals_[0]);
      refuted_ = !propagate();
    }
  }
  /// Is it true wherever all clauses are?
  [[nodiscard]] bool follows(std::span<const int> clause) {
    if (refuted_) return true;
    for (const int x : clause) grow(x);
    const std::size_t before = trail_.size();
    bool conflict = false;
    for (const int x : clause) {
      if (value(x) > 0) conflict = true;
      if (conflict) break;
      if (value(x) == 0) assign(-x);
    }
    conflict = conflict || !propagate();
    while (trail_.size() > before) {
      values_[index(trail_.back())] = values_[index(-trail_.back())] = 0;
      trail_.pop_back();
    }
    next_ = before;
    return conflict;
  }
  /// What it made true for good stays so.
  void remove(std::span<const int> clause) {
    literals_.assign(clause.begin(), clause.end());
    std::ranges::sort(literals_);
    const auto [first, last] = places_.equal_range(hash(literals_));
    for (auto place = first; place != last; ++place) {
      if (!std::ranges::is_permutation(literals_at(place->second), literals_)) continue;
      arena_[place->second] = kRemoved;
      places_.erase(place);
      return;
    }
  }
  [[nodiscard]] bool refuted() const { return refuted_; }

 private:
  using Reference = std::size_t;  ///< into the arena: a length, and literals
  static constexpr int kRemoved = -1;
  struct Watcher {
    int other;  ///< where this is true there is nothing to do
    Reference clause;
  };

  [[nodiscard]] static std::size_t index(int literal) {
    const auto variable = static_cast<std::size_t>(literal < 0 ? -literal : literal);
    return 2 * variable + (literal < 0 ? 1U : 0U);
  }
  void grow(int literal) {
    const std::size_t needed = (index(literal) | 1) + 1;
    if (values_.size() >= needed) return;
    values_.resize(needed, 0);
    watches_.resize(needed);
  }
  [[nodiscard]] int value(int literal) const { return values_[index(literal)]; }
  [[nodiscard]] std::vector<Watcher>& watches(int literal) { return watches_[index(literal)]; }
  [[nodiscard]] std::span<int> literals_at(Reference clause) {
    return std::span(arena_).subspan(clause + 1, static_cast<std::size_t>(arena_[clause]));
  }
  /// Of sorted literals.
  [[nodiscard]] static std::uint64_t hash(std::span<const int> literals) {
    std::uint64_t h = literals.size();
    for (const int x : literals) h = (h ^ static_cast<std::uint32_t>(x)) * 0x9E3779B97F4A7C15ULL;
    return h;
  }

  void assign(int literal) {
    values_[index(literal)] = 1;
    values_[index(-literal)] = -1;
    trail_.push_back(literal);
  }
  /// False at a conflict.
  [[nodiscard]] bool propagate() {
    for (; next_ < trail_.size(); ++next_)
      if (!visit(-trail_[next_])) return false;
    return true;
  }
  /// The clauses that watch a literal which has become false.
  [[nodiscard]] bool visit(int literal) {
    std::vector<Watcher>& list = watches(literal);
    std::size_t kept = 0;
    bool fine = true;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Watcher w = list[i];
      list[kept++] = w;
      if (!fine || value(w.other) > 0) continue;
      int* const x = arena_.data() + w.clause + 1;
      const int size = arena_[w.clause];
      if (size == kRemoved) {
        --kept;
        continue;
      }
      if (x[0] == literal) std::swap(x[0], x[1]);
      if (x[0] != w.other && value(x[0]) > 0) {
        list[kept - 1].other = x[0];
        continue;
      }
      int* const other = std::find_if(x + 2, x + size, [&](int y) { return value(y) >= 0; });
      if (other != x + size) {
        std::swap(x[1], *other);
        watches(x[1]).push_back({x[0], w.clause});
        --kept;
      } else if (value(x[0]) < 0) {
        fine = false;
      } else {
        assign(x[0]);
      }
    }
    list.resize(kept);
    return fine;
  }

  std::vector<int> arena_;
  std::unordered_multimap<std::uint64_t, Reference> places_;  ///< by the hash of a clause
  std::vector<std::vector<Watcher>> watches_;                 ///< by literal
  std::vector<std::int8_t> values_;                           ///< by literal: true 1, false -1
  std::vector<int> trail_;                                    ///< what is true, in order
  std::size_t next_ = 0;                                      ///< the first whose consequences are open
  std::vector<int> literals_;
  bool refuted_ = false;
};

/// Steps of a proof in binary DRAT: a or d, literals as numbers of seven bits a byte, 0.
class Steps {
 public:
  explicit Steps(std::string_view text) : text_(text) {}
  struct Step {
    bool adds = false;
    std::vector<int> clause;
  };
  /// False at the end, or where it is no proof.
  bool next(Step& step) {
    if (at_ >= text_.size() || (text_[at_] != 'a' && text_[at_] != 'd')) return false;
    step.adds = text_[at_++] == 'a';
    step.clause.clear();
    for (;;) {
      std::uint64_t code = 0;
      for (int shift = 0;; shift += 7) {
        if (at_ >= text_.size() || shift > 35) return false;
        const auto byte = static_cast<unsigned char>(text_[at_++]);
        code |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
        if ((byte & 0x80U) == 0) break;
      }
      if (code == 0) return true;
      const auto variable = static_cast<int>(code >> 1 & 0x3FFFFFFFU);
      step.clause.push_back((code & 1) != 0 ? -variable : variable);
    }
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<bool> refutes(std::string_view proof, std::span<const int> clauses, const Deadline& deadline) {
  Propagation known;
  for (auto at = clauses.begin(); at != clauses.end() && !known.refuted();) {
    const auto end = std::find(at, clauses.end(), 0);
    known.add({at, end});
    if (end == clauses.end()) break;
    at = end + 1;
  }
  Checkpoint late(deadline, 16);
  Steps steps(proof);
  for (Steps::Step step; !known.refuted() && steps.next(step);) {
    if (late.passed()) return std::nullopt;
    if (!step.adds) {
      known.remove(step.clause);
    } else {
      if (!known.follows(step.clause)) return false;
      known.add(step.clause);
    }
  }
  return known.refuted();
}

}  // namespace mmaprint
