#include "inference/by_need.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "inference/frontier.h"
#include "inference/listing.h"
#include "inference/parameters_by_need.h"
#include "model/concrete.h"
#include "model/datapath.h"

namespace mmaprint {
namespace {

using by_need::Frontier;
using by_need::Handed;
using by_need::Outcome;
using by_need::Part;

/// The operands of the observed input, decoded once; their treatment as subnormals is asked each time.
template <class W>
class SeenOperands {
  using A = Concrete<W, ParametersByNeed>;

 public:
  SeenOperands(const Plan& plan, const DotInput& input)
      : plan_(&plan), c_(read(plan.from_c, plan.c, input.c)), sa_(input.sa), sb_(input.sb) {
    for (const Pattern p : input.a) a_.push_back(read(plan.from_a, plan.a, p));
    for (const Pattern p : input.b) b_.push_back(read(plan.from_b, plan.b, p));
  }

  /// As one evaluation sees them.
  class View {
   public:
    View(const SeenOperands& seen, const A& algebra) : seen_(&seen), algebra_(&algebra) {}
    [[nodiscard]] Operand<A> a(std::size_t k) const {
      return treated<Parameter::input_subnormals>(seen_->plan_->a, seen_->a_[k]);
    }
    [[nodiscard]] Operand<A> b(std::size_t k) const {
      return treated<Parameter::input_subnormals>(seen_->plan_->b, seen_->b_[k]);
    }
    [[nodiscard]] Operand<A> c() const {
      return treated<Parameter::c_subnormals>(seen_->plan_->c, seen_->c_);
    }

   private:
    template <Parameter P>
    Operand<A> treated(const FormatInfo& f, Operand<A> x) const {
      Datapath::flush_subnormal<P>(*algebra_, f, x);
      return x;
    }
    const SeenOperands* seen_;
    const A* algebra_;
  };
  /// Gives look(operands), with scales where there are some.
  template <class Look>
  auto seen_by(const A& algebra, Look&& look) const {
    return with_scales(algebra, *plan_, View(*this, algebra), std::span<const Pattern>(sa_),
                       std::span<const Pattern>(sb_), look);
  }

 private:
  static Operand<A> read(const Container& from, const FormatInfo& f, Pattern pattern) {
    NoParameters none;
    const auto x = read_pattern(Concrete<W, NoParameters>(none), from, f, {W(pattern)});
    return {x.negative, x.nan, x.infinite, x.exponent, x.significand};
  }

  const Plan* plan_;
  std::vector<Operand<A>> a_, b_;
  Operand<A> c_;
  std::vector<Pattern> sa_, sb_;
};

/// How far a sieve goes.
struct SiftingLimits {
  std::size_t boxes = kMostSets;  ///< at one step
  /// Operands that nodes are run on, by all sieves that share a count of them.
  std::int64_t operands = std::numeric_limits<std::int64_t>::max();
  std::atomic<std::int64_t>* shared_count = nullptr;
};

/// The boxes of `start` that give the observed result, in steps: each node's sum, then its rounding. Where
/// parts of different boxes have come to the same they are united and go on together.
template <class W>
class Sieve {
  using A = Concrete<W, ParametersByNeed>;
  using Results = std::vector<Outcome<A>>;

 public:
  Sieve(const Plan& plan, const Observation& seen, const SiftingLimits& limits, const Deadline& deadline)
      : limits_(limits),
        deadline_(deadline),
        late_(deadline, std::clamp(512U / static_cast<unsigned>(plan.k), 1U, 128U)),
        plan_(&plan),
        seen_(&seen),
        operands_(plan, seen.input) {}

  /// nullopt if the deadline passed before it was known, or a limit was reached.
  std::optional<std::vector<PackedBox>> refine(std::vector<PackedBox> start) {
    parts_.push_back({0, {true, {}}, std::move(start)});
    for (std::size_t n = 0; n < plan_->nodes.size(); ++n) {
      add_up(n);
      round(n);
      if (overran_ || late_.passed_now()) return std::nullopt;
    }
    std::vector<PackedBox> kept;
    for (auto& part : parts_) {
      unite(part.boxes, deadline_);
      sets_of_all_ += part.boxes.size();
    }
    for (const auto& part : parts_)
      if (agrees(part.outcome.value)) kept.insert(kept.end(), part.boxes.begin(), part.boxes.end());
    return kept;
  }
  [[nodiscard]] std::size_t sets_of_all() const { return sets_of_all_; }
  [[nodiscard]] Sifting spent() const { return {limits_.boxes, work_, too_many_}; }

 private:
  void add_up(std::size_t n) {
    const PlannedNode& node = plan_->nodes[n];
    made_ = 0;
    Frontier<A> next;
    std::vector<Results> earlier;  // by Part::earlier, from now on; those used are void
    for (auto& part : parts_) {
      if (late_.passed_now()) return;
      Results results;
      if (n > 0) {
        results = earlier_[part.earlier];
        results.push_back(part.outcome);
      }
      Results left = results;
      forget_used(node, left);
      const auto place = std::ranges::find(earlier, left);
      const auto index = static_cast<std::size_t>(place - earlier.begin());
      if (place == earlier.end()) earlier.push_back(std::move(left));
      evaluate(part.boxes, node.operands, [&](const A& algebra, const PackedBox& box) {
        next.add(index, outcome_of(algebra, node, Handed<A>(results)), box);
      });
    }
    parts_ = std::move(next).parts();
    earlier_ = std::move(earlier);
  }

  Outcome<A> outcome_of(const A& algebra, const PlannedNode& node, const Handed<A>& results) const {
    return operands_.seen_by(algebra, [&](const auto& operands) -> Outcome<A> {
      if (!node.is_carried)
        return Datapath::node_sum(algebra, *plan_, node, operands, results, settled, unsettled);
      const auto sum = Datapath::carried_on(algebra, *plan_, node, operands, results);
      return {true, as_operand(sum), sum.of_zeros.value};
    });
  }

  /// What a node hands on is used once.
  static void forget_used(const PlannedNode& node, Results& results) {
    for (const OperandRun& run : node.runs)
      if (run.kind == OperandRun::Kind::node || run.kind == OperandRun::Kind::carried) results[run.node] = {};
  }

  void round(std::size_t n) {
    Frontier<A> next;
    made_ = 0;
    for (auto& part : parts_) {
      const auto& x = part.outcome.value;
      evaluate(part.boxes, 1, [&](const A& algebra, const PackedBox& box) {
        next.add(part.earlier,
                 part.outcome.settled
                     ? part.outcome
                     : settled(Datapath::round_result(algebra, plan_->nodes[n].result, plan_->nodes[n].adder,
                                                      Unrounded<A>{x.negative, x.exponent, x.significand})),
                 box);
      });
    }
    parts_ = std::move(next).parts();
  }

  /// Calls run(algebra, box) for parts of boxes, which together are all; run narrows the box to the part it
  /// speaks of. Each call counts as so many operands. Ends early once the deadline has passed.
  template <class Run>
  void evaluate(std::vector<PackedBox>& boxes, std::size_t operands, Run&& run) {
    if (overran_ || late_.passed()) return;
    unite(boxes, deadline_);
    while (!boxes.empty() && !overran_ && !late_.passed()) {
      PackedBox box = std::move(boxes.back());
      boxes.pop_back();
      ParametersByNeed source(box, boxes, late_);
      run(A(source), box);
      too_many_ = ++made_ + boxes.size() > limits_.boxes;
      overran_ = too_many_ || spend(static_cast<std::int64_t>(operands)) > limits_.operands;
    }
  }

  /// Returns all that was spent.
  std::int64_t spend(std::int64_t operands) {
    work_ += operands;
    return limits_.shared_count == nullptr ? work_ : *limits_.shared_count += operands;
  }

  static Outcome<A> settled(const Operand<A>& result) { return {true, result}; }
  static Outcome<A> unsettled(const Unrounded<A>& sum) {
    return {false, {sum.negative, {}, {}, sum.exponent, sum.leading}};
  }

  [[nodiscard]] bool agrees(const Operand<A>& root) const {
    const FormatInfo& d = plan_->d;
    if (root.nan.value || is_nan(d.id, seen_->d)) return root.nan.value && is_nan(d.id, seen_->d);
    NoParameters none;
    using Plain = Concrete<W, NoParameters>;
    return static_cast<Pattern>(
               encode(Plain(none), d,
                      Operand<Plain>{root.negative, root.nan, root.infinite, root.exponent, root.significand})
                   .value) == seen_->d;
  }

  SiftingLimits limits_;
  const Deadline& deadline_;
  Checkpoint late_;
  std::int64_t work_ = 0;
  std::size_t made_ = 0;  ///< boxes, at this step
  std::size_t sets_of_all_ = 0;
  bool too_many_ = false, overran_ = false;
  const Plan* plan_;
  const Observation* seen_;
  SeenOperands<W> operands_;
  std::vector<Part<A>> parts_;
  std::vector<Results> earlier_;
};

/// Boxes that share a skeleton and the NaN seen.
using Structure = std::pair<int, std::optional<Pattern>>;
using Groups = std::map<Structure, std::vector<PackedBox>>;
Groups by_structure(const VersionSpace& sets) {
  Groups groups;
  for (const auto& set : sets) groups[{set.skeleton, set.nan}].emplace_back(set.box);
  return groups;
}
VersionSpace united(Groups groups, int threads, const Deadline& deadline) {
  std::vector<std::vector<PackedBox>*> all(groups.size());
  std::ranges::transform(groups, all.begin(), [](auto& group) { return &group.second; });
  in_parallel(all.size(), threads, [&](std::size_t i) { unite(*all[i], deadline); });
  VersionSpace sets;
  for (const auto& [structure, boxes] : groups)
    for (const PackedBox& box : boxes) sets.push_back({structure.first, box.unpacked(), structure.second});
  return sets;
}

/// Some boxes of one skeleton, to be sifted on one thread.
struct Task {
  int skeleton;
  std::optional<Pattern> nan;
  std::optional<std::vector<PackedBox>> boxes;  ///< in the end those that are consistent; nullopt: cut
  Sifting spent = {};
  std::size_t sets_of_all = 0;  ///< that are left for any result

  void run(const Space& space, const Observation& observation, const SiftingLimits& limits,
           const Deadline& deadline) {
    std::vector<PackedBox> start = *std::exchange(boxes, std::nullopt);
    if (deadline.passed()) return;
    const Plan plan(space.formats, space.k, space.skeletons[static_cast<std::size_t>(skeleton)]);
    if (plan.addend_width() <= 64)
      sift(Sieve<std::uint64_t>(plan, observation, limits, deadline), std::move(start));
    else
      sift(Sieve<Word128>(plan, observation, limits, deadline), std::move(start));
  }

 private:
  template <class W>
  void sift(Sieve<W> sieve, std::vector<PackedBox> start) {
    try {
      boxes = sieve.refine(std::move(start));
    } catch (const DeadlinePassed&) {
      boxes = std::nullopt;
    }
    spent = sieve.spent();
    sets_of_all = sieve.sets_of_all();
  }
};

std::vector<Task> tasks_for(const Space& space, const VersionSpace& sets, const Observation& observation) {
  constexpr std::size_t kLargestPart = 256;
  const FormatInfo& d = info(space.formats.d);
  const std::optional<Pattern> nan = !is_nan(d.id, observation.d) ? std::nullopt
                                     : space.nan_results == NanResults::one_pattern
                                         ? std::optional(observation.d)
                                         : std::optional(canonical_nan(d.id));
  std::vector<Task> tasks;
  for (auto& [structure, boxes] : by_structure(sets)) {
    if (nan && structure.second.value_or(*nan) != *nan) continue;
    for (std::size_t i = 0; i < boxes.size(); i += kLargestPart) {
      const auto last = std::min(i + kLargestPart, boxes.size());
      tasks.push_back({structure.first, nan ? nan : structure.second,
                       std::vector<PackedBox>(boxes.begin() + static_cast<std::ptrdiff_t>(i),
                                              boxes.begin() + static_cast<std::ptrdiff_t>(last))});
    }
  }
  return tasks;
}

}  // namespace

VersionSpace united(const VersionSpace& sets, const Deadline& deadline) {
  return united(by_structure(sets), 1, deadline);
}

VersionSpace refine(const Space& space, const VersionSpace& sets, const Observation& observation,
                    int threads) {
  return refine(space, sets, observation, threads, Deadline()).value();
}

std::optional<VersionSpace> refine(const Space& space, const VersionSpace& sets,
                                   const Observation& observation, int threads, const Deadline& deadline,
                                   Sifting* spent) {
  if (deadline.passed()) return std::nullopt;
  if (info(space.formats.d).is_integer()) return refine_by_listing(space, sets, observation, deadline);
  const SiftingLimits limits{.boxes = spent != nullptr ? spent->most_sets : kMostSets};
  std::vector<Task> tasks = tasks_for(space, sets, observation);
  in_parallel(tasks.size(), threads,
              [&](std::size_t i) { tasks[i].run(space, observation, limits, deadline); });
  Sifting all;
  bool cut = false;
  std::size_t boxes = 0;
  for (const Task& task : tasks) {
    all.operands += task.spent.operands;
    all.too_many_sets = all.too_many_sets || task.spent.too_many_sets;
    cut = cut || !task.boxes;
    if (task.boxes) boxes += task.boxes->size();
  }
  all.too_many_sets = all.too_many_sets || boxes > limits.boxes;
  if (spent != nullptr) {
    spent->operands += all.operands;
    spent->too_many_sets = spent->too_many_sets || all.too_many_sets;
  }
  if (cut || all.too_many_sets) return std::nullopt;
  Groups left;
  for (Task& task : tasks)
    std::ranges::move(*task.boxes, std::back_inserter(left[{task.skeleton, task.nan}]));
  return united(std::move(left), threads, deadline);
}

std::optional<CostOfSifting> cost_of_sifting(const Space& space, const VersionSpace& sets,
                                             const DotInput& input, std::int64_t most, int threads,
                                             const Deadline& deadline) {
  if (info(space.formats.d).is_integer()) return CostOfSifting{};
  std::vector<Task> tasks = tasks_for(space, sets, {input, 0});
  std::atomic<std::int64_t> spent = 0;
  in_parallel(tasks.size(), threads, [&](std::size_t i) {
    if (spent <= most)
      tasks[i].run(space, {input, 0}, {.operands = most, .shared_count = &spent}, deadline);
    else
      tasks[i].boxes.reset();
  });
  CostOfSifting cost;
  for (const Task& task : tasks) {
    if (!task.boxes) return std::nullopt;
    cost.operands += task.spent.operands;
    cost.sets += task.sets_of_all;
  }
  return cost;
}

}  // namespace mmaprint
