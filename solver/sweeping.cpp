#include "solver/sweeping.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "base/deadline.h"
#include "base/scramble.h"

namespace mmaprint {
namespace {

/// Before anything is asked.
constexpr int kRounds = 32;
constexpr std::int64_t kConflictsEach = 100;
/// With how many of those that agree with a gate it is compared, of so many.
constexpr int kTries = 2;
constexpr std::size_t kMostAlike = 64;
/// Counterexamples are not simulated beyond these.
constexpr std::size_t kMostRounds = 512;

std::vector<std::uint32_t> cone_of(const Aig& graph, Literal goal) {
  std::vector<bool> seen(graph.size(), false);
  std::vector<std::uint32_t> cone{0}, todo{goal.node()};
  seen[0] = seen[goal.node()] = true;
  while (!todo.empty()) {
    const std::uint32_t node = todo.back();
    todo.pop_back();
    cone.push_back(node);
    const Aig::Gate& g = graph.gate(node);
    for (int i = 0; i < operand_count(g.kind); ++i) {
      const std::uint32_t operand = g.x[i].node();
      if (!seen[operand]) todo.push_back(operand);
      seen[operand] = true;
    }
  }
  std::ranges::sort(cone);
  return cone;
}

}  // namespace

Sweeping::Sweeping(const Aig& graph, Sat& sat, Literal goal, InputLanes inputs)
    : graph_(graph),
      sat_(sat),
      inputs_(std::move(inputs)),
      cone_(cone_of(graph, goal)),
      lanes_(graph.size()) {}

void Sweeping::simulate(const InputLanes& inputs, int round) {
  const std::function<Lanes(Literal)> of = [this](Literal x) {
    // A factor's bit need not be in the cone where its product is.
    const std::vector<Lanes>& lanes = lanes_[x.node()];
    const Lanes value = lanes.empty() ? 0 : lanes.back();
    return x.complemented() ? ~value : value;
  };
  for (const std::uint32_t node : cone_) {
    const auto& [kind, x] = graph_.gate(node);
    Lanes value = 0;
    switch (kind) {
      case Aig::Kind::constant:
        break;
      case Aig::Kind::input:
        value = inputs(node, round, of);
        break;
      case Aig::Kind::conjunction:
        value = of(x[0]) & of(x[1]);
        break;
      case Aig::Kind::exclusive:
        value = of(x[0]) ^ of(x[1]);
        break;
      case Aig::Kind::multiplexer:
        value = (of(x[0]) & of(x[1])) | (~of(x[0]) & of(x[2]));
        break;
    }
    lanes_[node].push_back(value);
  }
  ++rounds_;
  steps_ += steps_of_round();
}

std::uint64_t Sweeping::hash_of(std::uint32_t node) const {
  const Lanes flip = is_complemented(node) ? ~Lanes{0} : 0;
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < kRounds; ++i) hash = scrambled(hash ^ lanes_[node][i] ^ flip);
  return hash;
}

bool Sweeping::agree(std::uint32_t x, std::uint32_t y) const {
  const Lanes flip = is_complemented(x) != is_complemented(y) ? ~Lanes{0} : 0;
  // Their hashes are the same: what tells them apart came later.
  for (std::size_t i = rounds_; i-- > 0;)
    if ((lanes_[x][i] ^ lanes_[y][i]) != flip) return false;
  return true;
}

void Sweeping::simulate_solution() {
  // The solution itself, and sixty-three that differ in some inputs, one of sixteen.
  const std::uint64_t key = rounds_;
  simulate(
      [&](std::uint32_t node, int /*round*/, const auto& /*value*/) {
        Lanes flips = ~Lanes{1};
        for (std::uint64_t i = 0; i < 4; ++i)
          flips &= scrambled((key << 34) + (std::uint64_t{node} << 2) + i);
        return (sat_.value({2 * node}) ? ~Lanes{0} : 0) ^ flips;
      },
      0);
}

bool Sweeping::are_equal(std::uint32_t x, std::uint32_t y, const Limits& limits) {
  const Literal p{2 * x};
  const Literal q = is_complemented(x) == is_complemented(y) ? Literal{2 * y} : !Literal{2 * y};
  for (const auto& differ : {std::array{p, !q}, std::array{!p, q}}) {
    ++steps_;
    const Verdict verdict = sat_.check(differ, limits);
    if (verdict == Verdict::satisfiable && rounds_ < kMostRounds) simulate_solution();
    if (verdict != Verdict::unsatisfiable) return false;
    sat_.learn(std::array{!differ[0], !differ[1]});
  }
  return true;
}

void Sweeping::operator()(const Limits& limits) {
  const Deadline deadline(limits.seconds, limits.stop);
  const std::int64_t before = sat_.conflicts();
  const auto is_spent = [&](std::int64_t more) {
    const std::int64_t spent = steps_ + (sat_.conflicts() - before) * steps_of_conflict(sat_.cnf().count());
    return deadline.passed() || (limits.steps && spent + more >= *limits.steps);
  };
  if (is_spent(kRounds * steps_of_round())) return;
  for (int round = 0; round < kRounds && !deadline.passed(); ++round) simulate(inputs_, round);
  if (rounds_ < kRounds) return;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> known;  // one of those that are equal
  for (const std::uint32_t node : cone_) {
    std::vector<std::uint32_t>& alike = known[hash_of(node)];
    bool is_equal = false;
    int tries = 0;
    for (std::size_t i = 0; i < std::min(alike.size(), kMostAlike) && !is_equal && tries < kTries; ++i) {
      if (!agree(node, alike[i])) continue;
      if (is_spent(0)) return;
      ++tries;
      Limits few = limits;
      few.conflicts = kConflictsEach;
      if (limits.seconds) few.seconds = deadline.remaining();
      is_equal = are_equal(node, alike[i], few);
    }
    merged_ += is_equal ? 1 : 0;
    if (!is_equal) alike.push_back(node);
  }
}

}  // namespace mmaprint
