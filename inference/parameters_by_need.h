// The parameters of a datapath that evaluation by need leaves undetermined until it asks for them; see the
// essay in inference/by_need.h. Included by it alone.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <utility>
#include <vector>

#include "base/deadline.h"
#include "inference/packed_box.h"
#include "model/fixed_parameters.h"
#include "model/lowering/keys.h"

namespace mmaprint {

/// Splits a box at the questions that an evaluation asks; what was answered otherwise waits.
class ParametersByNeed {
 public:
  /// Its questions throw DeadlinePassed once `late` has: among a thousand addends one is many evaluations.
  ParametersByNeed(const Adder& root, PackedBox& box, std::vector<PackedBox>& waiting, Checkpoint& late)
      : root_(&root), box_(&box), waiting_(&waiting), late_(&late) {}

  template <Parameter P, class Fn>
  auto select(int adder, Fn&& fn) {
    if constexpr (ParameterRow<P>::scope == Scope::adder) {
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
    if constexpr (ParameterRow<P>::scope == Scope::adder) {
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
    if constexpr (requires { ParameterRow<P>::at_root; })
      return split<ParameterRow<P>::at_root>(fn);
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

  /// Keeps the values whose answer equals the lowest value's; the other answers' values wait.
  template <Parameter P, class Fn>
  auto narrow(Fn&& fn) {
    using Set = PackedBox::Set<P>;
    const Set set = box_->get<P>();
    auto answer = fn(typed_value<P>(set.first()));
    // In the order of P's values, all answers agree if those about the lowest and the highest do.
    if constexpr (ParameterRow<P>::monotone)
      if (fn(typed_value<P>(set.last())) == answer) return answer;
    using Answer = decltype(answer);
    Set same = Set::single(set.first());
    boost::container::small_vector<std::pair<Answer, Set>, 4> others;
    for (int i = set.next(set.first()); i < Set::kCapacity; i = set.next(i)) {
      if (late_->passed()) throw DeadlinePassed("time limit reached");
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
  Checkpoint* late_;
};

}  // namespace mmaprint
