// The gate graph against truth tables, and its clauses in both polarities.
#include "solver/aig.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <functional>
#include <thread>

#include "solver/aig_gates.h"
#include "solver/sat.h"
#include "solver/simulation.h"
#include "solver/symbolic_core.h"
#include "support/random.h"

namespace mmaprint::aig_test {
namespace {

using test::count;
using test::Random;
using test::simulated;
using Table = std::uint64_t;  ///< bit r: the value where input i is bit i of r, for up to six inputs

constexpr int kRows = 64;

/// A random graph, and what each of its literals should be.
struct Drawn {
  Aig graph;
  std::vector<std::pair<Literal, Table>> parts;
};

Drawn random_graph(Random& random, int inputs, int gates) {
  Drawn drawn;
  drawn.parts = {{kFalse, 0}};
  for (int i = 0; i < inputs; ++i) {
    Table table = 0;
    for (int row = 0; row < kRows; ++row) table |= static_cast<Table>((row >> i) & 1) << row;
    drawn.parts.emplace_back(drawn.graph.input(), table);
  }
  const auto any = [&] {
    const auto& [x, table] = drawn.parts[random.bits() % drawn.parts.size()];
    return random.chance(1, 2) ? std::pair(x, table) : std::pair(!x, ~table);
  };
  for (int i = 0; i < gates; ++i) {
    const auto [x, tx] = any();
    const auto [y, ty] = any();
    const auto [z, tz] = any();
    switch (random.between(0, 3)) {
      case 0:
        drawn.parts.emplace_back(drawn.graph.conjunction(x, y), tx & ty);
        break;
      case 1:
        drawn.parts.emplace_back(drawn.graph.disjunction(x, y), tx | ty);
        break;
      case 2:
        drawn.parts.emplace_back(drawn.graph.exclusive(x, y), tx ^ ty);
        break;
      default:
        drawn.parts.emplace_back(drawn.graph.multiplexer(x, y, z), (tx & ty) | (~tx & tz));
        break;
    }
  }
  return drawn;
}

std::vector<bool> row_of(int row, int inputs) {
  std::vector<bool> values;
  for (int i = 0; i < inputs; ++i) values.push_back(((row >> i) & 1) != 0);
  return values;
}

TEST(Aig, MeansWhatWasAskedForOnRandomInputs) {
  const std::uint64_t first = test::starting_seed(100);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count(30'000)); ++seed) {
    Random random(seed);
    const int inputs = random.between(1, 6);  // few, so that simplifications meet
    const Drawn drawn = random_graph(random, inputs, random.between(1, 60));
    for (int row = 0; row < kRows; ++row) {
      const auto values = simulated(drawn.graph, row_of(row, inputs));
      for (const auto& [x, table] : drawn.parts)
        ASSERT_EQ(values[x.node()] != x.complemented(), ((table >> row) & 1) != 0) << "seed " << seed;
    }
  }
}

TEST(Aig, BuildsEqualStructureOnce) {
  Aig graph;
  const Literal x = graph.input(), y = graph.input(), z = graph.input();
  const Literal all[] = {graph.conjunction(x, y), graph.exclusive(x, y), graph.multiplexer(x, y, z)};
  const std::size_t size = graph.size();
  EXPECT_EQ(graph.conjunction(y, x), all[0]);
  EXPECT_EQ(graph.disjunction(!x, !y), !all[0]);
  EXPECT_EQ(graph.exclusive(!y, x), !all[1]);
  EXPECT_EQ(graph.exclusive(!y, !x), all[1]);
  EXPECT_EQ(graph.multiplexer(!x, z, y), all[2]);
  EXPECT_EQ(graph.multiplexer(x, !y, !z), !all[2]);
  EXPECT_EQ(graph.size(), size);
}

TEST(Aig, SimplifiesAwayWhatIsDecided) {
  Aig graph;
  const Literal x = graph.input(), y = graph.input();
  EXPECT_EQ(graph.conjunction(x, !x), kFalse);
  EXPECT_EQ(graph.conjunction(x, kTrue), x);
  EXPECT_EQ(graph.exclusive(x, !x), kTrue);
  EXPECT_EQ(graph.exclusive(graph.exclusive(x, y), y), x);
  EXPECT_EQ(graph.multiplexer(x, y, y), y);
  EXPECT_EQ(graph.disjunction(graph.conjunction(x, y), graph.conjunction(x, !y)), x);
  EXPECT_EQ(graph.conjunction(graph.conjunction(x, y), !x), kFalse);
}

TEST(Sat, AgreesWithTheTablesInBothPolaritiesOnRandomInputs) {
  const std::uint64_t first = test::starting_seed(200);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count(15'000)); ++seed) {
    Random random(seed);
    const int inputs = random.between(1, 6);
    const Drawn drawn = random_graph(random, inputs, random.between(1, 40));
    Table rows = inputs == 6 ? ~Table{0} : (Table{1} << (1 << inputs)) - 1;
    Sat sat(drawn.graph);
    const int asked = random.between(1, 4);
    bool satisfiable = true;
    for (int i = 0; i < asked && satisfiable; ++i) {
      const auto pick = [&] {
        const auto& [x, table] = drawn.parts[random.bits() % drawn.parts.size()];
        return random.chance(1, 2) ? std::pair(x, table) : std::pair(!x, ~table);
      };
      const auto [required, required_table] = pick();
      const auto [assumed, assumed_table] = pick();
      sat.assert_unit(required);
      rows &= required_table;
      const Verdict verdict = sat.check(std::array{assumed}, {});
      ASSERT_EQ(verdict, (rows & assumed_table) != 0 ? Verdict::satisfiable : Verdict::unsatisfiable)
          << "seed " << seed;
      if (verdict == Verdict::satisfiable) {
        int row = 0;
        for (int n = 0; n < inputs; ++n)
          if (sat.value(drawn.parts[static_cast<std::size_t>(n) + 1].first)) row |= 1 << n;
        ASSERT_NE((rows & assumed_table) >> row & 1, 0U) << "seed " << seed;
        for (const auto& [x, table] : drawn.parts)
          ASSERT_EQ(sat.value(x), ((table >> row) & 1) != 0) << "seed " << seed;
      }
      satisfiable = rows != 0;
    }
  }
}

TEST(Sat, GivesConsistentValuesToGatesNeededInOneDirectionOnly) {
  Aig graph;
  const Literal x = graph.input(), y = graph.input(), z = graph.input();
  const Literal both = graph.conjunction(x, y), either = graph.disjunction(both, z);
  Sat sat(graph);
  sat.assert_unit(either);  // needs only both -> x & y
  for (const Literal asked : {x, y, z}) {
    ASSERT_EQ(sat.check(std::array{asked}, {}), Verdict::satisfiable);
    EXPECT_TRUE(sat.value(asked));
    EXPECT_EQ(sat.value(both), sat.value(x) && sat.value(y));
    EXPECT_TRUE(sat.value(either));
    EXPECT_FALSE(sat.value(!either));
  }
}

/// (x + y)·z = x·z + y·z, in a form that the solver has to work for.
class HardProblem {
 public:
  explicit HardProblem(int width) {
    AigGates gates(graph_);
    const auto x = gates.inputs(width), y = gates.inputs(width), z = gates.inputs(width);
    const auto sum = gates.slice(gates.multiply(gates.add(x, y, kFalse), z), 0, width);
    const auto parts = gates.add(gates.slice(gates.multiply(x, z), 0, width),
                                 gates.slice(gates.multiply(y, z), 0, width), kFalse);
    differ_ = !gates.is_zero(gates.exclusive(sum, parts));
  }
  [[nodiscard]] Verdict check(const Limits& limits) const {
    Sat sat(graph_);
    sat.assert_unit(differ_);
    return sat.check({}, limits);
  }

 private:
  Aig graph_;
  Literal differ_;
};

double seconds_of(const std::function<void()>& fn) {
  const auto start = std::chrono::steady_clock::now();
  fn();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Sat, ReachingAnyLimitIsUnknown) {
  EXPECT_EQ(HardProblem(3).check({}), Verdict::unsatisfiable);
  const HardProblem hard(16);
  Limits conflicts;
  conflicts.conflicts = 10;
  EXPECT_EQ(hard.check(conflicts), Verdict::unknown);
  Limits time;
  time.seconds = 0.1;
  EXPECT_LT(seconds_of([&] { EXPECT_EQ(hard.check(time), Verdict::unknown); }), 20);
  std::stop_source already;
  already.request_stop();
  Limits stopped;
  stopped.stop = already.get_token();
  EXPECT_EQ(hard.check(stopped), Verdict::unknown);
  std::stop_source later;
  stopped.stop = later.get_token();
  std::jthread thread([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    later.request_stop();
  });
  EXPECT_EQ(hard.check(stopped), Verdict::unknown);
}

TEST(Sat, LargeLimitsAreNoLimits) {
  Limits limits;
  limits.conflicts = std::int64_t{1} << 40;
  limits.seconds = 1e300;
  EXPECT_EQ(HardProblem(4).check(limits), Verdict::unsatisfiable);
}

TEST(Aig, IsNotBuiltBeyondTheDeadline) {
  Aig graph(Deadline(0));
  const auto build = [&] {
    Literal x = graph.input();
    for (int i = 0; i < 100'000; ++i) x = graph.exclusive(x, graph.conjunction(x, graph.input()));
  };
  EXPECT_THROW(build(), DeadlinePassed);
}

TEST(Sat, TakesNoClausesAfterTheDeadline) {
  Aig graph;
  Literal x = graph.input();
  for (int i = 0; i < 100'000; ++i) x = graph.exclusive(x, graph.conjunction(x, graph.input()));
  Sat sat(graph, Deadline(0));
  EXPECT_THROW(sat.assert_unit(x), DeadlinePassed);
}

TEST(Maxima, DoNotDependOnWhatALaterOneMakesPointless) {
  Aig graph;
  AigGates gates(graph);
  const SymbolicCore<AigGates> core(gates);
  const auto any = [&](int low) { return core.add(core.to_int({gates.inputs(3)}, 3), core.integer(low)); };
  const auto x = any(0), low = any(-20);
  const auto clamp = core.integer(2);
  const auto plain = core.maximum(x, clamp);
  EXPECT_EQ(core.maximum(core.maximum(low, x), clamp), plain);
  EXPECT_EQ(core.maximum(core.maximum(x, low), clamp), plain);
}

TEST(Shifts, BeyondAWordLeaveNothingOfIt) {
  Aig graph;
  AigGates gates(graph);
  const SymbolicCore<AigGates> core(gates);
  const SymbolicCore<AigGates>::Word word{gates.inputs(6)};
  const auto count = core.add(core.to_int({gates.inputs(3)}, 3), core.integer(6));
  const auto [left, lost] = core.shift_right_sticky(word, count);
  EXPECT_EQ(core.known(core.is_zero(left)), std::optional(true));
  EXPECT_EQ(lost, core.no(core.is_zero(word)));
}

}  // namespace
}  // namespace mmaprint::aig_test
