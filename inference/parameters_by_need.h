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
  ParametersByNeed(PackedBox& box, std::vector<PackedBox>& waiting, Checkpoint& late)
      : box_(&box), waiting_(&waiting), late_(&late) {}

  template <Parameter P, class Fn>
  auto select(int adder, Fn&& fn) {
    const auto set = box_->get<P>(key_at<P>(adder).of_class);
    if (set.is_single()) return fn(typed_value<P>(set.first()));
    return narrow<P>(key_at<P>(adder).of_class, fn);
  }

  template <Parameter P, class Key, class Fn>
  auto branch(int adder, Key&& key, Fn&& fn) {
    if (!box_->get<P>(key_at<P>(adder).of_class).is_single()) {
      const auto key_of = key();
      narrow<P>(key_at<P>(adder).of_class, key_of);
    }
    return fn(typed_value<P>(box_->get<P>(key_at<P>(adder).of_class).first()));
  }

  template <Parameter P, class Predicate>
  bool always(int adder, Predicate&& holds) const {
    const auto set = box_->get<P>(key_at<P>(adder).of_class);
    for (int i = set.first(); i < set.kCapacity; i = set.next(i))
      if (!holds(typed_value<P>(i))) return false;
    return true;
  }

 private:
  /// Keeps the values whose answer equals the lowest value's; the other answers' values wait.
  template <Parameter P, class Fn>
  auto narrow(int of_class, Fn&& fn) {
    using Set = PackedBox::Set<P>;
    const Set set = box_->get<P>(of_class);
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
      waiting_->back().set<P>(of_class, other.second);
    }
    box_->set<P>(of_class, same);
    return answer;
  }

  PackedBox* box_;
  std::vector<PackedBox>* waiting_;
  Checkpoint* late_;
};

}  // namespace mmaprint
