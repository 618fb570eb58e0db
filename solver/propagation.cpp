#include "solver/propagation.h"

#include <algorithm>
#include <cstddef>

namespace mmaprint {
namespace {

/// Of a clause's literals in any order.
std::uint64_t hash(std::span<const int> clause) {
  std::uint64_t sum = clause.size();
  for (const int x : clause) {
    std::uint64_t h = static_cast<std::uint32_t>(x) * 0x9E3779B97F4A7C15ULL;
    h ^= h >> 32;
    sum += h * 0xD6E8FEB86659FD93ULL;
  }
  return sum;
}

}  // namespace

Propagation::Propagation(int variables)
    : values_(2 * static_cast<std::size_t>(variables) + 2, 0),
      reasons_(static_cast<std::size_t>(variables) + 1, kNone),
      places_on_trail_(static_cast<std::size_t>(variables) + 1, 0),
      is_explained_(static_cast<std::size_t>(variables) + 1, false) {
  for (Watches& watches : watches_) watches.resize(values_.size());
}

Propagation::Clause Propagation::add(std::span<const int> clause) {
  const auto added = static_cast<Clause>(clauses_.size());
  const std::size_t begin = arena_.size();
  arena_.insert(arena_.end(), clause.begin(), clause.end());
  const auto from = arena_.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(from, arena_.end());
  arena_.erase(std::unique(from, arena_.end()), arena_.end());
  clauses_.push_back({begin, static_cast<std::uint32_t>(arena_.size() - begin)});
  places_.emplace(hash(literals(added)), added);
  watch(added);
  const auto own = literals(added);
  const bool is_unit = !own.empty() && value(own[0]) == 0 && (own.size() == 1 || value(own[1]) < 0);
  if (is_unit) assign(own[0], added);
  return added;
}

std::optional<Propagation::Clause> Propagation::find(std::span<const int> clause) const {
  std::vector<int> wanted(clause.begin(), clause.end());
  std::ranges::sort(wanted);
  wanted.erase(std::ranges::unique(wanted).begin(), wanted.end());
  const auto [first, last] = places_.equal_range(hash(wanted));
  for (auto place = first; place != last; ++place)
    if (clauses_[place->second].is_active && std::ranges::is_permutation(literals(place->second), wanted))
      return place->second;
  return std::nullopt;
}

bool Propagation::is_reason(Clause clause) const {
  const auto own = literals(clause).first(std::min<std::size_t>(2, clauses_[clause].size));
  return std::ranges::any_of(own, [&](int x) { return value(x) > 0 && reasons_[variable(x)] == clause; });
}

void Propagation::put_back(Clause clause) {
  clauses_[clause].is_active = true;
  watch(clause);
}

/// Two that are not false come first, if there are such; else those that became false last, as they will be
/// free first again.
void Propagation::watch(Clause clause) {
  const auto own = literals_of(clause);
  const auto rank = [&](int x) {
    return value(x) >= 0 ? trail_.size() + (value(x) > 0 ? 1U : 0U) : places_on_trail_[variable(x)];
  };
  for (std::size_t i = 0; i < std::min<std::size_t>(2, own.size()); ++i)
    std::swap(own[i], *std::ranges::max_element(own.subspan(i), {}, rank));
  if (own.size() < 2) return;
  Watches& watches = watches_[clauses_[clause].is_marked ? 1 : 0];
  watches[index(own[0])].push_back({own[1], clause});
  watches[index(own[1])].push_back({own[0], clause});
}

void Propagation::assign(int literal, Clause reason) {
  values_[index(literal)] = 1;
  values_[index(-literal)] = -1;
  reasons_[variable(literal)] = reason;
  places_on_trail_[variable(literal)] = static_cast<std::uint32_t>(trail_.size());
  trail_.push_back(literal);
}

void Propagation::take_back(std::size_t count) {
  while (trail_.size() > count) {
    const int x = trail_.back();
    values_[index(x)] = values_[index(-x)] = 0;
    is_explained_[variable(x)] = false;
    trail_.pop_back();
  }
  for (std::size_t& next : next_) next = std::min(next, count);
}

std::optional<Propagation::Clause> Propagation::propagate() {
  for (;;) {
    const bool marked = next_[1] < trail_.size();
    std::size_t& next = next_[marked ? 1 : 0];
    if (next == trail_.size()) return std::nullopt;
    if (const auto conflict = visit(-trail_[next], marked)) return conflict;
    ++next;
  }
}

std::optional<Propagation::Clause> Propagation::visit(int literal, bool marked) {
  std::vector<Watcher>& list = watches_[marked ? 1 : 0][index(literal)];
  std::size_t kept = 0;
  std::optional<Clause> conflict;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Watcher w = list[i];
    if (conflict || value(w.other) > 0) {
      list[kept++] = w;
      continue;
    }
    const Header& header = clauses_[w.clause];
    int* const x = arena_.data() + header.begin;
    const bool is_watched = x[0] == literal || x[1] == literal;
    if (!header.is_active || header.is_marked != marked || !is_watched) continue;
    if (x[0] == literal) std::swap(x[0], x[1]);
    if (value(x[0]) > 0) {
      list[kept++] = {x[0], w.clause};
      continue;
    }
    int* const other = std::find_if(x + 2, x + header.size, [&](int y) { return value(y) >= 0; });
    if (other != x + header.size) {
      std::swap(x[1], *other);
      watches_[marked ? 1 : 0][index(x[1])].push_back({x[0], w.clause});
      continue;
    }
    list[kept++] = w;
    if (value(x[0]) < 0)
      conflict = w.clause;
    else
      assign(x[0], w.clause);
  }
  list.resize(kept);
  return conflict;
}

void Propagation::mark(Clause clause) {
  if (clauses_[clause].is_marked) return;
  clauses_[clause].is_marked = true;
  const auto own = literals(clause);
  if (own.size() < 2) return;
  watches_[1][index(own[0])].push_back({own[1], clause});
  watches_[1][index(own[1])].push_back({own[0], clause});
}

void Propagation::mark_conflict(Clause clause) {
  mark(clause);
  for (const int x : literals(clause)) explain(x);
  mark_open();
}

void Propagation::mark_reasons(int literal) {
  explain(literal);
  mark_open();
}

void Propagation::explain(int literal) {
  const std::size_t v = variable(literal);
  if (is_explained_[v]) return;
  is_explained_[v] = true;
  if (reasons_[v] != kNone) open_.push_back(reasons_[v]);
}

void Propagation::mark_open() {
  while (!open_.empty()) {
    const Clause clause = open_.back();
    open_.pop_back();
    mark(clause);
    for (const int x : literals(clause)) explain(x);
  }
}

}  // namespace mmaprint
