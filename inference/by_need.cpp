#include "inference/by_need.h"

#include <algorithm>
#include <atomic>
#include <boost/container/small_vector.hpp>
#include <map>
#include <numeric>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "inference/listing.h"
#include "inference/packed_box.h"
#include "model/concrete.h"
#include "model/datapath.h"
#include "model/fixed_choice.h"

namespace mmaprint {
namespace {

/// Splits a box at the questions that an evaluation asks; see the essay in the header.
class NeedChoice {
 public:
  NeedChoice(const Adder& root, PackedBox& box, std::vector<PackedBox>& waiting)
      : root_(&root), box_(&box), waiting_(&waiting) {}

  template <Parameter P, class Fn>
  auto select(int adder, Fn&& fn) {
    if constexpr (is_of_adder(P)) {
      if (adder != 0) return select_at_root<P>(fn);
    }
    return split<P>(fn);
  }

  template <Parameter P, class Key, class Fn>
  auto branch(int adder, Key&& key, Fn&& fn) {
    if (adder != 0) return fn(root_value<P>());
    if (!box_->get<P>().is_single()) {
      const auto key_of = key();
      narrow<P>(key_of);
    }
    return fn(typed_value<P>(box_->get<P>().first()));
  }

  /// Asked of parameters other than the rounding.
  template <Parameter P, class Predicate>
  bool always(int adder, Predicate&& holds) const {
    if constexpr (is_of_adder(P)) {
      if (adder != 0) return holds(root_value<P>());
    }
    return all_of<P>(holds);
  }

 private:
  template <Parameter P>
  auto root_value() const {
    return parameter_of<P>(*root_, Conventions{});
  }

  /// Where c enters last, the root's parameters are fixed but for its rounding.
  template <Parameter P, class Fn>
  auto select_at_root(Fn&& fn) {
    if constexpr (P == Parameter::block_rounding)
      return split<Parameter::final_rounding>(fn);
    else
      return fn(root_value<P>());
  }

  template <Parameter P, class Predicate>
  bool all_of(Predicate&& holds) const {
    const auto set = box_->get<P>();
    for (int i = set.first(); i < set.kCapacity; i = set.next(i))
      if (!holds(typed_value<P>(i))) return false;
    return true;
  }

  /// Do the datapath's questions about P get answers in the order of P's values? Then all answers agree if
  /// those about the lowest and the highest value do.
  template <Parameter P>
  static constexpr bool kMonotone =
      P == Parameter::minimum_alignment_exponent || P == Parameter::alignment_fraction_bits ||
      P == Parameter::output_fraction_bits;

  /// Keeps the values whose answer equals the lowest value's; the other answers' values wait.
  template <Parameter P, class Fn>
  auto narrow(Fn&& fn) {
    using Set = PackedBox::Set<P>;
    const Set set = box_->get<P>();
    auto answer = fn(typed_value<P>(set.first()));
    if constexpr (kMonotone<P>)
      if (fn(typed_value<P>(set.last())) == answer) return answer;
    using Answer = decltype(answer);
    Set same = Set::single(set.first());
    boost::container::small_vector<std::pair<Answer, Set>, 4> others;
    for (int i = set.next(set.first()); i < Set::kCapacity; i = set.next(i)) {
      const auto mine = fn(typed_value<P>(i));
      if (mine == answer) {
        same.insert(i);
        continue;
      }
      const auto found = std::ranges::find(others, mine, &std::pair<Answer, Set>::first);
      if (found == others.end())
        others.emplace_back(mine, Set::single(i));
      else
        found->second.insert(i);
    }
    for (const auto& other : others) {
      waiting_->push_back(*box_);
      waiting_->back().set<P>(other.second);
    }
    box_->set<P>(same);
    return answer;
  }

  template <Parameter P, class Fn>
  auto split(Fn&& fn) {
    const auto set = box_->get<P>();
    if (set.is_single()) return fn(typed_value<P>(set.first()));
    return narrow<P>(fn);
  }

  const Adder* root_;
  PackedBox* box_;
  std::vector<PackedBox>* waiting_;
};

/// Decoding and encoding read no parameter.
struct NoChoice {};

/// The operands of the observed input, decoded once; their treatment as subnormals is asked each time.
template <class W>
class SeenOperands {
  using A = Concrete<W, NeedChoice>;

 public:
  SeenOperands(const Plan& plan, const DotInput& input) : plan_(&plan), c_(decoded(plan.c, input.c)) {
    for (const Pattern p : input.a) a_.push_back(decoded(plan.a, p));
    for (const Pattern p : input.b) b_.push_back(decoded(plan.b, p));
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
      flush_subnormal<P>(*algebra_, f, x);
      return x;
    }
    const SeenOperands* seen_;
    const A* algebra_;
  };
  [[nodiscard]] View of(const A& algebra) const { return {*this, algebra}; }

 private:
  static Operand<A> decoded(const FormatInfo& f, Pattern pattern) {
    NoChoice none;
    const auto x = decode(Concrete<W, NoChoice>(none), f, {W(pattern)});
    return {x.negative, x.nan, x.infinite, x.exponent, x.significand};
  }

  const Plan* plan_;
  std::vector<Operand<A>> a_, b_;
  Operand<A> c_;
};

/// What a step of a node gave: its sum, or already its result.
template <class A>
struct Outcome {
  bool settled = false;
  Operand<A> value;  ///< if not settled: the fields of Unrounded
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// Boxes all of whose hypotheses have come to the same outcome.
template <class A>
struct Part {
  std::size_t earlier;  ///< which results the nodes before gave
  Outcome<A> outcome;
  std::vector<PackedBox> boxes;
};

/// Parts by what they have come to.
template <class A>
class Frontier {
 public:
  void add(std::size_t earlier, const Outcome<A>& outcome, const PackedBox& box) {
    auto& candidates = places_[hash(earlier, outcome)];
    for (const std::size_t i : candidates)
      if (parts_[i].earlier == earlier && parts_[i].outcome == outcome) return parts_[i].boxes.push_back(box);
    candidates.push_back(parts_.size());
    parts_.push_back({earlier, outcome, {box}});
  }
  std::vector<Part<A>> parts() && { return std::move(parts_); }

 private:
  static std::uint64_t hash(std::size_t earlier, const Outcome<A>& outcome) {
    const auto& x = outcome.value;
    std::uint64_t h = earlier;
    const auto add = [&](std::uint64_t part) { h = (h ^ (h >> 29) ^ part) * 0x9E3779B97F4A7C15U; };
    const auto flag = [](bool b, int place) { return (b ? 1U : 0U) << place; };
    add(flag(x.negative.value, 0) | flag(x.nan.value, 1) | flag(x.infinite.value, 2) |
        flag(outcome.settled, 3));
    add(static_cast<std::uint64_t>(x.exponent.value));
    add(low_word(x.significand.value));
    return h;
  }

  std::vector<Part<A>> parts_;
  std::unordered_map<std::uint64_t, boost::container::small_vector<std::size_t, 2>> places_;
};

/// The boxes of `start` that give the observed result, in steps: each node's sum, then its rounding. Where
/// parts of different boxes have come to the same they are united and go on together.
template <class W>
class Sieve {
  using A = Concrete<W, NeedChoice>;
  using Results = std::vector<Operand<A>>;

 public:
  Sieve(const Plan& plan, const Observation& seen)
      : plan_(&plan),
        seen_(&seen),
        operands_(plan, seen.input),
        root_(root_adder(plan.d.id, Rounding::nearest_even)) {}

  std::vector<PackedBox> consistent(std::vector<PackedBox> start) {
    parts_.push_back({0, {true, {}}, std::move(start)});
    for (std::size_t n = 0; n < plan_->nodes.size(); ++n) {
      add_up(n);
      round(n);
    }
    std::vector<PackedBox> kept;
    for (const auto& part : parts_)
      if (agrees(part.outcome.value)) kept.insert(kept.end(), part.boxes.begin(), part.boxes.end());
    return kept;
  }

 private:
  void add_up(std::size_t n) {
    const PlannedNode& node = plan_->nodes[n];
    Frontier<A> next;
    std::vector<Results> earlier;  // by Part::earlier, from now on; those used are void
    for (auto& part : parts_) {
      Results results;
      if (n > 0) {
        results = earlier_[part.earlier];
        results.push_back(part.outcome.value);
      }
      Results left = results;
      for (const OperandRun& run : node.runs)
        if (run.kind == OperandRun::Kind::node) left[run.node] = {};
      const auto place = std::ranges::find(earlier, left);
      const auto index = static_cast<std::size_t>(place - earlier.begin());
      if (place == earlier.end()) earlier.push_back(std::move(left));
      evaluate(part.boxes, [&](const A& algebra, const PackedBox& box) {
        next.add(index,
                 node_sum(algebra, *plan_, node, operands_.of(algebra), std::span<const Operand<A>>(results),
                          settled, unsettled),
                 box);
      });
    }
    parts_ = std::move(next).parts();
    earlier_ = std::move(earlier);
  }

  void round(std::size_t n) {
    Frontier<A> next;
    for (auto& part : parts_) {
      const auto& x = part.outcome.value;
      evaluate(part.boxes, [&](const A& algebra, const PackedBox& box) {
        next.add(part.earlier,
                 part.outcome.settled
                     ? part.outcome
                     : settled(round_result(algebra, plan_->d, plan_->nodes[n].adder,
                                            Unrounded<A>{x.negative, x.exponent, x.significand})),
                 box);
      });
    }
    parts_ = std::move(next).parts();
  }

  /// Calls run(algebra, box) for parts of boxes, which together are all; run narrows the box to the part it
  /// speaks of.
  template <class Run>
  void evaluate(std::vector<PackedBox>& boxes, Run&& run) {
    unite(boxes);
    while (!boxes.empty()) {
      PackedBox box = boxes.back();
      boxes.pop_back();
      NeedChoice choice(root_, box, boxes);
      run(A(choice), box);
    }
  }

  static Outcome<A> settled(const Operand<A>& result) { return {true, result}; }
  static Outcome<A> unsettled(const Unrounded<A>& sum) {
    return {false, {sum.negative, {}, {}, sum.exponent, sum.leading}};
  }

  [[nodiscard]] bool agrees(const Operand<A>& root) const {
    const FormatInfo& d = plan_->d;
    if (root.nan.value || is_nan(d.id, seen_->d)) return root.nan.value && is_nan(d.id, seen_->d);
    NoChoice none;
    using Plain = Concrete<W, NoChoice>;
    return static_cast<Pattern>(
               encode(Plain(none), d,
                      Operand<Plain>{root.negative, root.nan, root.infinite, root.exponent, root.significand})
                   .value) == seen_->d;
  }

  const Plan* plan_;
  const Observation* seen_;
  SeenOperands<W> operands_;
  Adder root_;
  std::vector<Part<A>> parts_;
  std::vector<Results> earlier_;
};

/// Boxes that share a structure and the NaN seen.
using Structure = std::pair<int, std::optional<Pattern>>;
std::map<Structure, std::vector<PackedBox>> by_structure(const std::vector<HypothesisSet>& sets) {
  std::map<Structure, std::vector<PackedBox>> groups;
  for (const auto& set : sets) groups[{set.chain, set.nan}].emplace_back(set.box);
  return groups;
}

}  // namespace

std::vector<HypothesisSet> united(std::vector<HypothesisSet> sets) {
  auto groups = by_structure(sets);
  sets.clear();
  for (auto& [structure, boxes] : groups) {
    unite(boxes);
    for (const PackedBox& box : boxes) sets.push_back({structure.first, box.unpacked(), structure.second});
  }
  return sets;
}

std::vector<HypothesisSet> consistent(const Space& space, const std::vector<HypothesisSet>& sets,
                                      const Observation& observation, int threads) {
  if (info(space.formats.d).is_integer()) return consistent_by_listing(space, sets, observation);
  struct Task {
    int chain;
    std::optional<Pattern> nan;
    std::vector<PackedBox> boxes;
  };
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
      tasks.push_back({structure.first,
                       nan ? nan : structure.second,
                       {boxes.begin() + static_cast<std::ptrdiff_t>(i),
                        boxes.begin() + static_cast<std::ptrdiff_t>(last)}});
    }
  }
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size(); i = next++) {
      Task& part = tasks[i];
      const Plan plan(space.formats, space.k, tree_of(space.chains[static_cast<std::size_t>(part.chain)]));
      part.boxes = plan.product_width() <= 64
                       ? Sieve<std::uint64_t>(plan, observation).consistent(std::move(part.boxes))
                       : Sieve<Word128>(plan, observation).consistent(std::move(part.boxes));
    }
  };
  {
    std::vector<std::jthread> helpers;
    const auto useful = std::min<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), tasks.size());
    for (std::size_t t = 1; t < useful; ++t) helpers.emplace_back(work);
    work();
  }
  std::vector<HypothesisSet> all;
  for (const auto& part : tasks)
    for (const PackedBox& box : part.boxes) all.push_back({part.chain, box.unpacked(), part.nan});
  return united(std::move(all));
}

}  // namespace mmaprint
